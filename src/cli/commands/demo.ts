import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WorldError } from '../../model/error.ts';
import { EXIT } from '../../shell/exit.ts';
import { print } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../../fleet', import.meta.url));

/** The simulator runs faster than life, so that a demo takes seconds. */
const TWIN = 'twin --port 0 --devices 1000 --sites 12 --seed 1 --time-scale 1200 --format json';

/** The pace of a simulator on this machine, in the place of the one for a real service. */
const PACE = '  pace: {requestsPerSecond: 1000, tokenRequestsPerMinute: 60, pollEvery: 1s}';

/**
 * Copies the example documents, serves a simulator, and runs the real commands against it over HTTP,
 * each in a process of its own. Returns 0 if every step ended with 0. Throws `fileExists` if the folder
 * to keep has documents already.
 */
export async function runDemo(shell: Shell, keep: string | undefined): Promise<number> {
  const words = await import('../../render/words/demo-words.ts');
  const started = shell.clock.now();
  const folder =
    keep === undefined ? mkdtempSync(join(tmpdir(), 'fleetform-demo-')) : resolve(shell.cwd, keep);
  await copyDocuments(folder);
  const twin = await startTwin(shell, folder);
  const onStop = (): void => void twin.process.kill('SIGTERM');
  shell.stop.draining.addEventListener('abort', onStop, { once: true });
  try {
    print(shell.out, [words.DEMO_INTRO]);
    for (const step of words.DEMO_STEPS) {
      print(shell.out, [words.demoHeading(step)]);
      const code = await runStep([...step, ...quietly(shell)], {
        folder,
        env: { ...shell.env, ...twin.env },
      });
      if (code === 0) continue;
      const { printMessages } = await import('../../shell/messages.ts');
      printMessages(shell, [words.demoFailed(step, code)]);
      return EXIT.error;
    }
    print(shell.out, [words.demoDone(Math.round((shell.clock.now() - started) / 1_000))]);
  } finally {
    shell.stop.draining.removeEventListener('abort', onStop);
    await stopTwin(twin.process);
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
  return EXIT.done;
}

async function copyDocuments(folder: string): Promise<void> {
  const fleet = join(folder, 'fleet');
  if (existsSync(fleet)) throw new WorldError('fileExists', { file: fleet });
  const { requireFolder } = await import('../../store/files.ts');
  await requireFolder(fleet);
  cpSync(EXAMPLES, fleet, { recursive: true });
  for (const name of readdirSync(fleet, { recursive: true, encoding: 'utf8' })) {
    if (!/\.ya?ml$/.test(name)) continue;
    const path = join(fleet, name);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/^ {2}pace: .*$/m, PACE));
  }
}

/** The commands of the demo are as quiet as the demo itself. */
function quietly({ isQuiet }: Shell): readonly string[] {
  return isQuiet ? ['--quiet'] : [];
}

interface DemoTwin {
  readonly process: ChildProcess;
  readonly env: Readonly<Record<string, string>> & { readonly FLEETFORM_BASE_URL: string };
}

/** What `fleetform twin --format json` prints once it listens. */
interface Ready {
  readonly url: string;
  readonly users: readonly {
    readonly role: string;
    readonly clientId: string;
    readonly clientSecret: string;
  }[];
}

async function startTwin(shell: Shell, cwd: string): Promise<DemoTwin> {
  const child = spawn(process.execPath, [MAIN, ...TWIN.split(' '), ...quietly(shell)], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...shell.env },
  });
  const { url, users } = JSON.parse(await firstLine(child)) as Ready;
  const admin = users.find(({ role }) => role === 'admin');
  return {
    process: child,
    env: {
      FLEETFORM_BASE_URL: url,
      FLEETFORM_CLIENT_ID: admin?.clientId ?? '',
      FLEETFORM_CLIENT_SECRET: admin?.clientSecret ?? '',
      FLEETFORM_CREDENTIAL_COMMAND: '',
    },
  };
}

/** The twin saves its world as it ends. */
async function stopTwin(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    if (!child.stdout) return fail(new WorldError('stopped', {}));
    const lines = createInterface({ input: child.stdout });
    lines.once('line', done);
    lines.once('close', () => fail(new WorldError('stopped', {})));
  });
}

/** Runs one command with the terminal of this one; returns its exit code or the signal. */
function runStep(
  args: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: NodeJS.ProcessEnv },
): Promise<number | string> {
  // In CI, a ledger in a directory must be confirmed; the demo deletes its own.
  const { CI: _, ...others } = env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: 'inherit',
    // What it remembers of its ledgers goes with the folder.
    env: { ...others, XDG_STATE_HOME: join(folder, '.state') },
  });
  return new Promise((done) => {
    child.once('exit', (code, signal) => done(code ?? signal ?? EXIT.error));
  });
}
