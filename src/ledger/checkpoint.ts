import { groupBy } from '../lib/group-by.ts';
import { canonical, sha256, type Json } from '../lib/canonical.ts';
import { Layered } from '../lib/layered.ts';
import * as shape from '../lib/shape.ts';
import { listOf, number, optional, shaped, text, whole, type Check } from '../lib/shape.ts';
import { WorldError } from '../model/error.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';
import { APPROVAL } from '../model/ledger/approval.ts';
import { COVERAGE } from '../model/ledger/coverage.ts';
import { GROUND } from '../model/ledger/ground.ts';
import type { StartedRollout } from '../model/ledger/memory.ts';
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
const VERSION = 1;

export type Checkpoint = Extract<RecordBody, { readonly type: 'CHECKPOINT' }>;

/** A checkpoint: the text that goes beside the record, and its body. */
export interface CheckpointText {
  readonly text: string;
  readonly body: Checkpoint;
}

/** The checkpoint of a state: equal parts have equal bytes. */
export function writeCheckpoint(parts: MemoryParts): CheckpointText {
  const content = canonical(KEPT.write(parts));
  return { text: content, body: { type: 'CHECKPOINT', version: VERSION, state: sha256(content) } };
}

/**
 * The state before a CHECKPOINT record, from its text. Undefined where it is of another version, so that it is not
 * used. Throws `ledgerBroken` where the text is not the one of the record, or no state.
 */
export function readCheckpoint(content: string, record: LedgerRecord): MemoryParts | undefined {
  const { body, seq, prev } = record;
  if (body.type !== 'CHECKPOINT' || body.version !== VERSION) return undefined;
  if (sha256(content) !== body.state) throw falseCheckpoint(record);
  const parts = parsed(content);
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
  return canonical({ approvals: APPROVALS.write(approvals), ground: (ground ?? null) as Json });
}

/** The error for a CHECKPOINT that does not say what the records before it add up to. */
export function falseCheckpoint({ seq }: Pick<LedgerRecord, 'seq'>): WorldError {
  return new WorldError('ledgerBroken', { seq, why: 'checkpoint' });
}

function parsed(content: string): MemoryParts | undefined {
  try {
    const kept = KEPT.read(JSON.parse(content));
    const byDevice = groupBy([...kept.intents.values()], ({ device }) => device);
    const ids = [...byDevice].map(([device, all]) => [device, all.map(({ id }) => id)] as const);
    return { ...kept, byDevice: new Layered(new Map(ids)) };
  } catch {
    return undefined;
  }
}

/** How a value stands in the text. `read` throws for anything that `write` does not give. */
interface Codec<T> {
  write(value: T): Json;
  read(json: unknown): T;
}

function plain<T>(check: Check<T>): Codec<T> {
  return {
    write: (value) => value as Json,
    read(json) {
      if (check(json)) return json;
      throw new TypeError('another shape');
    },
  };
}

function fields<T extends object>(codecs: {
  readonly [K in keyof T]-?: Codec<T[K]>;
}): Codec<T> {
  const all = Object.entries(codecs) as unknown as readonly [keyof T & string, Codec<unknown>][];
  return {
    write: (value) =>
      Object.fromEntries(
        all.flatMap(([name, codec]) =>
          value[name] === undefined ? [] : [[name, codec.write(value[name])]],
        ),
      ),
    read(json) {
      const found = plain(shape.allOf(ANYTHING)).read(json);
      const read = all.map(([name, codec]) => [name, codec.read(found[name])] as const);
      return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as T;
    },
  };
}

function maybe<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    write: (value) => (value === undefined ? null : codec.write(value)),
    read: (json) => (json === undefined ? undefined : codec.read(json)),
  };
}

function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    write: (values) => values.map((value) => codec.write(value)),
    read: (json) =>
      plain(LIST)
        .read(json)
        .map((each) => codec.read(each)),
  };
}

/** Pairs in the order of the map: what is computed from it may depend on that. */
function mapOf<V>(codec: Codec<V>): Codec<ReadonlyMap<string, V>> {
  return {
    write: (map) => [...map].map(([key, value]) => [key, codec.write(value)]),
    read: (json) =>
      new Map(
        plain(PAIRS)
          .read(json)
          .map(([key, value]) => [plain(text).read(key), codec.read(value)]),
      ),
  };
}

function layered<V extends object>(codec: Codec<V>): Codec<Layered<V>> {
  const map = mapOf(codec);
  return { write: (value) => map.write(value), read: (json) => new Layered(map.read(json)) };
}

function setOf<T extends string>(check: Check<T>): Codec<ReadonlySet<T>> {
  return { write: (set) => [...set], read: (json) => new Set(plain(listOf(check)).read(json)) };
}

const ANYTHING: Check<unknown> = (_value): _value is unknown => true;
const LIST: Check<readonly unknown[]> = (value): value is readonly unknown[] =>
  Array.isArray(value);
const PAIRS: Check<readonly (readonly unknown[])[]> = listOf(LIST);

const PAST = {
  attemptId: text,
  attemptedAt: number,
  taskId: optional(text),
  outcome: optional(shape.oneOf(...POST_OUTCOMES)),
  verdict: optional(shape.oneOf(...RESULT_VERDICTS)),
  doubtSince: optional(number),
  settledAt: optional(number),
  seconds: optional(shape.amount),
};

