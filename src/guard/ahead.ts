import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { COUNTED_WITHIN } from '../model/plan/counting.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import { formatInstant, type Instant } from '../lib/time.ts';
import { addTo } from '../lib/maps.ts';
import { countable, type Countable, type CountedChange, type CountInput } from './counted.ts';

/** The number of days that are looked ahead (semantics N51). */
const DAYS = 30;

/**
 * The first day within a month on which guardrails would refuse the plan, by own days and by the
 * ends of freezes and holds (semantics N51): on it count the devices of that day, and of the day
 * before those that a spread moves. Undefined where there is none, and where today's plan is refused
 * already.
 */
export function guardrailAhead(
  input: CountInput,
  verdictsOn: (counted: readonly CountedChange[]) => readonly GuardrailVerdict[],
): Diagnostic | undefined {
  const days = byDay(input);
  for (let day = 1; day <= DAYS; day += 1) {
    const today = days.get(day) ?? [];
    if (today.length === 0) continue;
    const before = (days.get(day - 1) ?? []).filter((each) => each.as === 'ownDay');
    const refused = verdictsOn([...before, ...today]).find(
      ({ passed, limit }) => !passed && limit !== VANISHED,
    );
    if (refused) return aheadWarning(refused, Math.min(...today.map(({ from }) => from)));
  }
  return undefined;
}

/** A fleet that shrinks is a matter of today. */
const VANISHED: GuardrailVerdict['limit'] = 'maxVanished';

function byDay(input: CountInput): ReadonlyMap<number, readonly Countable[]> {
  const days = new Map<number, Countable[]>();
  const dayOf = (from: Instant) => Math.floor((from - input.now) / COUNTED_WITHIN);
  const isAhead = ({ as, from }: Pick<Countable, 'as' | 'from'>): boolean =>
    dayOf(from) <= DAYS && (as === 'ownDay' || dayOf(from) > 0);
  for (const later of countable(input, isAhead)) addTo(days, dayOf(later.from), later);
  return days;
}

function aheadWarning(
  { guardrail, limit, number, allowed, at, policies = [] }: GuardrailVerdict,
  day: Instant,
): Diagnostic {
  const [most] = policies;
  return {
    code: 'guardrailAhead',
    severity: 'warning',
    ...(at && { at }),
    params: {
      guardrail,
      limit,
      number,
      allowed,
      day: formatInstant(day),
      ...(most && { policy: most.policy }),
    },
  };
}
