import { Bug } from '../lib/bug.ts';
import type { Change } from '../model/plan/change.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { Milliseconds } from '../lib/time.ts';
import type { Desired, OnboardingWish } from '../model/plan/desired-state.ts';
import { matterOf, onboardingMatterOf, type Prepared } from './decide/decision-input.ts';
import type { ChangeColumns } from './columns.ts';
import { createColumns } from './columns.ts';
import { answer, ask, decide } from './decide/decide.ts';
import { insideExpiryGuard } from './decide/expiry-guard.ts';
import { isWanted } from './identify.ts';
import type { PlannerInput } from './input.ts';
import { openHours, type HoursBook } from './explain/hours.ts';
import { createLastStarts, type LastStarts } from './admit/last-starts.ts';
import { isAbsenceSure, missingSince } from './observe/listings.ts';
import type { Notes } from './notes.ts';
import { createNotes } from './notes.ts';
import { orderKey, rankPolicies, urgently, type Urgency } from './order.ts';
import type { Question } from './decide/question.ts';
import { unmanagedDevices } from './unmanaged.ts';

/** Every decision of a plan before shares are given out. */
export interface Drafts {
  readonly columns: ChangeColumns;
  readonly notes: Notes;
  /** The place of each change in the total order. */
  readonly keys: readonly number[];
  readonly lastStarts: LastStarts;
  readonly hours: HoursBook;
}

/**
 * Decides every wish: about each device and task there is one change, or one note.
 * @param heed is shown every question about a managed device
 */
export function draft(
  input: Prepared,
  desired: Desired,
  heed: (question: Question) => void = () => undefined,
): Drafts {
  const sheet = createSheet(input);
  for (const wish of desired.wishes) {
    const question = ask(matterOf(wish, input), input.memory);
    heed(question);
    sheet.enter(answer(question), wish.row, question);
  }
  const rows = new Map(input.snapshot.discovered.map(({ id }, row) => [id, row]));
  const certain = desired.onboarding.filter(({ found }) => found !== 'several');
  const unclear = desired.onboarding.filter(({ found }) => found === 'several');
  for (const wish of [...certain, ...unclear]) draftOnboarding(wish, { input, sheet, rows });
  for (const entry of unmanagedDevices(input)) sheet.notes.addEntry(entry);
  return sheet;
}

interface Onboarding {
  readonly input: Prepared;
  readonly sheet: Sheet;
  /** Where a discovered device stands in the sorted list. */
  readonly rows: ReadonlyMap<string, number>;
}

function draftOnboarding(wish: OnboardingWish, { input, sheet, rows }: Onboarding): void {
  const askOf = (device: DiscoveredDevice): Question =>
    ask(onboardingMatterOf(wish, device, input), input.memory);
  const rowOf = ({ id }: DiscoveredDevice): number => rows.get(id) ?? rows.size;
  switch (wish.found) {
    case 'discovered': {
      const question = askOf(wish.device);
      return sheet.enter(answer(question), rowOf(wish.device), question);
    }
    case 'several':
      for (const device of wish.devices)
        if (!sheet.onboards(device.id))
          sheet.enter(ambiguous(answer(askOf(device)), wish), rowOf(device));
      return undefined;
    case 'managed':
      return sheet.notes.add({ ...wish, deviceId: wish.deviceId, reason: managed(wish, input) });
    case 'none':
      return sheet.notes.addEntry({ ...wish, reason: missing(wish, input) });
  }
}

/**
 * Several devices answer to one entry: none of them is the one that was meant, until a person says
 * which.
 */
function ambiguous(change: Change, wish: OnboardingWish & { found: 'several' }): Change {
  const params = { entry: wish.entry, ids: wish.devices.map(({ id }) => id).join(', ') };
  const reason: Reason = { code: 'unsupported', why: 'duplicate', next: 'never', params };
  return { ...change, action: 'skip', reason, after: {}, target: '', generation: 0, marker: '' };
}

/**
 * A listed device that is managed already: what the kind says of a case with nothing to discover.
 */
function managed(wish: OnboardingWish & { found: 'managed' }, input: Prepared): Reason {
  const row = input.snapshot.devices.rowOf(wish.deviceId);
  if (row === undefined) throw new Bug(`managed, yet not listed: ${wish.deviceId}`);
  const { reason } = decide(matterOf({ ...wish, row }, input), input.memory);
  return reason;
}

function missing(wish: OnboardingWish & { found: 'none' }, input: PlannerInput): Reason {
  const { snapshot, memory, now } = input;
  const since = missingSince(wish, memory);
  const params = {
    entry: wish.entry,
    ...(since !== undefined && { age: wholeHours(now - since) }),
    ...(!isAbsenceSure(snapshot) && { confidence: snapshot.discoveredConfidence }),
  };
  return { code: 'notDiscovered', params };
}

/** An age as one says it: in days, or in hours on the first day. */
function wholeHours(age: Milliseconds): string {
  const hours = Math.floor(age / 3_600_000);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** Break glass on a credential comes before everything, then what is about to end by itself. */
function urgencyOf(question: Question): Urgency {
  const { policy, expedited } = question.case;
  if (expedited === true && policy.section === 'rotations') return 'expedited';
  return insideExpiryGuard(question) ? 'expiring' : 'none';
}

interface Sheet extends Drafts {
  /**
   * Takes a decision about the device in this row of its sorted list, and the question that it
   * answers: a note is counted, the rest is kept. What cannot wait comes before everything else.
   */
  enter(change: Change, row: number, question?: Question): void;
  /**
   * Whether there is a decision already about onboarding this device; it may be named in several
   * ways.
   */
  onboards(deviceId: string): boolean;
}

function createSheet({ documents, snapshot, followed, now }: Prepared): Sheet {
  const columns = createColumns();
  const notes = createNotes(snapshot.devices);
  const ranks = rankPolicies(documents);
  const waveOf = ({ at, device }: Change): number =>
    followed?.get(at.policy)?.assignment.seatOf(device.id).wave ?? 0;
  const keys: number[] = [];
  const lastStarts = createLastStarts();
  const hours = openHours({ documents, now });
  const onboarded = new Set<string>();
  return {
    onboards: (deviceId) => onboarded.has(deviceId),
    columns,
    notes,
    keys,
    lastStarts,
    hours,
    enter(change, row, question) {
      if (change.task === 'onboardDevice') onboarded.add(change.device.id);
      if (change.action === 'note') return notes.add({ ...change, deviceId: change.device.id });
      columns.add(change);
      const rank = ranks.get(change.at.policy) ?? ranks.size;
      const urgency = question ? urgencyOf(question) : 'none';
      keys.push(orderKey(urgently(rank, urgency), row, waveOf(change)));
      if (question && isWanted(change)) hours.heed(question);
      lastStarts.push(change.action === 'run' ? question : undefined);
      return undefined;
    },
  };
}
