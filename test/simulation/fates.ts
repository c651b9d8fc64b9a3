import { chanceOf } from './chance.ts';
import type { Feature } from './features.ts';
import type { Fate } from './life.ts';

const DAY = 86_400_000;

/** A process to which nothing happens. */
export const UNHARMED: Fate = { signals: [], skewMs: 0, limitMs: 30 * DAY };

/** What the auditor is told of a process that makes a plan and nothing else. */
export const PLANNER = {
  approved: undefined,
  skewMs: 0,
  takeOver: false,
  isHasty: false,
  isSuspended: false,
} as const;

/** Effects around which a death or a pause tells most; the empty word is any effect. */
const MOMENTS = ['POST /v1/tasks', 'append ATTEMPT', 'append RESULT', 'append SETTLED', ''];

/** No process stands still for longer between its last look at a clock and its POST (protocol A4). */
const GAP = 5 * 60_000;

/** What becomes of a process of phase one. */
export function fateOf(seed: number, id: number, has: ReadonlySet<Feature>): Fate {
  const chance = chanceOf(seed, `fate ${id}`);
  const of = chance.pick(MOMENTS);
  const nth = of === '' ? chance.magnitude(1, 200) : chance.magnitude(1, 4);
  const when = chance.pick(['before', 'after'] as const);
  const dies = has.has('kills') && chance.is(0.6);
  const suspended = has.has('suspends') && chance.is(0.5);
  const pauses = (has.has('pauses') || suspended) && chance.is(0.6);
  const first = chance.magnitude(1, 150);
  const signals = has.has('signals') && chance.is(0.4) ? [first] : [];
  const isHasty = chance.is(0.3);
  const skew = has.has('skewedClocks') ? chance.int(-45_000, 45_000) : 0;
  const longest = has.has('settlesNegative') ? GAP : 3 * 3_600_000;
  const at = chance.pick(['append ATTEMPT', 'POST /v1/tasks', '']);
  const pause = {
    of: at,
    nth: at === '' ? chance.magnitude(1, 150) : chance.magnitude(1, 4),
    ms: chance.magnitude(1_000, longest),
  };
  return {
    ...unwatchedOf(seed, id),
    ...(dies && { dies: { of, nth, when } }),
    ...(pauses && { pauses: { ...pause, suspended } }),
    signals: isHasty ? [...signals, ...signals.map((at) => at + 2)] : signals,
    skewMs: skew,
    limitMs: 3 * DAY,
  };
}

/** When whoever watches it fails: in every other process, around what a wrong word would harm most. */
function unwatchedOf(seed: number, id: number): Pick<Fate, 'unwatched'> {
  const chance = chanceOf(seed, `watching ${id}`);
  const of = chance.pick(MOMENTS);
  const nth = of === '' ? chance.magnitude(1, 150) : chance.magnitude(1, 4);
  const forGood = chance.is(0.5);
  return chance.is(0.5) ? { unwatched: { of, nth, forGood } } : {};
}
