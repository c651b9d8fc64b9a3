import { createCalendar } from '../calendar/calendar.ts';
import { DAY, MINUTE, parseInstant } from '../lib/time.ts';
import type { Documents, EntriesByName, Policy } from '../model/documents/policy.ts';
import { ANYTIME } from '../model/documents/window.ts';
import type { Judged } from './input.ts';
import type { WorkAhead } from '../model/report/work-ahead.ts';

/** The runs of a schedule are an hour apart, and the service that has it starts them late. */
const AHEAD = 75 * MINUTE;

type Known = Pick<Judged, 'documents' | 'memory' | 'now'>;

/**
 * The first work of a scheduled run (semantics N88): what is there from `now` on or earlier, it has now. It reads no
 * service: what a policy selects, and what only a device shows, is found by the run of each day.
 */
export function findWorkAhead(known: Known): WorkAhead {
  return worksAhead(known).reduce((first, each) => (each.from < first.from ? each : first));
}

/** Whether a run leaves a record of its own even if it finds nothing to do (protocol Z7). */
export function owesRecord(known: Known): boolean {
  return worksAhead(known).some(({ from, why }) => from <= known.now && !STARTS.has(why));
}

const STARTS: ReadonlySet<WorkAhead['why']> = new Set(['next', 'window', 'anytime']);

function worksAhead(known: Known): readonly WorkAhead[] {
  const { memory, documents, now } = known;
  // What the first record says of the fleet changes what the next plan says of it.
  const [last, before] = memory.coverage.toReversed();
  if (memory.head.seq === 0) return [{ from: now, why: 'none' }];
  if (memory.open().length > 0 || memory.lease) return [{ from: now, why: 'open' }];
  // A record after the last reading is of a person, or of a run that ended early.
  if (!last || !before || memory.actedAt > last.seq) return [{ from: now, why: 'unread' }];
  if (last.documents !== documents.digest) return [{ from: now, why: 'edited' }];
  const next = parseInstant(last.next ?? '') ?? Infinity;
  return [
    { from: last.at + DAY, why: 'day', of: last.at },
    { from: next - AHEAD, why: 'next', of: next },
    ...starts(known),
    ...[...dates(known)].filter(({ from }) => from > last.at),
  ];
}

/** What may start, by the windows of each policy and by what passes them. */
function* starts({ documents, now }: Known): Generator<WorkAhead> {
  const anytime = (name: string): WorkAhead => ({ from: now, why: 'anytime', name });
  for (const { name, value } of documents.exceptions.values())
    if (value.type === 'expedite' && value.until > now) yield anytime(`exceptions.${name}`);
  for (const { value } of documents.incidents.values())
    if (value.incident.until > now) yield anytime(value.address);
  const windows = new Map([...documents.windows].map(([name, { value }]) => [name, value]));
  const calendar = createCalendar({ windows, freezes: new Map(), now });
  const zones = zonesOf(documents);
  const { firmware, rotations, onboarding, restarts } = documents;
  for (const { value } of [firmware, rotations, onboarding, restarts].flatMap(entriesOf)) {
    if (value.windows.includes(ANYTIME)) yield anytime(value.address);
    for (const name of value.windows.filter((one) => one !== ANYTIME))
      for (const zone of zones) {
        const query = {
          windows: [name],
          freezes: [],
          zones: zone,
          task: value.task,
          autoCutoff: 0,
        };
        const of = calendar.nextStart(query, now) ?? Infinity;
        yield { from: of - AHEAD, why: 'window', name, of };
      }
  }
}

/** Instants of documents and of people after which a run may say something else. */
function* dates({ documents, memory }: Known): Generator<WorkAhead> {
  const { exceptions, incidents } = documents;
  const date = (name: string, from = 0): WorkAhead => ({ from, why: 'date', name, of: from });
  for (const { name, value } of exceptions.values()) yield date(`exceptions.${name}`, value.until);
  for (const { value } of incidents.values()) yield date(value.address, value.incident.until);
  for (const { scope, until } of memory.pauses.values()) yield date(scope, until);
  for (const { planId, expires } of memory.approvals?.plans ?? []) yield date(planId, expires);
}

const entriesOf = (section: EntriesByName<Policy>) => [...section.values()];

/** The zones of sites, each alone; of none at all a window that follows its site never opens. */
function zonesOf({ sites }: Documents): readonly (readonly string[])[] {
  const zones = new Set([...sites.values()].flatMap(({ value }) => value.timeZone ?? []));
  return zones.size > 0 ? [...zones].map((zone) => [zone]) : [[]];
}
