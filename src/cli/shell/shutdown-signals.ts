import type { Clock } from '../../model/ports.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { EXIT } from './exit.ts';
import type { createStopSignal } from './stop.ts';

/** How often it is looked at who the parent is. */
const LOOK_MS = 1_000;

/** How long what was asked to leave at once may take; then the process ends, whatever hangs in it. */
const LEAVE_MS = 2_000;

/** The same after an exception that nobody caught: what is on the wire gets its record first. */
const CRASH_MS = 30_000;

/** What of the outside world asks this process to stop. */
export interface ShutdownSignals {
  /** The first exception that nobody caught. */
  readonly crash: Error | undefined;
  /**
   * Lets go of the process, so that nothing here keeps it alive. A signal that comes later is too late
   * to change what was done, or the exit code that tells it; the next one of its name ends the process.
   */
  dispose(): void;
}

/**
 * Takes every request to stop to `stop` (protocol Z5): SIGINT and SIGTERM count each time; a
 * terminal that hung up, a parent that is gone, a stdout that nobody reads and an exception that
 * nobody caught count once between them, as a first signal does. `onCrash` hears of that exception.
 * The second signal, and that exception, end the process also where something in it hangs.
 */
export function listenForSignals(
  process: NodeJS.Process,
  parts: {
    readonly stop: ReturnType<typeof createStopSignal>;
    readonly clock: Clock;
    readonly onCrash: (error: Error) => void;
  },
): ShutdownSignals {
  const { stop, clock, onCrash } = parts;
  const over = new AbortController();
  let crash: Error | undefined;
  const endAfter = (ms: Milliseconds, code: number): void => {
    void clock.sleep(ms, over.signal).then(
      () => process.exit(crash === undefined ? code : EXIT.error),
      () => undefined,
    );
  };
  const onSignal = (): void => {
    stop.request();
    if (stop.requested === 'now') endAfter(LEAVE_MS, EXIT.workLeft);
  };
  const asFirst = (): void => {
    if (stop.requested === 'no') stop.request();
  };
  const tooLate = (): void => undefined;
  const onUncaught = (reason: unknown): void => {
    if (crash !== undefined) return;
    crash = reason instanceof Error ? reason : new Error(String(reason));
    process.exitCode = EXIT.error;
    asFirst();
    onCrash(crash);
    endAfter(CRASH_MS, EXIT.error);
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal).on('SIGHUP', asFirst);
  process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  process.stdout.on('error', (error) => isClosed(error) && asFirst());
  process.stderr.on('error', () => undefined);
  void untilOrphan(process, clock, over.signal).then((isOrphan) => isOrphan && asFirst());
  return {
    get crash() {
      return crash;
    },
    dispose: () => {
      over.abort();
      process.once('SIGINT', tooLate).once('SIGTERM', tooLate).once('SIGHUP', tooLate);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal).off('SIGHUP', asFirst);
      process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught);
    },
  };
}

/** Nobody reads any more, or the terminal is gone; a full disk is no wish of anybody. */
function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO';
}

/** True once the parent is another one than at first; false once that no longer matters. */
async function untilOrphan(
  process: NodeJS.Process,
  clock: Clock,
  over: AbortSignal,
): Promise<boolean> {
  const { ppid } = process;
  while (!over.aborted && process.ppid === ppid) {
    await clock.sleep(LOOK_MS, over).catch(() => undefined);
  }
  return !over.aborted;
}
