// The server scenarios of MCP's conformance suite that need no tools made for them. The suite knows no tokens: what it
// sends goes through a proxy that adds the header and changes nothing else.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { serveHttp, workspace } from './belay.mjs';

const suite = join(process.env.BELAY_PACKAGES, '@modelcontextprotocol/conformance/dist/index.js');
const scenarios = ['server-initialize', 'logging-set-level', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'];
// docs/mcp.md says why.
const leftOut = [
  'completion-complete', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource', 'tools-call-mixed-content',
  'tools-call-with-logging', 'tools-call-error', 'tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation', 'json-schema-2020-12',
  'elicitation-sep1034-defaults', 'server-sse-polling', 'elicitation-sep1330-enums', 'resources-list', 'resources-read-text', 'resources-read-binary',
  'resources-templates-read', 'resources-subscribe', 'resources-unsubscribe', 'prompts-list', 'prompts-get-simple', 'prompts-get-with-args',
  'prompts-get-embedded-resource', 'prompts-get-with-image',
];

function ran(...args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    child.stdout.on('data', (bytes) => (out += bytes));
    child.stderr.on('data', (bytes) => (out += bytes));
    child.on('exit', (code) => done({ code, out }));
  });
}

describe('conformance', { timeout: 300_000 }, () => {
  let place, server, proxy, url;
  before(async () => {
    place = workspace();
    server = await serveHttp(place);
    const to = new URL(server.url);
    proxy = http.createServer((request, response) => {
      const onward = http.request({ host: to.hostname, port: to.port, path: request.url, method: request.method, headers: { ...request.headers, authorization: `Bearer ${server.token}` }, setHost: false }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    });
    await new Promise((go) => proxy.listen(0, '127.0.0.1', go));
    url = `http://127.0.0.1:${proxy.address().port}/mcp`;
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    assert.equal(await server.end(), 0);
    place.remove();
  });

  test('every scenario of the suite is run here, or left out by name', async () => {
    const { out } = await ran('list', '--server');
    const known = [...out.split('Client scenarios')[0].matchAll(/^\s+- (\S+)/gm)].map((match) => match[1]);
    assert.deepEqual(known.sort(), [...scenarios, ...leftOut].sort());
  });

  for (const scenario of scenarios)
    test(scenario, async () => {
      const { code, out } = await ran('server', '--url', url, '--scenario', scenario);
      assert.equal(code, 0, out);
      assert.match(out, /Passed: [1-9]\d*\/[1-9]\d*, 0 failed, 0 warnings/, out);
    });
});
