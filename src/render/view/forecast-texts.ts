import type { Assumed, RehearsalReport } from '../../model/report/rehearsal.ts';
import { counted } from '../words/phrase.ts';

/** The days that a rehearsal covers, rounded up. */
export function rehearsedDays({ from, until }: Pick<RehearsalReport, 'from' | 'until'>): number {
  return Math.ceil((until - from) / 86_400_000);
}

/** What was assumed, with counts; empty where nothing was. */
export function assumedText(
  assumed: Assumed,
  nouns: Readonly<Record<keyof Assumed, string>>,
): string {
  return (['passwords', 'certificates', 'targets'] as const)
    .filter((key) => assumed[key] > 0)
    .map((key) => counted(assumed[key], nouns[key]))
    .join(', ');
}
