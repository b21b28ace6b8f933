// Lets Belay talk to the reference servers of MCP.
//
//   node run.mjs PROGRAM FOLDER
//
// PROGRAM is belay_mcp_peers_test. The servers are installed into FOLDER with npm, once. Exit 0: all is well, or npm is
// not there or reaches no registry, and then a line says that the servers did not run. They need node 22: it is installed, too.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, newer_node } from '../install.mjs';

const [program, folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: run.mjs PROGRAM FOLDER');
  process.exit(2);
}
if (!install(dirname(fileURLToPath(import.meta.url)), folder)) {
  console.log('npm reaches no registry: the servers did not run');
  process.exit(0);
}
// The servers' HTTP side wants a newer node than Debian 12 has.
const node = newer_node(join(folder, 'node'));
if (!node) {
  console.log(`node 22 is needed, this is ${process.version}: the servers did not run`);
  process.exit(0);
}
const env = { ...process.env, BELAY_NODE: node, BELAY_MCP_FOLDER: resolve(folder) };
const ran = spawnSync(resolve(program), ['--gtest_brief=1', ...process.argv.slice(4)], { stdio: 'inherit', env });
process.exit(ran.status ?? 1);
