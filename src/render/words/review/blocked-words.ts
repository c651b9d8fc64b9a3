import type { Params } from '../../../model/error.ts';
import type { UndatedChanges } from '../../../model/plan/plan.ts';
import type { Sink } from '../../sinks/sinks.ts';
import type { PageTime } from '../moment.ts';
import { counted, fill, grouped, type Phrase } from '../phrase.ts';
import { reasonWords } from '../reasons.ts';

/** A budget that devices use up that are down: which, where, who, and how many have to come back. */
const FULL: Phrase =
  '[`{budget}`, {site}||`{budget}`||{site}]: {down#} down, limit {limit#}: {devices}[, {more#} more]; bring {up#} up';

/** Of how many sites a line says that. */
const SITES = 3;

/** What keeps the changes of a policy from a date: the line under the table. Names go through the sink. */
export function blockedWords(
  { reason, count, devices, site, elsewhere = [] }: UndatedChanges,
  page: PageTime,
  sink: Sink,
): string {
  if (reason.why === 'downAlready') {
    const { params = {} } = reason;
    const full = [{ site, params }, ...elsewhere].map(
      ({ site: where, params: { budget, ...of } }, index) => {
        const isNamed = index > 0 && where !== undefined && budget === params['budget'];
        return fullWords(
          { ...of, ...(where && { site: where }), ...(!isNamed && { budget }) },
          sink,
        );
      },
    );
    const more = full.length > SITES ? [`${counted(full.length - SITES, 'more site')}`] : [];
    return [...full.slice(0, SITES), ...more].join('; ');
  }
  const words = reasonWords(reason, { ...page, sink });
  const { next } = words;
  const isAfter = reason.code === 'orderPending' && reason.params?.['per'] === undefined;
  const at = isAfter && site !== undefined ? ` at ${sink(site)}` : '';
  const summary = `${words.summary}${at}`;
  const more = count - devices.length;
  const others = more > 0 ? `, ${grouped(more)} more` : '';
  return `${summary}: ${devices.map((id) => sink(id)).join(', ')}${others}; ${next}`;
}

function fullWords(params: Params, sink: Sink): string {
  const [down, limit] = [Number(params['down']), Number(params['limit'])];
  const named = String(params['devices'])
    .split(', ')
    .filter((text) => text !== '\u2026');
  const more = down - named.length;
  const counts = { down, limit, up: down - limit + 1, ...(more > 0 && { more }) };
  return fill(FULL, { ...params, ...counts, devices: named.join(', ') }, sink);
}
