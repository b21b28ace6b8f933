// The official client of MCP and `belay mcp serve`: the same over stdio and over streamable HTTP.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ended, program, running, sdk, serveHttp, until, workspace } from './belay.mjs';

const { Client } = await sdk('client/index.js');
const { StdioClientTransport } = await sdk('client/stdio.js');
const { StreamableHTTPClientTransport } = await sdk('client/streamableHttp.js');
const { LoggingMessageNotificationSchema } = await sdk('types.js');

let sleeps = 0;
const unique = () => `${600000 + process.pid}.${++sleeps}`;
const text = (result) => result.content.map((block) => block.text).join('\n');

/// A client of a server that was started with these options, over one of the transports.
async function connected(kind, place, ...options) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {} });
  if (kind === 'stdio') {
    const transport = new StdioClientTransport({ command: program, args: place.args(...options), env: place.env, stderr: 'inherit' });
    await client.connect(transport);
    return { client, close: () => client.close() };
  }
  const server = await serveHttp(place, ...options);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { Authorization: `Bearer ${server.token}` } } });
  await client.connect(transport);
  return {
    client, server,
    close: async () => {
      await transport.terminateSession();
      await client.close();
      assert.equal(await server.end(), 0);
    },
  };
}

for (const kind of ['stdio', 'http']) {
  describe(`over ${kind}`, { timeout: 240_000 }, () => {
    let place, it;
    const call = (name, args, options) => it.client.callTool({ name, arguments: args }, undefined, options);
    before(async () => {
      place = workspace();
      it = await connected(kind, place, '--permission-mode', 'acceptEdits', '--allow', 'execute_command(sleep:*)');
    });
    after(async () => {
      await it.close();
      place.remove();
    });

    test('it says who it is and agrees on a version', async () => {
      assert.equal(it.client.getServerVersion().name, 'belay');
      assert.deepEqual(it.client.getServerCapabilities(), { tools: {}, logging: {} });
      assert.match(it.client.getInstructions(), /refused/);
      assert.deepEqual(await it.client.ping(), {});
    });

    test('the tools are listed with hints that are true', async () => {
      const { tools } = await it.client.listTools();
      const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
      assert.deepEqual(Object.keys(hints).sort(), ['apply_diff', 'execute_command', 'list_files', 'read_file', 'repair_json', 'search_files', 'write_to_file']);
      for (const name of ['read_file', 'list_files', 'search_files', 'repair_json']) assert.deepEqual(hints[name], { readOnlyHint: true, openWorldHint: false });
      assert.deepEqual(hints.write_to_file, { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false });
      assert.deepEqual(hints.apply_diff, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false });
      assert.deepEqual(hints.execute_command, { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false });
    });

    test('every tool can be called', async () => {
      assert.equal(text(await call('read_file', { path: 'a.txt' })), 'alpha\nbeta\n');
      assert.match(text(await call('list_files', { path: '.' })), /a\.txt/);
      assert.match(text(await call('search_files', { path: '.', regex: 'bet.' })), /beta/);
      const written = await call('write_to_file', { path: 'new/b.txt', content: 'one\ntwo\n' });
      assert.ok(!written.isError, text(written));
      assert.equal(readFileSync(join(place.folder, 'new/b.txt'), 'utf8'), 'one\ntwo\n');
      const diff = '<<<<<<< SEARCH\ntwo\n=======\nthree\n>>>>>>> REPLACE\n';
      const changed = await call('apply_diff', { path: 'new/b.txt', diff });
      assert.ok(!changed.isError, text(changed));
      assert.equal(readFileSync(join(place.folder, 'new/b.txt'), 'utf8'), 'one\nthree\n');
      assert.match(text(await call('execute_command', { command: 'cat a.txt' })), /^alpha\nbeta\n\[exit code 0/);
    });

    test('repair_json gives value, verdict and edits, and says plainly what is not to be trusted', async () => {
      const mended = (await call('repair_json', { text: "{'a': [1, 2,], // so\n}" })).structuredContent;
      assert.deepEqual([mended.value, mended.verdict, mended.trusted], [{ a: [1, 2] }, 'mended', true]);
      assert.ok(mended.edits.some((edit) => edit.kind === 'trailing_comma' && edit.offset === 11 && edit.grade === 'safe'), JSON.stringify(mended.edits));
      const aligned = (await call('repair_json', { text: '{"n": "5"}', schema: { type: 'object', properties: { n: { type: 'integer' } } } })).structuredContent;
      assert.deepEqual([aligned.value, aligned.trusted, aligned.schema.valid, aligned.schema.aligned[0].kind], [{ n: 5 }, true, true, 'number_from_string']);
      const wrong = (await call('repair_json', { text: '{"n": "x"}', schema: { properties: { n: { type: 'integer' } } } })).structuredContent;
      assert.deepEqual([wrong.trusted, wrong.schema.valid, wrong.schema.violations[0].path], [false, false, '/n']);
      const guessed = await call('repair_json', { text: '{"a": [1, 2' });
      assert.equal(guessed.structuredContent.trusted, false);
      assert.match(guessed.content[1].text, /^NOT TRUSTED: /);
      const broken = await call('repair_json', { text: 'there is none' });
      assert.deepEqual([broken.isError, broken.structuredContent.trusted, broken.structuredContent.verdict], [true, false, 'broken']);
      const useless = await call('repair_json', { text: '1', schema: { type: 5 } });
      assert.equal(useless.isError, true);
      assert.match(text(useless), /schema cannot be used/);
    });

    test('arguments are mended with a receipt, and checked', async () => {
      const mended = await it.client.request({ method: 'tools/call', params: { name: 'read_file', arguments: { path: 'a.txt', start_line: '2' } } }, (await sdk('types.js')).CallToolResultSchema);
      assert.match(text(mended), /beta[^]*number_from_string/);
      const wrong = await call('read_file', { path: 5, nothing: true });
      assert.equal(wrong.isError, true);
      const missing = await call('read_file', {});
      assert.equal(missing.isError, true);
      assert.match(text(missing), /path/);
    });

    test('what goes wrong is said where it belongs', async () => {
      await assert.rejects(call('no_such_tool', {}), { code: -32602 });
      await assert.rejects(it.client.request({ method: 'no/such', params: {} }, (await sdk('types.js')).EmptyResultSchema), { code: -32601 });
      const absent = await call('read_file', { path: 'absent.txt' });
      assert.equal(absent.isError, true);
      const failing = await call('execute_command', { command: 'cat absent.txt' });
      assert.equal(failing.isError, true);
      assert.match(text(failing), /exit code 1/);
    });

    test('what a person would have to approve is refused, and how to allow it is said', async () => {
      const refused = await call('execute_command', { command: 'touch made.txt' });
      assert.equal(refused.isError, true);
      assert.match(text(refused), /not permitted here/);
      assert.match(text(refused), /--allow 'execute_command\(/);
      assert.ok(!existsSync(join(place.folder, 'made.txt')));
    });

    test('nothing outside of the workspace is read or written', async () => {
      symlinkSync(join(place.home, 'secret.txt'), join(place.folder, `link-${kind}`));
      for (const path of ['../secret.txt', join(place.home, 'secret.txt'), `link-${kind}`, '/etc/passwd', 'new/../../secret.txt', '\0/etc/passwd', '/proc/self/environ']) {
        const read = await call('read_file', { path });
        assert.equal(read.isError, true, path);
        assert.doesNotMatch(text(read), /outside\n|root:/, path);
        const written = await call('write_to_file', { path, content: 'gotcha' });
        assert.equal(written.isError, true, path);
      }
      assert.equal(readFileSync(join(place.home, 'secret.txt'), 'utf8'), 'outside');
      const listed = await call('list_files', { path: '..' });
      assert.equal(listed.isError, true);
      const command = await call('execute_command', { command: 'sleep 0', cwd: '..' });
      assert.equal(command.isError, true);
    });

    test('a thousand calls at once: none is lost, none is swapped', async () => {
      const results = await Promise.all(Array.from({ length: 1000 }, (_, n) => {
        if (n % 10 !== 0) return call('repair_json', { text: `{n: ${n},}` }, { timeout: 200_000 });
        writeFileSync(join(place.folder, `n${n}.txt`), `number ${n}`);
        return call('read_file', { path: `n${n}.txt` }, { timeout: 200_000 });
      }));
      results.forEach((result, n) => {
        if (n % 10 !== 0) assert.deepEqual(result.structuredContent.value, { n });
        else assert.equal(text(result), `number ${n}`);
      });
    });

    test('cancelling stops the command', async () => {
      const seconds = unique();
      const abort = new AbortController();
      const slow = call('execute_command', { command: `sleep ${seconds}`, timeout: 600 }, { signal: abort.signal, timeout: 600_000 });
      slow.catch(() => {});
      await until(() => running(seconds).length > 0);
      abort.abort('not needed');
      await assert.rejects(slow);
      await until(() => running(seconds).length === 0);
      assert.deepEqual(await it.client.ping(), {});
    });

    test('a long command says that it lives', async () => {
      const notes = [];
      const seconds = unique();
      const abort = new AbortController();
      const slow = call('execute_command', { command: `sleep ${seconds}` }, { onprogress: (note) => notes.push(note), signal: abort.signal, timeout: 600_000 });
      slow.catch(() => {});
      await until(() => notes.length >= 2);
      assert.ok(notes[1].progress > notes[0].progress);
      abort.abort();
      await until(() => running(seconds).length === 0);
    });

    test('the log has what was asked for', async () => {
      const lines = [];
      it.client.setNotificationHandler(LoggingMessageNotificationSchema, (note) => void lines.push(note.params));
      await call('execute_command', { command: 'touch x' });
      assert.deepEqual(lines, []);
      await it.client.setLoggingLevel('warning');
      await call('execute_command', { command: 'touch x' });
      await until(() => lines.length > 0);
      assert.equal(lines.length, 1);
      assert.equal(lines[0].level, 'warning');
      await assert.rejects(it.client.setLoggingLevel('loud'));
    });
  });

  test(`over ${kind}: without options files are not written, and with plan neither`, { timeout: 60_000 }, async () => {
    for (const options of [[], ['--permission-mode', 'plan'], ['--permission-mode', 'acceptEdits', '--deny', 'write_to_file']]) {
      const place = workspace();
      const it = await connected(kind, place, ...options);
      const refused = await it.client.callTool({ name: 'write_to_file', arguments: { path: 'x.txt', content: 'x' } });
      assert.equal(refused.isError, true, options.join(' '));
      assert.ok(!existsSync(join(place.folder, 'x.txt')));
      if (options.length === 0) assert.match(text(refused), /--permission-mode acceptEdits/);
      await it.close();
      place.remove();
    }
  });
}

const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } });
const sleep = (seconds) => JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'execute_command', arguments: { command: `sleep ${seconds}`, timeout: 600 } } });

