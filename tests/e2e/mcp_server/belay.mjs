// A workspace, and `belay mcp serve` in it.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const program = process.env.BELAY_PROGRAM;
export const sdk = (file) => import(pathToFileURL(join(process.env.BELAY_PACKAGES, '@modelcontextprotocol/sdk/dist/esm', file)).href);

export function workspace() {
  const home = mkdtempSync(join(tmpdir(), 'belay-serve-'));
  const folder = join(home, 'work');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.txt'), 'alpha\nbeta\n');
  writeFileSync(join(home, 'secret.txt'), 'outside');
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8' };
  return { home, folder, env, args: (...more) => ['mcp', 'serve', '--workspace', folder, ...more], remove: () => rmSync(home, { recursive: true, force: true }) };
}

/// `belay mcp serve --http 0`: resolves to its url and token, as standard error says them.
export function serveHttp(place, ...more) {
  const child = spawn(program, place.args('--http', '0', ...more), { env: place.env, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((done, failed) => {
    let said = '';
    child.on('exit', (code) => failed(new Error(`it ended with ${code}: ${said}`)));
    child.stderr.on('data', (bytes) => {
      said += bytes;
      const url = said.match(/listening on (\S+)/)?.[1];
      const token = said.match(/token: ([0-9a-f]{64})\n/)?.[1];
      if (url && token && said.includes('goes when this ends')) done({ child, url, token, end: () => ended(child) });
    });
  });
}

export function ended(child) {
  return new Promise((done) => {
    if (child.exitCode !== null) return done(child.exitCode);
    child.removeAllListeners('exit');
    child.on('exit', (code) => done(code));
    child.kill('SIGTERM');
  });
}

/// Processes whose command line has this text in it.
export function running(text) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0').some((word) => word === text);
    } catch {
      return false;
    }
  });
}

/// Waits until it is so; the test's own time-out ends a wait in vain.
export async function until(what) {
  while (!what()) await new Promise((go) => setTimeout(go, 20));
}
