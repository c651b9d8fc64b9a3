import type { Action } from '../../model/plan/change.ts';
import { fill } from '../words/phrase.ts';
import type { WindowEntry } from './format.ts';
import { PAGE_WORDS } from './words.ts';

const asItIs = (text: string): string => text;

/** A window in words: `nights, Asia/Tokyo, opens Tue 24 Nov 11:00, closes Tue 24 Nov 15:00`. */
export function windowText({ name, zone, opens, closes }: WindowEntry, action: Action): string {
  if (name === '') return '';
  const opening =
    opens === undefined ? '' : fill(PAGE_WORDS.windowOpens, { moment: opens }, asItIs);
  const open = opens === undefined && action === 'run' ? PAGE_WORDS.windowOpen : opening;
  const until =
    closes === undefined || open === ''
      ? ''
      : fill(PAGE_WORDS.windowCloses, { moment: closes }, asItIs);
  return [name, zone ?? '', open, until].filter(Boolean).join(', ');
}
