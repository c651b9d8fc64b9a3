import { groupBy } from '../lib/group-by.ts';
import { canonical, sha256, type Json, type JsonObject } from '../lib/canonical.ts';
import { Layered } from '../lib/layered.ts';
import { getOrAdd } from '../lib/maps.ts';
import { isObject } from '../lib/objects.ts';
import {
  amount,
  flag,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  shaped,
  text,
  whole,
  type Check,
} from '../lib/shape.ts';
import { WorldError } from '../model/error.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';
import { APPROVAL } from '../model/ledger/approval.ts';
import { COVERAGE } from '../model/ledger/coverage.ts';
import { GROUND } from '../model/ledger/ground.ts';
import type { IntentState, StartedRollout } from '../model/ledger/memory.ts';
import {
  EVIDENCE,
  FROZEN_WAVE,
  HEAD,
  INTENT,
  LEDGER_FORMAT,
  PAUSE,
  POST_OUTCOMES,
  RECORDS,
  RESULT_VERDICTS,
  type LedgerRecord,
  type RecordBody,
} from '../model/ledger/record.ts';
import type { ApprovalParts } from './approvals.ts';
import { isSameHead } from './chain.ts';
import type { MemoryParts } from './memory-parts.ts';

/**
 * Version of the text of a checkpoint. It changes with the text, and with what the same records add up to: whoever
 * computes another version from the records neither uses nor judges this one (protocol J21).
 */
const VERSION = 3;

export type Checkpoint = Extract<RecordBody, { readonly type: 'CHECKPOINT' }>;

/** A checkpoint: the text that goes beside the record, and its body. */
export interface CheckpointText {
  readonly text: string;
  readonly body: Checkpoint;
}

/** The checkpoint of a state: equal parts have equal bytes. A series that has not ended is left out: nothing continues it. */
export function writeCheckpoint(parts: MemoryParts): CheckpointText {
  const { byDevice: _, checkpointAt: _at, intents, approvals, ...rest } = parts;
  const flat = toJson({ ...rest, approvals: numbered(approvals) }) as JsonObject;
  const content = canonical({ ...flat, intents: toColumns([...intents.values()]) });
  return { text: content, body: { type: 'CHECKPOINT', version: VERSION, state: sha256(content) } };
}

/**
 * The state before a CHECKPOINT record, from its text. Undefined where it is of another version, so that it is not
 * used. Throws `ledgerBroken` where the text is not the one of the record, or no state.
 */
export function readCheckpoint(content: string, record: LedgerRecord): MemoryParts | undefined {
  const { body, seq, prev } = record;
  if (body.type !== 'CHECKPOINT' || body.version !== VERSION) return undefined;
  const parts = sha256(content) === body.state ? parsed(content) : undefined;
  if (!parts || !isSameHead(parts.head, { seq: seq - 1, hash: prev }))
    throw falseCheckpoint(record);
  return parts.format > LEDGER_FORMAT ? undefined : parts;
}

/** Whether a CHECKPOINT says what the records before it add up to; one of another version is not judged. */
export function isTrueCheckpoint({ version, state }: Checkpoint, before: MemoryParts): boolean {
  return version !== VERSION || writeCheckpoint(before).body.state === state;
}

/** What a state says of approvals and of the ground: equal parts have equal texts. */
export function approvedText({ approvals, ground }: MemoryParts): string {
  return canonical(toJson({ approvals: numbered(approvals), ground }));
}

/** The error for a CHECKPOINT that does not say what the records before it add up to. */
export function falseCheckpoint({ seq }: Pick<LedgerRecord, 'seq'>): WorldError {
  return new WorldError('ledgerBroken', { seq, why: 'checkpoint', checkpoint: seq });
}

function numbered({ series: _, byChange, ...others }: ApprovalParts): object {
  const seqs = mapped(byChange, (all) => mapped(all, (plans) => plans.map(({ seq }) => seq)));
  return { ...others, byChange: seqs };
}

