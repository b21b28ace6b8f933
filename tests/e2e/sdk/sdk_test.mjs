// The official clients read what Belay writes, streamed and whole, and Belay reads the requests that they send. run.mjs
// starts this; a server on a free port of the loopback serves the bytes.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

const require = createRequire(join(process.env.BELAY_SDK_FOLDER, 'test.js'));
const { OpenAI } = require('openai');
const { Anthropic } = require('@anthropic-ai/sdk');
const { GoogleGenAI } = require('@google/genai');
const { Ollama } = require('ollama');

function peer(args, input) {
  const ran = spawnSync(process.env.BELAY_SDK_PEER, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ran.status !== 0) throw new Error(`belay_sdk_peer ${args.join(' ')}: ${ran.stderr || ran.error}`);
  return ran.stdout;
}

const { answers } = JSON.parse(peer(['answers']));

// ---- the server

let serving;  // what the next answer is: { wire, answer }
let asked;    // the last request: { url, body }
const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  asked = { url: request.url, body };
  const { wire, answer } = serving;
  const bytes = answer.wires[wire];
  const wanted = body ? JSON.parse(body).stream : undefined;
  const streamed = wire === 'gemini' ? request.url.includes('streamGenerateContent') : wire === 'ollama' ? wanted !== false : wanted;
  if (!streamed) {
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(bytes.whole);
  }
  response.writeHead(200, { 'content-type': bytes.type });
  for (const piece of bytes.stream)
    if (!response.write(piece)) await new Promise((go) => response.once('drain', go));
  response.end();
});
let base;
before(async () => {
  await new Promise((go) => server.listen(0, '127.0.0.1', go));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const quiet = { apiKey: 'none', maxRetries: 0 };
const openai = () => new OpenAI({ ...quiet, baseURL: `${base}/v1` });
const anthropic = () => new Anthropic({ ...quiet, baseURL: base });
const google = () => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: base } });
const ollama = () => new Ollama({ host: base });

// ---- one conversation, as each client wants it

const schema = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
  required: ['path'],
};
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const fn = { name: 'read_file', description: 'Reads a file.' };
const readA = '{"path":"a.txt"}', readB = '{"path":"b.txt"}';

