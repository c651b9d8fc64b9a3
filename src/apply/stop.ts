import type { Clock, Service, Stop } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';

/**
 * Thrown where a request to stop ends a wait or a read; only the top level of the run catches it.
 */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Ends a wait that is no longer needed; the wait itself catches it. */
export const OVER = new Interrupted();

/** How long a running POST is awaited after the first request to stop. */
export const GRACE_MS: Milliseconds = 3_000;

/**
 * The service, with every read ended by the first request to stop. `createTask` is not:
 * `answerOrGrace` awaits a running POST, so that it gets its RESULT.
 */
export function stoppable(service: Service, stop: Stop): Service {
  const ending = <T>(read: Promise<T>): Promise<T> => untilStopped(read, stop.draining);
  return {
    list: (collection, filter, options) =>
      stoppablePages(service.list(collection, filter, options), stop.draining),
    device: (deviceId) => ending(service.device(deviceId)),
    targetFirmware: (deviceId) => ending(service.targetFirmware(deviceId)),
    passwords: (deviceId) => ending(service.passwords(deviceId)),
    certificates: (deviceId) => ending(service.certificates(deviceId)),
    firmwarePaths: () => ending(service.firmwarePaths()),
    holdToken: (atLeast) => ending(service.holdToken(atLeast)),
    createTask: (request, options) => service.createTask(request, options),
    task: (taskId, options) => ending(service.task(taskId, options)),
  };
}

/** The value of a promise, or `Interrupted` as soon as the signal is aborted. */
export function untilStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Interrupted());
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Sleeps, or throws `Interrupted` as soon as the run is asked to stop. */
export async function sleepUntilStopped(clock: Clock, ms: Milliseconds, stop: Stop): Promise<void> {
  const awake = new AbortController();
  try {
    await untilStopped(clock.sleep(ms, awake.signal), stop.draining);
  } catch (error) {
    awake.abort(OVER);
    throw error;
  }
}

/** The value of a running POST, or `late` after `limit`, or by the rules of `orGrace`. */
export async function answerOrGrace<T>(
  answer: Promise<T>,
  parts: { readonly clock: Clock; readonly stop: Stop; readonly limit: Milliseconds },
): Promise<T | 'late'> {
  const over = new AbortController();
  const late = lateAfter(parts.clock, parts.limit, over.signal);
  return orGrace(Promise.race([answer, late]), parts).finally(() => over.abort(OVER));
}

function lateAfter(clock: Clock, ms: Milliseconds, over: AbortSignal): Promise<'late'> {
  const late = (): 'late' => 'late';
  return clock.sleep(ms, over).then(late, late);
}

/**
 * The value of work that needs time to finish, or `late` after the grace period that follows the
 * first request to stop, or at once at the second.
 */
export async function orGrace<T>(
  answer: Promise<T>,
  parts: { readonly clock: Clock; readonly stop: Stop },
): Promise<T | 'late'> {
  const { clock, stop } = parts;
  const over = new AbortController();
  const grace = aborted(stop.draining, over.signal).then(() =>
    lateAfter(clock, GRACE_MS, over.signal),
  );
  const leave = aborted(stop.signal, over.signal).then(() => 'late' as const);
  try {
    return await Promise.race([answer, grace, leave]);
  } finally {
    answer.catch(() => undefined);
    over.abort(OVER);
  }
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true, signal: over }),
  );
}

async function* stoppablePages<Page, Pass>(
  pages: AsyncGenerator<Page, Pass>,
  signal: AbortSignal,
): AsyncGenerator<Page, Pass> {
  for (;;) {
    const page = await untilStopped(pages.next(), signal);
    if (page.done) return page.value;
    yield page.value;
  }
}
