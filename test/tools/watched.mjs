import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Minutes after which a file of tests, or a run that begins none, does not end any more. */
const LIMIT = Number(process.env.FLEETFORM_FILE_MINUTES ?? 15);

/**
 * Runs vitest with the reporter `told.mjs`, and all that it starts in a process group of its own. A run of which a
 * file is not done by its limit is ended whole, and so is what a run leaves behind. Returns what it came to:
 * `passed`, `failures` by name, `files` with the seconds and the processor time (`cpu`) of each, and all that was printed (`said`).
 */
export async function watched(args, env, limit = LIMIT) {
  const vitest = ['node_modules/vitest/vitest.mjs', ...args];
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'];
  const child = spawn(process.execPath, vitest, { stdio, env, detached: true });
  const said = heard(child);
  const { result, running, isLate } = follow(child, limit * 60_000);
  const end = () => endGroup(child.pid);
  const forward = (signal) => {
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, forward);
  let why = '';
  const watch = setInterval(() => {
    if (!isLate()) return;
    why = 'not done';
    end();
  }, 1_000);
  const closed = once(child, 'close');
  const [status, signal] = await once(child, 'exit');
  why ||= `vitest ended with ${signal ?? status} while it was at work,`;
  clearInterval(watch);
  // Who still holds stdout of a run that has ended would be waited for without end.
  end();
  await closed;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, forward);
  for (const [name, began] of running) {
    const seconds = (performance.now() - began) / 1_000;
    result.files.push({ name, seconds });
    result.failures.push(`${name}: ${why} after ${Math.round(seconds)} s`);
  }
  if (status !== 0 && result.failures.length === 0)
    result.failures.push(`vitest: ended with ${signal ?? status}`);
  return { ...result, said };
}

/** Keeps what a run tells of its files. */
function follow(child, limitMs) {
  const result = { passed: 0, failures: [], files: [] };
  const running = new Map();
  const parts = followParts();
  let last = performance.now();
  child.on('message', ({ all, began, ended, passed, failures, cpu, error }) => {
    last = performance.now();
    if (all) parts.begin(all);
    if (began) running.set(began, last);
    if (error) result.failures.push(error);
    if (!ended) return;
    const seconds = (last - (running.get(ended) ?? last)) / 1_000;
    result.files.push({ name: ended, seconds, cpu });
    result.passed += passed;
    result.failures.push(...failures);
    parts.end(ended, { passed, failed: failures.length, cpu });
    running.delete(ended);
  });
  const isLate = () =>
    [...running.values(), ...(running.size > 0 ? [] : [last])].some(
      (since) => performance.now() - since > limitMs,
    );
  return { result, running, isLate };
}

/** Prints a line for each folder of tests as soon as the last of its files has ended. */
function followParts() {
  const left = new Map();
  return {
    begin(files) {
      for (const part of files.map(partOf)) {
        const before = left.get(part) ?? { files: 0, passed: 0, failed: 0, cpu: 0 };
        left.set(part, { ...before, files: before.files + 1 });
      }
    },
    end(file, { passed, failed, cpu = 0 }) {
      const part = left.get(partOf(file));
      if (!part) return;
      part.files -= 1;
      part.passed += passed;
      part.failed += failed;
      part.cpu += cpu;
      if (part.files > 0) return;
      const seconds = part.cpu > 0 ? `, ${part.cpu.toFixed(1)} s of processor time` : '';
      process.stdout.write(
        `${partOf(file)}: ${part.passed} passed, ${part.failed} failed${seconds}\n`,
      );
    },
  };
}

/** The folder of a file below `test`, or below `test/unit`. */
function partOf(file) {
  return /^test\/(?:unit\/)?[^/]+/.exec(file)?.[0] ?? file;
}

function heard(child) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].pipe(process[name], { end: false });
    child[name].setEncoding('utf8').on('data', (text) => (said[name] += text));
  }
  return said;
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
