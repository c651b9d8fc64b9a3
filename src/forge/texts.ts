import { withLineFeeds } from '../lib/canonical.ts';

/** Whether two texts are equal, ignoring line ends and trailing blanks, which servers change. */
export function sameText(a: string, b: string): boolean {
  return withLineFeeds(a).trimEnd() === withLineFeeds(b).trimEnd();
}

export function firstLine(text: string): string {
  return text.split(/\r?\n/)[0]?.trim() ?? '';
}

/** A text of an answer; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a value is an ID as forges number runs and artifacts. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
