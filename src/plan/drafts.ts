import { Bug } from '../lib/bug.ts';
import type { Change } from '../model/plan/change.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { Reason } from '../model/plan/reason.ts';
import { formatInstant, type Milliseconds } from '../lib/time.ts';
import type { Desired, OnboardingWant } from '../model/plan/desired-state.ts';
import {
  type Evaluation,
  type Prepared,
  toDecisionInput,
  toOnboardingInput,
} from './decide/decision-input.ts';
import type { Judging } from './decide/judging.ts';
import { startDraftTable, type Drafts, type DraftTable } from './draft-table.ts';
import type { Note } from './noted-devices.ts';
import { decide, evaluate, runSteps, toChange } from './decide/decide.ts';
import type { PlannerInput } from './input.ts';
import { isAbsenceSure, missingSince, onboarded } from './observe/listings.ts';
import { listPolicies } from '../model/documents/policies.ts';
import { idsIn } from './known-devices.ts';

/** Decides every desired state: each device and task gets one change or one note. */
export function draft(input: Prepared, desired: Desired, judging: Judging): Drafts {
  const table = startDraftTable(input);
  for (const want of judging.open) {
    const evaluation = judging.evaluate(want, input);
    table.debts.observe(evaluation);
    enter(evaluation, want.row, table);
  }
  for (const resting of judging.resting) table.enterResting(resting);
  const rows = new Map(input.snapshot.discovered.map(({ id }, row) => [id, row]));
  const certain = desired.onboarding.filter(({ found }) => found !== 'several');
  const unclear = desired.onboarding.filter(({ found }) => found === 'several');
  for (const want of [...certain, ...unclear]) draftOnboarding(want, { input, table, rows });
  for (const { deviceId, ...entry } of unmanagedDevices(input)) table.noteEntry(entry, deviceId);
  return table;
}

function enter(evaluation: Evaluation, row: number, table: DraftTable): void {
  const decided = runSteps(evaluation);
  if (decided.action === 'note') table.enterNote(decided, evaluation);
  else table.enter(toChange(evaluation, decided), row, evaluation);
}

interface Onboarding {
  readonly input: Prepared;
  readonly table: DraftTable;
  /** The position of a discovered device in the sorted list. */
  readonly rows: ReadonlyMap<string, number>;
}

function draftOnboarding(want: OnboardingWant, { input, table, rows }: Onboarding): void {
  const askOf = (device: DiscoveredDevice): Evaluation =>
    evaluate(toOnboardingInput(want, device, input));
  const rowOf = ({ id }: DiscoveredDevice): number => rows.get(id) ?? rows.size;
  switch (want.found) {
    case 'discovered':
      return enter(askOf(want.device), rowOf(want.device), table);
    case 'several':
      for (const device of want.devices)
        if (!table.onboards(device.id))
          table.enter(ambiguous(toChange(askOf(device)), want), rowOf(device));
      return undefined;
    case 'managed':
      return table.note({ ...want, deviceId: want.deviceId, reason: managed(want, input) });
    case 'none':
      return table.noteEntry({ ...want, reason: missing(want, input) }, want.id);
  }
}

/** Several devices match one entry: none of them is used until a person chooses. */
function ambiguous(change: Change, want: OnboardingWant & { found: 'several' }): Change {
  const params = { entry: want.entry, ids: want.devices.map(({ id }) => id).join(', ') };
  const reason: Reason = { code: 'unsupported', why: 'duplicate', next: 'never', params };
  return { ...change, action: 'skip', reason, after: {}, target: '', generation: 0, marker: '' };
}

/** A listed device that is already managed; its kind gives the reason. */
function managed(want: OnboardingWant & { found: 'managed' }, input: Prepared): Reason {
  const row = input.snapshot.devices.rowOf(want.deviceId);
  if (row === undefined) throw new Bug(`managed, yet not listed: ${want.deviceId}`);
  const { reason } = decide(toDecisionInput({ wanted: want, row }, input));
  return reason;
}

function missing(want: OnboardingWant & { found: 'none' }, input: PlannerInput): Reason {
  const { snapshot, memory, now } = input;
  const { entry } = want;
  const done = onboarded(want, input);
  if (done?.isGone === false) return { code: 'alreadyConverged' };
  if (done) {
    const params = { entry, onboarded: formatInstant(done.at) };
    return { code: 'notDiscovered', why: 'noLongerReturned', params };
  }
  const since = missingSince(want, memory);
  const params = {
    entry,
    ...(want.meant !== undefined && { suggestion: want.meant }),
    ...(since !== undefined && { age: wholeHours(now - since) }),
    ...(!isAbsenceSure(snapshot.discoveredConfidence) && {
      confidence: snapshot.discoveredConfidence,
    }),
  };
  return { code: 'notDiscovered', params };
}

/** An age in days, or in hours on the first day. */
function wholeHours(age: Milliseconds): string {
  const hours = Math.floor(age / 3_600_000);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

/** A note about a policy that names a device that does not exist. */
type Unmanaged = Note & { readonly deviceId: string };

/**
 * Devices that a policy selects by their exact ID and that are not managed: step K1 of the decision
 * order. A pattern names no single device.
 */
export function* unmanagedDevices({ documents, snapshot }: PlannerInput): Iterable<Unmanaged> {
  const isSure = isAbsenceSure(snapshot.confidence);
  const absent = new Set(snapshot.repair?.absent);
  for (const { at, value } of listPolicies(documents)) {
    if (value.section === 'onboarding') continue;
    for (const entry of new Set(idsIn(value.select))) {
      if (snapshot.devices.rowOf(entry) !== undefined) continue;
      const params = {
        entry,
        ...(!isSure && !absent.has(entry) && { confidence: snapshot.confidence }),
      };
      const place = { ...at, policy: value.address };
      const reason: Reason = { code: 'unmanaged', params };
      yield { task: value.task, at: place, reason, deviceId: entry };
    }
  }
}
