// What the benches share: one process at a time, measured by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
export const folder = mkdtempSync(join(tmpdir(), 'fleetform-bench-'));

/**
 * CPU seconds, those of its children, wall seconds and peak memory in KB of one process of Node, which reports them itself
 * when it ends. `codes` are the exit codes of a run that went well; `env` is added to an environment without anything
 * else; `isWatched` adds when it printed last, when it ended, and what it had spent by each instant, in samples.
 */
export async function timed(args, cwd, { codes = [0], env = {}, isWatched = false } = {}) {
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
    stdio: ['ignore', isWatched ? 'pipe' : 'ignore', 'pipe', 'ipc'],
  });
  const watched = isWatched ? watch(child) : undefined;
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  const usage = once(child, 'message');
  const [code] = await once(child, 'exit');
  if (!codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  const [{ cpu, children, peak }] = await usage;
  return { cpu, children, peak, wall: (performance.now() - started) / 1_000, ...watched?.() };
}

/** Samples a process until it ends; then returns what was seen. */
function watch(child) {
  const samples = [];
  let printedAt = 0;
  child.stdout.on('data', () => (printedAt = Date.now()));
  const timer = setInterval(() => samples.push([Date.now(), spentBy(child.pid)]), 20);
  const ended = { at: 0 };
  child.once('exit', () => {
    clearInterval(timer);
    ended.at = Date.now();
  });
  return () => ({ samples, printedAt, endedAt: ended.at });
}

/** Processor seconds of a process that runs, from `/proc` of Linux, which counts in hundredths of a second. */
function spentBy(pid) {
  try {
    const [, rest] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) (?=\S )/);
    const [user, system] = rest.split(' ').slice(11, 13).map(Number);
    return (user + system) / 100;
  } catch {
    return Number.NaN;
  }
}

/** What figures are of: the version of Node, the processors, and how many programs wanted them in the last minute. */
export function machine() {
  return `Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? '?'}, load ${loadavg()[0].toFixed(1)}`;
}

export function median(all) {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
}

export function say(line) {
  process.stdout.write(`${line}\n`);
}
