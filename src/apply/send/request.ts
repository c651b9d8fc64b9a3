import { KINDS } from '../../kinds/index.ts';
import { computeIntentId } from '../../ledger/intent-id.ts';
import { canonical, digest, type Json } from '../../lib/canonical.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { Ref } from '../../model/fleet/device.ts';
import type { AllowedBy, AttemptedIntent, RecordBody } from '../../model/ledger/record.ts';
import type { Payload, TaskEntry, TaskRequest } from '../../model/fleet/task.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import { type FleetPart, toPartIds } from '../../model/plan/part.ts';
import type { GuardrailVerdict, Plan } from '../../model/plan/plan.ts';
import { toBasis } from '../../plan/compare/basis.ts';
import { rolloutRecord } from '../../rollout/progress/rollout-records.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import type { Reading, Rollouts } from '../reading.ts';
import type { Candidate } from './candidate.ts';

/**
 * One device of a batch that passed its last look, with the change as decided again and the sites
 * of the device.
 */
export interface Member {
  readonly candidate: Candidate;
  readonly change: Change;
  readonly sites: readonly Ref[];
  /** Why it may start; absent where the commit is the approval. */
  readonly allowed?: AllowedBy;
  /**
   * The field that the entry of a discovered device needs besides its ID, if the dialect names one.
   */
  readonly second?: string | number;
}

/**
 * The request for a batch: one task type, one policy. A payload that all devices share is the
 * default; otherwise each device has its own. A task type without a payload sends none.
 */
export function buildRequest(
  members: readonly [Member, ...Member[]],
  dialect: Dialect,
): TaskRequest {
  const [{ change }] = members;
  const payloads = members.map(({ candidate, change: { task, target } }) =>
    KINDS[task].payload(candidate.wanted.policy.value, target, dialect),
  );
  const entries = members.map(({ change: { device }, second }): TaskEntry => ({
    deviceId: device.id,
    ...(second !== undefined && { second }),
  }));
  const task = change.task;
  const [shared] = payloads;
  const isShared = payloads.every((payload) => same(payload, shared));
  if (isShared && (shared === undefined || dialect.payloadPlace === 'either'))
    return { task, devices: entries, ...(shared && { defaultPayload: shared }) };
  const devices = entries.map((entry, index) => {
    const payload = payloads[index];
    return { ...entry, ...(payload && { payload }) };
  });
  return { task, devices };
}

/**
 * The ATTEMPT record of a batch. Its digest covers the request with secrets as references, because
 * records contain no values.
 */
export function attemptRecord(
  members: readonly Member[],
  batch: {
    readonly attemptId: string;
    readonly planId: string;
    readonly ledgerId: string;
    readonly request: TaskRequest;
    readonly sendBy: Instant;
  },
): RecordBody & { type: 'ATTEMPT' } {
  const { attemptId, planId, ledgerId, request, sendBy } = batch;
  const [first] = members;
  return {
    type: 'ATTEMPT',
    attemptId,
    planId,
    task: request.task,
    intents: members.map((member) => attemptedIntent(member, ledgerId)),
    batchDigest: digest(request as unknown as Json),
    window: first?.change.window?.name ?? 'anytime',
    sendBy: formatInstant(sendBy),
  };
}

export function intentOfChange(
  { task, device, target, generation }: Change,
  ledgerId: string,
): string {
  return computeIntentId(ledgerId, { task, device: device.id, target, generation });
}

function attemptedIntent({ change, sites, allowed }: Member, ledgerId: string): AttemptedIntent {
  const { device, target, finalTarget, generation, policy, before, marker } = change;
  return {
    id: intentOfChange(change, ledgerId),
    device: device.id,
    target,
    generation,
    policy,
    sites: sites.map(({ id }) => id),
    ...(device.model !== undefined && { model: device.model }),
    ...(finalTarget !== undefined && finalTarget !== target && { towards: finalTarget }),
    before: digest(before),
    marker,
    ...(allowed && { allowed }),
  };
}

function same(a: Payload | undefined, b: Payload | undefined): boolean {
  return canonical((a ?? null) as Json) === canonical((b ?? null) as Json);
}

/**
 * The PLAN record. A run writes it before its first attempt, or at its end if it attempted nothing
 * because its changes were stale. No other run writes one. It contains the digests of the approved
 * plan's inputs and of the run's own reading.
 */
export function planRecords(
  run: Ports & { readonly reading: Reading; readonly outcomes: Outcomes },
): readonly RecordBody[] {
  const { approved } = run;
  const { answersFor } = run.outcomes;
  const { survey } = run.reading;
  if (!answersFor || !survey || run.outcomes.hasRecorded(answersFor.id)) return [];
  const { commit = '', dirty, documents, snapshot } = survey.plan.inputs;
  const { devices, sites, confidence } = snapshot;
  const { by, ...terms } = run.approval ?? { by: approved ? 'file' : 'commit', named: false };
  // A run may be limited to less than the plan that was approved.
  const basis = toBasis(approved ?? answersFor, { isFile: by === 'file' });
  const isOwn =
    basis.snapshot === snapshot.digest &&
    basis.documents === documents &&
    (basis.commit ?? '') === commit &&
    basis.dirty === dirty;
  const changed = dirty === undefined ? {} : { dirty };
  const raised = raisedIn([...answersFor.verdicts, ...survey.plan.verdicts]);
  return [
    {
      type: 'PLAN',
      planId: answersFor.id,
      commit,
      fromFile: approved !== undefined,
      counts: { devices, sites, changes: answersFor.changes.length },
      confidence,
      approvedBy: by,
      ...terms,
      ...(raised.length > 0 && { raisedBy: raised }),
      ...limitIn(survey.plan),
      basis,
      ...(!isOwn && { reading: { documents, ...changed, snapshot: snapshot.digest } }),
    },
  ];
}

/** The part that a run is limited to; empty for the whole fleet. */
function limitIn({ part }: Pick<Plan, 'part'>): { readonly part?: FleetPart } {
  return part ? { part: toPartIds(part) } : {};
}

/** The exceptions that raised a limit, each listed once. */
function raisedIn(verdicts: readonly GuardrailVerdict[]): readonly string[] {
  const raised = verdicts.flatMap(({ raisedBy }) => (raisedBy ? [raisedBy.policy] : []));
  return [...new Set(raised)].sort();
}

/**
 * The ROLLOUT record. A run writes it before the first attempt of a policy with a rollout. It fixes
 * the devices of each wave, and guardrails no longer count the devices that they weighed. Later
 * records add devices.
 */
export function rolloutRecords(
  rollouts: Rollouts,
  members: readonly Member[],
  work: readonly Change[],
): readonly RecordBody[] {
  const [first] = members;
  const policy = first?.change.policy ?? '';
  const followed = rollouts.get(policy);
  const ids = members.map(({ change }) => change.device.id);
  const weighed = work.filter((change) => change.policy === policy && isWeighed(change));
  const body =
    followed &&
    rolloutRecord(
      followed,
      ids,
      weighed.map(({ device }) => device.id),
    );
  return body ? [body] : [];
}

/** Guardrails count it in full, and today: they weighed it with this run (semantics N38, N48). */
function isWeighed({ countedAs, countedFrom }: Change): boolean {
  return countedAs !== 'ownDay' && countedFrom === undefined;
}