const chatRequest = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'What is in these?' }, { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }] },
    { role: 'assistant', content: 'I read.', tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: readA } },
      { id: 'call_2', type: 'function', function: { name: 'read_file', arguments: readB } }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'hello' },
    { role: 'tool', tool_call_id: 'call_2', content: 'no such file' }],
  tools: [{ type: 'function', function: { ...fn, parameters: schema } }],
  tool_choice: 'required', max_completion_tokens: 512, temperature: 0.5,
};
const responsesRequest = {
  model: 'some-model', instructions: 'Be brief.',
  input: [
    { role: 'user', content: [{ type: 'input_text', text: 'What is in these?' }, { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${pixel}` }] },
    { role: 'assistant', content: 'I read.' },
    { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: readA },
    { type: 'function_call', call_id: 'call_2', name: 'read_file', arguments: readB },
    { type: 'function_call_output', call_id: 'call_1', output: 'hello' },
    { type: 'function_call_output', call_id: 'call_2', output: 'no such file' }],
  tools: [{ type: 'function', ...fn, parameters: schema, strict: false }],
  tool_choice: 'required', max_output_tokens: 512, temperature: 0.5,
};
const anthropicRequest = {
  model: 'some-model', system: 'Be brief.',
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'What is in these?' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }] },
    { role: 'assistant', content: [{ type: 'text', text: 'I read.' },
      { type: 'tool_use', id: 'call_1', name: 'read_file', input: JSON.parse(readA) },
      { type: 'tool_use', id: 'call_2', name: 'read_file', input: JSON.parse(readB) }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'hello' },
      { type: 'tool_result', tool_use_id: 'call_2', content: 'no such file', is_error: true }] }],
  tools: [{ ...fn, input_schema: schema }],
  tool_choice: { type: 'any' }, max_tokens: 512, temperature: 0.5,
};
const geminiRequest = {
  model: 'some-model',
  contents: [
    { role: 'user', parts: [{ text: 'What is in these?' }, { inlineData: { mimeType: 'image/png', data: pixel } }] },
    { role: 'model', parts: [{ text: 'I read.' },
      { functionCall: { id: 'call_1', name: 'read_file', args: JSON.parse(readA) } },
      { functionCall: { id: 'call_2', name: 'read_file', args: JSON.parse(readB) } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'read_file', response: { output: 'hello' } } },
      { functionResponse: { id: 'call_2', name: 'read_file', response: { error: 'no such file' } } }] }],
  config: {
    systemInstruction: 'Be brief.', maxOutputTokens: 512, temperature: 0.5,
    tools: [{ functionDeclarations: [{ ...fn, parametersJsonSchema: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
  },
};
const ollamaRequest = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is in these?', images: [pixel] },
    { role: 'assistant', content: 'I read.', tool_calls: [
      { function: { name: 'read_file', arguments: JSON.parse(readA) } },
      { function: { name: 'read_file', arguments: JSON.parse(readB) } }] },
    { role: 'tool', content: 'hello', tool_name: 'read_file' },
    { role: 'tool', content: 'no such file', tool_name: 'read_file' }],
  tools: [{ type: 'function', function: { ...fn, parameters: schema } }],
  options: { num_predict: 512, temperature: 0.5 },
};

/// What Belay must read of each. Wires differ in what they have words for: whether a result is an error, what tool it is
/// of, whether one must be called, the ids of calls; and whether results have a message each.
function understood({ error = false, choice = true, ids = ['call_1', 'call_2'], named = false, apart = false } = {}) {
  const result = (id, text, failed) => ({
    kind: 'tool_result', id, ...(named ? { name: 'read_file' } : {}), ...(failed ? { is_error: true } : {}), content: [{ kind: 'text', text }],
  });
  const results = [result(ids[0], 'hello', false), result(ids[1], 'no such file', error)];
  return {
    again: true, model: 'some-model',
    messages: [
      { role: 'system', blocks: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', blocks: [{ kind: 'text', text: 'What is in these?' }, { kind: 'image', media_type: 'image/png', data: pixel }] },
      { role: 'assistant', blocks: [{ kind: 'text', text: 'I read.' },
        { kind: 'tool_call', id: ids[0], name: 'read_file', arguments: readA },
        { kind: 'tool_call', id: ids[1], name: 'read_file', arguments: readB }] },
      ...(apart ? results.map((r) => ({ role: 'tool', blocks: [r] })) : [{ role: 'tool', blocks: results }])],
    tools: [{ ...fn, parameters: schema }],
    ...(choice ? { tool_choice: 'required', tool: '' } : {}),
    max_output_tokens: 512, temperature: 0.5,
  };
}

/// The request that the client sent, as Belay reads it.
function reads(wire, expected, stream) {
  assert.ok(asked, 'nothing was asked');
  const read = JSON.parse(peer(['request', wire, ...(wire === 'gemini' ? ['some-model'] : [])], asked.body + '\n'));
  if (wire === 'gemini') stream = read.stream;  // the URL says it
  assert.deepEqual(read, { ...expected, stream });
}

// ---- what each client saw, in one form: { text, reasoning, calls, stop }

const call = (id, name, args) => ({ id, name, arguments: typeof args === 'string' ? JSON.parse(args || '{}') : args });
const expectedOf = (answer) => ({
  text: answer.text, reasoning: answer.reasoning,
  calls: answer.calls.map((c) => call(c.id, c.name, c.arguments)), stop: answer.stop,
});

const fromChat = (completion) => {
  const { message, finish_reason } = completion.choices[0];
  const stops = { stop: 'end', tool_calls: 'tool_calls', length: 'length' };
  assert.deepEqual([completion.usage.prompt_tokens, completion.usage.completion_tokens, completion.usage.total_tokens], [31, 17, 48]);
  return {
    text: message.content ?? '', reasoning: message.reasoning_content ?? '',
    calls: (message.tool_calls ?? []).map((c) => call(c.id, c.function.name, c.function.arguments)), stop: stops[finish_reason],
  };
};
const fromResponses = (response) => {
  if (response.status === 'failed') throw new Error(response.error.message);  // the client leaves that to its user
  const of = (type) => response.output.filter((item) => item.type === type);
  assert.deepEqual([response.usage.input_tokens, response.usage.output_tokens], [31, 17]);
  assert.equal(response.status, response.incomplete_details ? 'incomplete' : 'completed');
  const calls = of('function_call');
  return {
    text: response.output_text, reasoning: of('reasoning').flatMap((r) => r.summary.map((s) => s.text)).join(''),
    calls: calls.map((c) => call(c.call_id, c.name, c.arguments)),
    stop: response.incomplete_details ? 'length' : calls.length ? 'tool_calls' : 'end',
  };
};
const fromAnthropic = (message) => {
  const of = (type) => message.content.filter((block) => block.type === type);
  const stops = { end_turn: 'end', tool_use: 'tool_calls', max_tokens: 'length' };
  assert.deepEqual([message.usage.input_tokens, message.usage.output_tokens], [31, 17]);
  return {
    text: of('text').map((b) => b.text).join(''), reasoning: of('thinking').map((b) => b.thinking).join(''),
    calls: of('tool_use').map((b) => call(b.id, b.name, b.input)), stop: stops[message.stop_reason],
  };
};
const fromGemini = (chunks) => {
  const parts = chunks.flatMap((c) => c.candidates?.[0]?.content?.parts ?? []);
  const last = chunks.at(-1);
  assert.deepEqual([last.usageMetadata.promptTokenCount, last.usageMetadata.candidatesTokenCount], [31, 17]);
  const calls = chunks.flatMap((c) => c.functionCalls ?? []);
  const stop = last.candidates[0].finishReason;
  return {
    text: parts.filter((p) => p.text && !p.thought).map((p) => p.text).join(''),
    reasoning: parts.filter((p) => p.text && p.thought).map((p) => p.text).join(''),
    calls: calls.map((c) => call(c.id, c.name, c.args)),
    stop: stop === 'MAX_TOKENS' ? 'length' : stop === 'STOP' ? (calls.length ? 'tool_calls' : 'end') : stop,
  };
};
const fromOllama = (lines) => {
  const last = lines.at(-1);
  assert.deepEqual([last.done, last.prompt_eval_count, last.eval_count], [true, 31, 17]);
  const calls = lines.flatMap((l) => l.message?.tool_calls ?? []);
  return {
    text: lines.map((l) => l.message?.content ?? '').join(''), reasoning: lines.map((l) => l.message?.thinking ?? '').join(''),
    calls: calls.map((c) => call(c.id, c.function.name, c.function.arguments)),
    stop: last.done_reason === 'length' ? 'length' : calls.length ? 'tool_calls' : 'end',
  };
};
async function all(iterable) {
  const out = [];
  for await (const item of await iterable) out.push(item);
  return out;
}

/// Chat's chunks put together by hand, as clients without helpers do.
function joined(chunks) {
  const message = { content: '', reasoning_content: '', tool_calls: [] };
  let finish_reason, usage;
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    if (!choice) continue;
    finish_reason = choice.finish_reason ?? finish_reason;
    message.content += choice.delta.content ?? '';
    message.reasoning_content += choice.delta.reasoning_content ?? '';
    for (const t of choice.delta.tool_calls ?? []) {
      const known = (message.tool_calls[t.index] ??= { id: '', function: { name: '', arguments: '' } });
      known.id += t.id ?? '';
      known.function.name += t.function?.name ?? '';
      known.function.arguments += t.function?.arguments ?? '';
    }
  }
  return { choices: [{ message, finish_reason }], usage };
}

// Each client: how it asks, streamed and not, and what Belay must read of that.
const clients = [
  {
    name: 'openai, Chat', wire: 'openai-chat', expected: understood(),
    whole: async () => fromChat(await openai().chat.completions.create(chatRequest)),
    streamed: {
      'chunk by chunk': async () => fromChat(joined(await all(openai().chat.completions.create({ ...chatRequest, stream: true, stream_options: { include_usage: true } })))),
      'with its helper': async (answer) => {
        const seen = fromChat(await openai().chat.completions.stream({ ...chatRequest, stream_options: { include_usage: true } }).finalChatCompletion());
        return { ...seen, reasoning: answer.reasoning };  // the helper keeps the last piece of what OpenAI itself does not send
      },
    },
    cut: async () => {
      const seen = joined(await all(openai().chat.completions.create({ ...chatRequest, stream: true })));
      assert.equal(seen.choices[0].finish_reason, 'length');
    },
  },
  {
    name: 'openai, Responses', wire: 'openai-responses', expected: understood(),
    whole: async () => fromResponses(await openai().responses.create(responsesRequest)),
    streamed: {
      'with its helper': async () => fromResponses(await openai().responses.stream(responsesRequest).finalResponse()),
      'event by event': async () => {
        const events = await all(openai().responses.create({ ...responsesRequest, stream: true }));
        assert.deepEqual(events.map((e) => e.sequence_number), events.map((_, i) => i));
        const last = events.at(-1).response;
        const items = events.filter((e) => e.type === 'response.output_item.done').map((e) => e.item);
        assert.deepEqual(last.output, items);
        const texts = events.filter((e) => e.type === 'response.output_text.delta').map((e) => e.delta);
        return fromResponses({ ...last, output_text: texts.join('') });
      },
    },
    cut: async () => {
      const events = await all(openai().responses.create({ ...responsesRequest, stream: true }));
      assert.equal(events.at(-1).type, 'response.incomplete');
      assert.ok(!events.some((e) => e.type === 'response.output_item.done' && e.item.type === 'function_call'), 'clients run what is done');
      assert.ok(!events.some((e) => e.type === 'response.function_call_arguments.done'), 'clients run what is done');
    },
  },
  {
    name: '@anthropic-ai/sdk', wire: 'anthropic', expected: understood({ error: true }),
    whole: async () => fromAnthropic(await anthropic().messages.create(anthropicRequest)),
    streamed: {
      'with its helper': async () => fromAnthropic(await anthropic().messages.stream(anthropicRequest).finalMessage()),
      'with its partial input': async (answer) => {
        const stream = anthropic().messages.stream(anthropicRequest);
        const partial = [];
        stream.on('inputJson', (_, value) => partial.push(value));
        const message = await stream.finalMessage();
        const pieces = answer.calls.some((c) => c.arguments !== '{}');
        if (pieces) assert.deepEqual(partial.at(-1), JSON.parse(answer.calls.at(-1).arguments));
        return fromAnthropic(message);
      },
    },
    cut: async () => {
      const events = await all(anthropic().messages.create({ ...anthropicRequest, stream: true }));
      assert.equal(events.find((e) => e.type === 'message_delta').delta.stop_reason, 'max_tokens');
      const begun = events.find((e) => e.type === 'content_block_start' && e.content_block.type === 'tool_use');
      assert.ok(begun && !events.some((e) => e.type === 'content_block_stop' && e.index === begun.index), 'clients run what is done');
    },
  },
  {
    name: '@google/genai', wire: 'gemini', expected: understood({ error: true, named: true }),
    whole: async () => fromGemini([await google().models.generateContent(geminiRequest)]),
    streamed: { 'chunk by chunk': async () => fromGemini(await all(google().models.generateContentStream(geminiRequest))) },
    cut: async (answer) => {
      const seen = fromGemini(await all(google().models.generateContentStream(geminiRequest)));
      assert.deepEqual(seen, { text: answer.text, reasoning: '', calls: [], stop: 'length' });
    },
  },
  {
    name: 'ollama', wire: 'ollama', expected: understood({ choice: false, ids: ['belay_call_0', 'belay_call_1'], named: true, apart: true }),
    whole: async () => fromOllama([await ollama().chat({ ...ollamaRequest, stream: false })]),
    streamed: { 'line by line': async () => fromOllama(await all(ollama().chat({ ...ollamaRequest, stream: true }))) },
    cut: async (answer) => {
      const seen = fromOllama(await all(ollama().chat({ ...ollamaRequest, stream: true })));
      assert.deepEqual(seen, { text: answer.text, reasoning: '', calls: [], stop: 'length' });
    },
  },
];

for (const client of clients) {
  describe(client.name, () => {
    for (const answer of answers) {
      const serve = () => {
        serving = { wire: client.wire, answer };
        asked = undefined;
      };
      if (answer.failure) {
        for (const [how, ask] of Object.entries(client.streamed))
          test(`${answer.name}, ${how}: an error, not an answer`, async () => {
            serve();
            await assert.rejects(() => ask(answer), /[Oo]verloaded/);
          });
      } else if (answer.open) {
        test(`${answer.name}: nothing that a client would run`, async () => {
          serve();
          await client.cut(answer);
        });
      } else {
        for (const [how, ask] of Object.entries(client.streamed))
          test(`${answer.name}, streamed, ${how}`, async () => {
            serve();
            assert.deepEqual(await ask(answer), expectedOf(answer));
            reads(client.wire, client.expected, true);
          });
        test(`${answer.name}, whole`, async () => {
          serve();
          assert.deepEqual(await client.whole(), expectedOf(answer));
          reads(client.wire, client.expected, false);
        });
      }
    }
  });
}
