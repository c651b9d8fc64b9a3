import { formatDuration, formatInstant } from '../../lib/time.ts';
import { UNITS } from './units.gen.ts';

/** A number as documents write it, with the unit of its field (`restarts.when.for`). */
export function writtenNumber(value: number, field: string): string {
  const unit = UNITS[field];
  if (unit === 'duration') return formatDuration(value);
  if (unit === 'instant') return formatInstant(value);
  return unit === 'percent' ? `${value}%` : `${value}`;
}
