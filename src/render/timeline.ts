import { parseDuration, parseInstant, type Instant, type Milliseconds } from '../model/time.ts';
import type { ChangeClass } from './classes.ts';
import type { PlanView } from './view.ts';

/** One bar of the timeline: a wave from its earliest start through its soak. */
export interface WaveBar {
  readonly policy: string;
  /** Of a policy without waves: empty. */
  readonly wave: string;
  readonly changes: number;
  readonly from: Instant;
  readonly to: Instant;
}

/** A window in one zone that changes of the plan wait for. */
export interface WindowMark {
  readonly name: string;
  readonly zone?: string;
  readonly opens: Instant;
  readonly changes: number;
}

export interface Timeline {
  readonly from: Instant;
  readonly to: Instant;
  readonly waves: readonly WaveBar[];
  readonly windows: readonly WindowMark[];
}

/** As long as a bar without a soak is drawn. */
const SHORTEST: Milliseconds = 3_600_000;

/**
 * When the waves of a plan may start at the earliest, each after the soak of the one before, and
 * when the windows open next. Nothing is simulated: failures, budgets and closed windows in between
 * make it later.
 */
export function timelineOf(view: PlanView): Timeline {
  const from = parseInstant(view.evaluatedAt) ?? 0;
  const wanted = view.classes.filter(({ action }) => action === 'run' || action === 'wait');
  const byPolicy = new Map<string, ChangeClass[]>();
  for (const each of wanted) {
    const { policy } = each.at;
    const classes = byPolicy.get(policy);
    if (classes) classes.push(each);
    else byPolicy.set(policy, [each]);
  }
  const waves = [...byPolicy].flatMap(([policy, classes]) =>
    barsOf(policy, classes, { view, from }),
  );
  const windows = marksOf(wanted);
  const ends = [...waves.map(({ to }) => to), ...windows.map(({ opens }) => opens)];
  return { from, to: Math.max(from + SHORTEST, ...ends), waves, windows };
}

function barsOf(
  policy: string,
  classes: readonly ChangeClass[],
  { view, from }: { readonly view: PlanView; readonly from: Instant },
): readonly WaveBar[] {
  const waves = view.waves.filter((wave) => wave.policy === policy);
  if (waves.length === 0) {
    const start = startOf(classes, from);
    return [{ policy, wave: '', changes: countOf(classes), from: start, to: start + SHORTEST }];
  }
  let earliest = from;
  return waves.map(({ name, changes, soak }) => {
    const start = Math.max(
      earliest,
      startOf(
        classes.filter((each) => each.wave === name),
        from,
      ),
    );
    const to = start + Math.max(SHORTEST, parseDuration(soak ?? '') ?? 0);
    earliest = to;
    return { policy, wave: name, changes, from: start, to };
  });
}

/** The earliest opening; now, where one of them is open. */
function startOf(classes: readonly ChangeClass[], now: Instant): Instant {
  const opens = classes.map(({ window }) => parseInstant(window?.opens ?? '') ?? now);
  return Math.max(now, Math.min(...(opens.length > 0 ? opens : [now])));
}

function marksOf(classes: readonly ChangeClass[]): readonly WindowMark[] {
  const marks = new Map<string, WindowMark>();
  for (const { window, count } of classes) {
    const opens = parseInstant(window?.opens ?? '');
    if (window === undefined || opens === undefined) continue;
    const { name, zone } = window;
    const key = JSON.stringify([name, zone]);
    const known = marks.get(key);
    marks.set(key, {
      name,
      ...(zone !== undefined && { zone }),
      opens: Math.min(opens, known?.opens ?? Infinity),
      changes: count + (known?.changes ?? 0),
    });
  }
  return [...marks.values()].sort((a, b) => a.opens - b.opens);
}

function countOf(classes: readonly ChangeClass[]): number {
  return classes.reduce((sum, { count }) => sum + count, 0);
}
