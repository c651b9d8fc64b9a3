// What the benches share: one process at a time, measured by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), 'fleetform-bench-'));

/**
 * CPU seconds, those of its children, wall seconds and peak memory in KB of one process of Node, which reports them itself when it ends.
 * `codes` are the exit codes of a run that went well; `env` is added to an environment without anything else.
 */
export async function timed(args, cwd, { codes = [0], env = {} } = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', join(HERE, 'usage.mjs'), ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      FLEETFORM_CLIENT_ID: 'bench',
      FLEETFORM_CLIENT_SECRET: 'bench',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const usage = once(child, 'message');
  const [code] = await once(child, 'exit');
  if (!codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  const [{ cpu, children, peak }] = await usage;
  return { cpu, children, peak, wall: (performance.now() - started) / 1_000 };
}

export function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
}

export function say(line) {
  process.stdout.write(`${line}\n`);
}
