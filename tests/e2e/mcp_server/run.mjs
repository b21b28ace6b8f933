// Lets official clients of MCP talk to `belay mcp serve`.
//
//   node run.mjs BELAY FOLDER TEST
//
// BELAY is the program, TEST a file beside this one. What it needs is installed into FOLDER with npm, once, and a newer
// node beside it where this one is too old. Exit 0: all is well, or npm is not there or reaches no registry, and then a
// line says that the clients did not run.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, newer_node } from '../install.mjs';

const [program, folder, test] = process.argv.slice(2);
if (!test) {
  console.error('usage: run.mjs BELAY FOLDER TEST');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));

function main() {
  if (!install(join(here, '../conformance'), join(folder, 'conformance'))) {
    console.log('npm reaches no registry: the clients did not run');
    return 0;
  }
  const node = newer_node(join(folder, 'node'));
  if (!node) {
    console.log(`node 22 is needed, this is ${process.version}: the clients did not run`);
    return 0;
  }
  const env = { ...process.env, BELAY_PROGRAM: resolve(program), BELAY_PACKAGES: resolve(folder, 'conformance/node_modules') };
  const ran = spawnSync(node, ['--test', '--test-reporter=spec', join(here, test)], { stdio: 'inherit', env });
  return ran.status ?? 1;
}

process.exit(main());
