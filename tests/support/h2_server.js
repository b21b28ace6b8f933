// An HTTP/2 server for tests: h2_server.js CERTIFICATE KEY. Says its port, and ends when its input does. Answers with the
// version that was spoken and how many connections there were; /reset breaks a stream off.
const fs = require('fs');
const http2 = require('http2');
let sessions = 0;
const server = http2.createSecureServer({cert: fs.readFileSync(process.argv[2]), key: fs.readFileSync(process.argv[3])});
server.on('session', () => ++sessions);
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  stream.respond({':status': 200, 'x-path': headers[':path']});
  if (headers[':path'] === '/reset') {
    stream.write('abc', () => stream.destroy(new Error('broken')));
    return;
  }
  if (headers[':path'] === '/large') return stream.end(Buffer.alloc(4000000, 'abcdefghijklmnopqrstuvw'));
  stream.end(`HTTP/2, connection ${sessions}`);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.stdin.on('end', () => process.exit(0));
process.stdin.resume();
