import type { UndatedChanges } from '../../../model/plan/plan.ts';
import type { Sink } from '../../sinks/sinks.ts';
import type { PageTime } from '../moment.ts';
import { fill, grouped, type Phrase } from '../phrase.ts';
import { reasonWords } from '../reasons.ts';

/** A budget that devices use up that are down: which, where, who, and how many have to come back. */
const FULL: Phrase =
  '`{budget}`[, {site}]: {down#} down, limit {limit#}: {devices}[, {more#} more]; bring {up#} up';

/** What keeps the changes of a policy from a date: the line under the table. Names go through the sink. */
export function blockedWords(
  { reason, count, devices, site }: UndatedChanges,
  page: PageTime,
  sink: Sink,
): string {
  const { params = {}, why } = reason;
  if (why === 'downAlready') {
    const [down, limit] = [Number(params['down']), Number(params['limit'])];
    const named = String(params['devices'])
      .split(', ')
      .filter((text) => text !== '\u2026');
    const more = down - named.length;
    const counts = { down, limit, up: down - limit + 1, ...(more > 0 && { more }) };
    const where = site === undefined ? {} : { site };
    return fill(FULL, { ...params, ...where, ...counts, devices: named.join(', ') }, sink);
  }
  const { summary, next } = reasonWords(reason, { ...page, sink });
  const more = count - devices.length;
  const others = more > 0 ? `, ${grouped(more)} more` : '';
  return `${summary}: ${devices.map((id) => sink(id)).join(', ')}${others}; ${next}`;
}
