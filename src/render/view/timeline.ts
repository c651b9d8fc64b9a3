import { parseDuration, parseInstant, type Instant, type Milliseconds } from '../../lib/time.ts';
import { findColumn } from '../../model/plan/actor.ts';
import type { Plan, PlanWave } from '../../model/plan/plan.ts';
import type { ChangeClass } from './classes.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { nextIn, windowRows, type WindowRow } from './opening.ts';

/** One bar of the timeline: a wave from its earliest start through its soak. */
export interface WaveBar {
  readonly policy: string;
  /** Empty for a policy without waves. */
  readonly wave: string;
  /** Those that start without a person, as the list of what starts counts them. */
  readonly changes: number;
  readonly from: Instant;
  /** When the last of its changes may start. */
  readonly last: Instant;
  /** The end of the soak after the last start; without a soak, somewhat later than the start. */
  readonly to: Instant;
  /** As written in the documents: `24h`. */
  readonly soak?: string;
  /** The start is unknown: a gate needs more than time, or a stop rule blocks it. */
  readonly held?: 'gate' | 'paused' | 'aborted';
}

export interface PlanTimeline {
  readonly from: Instant;
  readonly to: Instant;
  readonly waves: readonly WaveBar[];
  readonly windows: readonly WindowRow[];
}

/** The length of a bar without a soak. */
const SHORTEST: Milliseconds = 3_600_000;

/**
 * The minimum length of a timeline; with windows it is a week, to show the days on which they open.
 */
const DAY: Milliseconds = 86_400_000;
const WEEK: Milliseconds = 7 * DAY;

/**
 * The earliest start of each wave of a plan, after the soak of the wave before and in an open
 * window, and the opening times of the windows. Nothing is simulated: failures and budgets delay
 * it.
 */
export function buildTimeline(view: Drawn['view'], all: readonly ChangeClass[]): PlanTimeline {
  const from = parseInstant(view.evaluatedAt) ?? 0;
  const wanted = all.filter((each) => ['now', 'later'].includes(findColumn(each)));
  const windows = windowRows(view.hours);
  const policies = [...new Set(wanted.map(({ at }) => at.policy))];
  const waves = policies.flatMap((policy) => {
    const classes = wanted.filter(({ at }) => at.policy === policy);
    return policyBars(policy, classes, { view, from, windows });
  });
  const ends = [
    ...waves.map(({ to }) => to),
    ...windows.map(({ spans }) => spans[0]?.close ?? from).filter(Number.isFinite),
  ];
  const least = from + (windows.length > 0 ? WEEK : DAY);
  return { from, to: Math.max(least, ...ends), waves, windows };
}

interface Drawn {
  readonly view: Pick<Plan, 'evaluatedAt' | 'hours' | 'waves'>;
  readonly from: Instant;
  readonly windows: readonly WindowRow[];
}

function policyBars(
  policy: string,
  classes: readonly ChangeClass[],
  { view, from, windows }: Drawn,
): readonly WaveBar[] {
  const waves = view.waves.filter((wave) => wave.policy === policy);
  if (waves.length === 0) {
    const starts = startRange(classes, from, windows);
    const changes = sumCounts(classes);
    return [{ policy, wave: '', changes, ...starts, to: starts.last + SHORTEST }];
  }
  let earliest = from;
  const bars = waves.map((wave) => {
    const { name, soak } = wave;
    const mine = classes.filter((each) => each.wave === name);
    const opens = parseInstant(wave.opens ?? '') ?? from;
    const after = isBehindSoak(mine) ? opens : Math.max(earliest, opens);
    const starts = startRange(mine, after, windows);
    const soaks = parseDuration(soak ?? '') ?? 0;
    // A gate does not wait for a whole wave: the next one may open before its last change starts. The few that pass
    // their hours open no gate where others wait for theirs.
    const bound = mine.filter((each) => !passesHours(each));
    const { from: opensNext } = bound.length > 0 ? startRange(bound, after, windows) : starts;
    earliest = opensNext + soaks;
    const bar = {
      policy,
      wave: name,
      changes: sumCounts(mine),
      ...starts,
      to: starts.last + Math.max(SHORTEST, soaks),
    };
    return { ...bar, ...(soak && { soak }), ...heldBy(wave) };
  });
  return bars.filter(({ changes }) => changes > 0);
}

/**
 * Whether the wave before has reached its gate, and soaks: what is left of that wave delays no other
 * (semantics C7), and the changes have the first start after that soak (K26).
 */
function isBehindSoak(classes: readonly ChangeClass[]): boolean {
  return classes.some(({ reason }) => reason.code === 'gatePending' && reason.why === 'soak');
}

function heldBy({ after, opens, stopped }: PlanWave): Pick<WaveBar, 'held'> {
  if (stopped) return { held: stopped };
  return after !== undefined && opens === undefined ? { held: 'gate' } : {};
}

/**
 * When the first and the last change of these classes may start: in an open window, and not before
 * its own date (due date, place in a spread, or retry).
 */
function startRange(
  classes: readonly ChangeClass[],
  earliest: Instant,
  windows: readonly WindowRow[],
): { readonly from: Instant; readonly last: Instant } {
  const [first, last] = [Math.min, Math.max].map((pick) => {
    const starts = classes.map((theClass) => {
      const { reason, lastNext, window } = theClass;
      const own = typeof reason.next === 'number' ? reason.next : -Infinity;
      const opens = parseInstant(window?.opens ?? '') ?? -Infinity;
      const date = pick === Math.max ? Math.max(own, lastNext ?? own) : own;
      // The plan gives a start in a window of its own, where the change keeps to one.
      if (date >= earliest) return date;
      if (passesHours(theClass)) return earliest;
      return firstStart(theClass, Math.max(earliest, opens), windows);
    });
    const found = pick(...starts);
    return Number.isFinite(found) ? found : earliest;
  });
  return { from: first ?? earliest, last: Math.max(first ?? earliest, last ?? earliest) };
}

/** Whether neither a window nor a soft freeze holds these changes back when they start (semantics M26). */
function passesHours({ passes = [] }: ChangeClass): boolean {
  return passes.some(({ what }) => what === 'window' || what === 'softFreeze');
}

/**
 * The first instant from `at` on at which a window of the class is open; `at` itself beyond the hours that
 * the plan lists.
 */
function firstStart({ window }: ChangeClass, at: Instant, windows: readonly WindowRow[]): Instant {
  const mine = windows.filter(({ name, zone }) => name === window?.name && zone === window.zone);
  const open = mine.flatMap(({ spans }) => nextIn(spans, at) ?? []);
  return open.length > 0 ? Math.min(...open) : at;
}
