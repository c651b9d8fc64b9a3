import { canonical } from '../lib/canonical.ts';
import { compareTexts } from '../lib/text-order.ts';
import { formatInstant, parseInstant, type Instant } from '../lib/time.ts';
import { TASKS } from '../model/fleet/task.ts';
import type { CoverageRecord, CoverageTerms } from '../model/ledger/coverage.ts';
import { findActor } from '../model/plan/actor.ts';
import { isWanted, type Change } from '../model/plan/change.ts';
import { kindsIn, rowsIn } from '../model/plan/change-rows.ts';
import { type Coverage, isSelectionEmpty, KNOWN_FOR } from '../model/plan/coverage.ts';
import { isOfReading } from '../model/report/all-clear.ts';
import type { Planned } from './input.ts';

/** A plan, and which devices it only notes. */
type Decided = Pick<Planned, 'plan' | 'noted'>;

/** What a record says of the devices that need a person: those before it, and those that a run left to one. */
interface Persons {
  readonly before: ReadonlySet<string>;
  readonly left?: readonly string[];
}

/**
 * The coverage that a run leaves on record (semantics M30); undefined where its reading is inconsistent,
 * or refused: what it lacks is not what the next one has to show.
 */
export function coverageOnRecord(decided: Decided, persons: Persons): CoverageTerms | undefined {
  const { coverage, verdicts, inputs } = decided.plan;
  if (!coverage || inputs.snapshot.confidence === 'torn') return undefined;
  const ofReading = verdicts.filter(isOfReading);
  if (ofReading.some(({ passed }) => !passed)) return undefined;
  const { seen, offered } = coverage;
  const isAllowed = ofReading.some(({ raisedBy }) => raisedBy);
  const person = personOnRecord(decided, coverage, persons);
  const { plan } = decided;
  const ahead = plan.part ? {} : { documents: inputs.documents, next: nextWork(plan, coverage) };
  return { seen, offered, person, ...(isAllowed && { anew: true }), ...ahead };
}

/**
 * From when on a run has something to do, as far as this plan shows (semantics N88). A certificate passes its windows before
 * it ends: one that waits without an instant may start at any time. What else has no instant keeps to its windows.
 */
function nextWork({ changes, evaluatedAt }: Planned['plan'], coverage: Coverage): string {
  const now = parseInstant(evaluatedAt) ?? 0;
  let next = isSelectionEmpty(coverage) ? now : (parseInstant(coverage.due?.at ?? '') ?? Infinity);
  for (const { next: at } of rowsIn(changes)) if (typeof at === 'number') next = Math.min(next, at);
  if (kindsIn(changes).some(({ change }) => isUnbound(change))) next = Math.min(next, now);
  return next === Infinity ? 'never' : formatInstant(next);
}

function isUnbound({ task, action, reason }: Change): boolean {
  const isLater = isWanted({ action }) && typeof reason.next !== 'number';
  return isLater && findActor(reason) === 'time' && TASKS[task].credential === 'certificate';
}

/** A plan of a part says nothing of what is outside: that stays as the last record has it. */
function personOnRecord(
  { plan, noted }: Decided,
  coverage: Coverage,
  { before, left = [] }: Persons,
): CoverageTerms['person'] {
  const person = new Set([...coverage.person, ...left]);
  if (plan.part) {
    const decided = new Set([...plan.changes].map(({ id }) => id));
    for (const id of before) if (!decided.has(id) && !isNoted(id, noted)) person.add(id);
  }
  return [...person].sort(compareTexts);
}

function isNoted(changeId: string, noted: Decided['noted']): boolean {
  const [task = '', ...device] = changeId.split('/');
  return noted(task as Parameters<Decided['noted']>[0], device.join('/')) !== undefined;
}

/** After this time a record is repeated, so that devices stay known. */
const REPEATED_AFTER = KNOWN_FOR / 3;

/** Whether the last record says the same of the fleet; without a coverage there is nothing to record. */
export function isOnRecord(
  terms: CoverageTerms | undefined,
  last: CoverageRecord | undefined,
  now: Instant,
): boolean {
  if (!terms) return true;
  if (!last || terms.anew || last.at <= now - REPEATED_AFTER) return false;
  return canonical(comparable(terms, now)) === canonical(comparable(last, now));
}

/** What has passed is work now, whenever it was. */
function comparable({ seen, offered, person, next }: CoverageTerms, now: Instant) {
  return { seen, offered, person, next: `${Math.max(parseInstant(next ?? '') ?? Infinity, now)}` };
}
