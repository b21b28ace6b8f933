// The official SDKs from npm on the same streams as bench_json, and ajv on the same schemas.
//
//   node sdks.mjs [--quick] [--json FILE] DIR     DIR: from `bench_json --write-streams DIR`
//
// A stream is served from memory, in pieces of the same size as Belay gets, by a `fetch` that the SDK is given: no
// socket, no HTTP. Every reader runs in a process of its own; what counts is the best of several runs, of wall-clock and
// CPU time the smaller.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// ---- the readers -----------------------------------------------------------------------------------------------------

/** A fetch that answers everything with this body. */
function serve(body, piece) {
  return async () => {
    let at = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (at >= body.length) return controller.close();
        controller.enqueue(body.subarray(at, (at += piece)));
      },
    });
    return new Response(stream, { headers: { "content-type": "text/event-stream" } });
  };
}

const messages = [{ role: "user", content: "write the file" }];
const check = (text) => {
  if (typeof JSON.parse(text).content !== "string") throw new Error("the arguments are not what was sent");
};

const readers = {
  async "OpenAI SDK, Chat, read at the end"(body, piece) {
    const { default: OpenAI } = await import("openai");
    return async () => {
      const client = new OpenAI({ apiKey: "x", baseURL: "http://localhost/v1", fetch: serve(body, piece) });
      let text = "";
      for await (const chunk of await client.chat.completions.create({ model: "m", messages, stream: true }))
        text += chunk.choices[0]?.delta?.tool_calls?.[0]?.function?.arguments ?? "";
      check(text);
    };
  },
  async "OpenAI SDK, Responses, read at the end"(body, piece) {
    const { default: OpenAI } = await import("openai");
    return async () => {
      const client = new OpenAI({ apiKey: "x", baseURL: "http://localhost/v1", fetch: serve(body, piece) });
      let text = "";
      for await (const event of await client.responses.create({ model: "m", input: "x", stream: true }))
        if (event.type === "response.function_call_arguments.delta") text += event.delta;
      check(text);
    };
  },
  async "Anthropic SDK, read at the end"(body, piece) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    return async () => {
      const client = new Anthropic({ apiKey: "x", baseURL: "http://localhost", fetch: serve(body, piece) });
      let text = "";
      for await (const event of await client.messages.create({ model: "m", max_tokens: 1, messages, stream: true }))
        if (event.type === "content_block_delta") text += event.delta.partial_json;
      check(text);
    };
  },
  async "Anthropic SDK, partial value on every delta"(body, piece) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    return async () => {
      const client = new Anthropic({ apiKey: "x", baseURL: "http://localhost", fetch: serve(body, piece) });
      let seen = 0;
      const stream = client.messages.stream({ model: "m", max_tokens: 1, messages });
      stream.on("inputJson", (_, snapshot) => {
        seen += snapshot?.content?.length ?? 0;
      });
      const message = await stream.finalMessage();
      if (typeof message.content[0].input.content !== "string" || seen === 0) throw new Error("nothing was read");
    };
  },
};

async function ajv(name, folder) {
  const { default: Ajv } = await import("ajv/dist/2020.js");
  const { schema, value } = JSON.parse(readFileSync(join(folder, "schemas.json"), "utf8")).find((s) => s.name === name);
  const instance = new Ajv({ strict: false, validateFormats: false });
  const validate = instance.compile(schema);
  if (!validate(value)) throw new Error(`ajv refuses ${name}`);
  // It knows an object that it has compiled: each time another one.
  return { compile: () => instance.compile({ ...schema }), check: () => validate(value) };
}

// ---- measuring -------------------------------------------------------------------------------------------------------

