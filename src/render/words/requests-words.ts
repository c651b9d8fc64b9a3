import {
  sumRequests,
  type RequestCounts,
  type RunRequests,
} from '../../model/ledger/run-requests.ts';
import { grouped } from './phrase.ts';

/** Why a run makes requests of a kind beyond the fewest. */
const WHY_MORE: Readonly<Record<keyof RequestCounts, string>> = {
  tokens: 'for tokens that ended or were refused',
  lists: 'for lists read again before tasks, or in several passes',
  devices: 'for devices read again',
  details: 'for the plan and for values read again',
  polls: 'for polls',
  tasks: 'for tasks',
};

/** The requests of a run, the fewest that its work takes, and what the others were for. */
export function requestsWords({ made, least }: RunRequests): string {
  const kinds = Object.keys(WHY_MORE) as (keyof RequestCounts)[];
  const more = kinds
    .filter((kind) => made[kind] > least[kind])
    .map((kind) => `${grouped(made[kind] - least[kind])} ${WHY_MORE[kind]}`);
  const fewest = Math.min(sumRequests(least), sumRequests(made));
  const sum = `Requests: ${grouped(sumRequests(made))}; this work takes ${grouped(fewest)} at the least.`;
  return more.length === 0 ? sum : `${sum} More: ${more.join(', ')}.`;
}