/** The intents of a device follow from the order of all, and the approvals of a change name their plans by number. */
function parsed(content: string): MemoryParts | undefined {
  try {
    const { intents: columns, ...flat } = JSON.parse(content) as JsonObject;
    const state = fromJson(flat);
    if (!STATE(state)) return undefined;
    const intents = fromColumns(columns as unknown as IntentColumns);
    const plans = new Map(state.approvals.plans.map((plan) => [plan.seq, plan]));
    const planOf = (seq: number) => plans.get(seq) ?? never(seq);
    const byChange = mapped(state.approvals.byChange, (all) =>
      mapped(all, (seqs) => seqs.map(planOf)),
    );
    const takenBack = new Layered(state.approvals.takenBack);
    return {
      ...state,
      checkpointAt: state.head.seq,
      intents: new Layered(new Map(intents.map((each) => [each.id, each]))),
      byDevice: new Layered(groupBy(intents, ({ device }) => device)),
      sightings: new Layered(state.sightings),
      approvals: {
        ...state.approvals,
        byChange: new Layered(byChange),
        takenBack,
        series: undefined,
      },
    };
  } catch {
    return undefined;
  }
}

function never(value: unknown): never {
  throw new TypeError(String(value));
}

function mapped<V, W>(map: ReadonlyMap<string, V>, change: (value: V) => W): Map<string, W> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]));
}

/**
 * The values of a member of all intents in the order of their first use, and pairs of numbers: how much further the
 * value of an intent is than that of the one before, and of how many in a row. The first is 1; 0 is none.
 */
type Column = readonly [values: readonly unknown[], steps: readonly number[]];
type IntentColumns = Readonly<Record<keyof IntentState, Column>>;

function toColumns(intents: readonly IntentState[]): Json {
  const columns: Record<string, Json> = {};
  for (const field of Object.keys(INTENT_STATE) as (keyof IntentState)[]) {
    const [numbers, values] = [new Map<unknown, number>([[undefined, 0]]), [] as Json[]];
    const steps: [step: number, times: number][] = [];
    let last = 0;
    for (const { [field]: value } of intents) {
      const key = Array.isArray(value) ? canonical(value as Json) : value;
      const number = getOrAdd(numbers, key, () => values.push(value as Json));
      const before = steps.at(-1);
      if (before?.[0] === number - last) before[1] += 1;
      else steps.push([number - last, 1]);
      last = number;
    }
    columns[field] = [values, steps.flat()];
  }
  return columns;
}

/** Throws where they are no columns of intents. A member that only some intents have is undefined in the others. */
function fromColumns(columns: IntentColumns): readonly IntentState[] {
  const fields = Object.entries(INTENT_STATE) as [keyof IntentState, Check<unknown>][];
  const some = fields.filter(([field]) => columns[field][0].length > 0);
  const first = Object.fromEntries(some.map(([field]) => [field, columns[field][0][0]]));
  const intents = columns.id[0].map(() => ({ ...first }));
  fields.forEach(([field, check]) => {
    const [values, steps] = columns[field];
    let [row, number] = [0, 0];
    for (let at = 0; at < steps.length; at += 2) {
      const [step = NaN, times = NaN] = [steps[at], steps[at + 1]];
      const end = row + times;
      if (!(end <= intents.length)) never(end);
      for (; row < end; row += 1) {
        const value = values[(number += step) - 1];
        if (value === undefined && !check(value)) never(number);
        if (value !== first[field]) (intents[row] ?? never(row))[field] = value;
        else if (step === 0) row = end - 1;
      }
    }
    if (row !== intents.length || !values.every(check)) never(row);
  });
  return intents as unknown as readonly IntentState[];
}

/** Maps and sets keep their order: what is computed from them may depend on it. */
function toJson(value: unknown): Json {
  if (value instanceof Set) return { $set: [...value] as Json[] };
  if (value instanceof Map || value instanceof Layered)
    return { $map: Array.from(value, ([key, each]) => [key as string, toJson(each)]) };
  if (Array.isArray(value)) return value.map(toJson);
  if (!isObject(value)) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJson(each)]));
}

function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (!isObject(value)) return value;
  const { $set, $map } = value;
  if (Array.isArray($set)) return new Set($set);
  if (Array.isArray($map)) return new Map(fromJson($map) as [unknown, unknown][]);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fromJson(each)]));
}

