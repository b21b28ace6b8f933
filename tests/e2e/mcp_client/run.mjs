// Runs the conformance suite of MCP against `belay` as a client.
//
//   node run.mjs BELAY FOLDER PYTHON DOCUMENT
//
// The suite (../conformance names its version) and the node that it needs are installed into FOLDER with npm, once.
// Every scenario that the suite has for clients is run, or named in DOCUMENT with the reason why not. Exit 0: all is
// well, or npm is not there or reaches no registry, and then a line says that the suite did not run.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from '../install.mjs';

const [belay, folder, python, document] = process.argv.slice(2);
if (!document) {
  console.error('usage: run.mjs BELAY FOLDER PYTHON DOCUMENT');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const [suite, newer] = [join(folder, 'suite'), join(folder, 'node')];
if (!install(join(here, '../conformance'), suite) || !install(join(here, '../node'), newer)) {
  console.log('npm reaches no registry: the suite did not run');
  process.exit(0);
}
const node = resolve(newer, 'node_modules/.bin/node');
const program = resolve(suite, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

function conformance(...args) {
  const ran = spawnSync(node, [program, ...args], { encoding: 'utf8', timeout: 120_000 });
  return { code: ran.status, text: `${ran.stdout}\n${ran.stderr}` };
}

const listed = conformance('list', '--client').text;
const scenarios = [...listed.slice(listed.indexOf('Client scenarios')).matchAll(/^ +- (\S+)/gm)].map((m) => m[1]);
const rows = readFileSync(document, 'utf8').split('\n').filter((row) => row.includes('| left out: '));
const left = (name) => rows.some((row) => row.includes(`\`${name}\``));
const chosen = scenarios.filter((name) => !left(name));
if (chosen.length < 4) {
  console.error(`only these would run: ${chosen.join(' ') || 'none'}\n${listed}`);
  process.exit(1);
}
let failed = 0;
for (const name of chosen) {
  const command = `${python} ${join(here, 'client.py')} ${resolve(belay)}`;
  // One scenario measures milliseconds between two requests. On a machine that is busy with other things the measure
  // can be late though the client is not, so it may be taken again.
  const tries = name === 'sse-retry' ? 5 : 1;
  let ran;
  for (let n = 0; n < tries && ran?.code !== 0; ++n) ran = conformance('client', '--command', command, '--scenario', name);
  if (ran.code === 0) {
    console.log(`ok      ${name}`);
  } else {
    ++failed;
    console.log(`FAILED  ${name}\n${ran.text}`);
  }
}
console.log(`${chosen.length - failed} of ${chosen.length} scenarios passed; ${scenarios.length - chosen.length} are left out`);
process.exit(failed ? 1 : 0);
