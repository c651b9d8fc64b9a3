import type { PlanPart } from '../../model/plan/part.ts';
import type { Sink } from '../sinks/sinks.ts';
import { counted, grouped } from './phrase.ts';

/** How many entries of a list are named. */
const NAMED = 5;

/** The part that a plan is of: `rotations.*; site Campus Munich (12)`. Names go through the sink. */
export function partWords(part: PlanPart, sink: Sink): string {
  const { policies, sites, devices, names } = part;
  const named = (id: string): string => {
    const name = names[id];
    return name === undefined || name === id ? sink(id) : `${sink(name)} (${sink(id)})`;
  };
  return [
    ...listed('policy', 'policies', policies?.map(sink)),
    ...listed('site', 'sites', sites?.map(named)),
    ...listed('device', 'devices', devices?.map(named)),
  ].join('; ');
}

function listed(one: string, many: string, ids: readonly string[] | undefined): readonly string[] {
  if (!ids) return [];
  const more = ids.length - NAMED;
  const rest = more > 0 ? ` and ${grouped(more)} more` : '';
  return [`${ids.length === 1 ? one : many} ${ids.slice(0, NAMED).join(', ') || 'none'}${rest}`];
}

/** What the part leaves out, in one sentence (semantics N40). */
export function outsideWords({ outside }: PlanPart): string {
  const { devices, run, notRead } = outside;
  const verb = devices === 1 ? 'is' : 'are';
  const changes = `${counted(run, 'change')} outside it may start now`;
  const unread = notRead > 0 ? `; ${counted(notRead, 'value')} outside it not read` : '';
  return `${counted(devices, 'device')} ${verb} outside this part; ${changes}${unread}.`;
}