const setOf =
  <T>(check: Check<T>): Check<ReadonlySet<T>> =>
  (value): value is ReadonlySet<T> =>
    value instanceof Set && [...value].every(check);

const mapOf =
  <V>(check: Check<V>): Check<ReadonlyMap<string, V>> =>
  (value): value is ReadonlyMap<string, V> =>
    value instanceof Map && [...value.keys()].every(text) && [...value.values()].every(check);

const PAST = {
  attemptId: text,
  attemptedAt: number,
  taskId: optional(text),
  outcome: optional(oneOf(...POST_OUTCOMES)),
  verdict: optional(oneOf(...RESULT_VERDICTS)),
  doubtSince: optional(number),
  settledAt: optional(number),
  seconds: optional(amount),
};

const { before: _before, allowed: _allowed, ...ATTEMPTED } = INTENT;

const INTENT_STATE: { readonly [F in keyof IntentState]-?: Check<IntentState[F]> } = {
  ...ATTEMPTED,
  ...PAST,
  task: oneOf(...TASK_TYPES),
  phase: oneOf('open', 'running', 'inDoubt', 'failed', 'none', 'closed'),
  attempts: integer,
  settledBy: optional(oneOf('person')),
  row: optional(text),
  managedId: optional(text),
  why: optional(text),
  rollout: optional(whole),
  observed: optional(listOf(shaped(EVIDENCE))),
  earlier: optional(listOf(shaped(PAST))),
};

const ROLLOUT: Check<StartedRollout> = shaped({
  targetDigest: text,
  seq: whole,
  startedAt: number,
  base: listOf(text),
  waves: optional(listOf(shaped(FROZEN_WAVE))),
  replaced: optional(mapOf(text)),
  devices: setOf(text),
  weighed: optional(setOf(text)),
  weighedInParts: optional(mapOf(whole)),
});

const SIGHTING = { value: text, firstAt: number, lastAt: number, since: number, times: whole };

/** The approvals of a change are the numbers of their plans. */
const APPROVALS = shaped({
  plans: listOf(shaped({ ...APPROVAL, seq: whole, at: number, expires: number })),
  byChange: mapOf(mapOf(listOf(whole))),
  withdrawnAt: mapOf(whole),
  takenBack: mapOf(mapOf(whole)),
});

type Kept = Omit<MemoryParts, 'byDevice' | 'checkpointAt' | 'intents' | 'sightings' | 'approvals'>;

/** Every part of the state; the compiler asks for one that is missing. */
const KEPT: { readonly [P in keyof Kept]-?: Check<Kept[P]> } = {
  ledgerId: text,
  format: whole,
  fingerprint: text,
  head: shaped(HEAD),
  epoch: whole,
  lease: optional(
    shaped({ ...RECORDS.LOCK, epoch: whole, takenAt: number, renewals: whole, lastSignAt: number }),
  ),
  open: setOf(text),
  unanswered: mapOf(listOf(text)),
  attemptEpochs: mapOf(whole),
  isPart: flag,
  accepted: setOf(oneOf(...TASK_TYPES)),
  moved: setOf(text),
  stops: mapOf(shaped({ ...RECORDS.STOP, at: number })),
  pauses: mapOf(shaped({ ...PAUSE, until: optional(number), at: number })),
  resumedAt: mapOf(number),
  lifts: mapOf(shaped({ ...RECORDS.LIFT, at: number })),
  rollouts: mapOf(ROLLOUT),
  checked: optional(shaped({ commit: text, seq: whole })),
  planned: optional(shaped({ commit: text, before: optional(text), isApprovedSince: flag })),
  actedAt: whole,
  ground: optional(shaped({ ...GROUND, seq: whole, at: number, movedAt: optional(whole) })),
  coverage: listOf(shaped({ ...COVERAGE, seq: whole, at: number })),
  facts: mapOf(number),
  distrusted: mapOf(number),
  told: optional(shaped({ open: listOf(text), since: number, at: number })),
  renamed: mapOf(text),
};

const STATE = shaped({
  ...KEPT,
  sightings: mapOf(shaped(SIGHTING)),
  approvals: APPROVALS,
});