async function best(run, total) {
  let spent = 0;
  let least = Infinity;
  for (let runs = 0; runs < 100_000 && (spent < total || runs === 0); ++runs) {
    // cpuUsage() counts in microseconds: short runs are timed in groups
    const group = least < 5e-3 ? Math.ceil(5e-3 / Math.max(least, 1e-8)) : 1;
    globalThis.gc?.();
    const cpu = process.cpuUsage();
    const wall = process.hrtime.bigint();
    for (let i = 0; i < group; ++i) await run();
    const spentWall = Number(process.hrtime.bigint() - wall) / 1e9;
    const spentCpu = process.cpuUsage(cpu);
    const seconds = Math.min(spentWall, (spentCpu.user + spentCpu.system) / 1e6);
    spent += seconds;
    least = Math.min(least, seconds / group);
  }
  return least;
}

/** Short synchronous runs, without the cost of waiting for them. */
async function bestOfShort(run, total) {
  let count = 1;
  const group = () => {
    for (let i = 0; i < count; ++i) run();
  };
  await best(group, 0.5);
  while ((await best(group, 0)) < 2e-3 && count < 1 << 24) count *= 4;
  return (await best(group, total)) / count;
}

async function measure({ kind, name, folder, quick, ...rest }) {
  const total = quick ? 1 : 4;
  if (kind === "stream") {
    const run = await readers[name](readFileSync(join(folder, rest.file)), rest.piece);
    return { reader: name, ...rest, seconds: await best(run, total) };
  }
  const { compile, check } = await ajv(name, folder);
  return { schema: name, compile: await bestOfShort(compile, total / 4), check: await bestOfShort(check, total / 4) };
}

// ---- the command -----------------------------------------------------------------------------------------------------

const given = process.argv.slice(2);
if (given[0] === "--measure") {
  process.stdout.write(JSON.stringify(await measure(JSON.parse(given[1]))));
} else {
  const options = { quick: false, json: "", folder: "" };
  while (given.length > 0) {
    const argument = given.shift();
    if (argument === "--quick") options.quick = true;
    else if (argument === "--json") options.json = given.shift() ?? "";
    else options.folder = argument;
  }
  if (!options.folder) {
    console.error("usage: node sdks.mjs [--quick] [--json FILE] DIR");
    process.exit(2);
  }
  const load = (file) => JSON.parse(readFileSync(join(options.folder, file), "utf8"));
  const jobs = [];
  for (const stream of load("streams.json")) {
    const wanted = {
      "openai-chat": ["OpenAI SDK, Chat, read at the end"],
      "openai-responses": ["OpenAI SDK, Responses, read at the end"],
      // Partial values cost it time that grows with the square: a minute and more for 1 MiB.
      anthropic: ["Anthropic SDK, read at the end", ...(stream.payload > 256 * 1024 ? [] : ["Anthropic SDK, partial value on every delta"])],
    }[stream.wire];
    for (const name of wanted ?? []) jobs.push({ kind: "stream", name, ...stream });
  }
  for (const { name } of load("schemas.json")) jobs.push({ kind: "schema", name });
  const rows = { node: process.version, streams: [], schemas: [] };
  for (const job of jobs) {
    const given = JSON.stringify({ ...job, folder: options.folder, quick: options.quick });
    const command = ["--expose-gc", fileURLToPath(import.meta.url), "--measure", given];
    const child = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
    if (child.status === 0) rows[job.kind === "stream" ? "streams" : "schemas"].push(JSON.parse(child.stdout));
    else console.error(`sdks.mjs: ${job.name} could not be measured`);
  }
  for (const row of rows.streams)
    console.log(`${row.reader}, ${row.payload / 1024} KiB: ${(row.seconds * 1e3).toFixed(1)} ms, ${(row.bytes / row.seconds / 1e6).toFixed(1)} MB/s`);
  for (const row of rows.schemas)
    console.log(`ajv, ${row.schema}: compile ${(row.compile * 1e6).toFixed(1)} µs, check ${(row.check * 1e6).toFixed(3)} µs`);
  if (options.json) writeFileSync(options.json, JSON.stringify(rows, null, 1) + "\n");
}
