import type { Clock } from '../../model/ports.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { EXIT } from '../../shell/exit.ts';
import type { Output } from '../../shell/shell.ts';
import type { createStopSignal } from '../../shell/stop-signal.ts';

/** How often the parent process is checked. */
const CHECK_EVERY = 1_000;

/**
 * How long a process may take to end after the second request, or after the first one if it only
 * reads; then it is terminated.
 */
const LEAVE_MS = 2_000;

/** The same after an uncaught exception: work in progress gets its record first. */
const CRASH_MS = 30_000;

/** The requests of the outside world to stop this process. */
export interface ShutdownSignals {
  /** The first uncaught exception, which has been reported. */
  readonly crash: Error | undefined;
  /**
   * Removes all listeners, so that nothing keeps the process alive. A later signal is too late to
   * change the work or the exit code: the first one is ignored, unless there was one before, and the
   * next one ends the process.
   */
  dispose(): void;
}

interface SignalParts {
  readonly stop: ReturnType<typeof createStopSignal>;
  readonly out: Pick<Output, 'isFree'>;
  readonly clock: Clock;
  readonly onCrash: (error: Error) => void;
  /**
   * Called when a command that only reads hangs after the first signal, just before the process
   * ends. Absent for a command that acts: it may finish its work.
   */
  readonly onReaderEnd?: (() => void) | undefined;
  /**
   * Called when the parent has exited, before that counts as a request to stop. `stays`: the process stays
   * then, and when its terminal closes.
   */
  readonly onOrphan?: (() => void) | 'stays' | undefined;
}

/**
 * Passes every request to stop to `stop` (protocol Z5). SIGINT and SIGTERM count each time. A
 * closed terminal, an exited parent, an unread stdout, unless it has events, and an uncaught exception count once
 * altogether, as a first signal. `onCrash` receives the exception. The second signal, and the
 * exception, also end a process that hangs; a command that only reads ends after the first.
 */
export function listenForSignals(process: NodeJS.Process, parts: SignalParts): ShutdownSignals {
  const { stop, out, clock, onCrash, onReaderEnd, onOrphan } = parts;

  const over = new AbortController();
  let crash: Error | undefined;
  const leave = (code: number | string | null | undefined): void => process.exit(code);
  const endAfter = (ms: Milliseconds, code: number, onEnd?: () => void): void => {
    void clock.sleep(ms, over.signal).then(
      () => {
        onEnd?.();
        leave(crash === undefined ? code : EXIT.error);
      },
      () => undefined,
    );
  };
  const onSignal = (): void => {
    stop.request();
    hasStopped = true;
    if (stop.requested === 'now' || onReaderEnd) endAfter(LEAVE_MS, EXIT.workLeft, onReaderEnd);
  };
  const asFirst = (): void => (stop.requested === 'no' ? stop.request() : undefined);
  let hasStopped = false;
  const tooLate = (): void => (hasStopped ? leave(process.exitCode) : undefined);
  const onUncaught = (reason: unknown): void => {
    if (crash !== undefined) return;
    crash = reason instanceof Error ? reason : new Error(String(reason));
    process.exitCode = EXIT.error;
    asFirst();
    onCrash(crash);
    endAfter(CRASH_MS, EXIT.error);
  };
  const onHangUp = onOrphan === 'stays' ? () => undefined : asFirst;
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', onHangUp);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  process.stdout.on('error', (error) => isClosed(error) && !out.isFree && asFirst());
  process.stderr.on('error', () => undefined);
  watchParent(process, { clock, onOrphan, over: over.signal }, asFirst);
  return {
    get crash() {
      return crash;
    },
    dispose: () => {
      over.abort();
      process.once('SIGINT', tooLate).once('SIGTERM', tooLate).once('SIGHUP', tooLate);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', onHangUp);
      process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
    },
  };
}

/** Requests a stop when the parent has exited, unless the process stays. */
function watchParent(
  process: NodeJS.Process,
  { clock, onOrphan, over }: Pick<SignalParts, 'clock' | 'onOrphan'> & { over: AbortSignal },
  request: () => void,
): void {
  if (onOrphan === 'stays') return;
  void untilOrphan(process, clock, over).then((isOrphan) => {
    if (!isOrphan) return;
    onOrphan?.();
    request();
  });
}

/** Whether the reader has closed the stream or the terminal; a full disk is no request to stop. */
function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}

/** True once the parent has changed; false once that no longer matters. */
async function untilOrphan(
  process: NodeJS.Process,
  clock: Clock,
  over: AbortSignal,
): Promise<boolean> {
  const { ppid } = process;
  while (!over.aborted && process.ppid === ppid) {
    await clock.sleep(CHECK_EVERY, over).catch(() => undefined);
  }
  return !over.aborted;
}
