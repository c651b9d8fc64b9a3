import type { StopPoint } from '../support/effects.ts';
import type { Step } from './life.ts';

/** A moment of a rehearsal at which something happens to a process. */
export interface Point {
  /** Which run of the script, from 0. */
  readonly run: number;
  readonly stopAt: StopPoint;
}

/**
 * Every moment at which the processes of a script can die: before each effect, and after the last.
 * After one is before the next, since nothing lies between them.
 */
export function deathsOf(counts: readonly number[]): readonly Point[] {
  return counts.flatMap((count, run) => [
    ...everyEffect(run, count, 'before'),
    { run, stopAt: { n: count, when: 'after' as const } },
  ]);
}

/** Every moment before and after a call of git; after one is before the next where nothing lies between them. */
export function gitDeathsOf(steps: readonly (readonly Step[])[]): readonly Point[] {
  return steps.flatMap((all, run) => {
    const numbers = gitNumbers(all);
    const known = new Set(numbers);
    return numbers.flatMap((n): readonly Point[] => [
      { run, stopAt: { n, when: 'before' } },
      ...(known.has(n + 1) ? [] : [{ run, stopAt: { n, when: 'after' as const } }]),
    ]);
  });
}

/**
 * Every effect as one that fails: though it has happened, without, and with all after it; and as the
 * last one that anybody could watch.
 */
export function failuresOf(counts: readonly number[]): readonly Point[] {
  return counts.flatMap((count, run) => FAILURES.flatMap((when) => everyEffect(run, count, when)));
}

/** Every call of git as one that fails. */
export function gitFailuresOf(steps: readonly (readonly Step[])[]): readonly Point[] {
  return steps.flatMap((all, run) =>
    FAILURES.flatMap((when) => gitNumbers(all).map((n) => ({ run, stopAt: { n, when } }))),
  );
}

/** Every `step`th point, beginning with one that the seed chooses. */
export function shareOf(points: readonly Point[], step: number, seed: number): readonly Point[] {
  return points.filter((_, index) => index % step === seed % step);
}

/** A point as a person reads it, and asks for it again. */
export function nameOf({ run, stopAt: { n, when } }: Point): string {
  return `run ${run + 1}, ${when} effect ${n}`;
}

const FAILURES = ['fails', 'refused', 'refusedForGood', 'unwatched'] as const;

function gitNumbers(steps: readonly Step[]): readonly number[] {
  return steps.filter(({ what }) => what.startsWith('git ')).map(({ n }) => n);
}

function everyEffect(run: number, count: number, when: StopPoint['when']): readonly Point[] {
  return Array.from({ length: count }, (_, index) => ({ run, stopAt: { n: index + 1, when } }));
}
