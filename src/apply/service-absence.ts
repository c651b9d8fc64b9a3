import { isPassing, WorldError, type WorldCode } from '../model/error.ts';
import type { Service } from '../model/ports.ts';
import { eachAtOnce } from '../lib/at-once.ts';

/**
 * Bad answers to a read: the page of a proxy, half of an answer, a redirect, a refusal. The next
 * may be good, and running tasks are unaffected.
 */
const BAD_ANSWERS: ReadonlySet<WorldCode> = new Set<WorldCode>([
  'credentialCommandFailed',
  'credentialsRefused',
  'cut',
  'forbidden',
  'notFound',
  'notJson',
  'redirected',
  'tokenUnreadable',
  'tooLarge',
  'unexpectedShape',
  'unexpectedStatus',
]);

/**
 * The service did not answer, or the store of the ledger is unreachable, so further reads would
 * only take time. A status, also a 500, is an answer about one request.
 */
export function isAway(error: unknown): boolean {
  return isPassing(error) && error.code !== 'unexpectedStatus';
}

/** Whether a later read may succeed after this failure. */
export function mayPass(error: unknown): error is WorldError {
  return isPassing(error) || (error instanceof WorldError && BAD_ANSWERS.has(error.code));
}

/** The result of a read, or a failure that a later read may not have; throws any other. */
export function orMissed<T>(read: Promise<T>): Promise<T | WorldError> {
  return read.catch((error: unknown) => {
    if (mayPass(error)) return error;
    throw error;
  });
}

/** Failures with a status in a row after which the service counts as unavailable. */
const MOST_IN_A_ROW = 10;

/**
 * Decides after each answer whether to continue: not without an answer, and not after this many
 * failures with a status in a row, each of which took five tries.
 */
export function askOn(): (answer: unknown) => boolean {
  let inARow = 0;
  return (answer) => {
    inARow = isPassing(answer) ? inARow + 1 : 0;
    return !isAway(answer) && inARow < MOST_IN_A_ROW;
  };
}

/**
 * Reads some items at a time, in their order. A bad answer concerns one item only: the whole fails only where
 * there is no answer, or where all answers are bad.
 * @returns the values by item
 */
export async function readEach<Item, T>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<T>,
): Promise<ReadonlyMap<Item, T>> {
  const values = new Map<Item, T>();
  const goesOn = askOn();
  let missed: WorldError | undefined;
  await eachAtOnce(items, async (item) => {
    const value = await orMissed(read(item));
    if (isAway(value)) throw value;
    if (value instanceof WorldError) missed ??= value;
    else values.set(item, value);
    return goesOn(value);
  });
  if (missed && values.size === 0) throw missed;
  return values;
}

/** Failures that every request would have, so further reads are useless. */
const OF_ALL: ReadonlySet<WorldCode> = new Set<WorldCode>([
  'credentialCommandFailed',
  'credentialsRefused',
  'tokenUnreadable',
]);

/** Throws the failure of a round if the rest of the round would fail too. */
export function endIfAway(missed: WorldError | undefined): void {
  if (missed && (isAway(missed) || OF_ALL.has(missed.code))) throw missed;
}

/**
 * Checks that the service is available after a round without a useful answer, because a bad answer
 * concerns one task or device only. Reads one page of a short list. Throws the failure of the round
 * where that fails too.
 */
export async function ensureAvailable(
  { service }: { readonly service: Service },
  missed: WorldError,
): Promise<void> {
  endIfAway(missed);
  const page = await orMissed(service.list('sites').next());
  if (page instanceof WorldError) throw missed;
}
