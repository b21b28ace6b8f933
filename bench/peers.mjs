// The readers from npm on the same documents as bench_json, for the same table.
//
//   node peers.mjs [--quick] [--json FILE] DIR     DIR: from `bench_json --write-documents DIR`
//
// Every reader runs in a process of its own, so that none spoils the compiled code of another. What counts is the best
// of several runs, of wall-clock and CPU time the smaller. A size is left out when the ones before it say that it would
// not end within seconds.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const sizes = { all: [1e3, 16e3, 128e3, 1e6, 16e6], quick: [1e3, 16e3, 128e3, 1e6] };

// ---- the readers: each names what it does, and gives a function that reads a prepared document once -----------------

/** An async iterable over chunks with as little overhead as there can be. */
function streamOf(chunks) {
  return {
    [Symbol.asyncIterator]() {
      let next = 0;
      return {
        next: () =>
          Promise.resolve(next < chunks.length ? { value: chunks[next++], done: false } : { value: undefined, done: true }),
      };
    },
  };
}

const lastOf = (value) => value?.content ?? value?.todos?.at(-1);

const readers = {
  async "JSON.parse"() {
    return { whole: (text) => JSON.parse(text) };
  },
  async jsonriver() {
    const { parse } = await import("jsonriver");
    const run = async (chunks) => {
      let value;
      for await (value of parse(streamOf(chunks)));
      return value;
    };
    return { text: run, whole: (text) => run([text]) };
  },
  async "jsonriver, string read"() {
    const { parse } = await import("jsonriver");
    return {
      text: async (chunks) => {
        let seen = 0;
        let value;
        for await (value of parse(streamOf(chunks))) {
          const last = lastOf(value);
          if (typeof last === "string" && last.length > 0) seen += last.charCodeAt(last.length - 1);
        }
        return [value, seen];
      },
    };
  },
  async "@streamparser/json"() {
    const { JSONParser } = await import("@streamparser/json");
    const run = (chunks) => {
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
      let last;
      parser.onValue = (info) => {
        last = info.value;
      };
      for (const chunk of chunks) parser.write(chunk);
      return last;
    };
    return { bytes: run, wholeBytes: (bytes) => run([bytes]) };
  },
  async "partial-json"() {
    const { parse, Allow } = await import("partial-json");
    return {
      text: (chunks) => {
        let buffer = "";
        let value;
        for (const chunk of chunks) {
          buffer += chunk;
          try {
            value = lastOf(parse(buffer, Allow.ALL));
          } catch {
            // it refuses some prefixes, an unfinished escape for one
          }
        }
        return value;
      },
      whole: (text) => parse(text, Allow.ALL),
      damaged: (text) => parse(text, Allow.ALL),
      kept: (value) => JSON.stringify(value ?? null).length,
    };
  },
  async jsonrepair() {
    const { jsonrepair } = await import("jsonrepair");
    return { whole: (text) => jsonrepair(text), damaged: (text) => jsonrepair(text), kept: (text) => text.length };
  },
};

// ---- measuring -------------------------------------------------------------------------------------------------------

async function timeOnce(run) {
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const wall = process.hrtime.bigint();
  await run();
  const spentWall = Number(process.hrtime.bigint() - wall) / 1e9;
  const spentCpu = process.cpuUsage(cpu);
  return Math.min(spentWall, (spentCpu.user + spentCpu.system) / 1e6);
}

/** Seconds of the best run. Short ones are run often enough to be compiled. */
async function best(run, total) {
  let spent = 0;
  let least = Infinity;
  for (let runs = 0; runs < 200 && (spent < total || runs === 0); ++runs) {
    // cpuUsage() counts in microseconds: short runs are timed in groups
    const group = least < 5e-3 ? Math.ceil(5e-3 / Math.max(least, 1e-6)) : 1;
    const seconds = await timeOnce(async () => {
      for (let i = 0; i < group; ++i) await run();
    });
    spent += seconds;
    least = Math.min(least, seconds / group);
  }
  return least;
}

function cutBytes(bytes, piece) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += piece) pieces.push(bytes.subarray(at, at + piece));
  return pieces;
}

/** The same cuts as text; a character that was cut arrives with its last byte. */
function cutText(bytes, piece) {
  const decoder = new TextDecoder();
  return cutBytes(bytes, piece)
    .map((part) => decoder.decode(part, { stream: true }))
    .filter((part) => part.length > 0);
}

/** Measures one way of reading at growing sizes, until the next would take too long. */
async function grow(documents, quick, measure) {
  const limit = quick ? 2 : 10;
  const rows = [];
  let before;
  let exponent = 1;
  for (const entry of documents) {
    if (before) {
      const expected = before.seconds * (entry.bytes / before.bytes) ** Math.max(1, exponent);
      if (expected > limit) {
        rows.push({ ...entry, skipped: expected });
        break;
      }
    }
    const row = { ...entry, ...(await measure(entry)) };
    rows.push(row);
    if (row.error) continue;
    if (before) exponent = Math.log(row.seconds / before.seconds) / Math.log(row.bytes / before.bytes);
    before = row;
  }
  return rows;
}

