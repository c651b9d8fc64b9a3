import type { RecordBody } from '../../model/ledger/record.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Observation } from '../../plan/observer.ts';
import { OBSERVERS } from '../../plan/observe/observers.ts';
import { record, type Run, type Survey } from './run.ts';

/** SEEN records in one append, so that a large fleet does not make one that is too large to send. */
const PER_APPEND = 500;

/**
 * Appends what this reading of the fleet shows and no later one could tell: SEEN records, of which
 * the next plan makes use. Nothing where there is nothing new.
 */
export async function observe(run: Run, { snapshot, plan }: Survey): Promise<void> {
  const { documents, clock, journal } = run;
  const { memory } = journal;
  const surveyed = { documents, snapshot, memory, changes: plan.changes, now: clock.now() };
  const seen = OBSERVERS.flatMap((observer) => [...observer(surveyed)]).map(bodyOf);
  for (let from = 0; from < seen.length; from += PER_APPEND)
    await record(run, seen.slice(from, from + PER_APPEND), isNews);
}

function bodyOf({ what, subject, value, seenAt }: Observation): RecordBody & { type: 'SEEN' } {
  const seen = { type: 'SEEN', what, subject, seenAt: formatInstant(seenAt) } as const;
  return value === undefined ? seen : { ...seen, value };
}

/** Somebody else may have seen the same in the meantime. */
function isNews(body: RecordBody, memory: Run['journal']['memory']): boolean {
  if (body.type !== 'SEEN') return true;
  const known = sightingOf(memory, body.what, body.subject);
  return known === undefined || known.value !== (body.value ?? '');
}
