// Lets the official clients talk to Belay's encoders and decoders.
//
//   node run.mjs PEER_PROGRAM FOLDER
//
// PEER_PROGRAM is belay_sdk_peer. The clients are installed into FOLDER with npm, once, and a newer node beside them where
// this one is too old for them. Exit 0: all is well, or npm is not there or reaches no registry, and then a line says that
// the clients did not run.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, newer_node } from '../install.mjs';

const [program, folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: run.mjs PEER_PROGRAM FOLDER');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));

function main() {
  if (!install(here, join(folder, 'sdk'))) {
    console.log('npm reaches no registry: the clients did not run');
    return 0;
  }
  const node = newer_node(join(folder, 'node'));
  if (!node) {
    console.log(`node 22 is needed, this is ${process.version}: the clients did not run`);
    return 0;
  }
  const env = { ...process.env, BELAY_SDK_PEER: resolve(program), BELAY_SDK_FOLDER: resolve(folder, 'sdk') };
  const ran = spawnSync(node, ['--test', '--test-reporter=spec', join(here, 'sdk_test.mjs')], { stdio: 'inherit', env });
  return ran.status ?? 1;
}

process.exit(main());