/** How much of a damaged text comes out, in characters of JSON. */
function kept(reader, text) {
  try {
    return reader.kept(reader.damaged(text));
  } catch {
    return 0;
  }
}

async function measureReader(name, folder, quick) {
  const reader = await readers[name]();
  const all = JSON.parse(readFileSync(join(folder, "documents.json"), "utf8"));
  const load = (entry) => readFileSync(join(folder, entry.file));
  const wanted = quick ? sizes.quick : sizes.all;
  const rows = [];
  const timed = async (entry, run) => {
    try {
      return { seconds: await best(run, quick ? 0.2 : entry.size === 1e6 ? 2 : 0.6) };
    } catch (error) {
      return { error: String(error.message ?? error).slice(0, 120) };
    }
  };
  for (const document of new Set(all.map((entry) => entry.document))) {
    const entries = all.filter((entry) => entry.document === document && wanted.includes(entry.size));
    const damaged = entries.some((entry) => entry.damaged);
    const add = async (mode, measure) => {
      for (const row of await grow(entries, quick, measure)) rows.push({ reader: name, mode, ...row });
    };
    if (damaged) {
      if (reader.damaged) await add("damaged", (entry) => {
        const text = load(entry).toString("utf8");
        // partial-json gives what it has when it meets damage: fast, but not a reading of the document
        if (kept(reader, text) < 0.8 * text.length) return { error: "refuses, or gives up early" };
        return timed(entry, () => reader.damaged(text));
      });
      continue;
    }
    if (reader.whole || reader.wholeBytes) await add("whole", (entry) => {
      const bytes = load(entry);
      const text = bytes.toString("utf8");
      return timed(entry, reader.whole ? () => reader.whole(text) : () => reader.wholeBytes(bytes));
    });
    if (reader.text || reader.bytes) {
      for (const piece of [4, 32]) {
        await add(`${piece} B`, (entry) => {
          const chunks = reader.text ? cutText(load(entry), piece) : cutBytes(load(entry), piece);
          return timed(entry, () => (reader.text ?? reader.bytes)(chunks));
        });
      }
    }
  }
  return rows;
}

// ---- the command -----------------------------------------------------------------------------------------------------

function print(rows) {
  const modes = ["4 B", "32 B", "whole", "damaged"];
  for (const mode of modes) {
    const these = rows.filter((row) => row.mode === mode);
    if (these.length === 0) continue;
    console.log(mode === "whole" ? "npm, one piece: ms" : mode === "damaged" ? "npm, damaged, one piece: ms" : `npm, pieces of ${mode}: ms`);
    const keys = [...new Set(these.map((row) => `${row.document}|${row.reader}`))];
    const columns = [...new Set(these.map((row) => row.size))].sort((a, b) => a - b);
    const label = (size) => (size < 1e6 ? `${size / 1e3} KB` : `${size / 1e6} MB`);
    console.log(["document".padEnd(24), "reader".padEnd(24), ...columns.map((size) => label(size).padStart(10))].join(" "));
    for (const key of keys) {
      const [document, reader] = key.split("|");
      const cells = columns.map((size) => {
        const row = these.find((r) => r.document === document && r.reader === reader && r.size === size);
        if (!row) return "";
        return row.error ? "gives up" : row.skipped ? `~${Math.round(row.skipped)} s` : (row.seconds * 1e3).toPrecision(3);
      });
      console.log([document.padEnd(24), reader.padEnd(24), ...cells.map((cell) => cell.padStart(10))].join(" "));
    }
    console.log();
  }
}

const options = { quick: false, json: "", reader: "", folder: "" };
const given = process.argv.slice(2);
while (given.length > 0) {
  const argument = given.shift();
  if (argument === "--quick") options.quick = true;
  else if (argument === "--json") options.json = given.shift() ?? "";
  else if (argument === "--reader") options.reader = given.shift() ?? "";
  else options.folder = argument;
}
if (!options.folder) {
  console.error("usage: node peers.mjs [--quick] [--json FILE] DIR");
  process.exit(2);
}
if (options.reader) {
  process.stdout.write(JSON.stringify(await measureReader(options.reader, options.folder, options.quick)));
} else {
  const rows = [];
  for (const name of Object.keys(readers)) {
    const command = ["--expose-gc", fileURLToPath(import.meta.url), "--reader", name, options.folder];
    if (options.quick) command.push("--quick");
    const child = spawnSync(process.execPath, command, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
    if (child.status === 0) rows.push(...JSON.parse(child.stdout));
    else console.error(`peers.mjs: ${name} could not be measured`);
  }
  print(rows);
  if (options.json) writeFileSync(options.json, JSON.stringify({ node: process.version, rows }, null, 1) + "\n");
}
