// Packages from npm for the tests that compare Belay with others.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
