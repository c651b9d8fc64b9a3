import { createInterface } from 'node:readline/promises';
import { Bug } from '../../lib/bug.ts';
import { isCi } from '../../lib/ci.ts';
import { netWords } from '../../render/words/last-words.ts';
import { systemClock } from '../../shell/clock.ts';
import { CREDENTIAL } from '../../shell/credentials.ts';
import { reportBug } from '../../shell/failure.ts';
import { identifyProcess } from '../../shell/identity.ts';
import type { Output, Shell } from '../../shell/shell.ts';
import { userStateFolder } from '../../shell/state-folder.ts';
import { createStopSignal } from '../../shell/stop-signal.ts';
import { listenForSignals, type ShutdownSignals } from './shutdown-signals.ts';
import { readFileSync } from 'node:fs';

/** A shell that receives requests to stop until it is disposed. */
type ProcessShell = Shell & ShutdownSignals;

/** What a command does at its end that others do not. */
interface AtEnd {
  /** The words for a command that only reads and that hangs after a signal. */
  readonly stopped?: string | undefined;
  /** The words for a command that ends with the process that started it; `stays`: it does not. */
  readonly orphaned?: string | undefined;
}

export function processShell(
  process: NodeJS.Process,
  { stopped, orphaned }: AtEnd = {},
): ProcessShell {
  const stop = createStopSignal();
  const env = takeEnvironment(process);
  const out = createOutput(process.stdout);
  const err = createOutput(process.stderr);
  const onCrash = (error: Error): void => {
    const bug = new Bug(error.message, { cause: error });
    void reportCrash(bug, { out, err, env });
  };
  const signals = listenForSignals(process, {
    stop,
    out,
    clock: systemClock,
    onCrash,
    ...(stopped !== undefined && { onReaderEnd: () => err.write(`${stopped}\n`) }),
    onOrphan: orphaned === 'stays' ? orphaned : () => orphaned && err.write(`${orphaned}\n`),
  });
  const launcher = findLauncher(env, process.ppid);
  const stateFolder = userStateFolder(env);
  return {
    env,
    cwd: process.cwd(),
    out,
    err,
    ask:
      process.stdin.isTTY && process.stderr.isTTY
        ? (question) => {
            // The prompt and its answer end up on the terminal, so progress must not be drawn over
            // them.
            err.write('');
            return ask(process, question);
          }
        : undefined,
    clock: systemClock,
    random: Math.random,
    stop,
    identity: identifyProcess(process.pid, process.env),
    ...(stateFolder !== undefined && { stateFolder }),
    ...(launcher !== undefined && { launcher }),
    openTransport: async () =>
      (await import('../../api/transport/transport.ts')).openTransport({ env }),
    get crash() {
      return signals.crash;
    },
    dispose: () => dispose(signals, stop),
  };
}

/** Ends every wait, too: a read that waits for its next try would keep the process alive until then. */
function dispose(signals: ShutdownSignals, stop: ReturnType<typeof createStopSignal>): void {
  signals.dispose();
  while (stop.requested !== 'now') stop.request();
}

async function reportCrash(bug: Bug, shell: Pick<Shell, 'out' | 'err' | 'env'>): Promise<void> {
  try {
    await reportBug(bug, false, shell);
  } catch {
    shell.err.write(`${netWords(bug)}\n`);
  }
}

/**
 * A copy of the environment. The credentials are removed from the real one, where child processes
 * would see them.
 */
function takeEnvironment(process: NodeJS.Process): Shell['env'] {
  const env = { ...process.env };
  for (const name of Object.keys(env)) if (CREDENTIAL.test(name)) delete process.env[name];
  return env;
}

/** Writing never throws; a failed stream reports the loss only to callers that ask for it. */
export function createOutput(stream: NodeJS.WriteStream): Output {
  let clear = (): void => undefined;
  let isUnread = false;
  let lost: Error | undefined;
  let isFree = false;
  let abandon = (): void => undefined;
  const abandoned = new Promise<undefined>((resolve) => (abandon = () => resolve(undefined)));
  const note = (error: NodeJS.ErrnoException | null | undefined): void => {
    if (error?.code === 'EPIPE') isUnread = true;
    else lost ??= error ?? undefined;
  };
  const write = (text: string, then?: () => void): void => {
    try {
      stream.write(text, (error) => {
        note(error);
        then?.();
      });
    } catch (error) {
      note(error instanceof Error ? error : new Error(String(error)));
      then?.();
    }
  };
  stream.on('error', note);
  return {
    get isUnread() {
      return isUnread;
    },
    write: (text) => {
      clear();
      write(text);
    },
    // What was written before comes first, so this comes back when all of it has been taken or lost.
    lost: () =>
      Promise.race([
        abandoned,
        new Promise<Error | undefined>((resolve) =>
          write('', () => resolve(isUnread ? undefined : lost)),
        ),
      ]),
    abandon: () => abandon(),
    get isFree() {
      return isFree;
    },
    free: () => void (isFree = true),
    before: (run) => {
      clear();
      clear = run;
    },
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}

async function ask(process: NodeJS.Process, question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } catch {
    return '';
  } finally {
    lines.close();
  }
}

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'ksh', 'zsh', 'busybox'];

/**
 * The launcher between CI and this process that does not forward the signals of a cancelled job:
 * npx, npm or a shell, by name. Undefined for any other parent, and outside CI (protocol Z6).
 */
export function findLauncher(
  env: Readonly<Record<string, string | undefined>>,
  ppid: number,
  nameOf: (pid: number) => string = processName,
): string | undefined {
  if (!isCi(env)) return undefined;
  if (env['npm_command'] === 'exec') return 'npx';
  if (env['npm_lifecycle_event'] !== undefined) return 'npm';
  const name = nameOf(ppid);
  return SHELLS.includes(name) ? name : undefined;
}

/** The kernel's name of a process; the empty text if there is none. */
function processName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