test('a client that dies over stdio leaves no process behind', { timeout: 60_000 }, async () => {
  const place = workspace();
  const seconds = unique();
  const child = spawn(program, place.args('--allow', 'execute_command(sleep:*)'), { env: place.env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${hello}\n${sleep(seconds)}\n`);
  await until(() => running(seconds).length > 0);
  child.stdin.destroy();
  child.stdout.destroy();
  const code = await new Promise((done) => child.on('exit', done));
  assert.equal(code, 0);
  await until(() => running(seconds).length === 0);
  place.remove();
});

test('SIGTERM ends it and its commands', { timeout: 60_000 }, async () => {
  const place = workspace();
  const seconds = unique();
  const child = spawn(program, place.args('--allow', 'execute_command(sleep:*)'), { env: place.env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`${hello}\n${sleep(seconds)}\n`);
  await until(() => running(seconds).length > 0);
  assert.equal(await ended(child), 0);
  assert.deepEqual(running(seconds), []);
  place.remove();
});

test('a client that dies over HTTP leaves no process behind', { timeout: 60_000 }, async () => {
  const place = workspace();
  const server = await serveHttp(place, '--allow', 'execute_command(sleep:*)');
  const headers = { Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const begun = await fetch(server.url, { method: 'POST', headers, body: hello });
  headers['Mcp-Session-Id'] = begun.headers.get('mcp-session-id');
  await begun.text();
  const seconds = unique();
  const abort = new AbortController();
  fetch(server.url, { method: 'POST', headers, body: sleep(seconds), signal: abort.signal }).then((r) => r.text()).catch(() => {});
  await until(() => running(seconds).length > 0);
  abort.abort();
  await until(() => running(seconds).length === 0);
  // Forgetting the session stops its calls, too.
  const again = unique();
  fetch(server.url, { method: 'POST', headers, body: sleep(again) }).then((r) => r.text()).catch(() => {});
  await until(() => running(again).length > 0);
  assert.equal((await fetch(server.url, { method: 'DELETE', headers })).status, 204);
  await until(() => running(again).length === 0);
  assert.equal(await server.end(), 0);
  place.remove();
});

test('the file of the token is for its owner alone, and goes with the server', { timeout: 60_000 }, async () => {
  const place = workspace();
  const file = join(place.home, 'token');
  const server = await serveHttp(place, '--token-file', file);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8'), `${server.token}\n`);
  assert.equal(await server.end(), 0);
  assert.ok(!existsSync(file));
  place.remove();
});
