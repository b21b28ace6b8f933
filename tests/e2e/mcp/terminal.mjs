// Lets `belay run`, at a terminal, be asked by the reference server of MCP.
//
//   node terminal.mjs BELAY FOLDER PYTHON
//
// The servers are installed into FOLDER with npm, once. Exit 0: all is well, or npm is not there or reaches no
// registry, and then a line says that the servers did not run.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, newer_node } from '../install.mjs';

const [belay, folder, python] = process.argv.slice(2);
if (!python) {
  console.error('usage: terminal.mjs BELAY FOLDER PYTHON');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
if (!install(here, folder)) {
  console.log('npm reaches no registry: the servers did not run');
  process.exit(0);
}
// The servers' HTTP side wants a newer node than Debian 12 has.
const node = newer_node(join(folder, 'node'));
if (!node) {
  console.log(`node 22 is needed, this is ${process.version}: the servers did not run`);
  process.exit(0);
}
const server = resolve(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const ran = spawnSync(python, [join(here, 'terminal_test.py'), belay, node, server], { stdio: 'inherit' });
process.exit(ran.status ?? 1);