const { before: _before, allowed: _allowed, ...ATTEMPTED } = INTENT;

const INTENT_STATE = {
  ...ATTEMPTED,
  ...PAST,
  task: shape.oneOf(...TASK_TYPES),
  phase: shape.oneOf('open', 'running', 'inDoubt', 'failed', 'none', 'closed'),
  attempts: shape.integer,
  row: optional(text),
  managedId: optional(text),
  why: optional(text),
  rollout: optional(whole),
  observed: optional(listOf(shaped(EVIDENCE))),
  earlier: optional(listOf(shaped(PAST))),
};

const INTENTS = listOf(shaped(INTENT_STATE));

const LEASE = {
  epoch: whole,
  nonce: text,
  label: text,
  host: text,
  pid: whole,
  process: text,
  ttl: whole,
  takenAt: number,
  renewals: whole,
  lastSignAt: number,
};

const SIGHTING = { value: text, firstAt: number, lastAt: number, since: number, times: whole };

const NUMBERS = mapOf(plain(number));

const PLAN_APPROVAL = plain(shaped({ ...APPROVAL, seq: whole, at: number, expires: number }));

type Approval = ApprovalParts['plans'][number];

/** The approvals of a change name their plan by the number of its first record. */
function approvalOf(plans: readonly Approval[]): Codec<Approval> {
  const bySeq = new Map(plans.map((plan) => [plan.seq, plan]));
  return {
    write: ({ seq }) => seq,
    read: (json) => bySeq.get(plain(whole).read(json)) ?? PLAN_APPROVAL.read(undefined),
  };
}

/** A series that has not ended is not kept: no record after the CHECKPOINT continues it. */
const APPROVALS: Codec<ApprovalParts> = {
  write: ({ plans, byChange, withdrawnAt, takenBack }) => ({
    plans: list(PLAN_APPROVAL).write(plans),
    byChange: layered(mapOf(list(approvalOf(plans)))).write(byChange),
    withdrawnAt: NUMBERS.write(withdrawnAt),
    takenBack: layered(NUMBERS).write(takenBack),
  }),
  read(json) {
    const found = plain(shape.allOf(ANYTHING)).read(json);
    const plans = list(PLAN_APPROVAL).read(found['plans']);
    return {
      plans,
      byChange: layered(mapOf(list(approvalOf(plans)))).read(found['byChange']),
      withdrawnAt: NUMBERS.read(found['withdrawnAt']),
      takenBack: layered(NUMBERS).read(found['takenBack']),
      series: undefined,
    };
  },
};

const ROLLOUT: Codec<StartedRollout> = fields<StartedRollout>({
  targetDigest: plain(text),
  seq: plain(whole),
  startedAt: plain(number),
  base: plain(listOf(text)),
  waves: plain(optional(listOf(shaped(FROZEN_WAVE)))),
  replaced: maybe(mapOf(plain(text))),
  devices: setOf(text),
  weighed: maybe(setOf(text)),
  weighedInParts: maybe(NUMBERS),
});

/** The intents of a device follow from the order of the intents. */
type Kept = Omit<MemoryParts, 'byDevice'>;

const KEPT: Codec<Kept> = fields<Kept>({
  ledgerId: plain(text),
  format: plain(whole),
  fingerprint: plain(text),
  head: plain(shaped(HEAD)),
  epoch: plain(whole),
  lease: plain(optional(shaped(LEASE))),
  intents: {
    write: (intents) => [...intents.values()] as unknown as Json,
    read: (json) =>
      new Layered(
        new Map(
          plain(INTENTS)
            .read(json)
            .map((each) => [each.id, each]),
        ),
      ),
  },
  open: setOf(text),
  unanswered: mapOf(plain(listOf(text))),
  attemptEpochs: NUMBERS,
  isPart: plain(shape.flag),
  accepted: setOf(shape.oneOf(...TASK_TYPES)),
  moved: setOf(text),
  stops: mapOf(plain(shaped({ ...RECORDS.STOP, at: number }))),
  pauses: mapOf(plain(shaped({ ...PAUSE, until: optional(number), at: number }))),
  resumedAt: NUMBERS,
  lifts: mapOf(plain(shaped({ ...RECORDS.LIFT, at: number }))),
  rollouts: mapOf(ROLLOUT),
  approvals: APPROVALS,
  sightings: layered(plain(shaped(SIGHTING))),
  checked: plain(optional(shaped({ commit: text, seq: whole }))),
  planned: plain(
    optional(shaped({ commit: text, before: optional(text), isApprovedSince: shape.flag })),
  ),
  actedAt: plain(whole),
  ground: plain(optional(shaped({ ...GROUND, seq: whole, at: number, movedAt: optional(whole) }))),
  coverage: plain(listOf(shaped({ ...COVERAGE, seq: whole, at: number }))),
  facts: NUMBERS,
  distrusted: NUMBERS,
  told: plain(optional(shaped({ open: listOf(text), since: number, at: number }))),
  renamed: mapOf(plain(text)),
  checkpointAt: plain(whole),
});
