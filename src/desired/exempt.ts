import { type Diagnostic, error, warning } from '../model/documents/diagnostic.ts';
import { isOfType } from '../model/documents/exception.ts';
import type { Documents, Exception, Selector } from '../model/documents/policy.ts';
import { locateValue, type Sourced } from '../model/documents/source.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { compareTexts } from '../lib/text-order.ts';
import { formatInstant, parseDuration, type Instant } from '../lib/time.ts';
import type { Exemption } from '../model/plan/desired-state.ts';

/**
 * The active exceptions at an instant by name, and a warning for each that has ended (semantics
 * E2).
 */
export function currentExceptions(
  exceptions: Documents['exceptions'],
  now: Instant,
): { readonly holding: readonly Sourced<Exception>[]; readonly ended: readonly Diagnostic[] } {
  const all = [...exceptions.values()].toSorted((a, b) => compareTexts(a.name, b.name));
  return {
    holding: all.filter(({ value }) => value.until > now),
    ended: all.filter(({ value }) => value.until <= now).map(exceptionEnded),
  };
}

/** How far from now an exception may end at the latest. */
const LONGEST = '180d';
const LONGEST_EXPEDITE = '72h';

/** An error for each exception that practically never ends (semantics L-exceptionWithoutExpiry). */
export function endlessExceptions(
  exceptions: Documents['exceptions'],
  now: Instant,
): readonly Diagnostic[] {
  return [...exceptions.values()].flatMap((entry) => {
    const { type, until } = entry.value;
    const limit = type === 'expedite' ? LONGEST_EXPEDITE : LONGEST;
    const latest = now + (parseDuration(limit) ?? 0);
    if (until <= latest) return [];
    const params = {
      exception: `exceptions.${entry.name}`,
      until: formatInstant(until),
      limit,
      // The day in which it falls begins before it.
      latest: formatInstant(latest).slice(0, 10),
    };
    return [error('exceptionWithoutExpiry', locateValue(entry, '/until'), params)];
  });
}

/** The selector of an exception; without one it applies to every device. */
export function exceptionSelector({ value }: Sourced<Exception>): Selector {
  return value.select ?? EVERY_DEVICE;
}

const EVERY_DEVICE: Selector = {};

/**
 * The exemption of a device from one task: of each type the exception that ends last, then the
 * first by name; of what is acknowledged, all.
 * @param unclear exceptions of which it is unclear whether they select the device: those that protect count, the others
 * do not (semantics M20)
 */
export function exemptionFor(
  bearing: readonly Sourced<Exception>[],
  unclear: readonly Sourced<Exception>[],
  task: TaskType,
): Exemption {
  const lasting = lastingFirst(bearing, task);
  const hold = lasting.find(isOfType('hold'));
  const exclude = lasting.find(isOfType('exclude'));
  const pin = lasting.find(isOfType('pin'));
  const expedite = lasting.find(isOfType('expedite'));
  const perhaps = lastingFirst(unclear, task).find(isOfType('hold', 'exclude', 'pin'));
  const acknowledged = lasting.filter(isOfType('acknowledge'));
  return {
    ...(hold && { hold }),
    ...(exclude && { exclude }),
    ...(pin && { pin }),
    ...(expedite && { expedite }),
    ...(perhaps && { perhaps }),
    ...(acknowledged.length > 0 && { acknowledged }),
  };
}

function lastingFirst(
  all: readonly Sourced<Exception>[],
  task: TaskType,
): readonly Sourced<Exception>[] {
  return all
    .filter(({ value }) => value.tasks.includes(task))
    .toSorted((a, b) => b.value.until - a.value.until || compareTexts(a.name, b.name));
}

/** Pairs of pins for one device with different versions: an unresolvable tie. */
export function pinTies(bearing: readonly Sourced<Exception>[]): readonly (readonly [Pin, Pin])[] {
  const pins = bearing.filter(isOfType('pin'));
  return pins.flatMap((one, first) =>
    pins
      .slice(first + 1)
      .filter((other) => other.value.version !== one.value.version)
      .map((other) => [one, other] as const),
  );
}

export type Pin = NonNullable<Exemption['pin']>;

function exceptionEnded(entry: Sourced<Exception>): Diagnostic {
  const params = { name: entry.name, until: formatInstant(entry.value.until) };
  return warning('exceptionEnded', locateValue(entry, '/until'), params);
}
