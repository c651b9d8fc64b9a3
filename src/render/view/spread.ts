import type { Values } from '../../model/plan/change.ts';
import type { Spread } from './change-class.ts';
import { parseInstant } from '../../lib/time.ts';
import { momentText } from '../words/moment.ts';

/** A field of a class as text: one value, the range of dates, or that it differs. */
export function spreadText({ least, most, differs }: Spread): string {
  if (!differs) return valueText(least);
  const areDates = [least, most].every((value) => parseInstant(String(value)) !== undefined);
  return areDates ? `${valueText(least)} to ${valueText(most)}` : 'differs by device';
}

export function valueText(value: Values[string]): string {
  return value === null ? 'unknown' : momentText(String(value));
}
