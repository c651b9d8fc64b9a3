import { isPassing, WorldError, type WorldCode } from '../model/error.ts';
import type { Service } from '../model/ports.ts';

/**
 * Answers to a read that tell nothing of the fleet: the page of a proxy, half of an answer, a redirect,
 * a refusal. The next may be right, and what is at work over there is as it was.
 */
const BAD_ANSWERS: ReadonlySet<WorldCode> = new Set<WorldCode>([
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
 * The service did not answer, or the store of the ledger is out of reach: asking on would only take
 * time. A status, a 500 as well, is an answer about what was asked for.
 */
function isAway(error: unknown): boolean {
  return isPassing(error) && error.code !== 'unexpectedStatus';
}

/** Whether a later read may end otherwise than in this failure of one. */
export function mayPass(error: unknown): error is WorldError {
  return isPassing(error) || (error instanceof WorldError && BAD_ANSWERS.has(error.code));
}

/** What a read came to, or the failure of it that a later one may not have; any other is thrown. */
export function orMissed<T>(read: Promise<T>): Promise<T | WorldError> {
  return read.catch((error: unknown) => {
    if (mayPass(error)) return error;
    throw error;
  });
}

/** Failures in a row after which a service that fails with a status is taken to be away. */
const MOST_IN_A_ROW = 10;

/**
 * Tells after each answer whether to ask on: not where nobody answered, nor where so many in a row
 * failed with a status, which takes the patience of five tries each.
 */
export function askOn(): (answer: unknown) => boolean {
  let inARow = 0;
  return (answer) => {
    inARow = isPassing(answer) ? inARow + 1 : 0;
    return !isAway(answer) && inARow < MOST_IN_A_ROW;
  };
}

/**
 * Reads one thing after the other. A bad answer about one says nothing about the others: only one that
 * nobody answers, or bad answers alone, make the whole a failure.
 * @returns what was read, by what it was read for
 */
export async function readEach<Item, T>(
  items: Iterable<Item>,
  read: (item: Item) => Promise<T>,
): Promise<ReadonlyMap<Item, T>> {
  const values = new Map<Item, T>();
  const goesOn = askOn();
  let missed: WorldError | undefined;
  for (const item of items) {
    const value = await orMissed(read(item));
    if (isAway(value)) throw value;
    if (value instanceof WorldError) missed ??= value;
    else values.set(item, value);
    if (!goesOn(value)) break;
  }
  if (missed && values.size === 0) throw missed;
  return values;
}

/** Failures of what every request needs: to ask for anything else would only fail in the same way. */
const OF_ALL: ReadonlySet<WorldCode> = new Set<WorldCode>([
  'credentialsRefused',
  'tokenUnreadable',
]);

/** Throws what a round missed where it says that nothing else would be heard in it either. */
export function endIfAway(missed: WorldError | undefined): void {
  if (missed && (isAway(missed) || OF_ALL.has(missed.code))) throw missed;
}

/**
 * Whether the service is there although nothing of use was heard in a round: a bad answer about one
 * task or device says nothing about the rest. Asks for one page of a short list. Throws what was missed
 * where that fails as well.
 */
export async function makeSureOf(
  { service }: { readonly service: Service },
  missed: WorldError,
): Promise<void> {
  endIfAway(missed);
  const page = await orMissed(service.list('sites').next());
  if (page instanceof WorldError) throw missed;
}
