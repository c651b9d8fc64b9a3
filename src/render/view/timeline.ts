import {
  DAY,
  parseDuration,
  parseInstant,
  type Instant,
  type Milliseconds,
} from '../../lib/time.ts';
import type { Plan, PlanDates } from '../../model/plan/plan.ts';
import { freezeRows, windowRows, type FreezeRow, type WindowRow } from './opening.ts';

/** One bar of the timeline: a wave from its first start through its soak. */
export interface WaveBar {
  readonly policy: string;
  /** Empty for a policy without waves. */
  readonly wave: string;
  /** Those that start without a person, as the list of what starts counts them. */
  readonly changes: number;
  readonly from: Instant;
  /** When the last of its changes has ended. */
  readonly last: Instant;
  /** The end of the soak after that; without a soak, somewhat later than the start. */
  readonly to: Instant;
  /** As written in the documents: `24h`. */
  readonly soak?: string;
  /** It has no end: a stop rule, or something else, keeps a change of it. */
  readonly held?: 'blocked' | 'paused' | 'aborted';
}

export interface PlanTimeline {
  readonly from: Instant;
  readonly to: Instant;
  readonly waves: readonly WaveBar[];
  readonly windows: readonly WindowRow[];
  readonly freezes: readonly FreezeRow[];
}

/** The least length of a bar. */
const SHORTEST: Milliseconds = 3_600_000;

/**
 * The minimum length of a timeline; with windows it is a week, to show the days on which they open.
 */
const WEEK: Milliseconds = 7 * DAY;

/** The waves of a plan from their first start, and the opening times of the windows, by the forecast of the plan. */
export function buildTimeline(
  plan: Pick<Plan, 'dates' | 'evaluatedAt' | 'hours' | 'waves'>,
): PlanTimeline {
  const from = parseInstant(plan.evaluatedAt) ?? 0;
  const windows = windowRows(plan.hours);
  const waves = (plan.dates ?? []).flatMap((row) => policyBars(row, plan.waves, from));
  const ends = [
    ...waves.map(({ to }) => to),
    ...windows.map(({ spans }) => spans[0]?.close ?? from).filter(Number.isFinite),
  ];
  const least = from + (windows.length > 0 ? WEEK : DAY);
  return { from, to: Math.max(least, ...ends), waves, windows, freezes: freezeRows(plan.dates) };
}

/** A wave without a start is at the begin: what it waits for is unknown. One of which time starts and ends nothing has no bar. */
function policyBars(
  { policy, waves }: PlanDates,
  all: Plan['waves'],
  now: Instant,
): readonly WaveBar[] {
  const timed = waves.filter(({ changes, ends }) => changes > 0 || ends !== undefined);
  return timed.map(({ name, changes, starts, ends }) => {
    const wave = all.find((each) => each.policy === policy && each.name === name);
    const { soak, stopped } = wave ?? {};
    const from = Math.max(now, parseInstant(starts ?? '') ?? now);
    const last = parseInstant(ends ?? '') ?? from;
    const held = stopped ?? (ends === undefined ? 'blocked' : undefined);
    return {
      policy,
      wave: name,
      changes,
      from,
      last,
      to: Math.max(last + (parseDuration(soak ?? '') ?? 0), from + SHORTEST),
      ...(soak && { soak }),
      ...(held && { held }),
    };
  });
}
