import type { Action } from '../../model/plan/change.ts';
import { fill } from '../words/phrase.ts';
import type { WindowEntry } from './format.ts';
import { PAGE_WORDS } from './words.ts';

const asItIs = (text: string): string => text;

/**
 * A window in words: `nights, Asia/Tokyo, opens Tue 2026-11-24 11:00 (2026-11-24 02:00 UTC), closes
 * Tue 2026-11-24 15:00`. The opening is first in local time, as people at the site read it.
 */
export function windowText(
  { name, zone, opens, local, closes }: WindowEntry,
  action: Action,
): string {
  if (name === '') return '';
  const moment = local === undefined || zone === 'UTC' ? opens : `${local} (${opens})`;
  const opening =
    opens === undefined ? '' : fill(PAGE_WORDS.windowOpens, { moment: moment ?? '' }, asItIs);
  const open = opens === undefined && action === 'run' ? PAGE_WORDS.windowOpen : opening;
  const until =
    closes === undefined || open === ''
      ? ''
      : fill(PAGE_WORDS.windowCloses, { moment: closes }, asItIs);
  return [name, zone ?? '', open, until].filter(Boolean).join(', ');
}
