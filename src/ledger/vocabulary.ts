import {
  APPROVALS,
  LIFTED_KINDS,
  POST_OUTCOMES,
  RESULT_VERDICTS,
  type RecordType,
} from '../model/ledger/record.ts';
import { APPROVAL_MODES, GROUND_GATES } from '../model/ledger/ground.ts';
import { CONFIDENCES } from '../model/fleet/snapshot.ts';
import { TASK_TYPES } from '../model/fleet/task.ts';
import { parseInstant } from '../lib/time.ts';
import { isObject } from '../lib/objects.ts';

/** Whether a value read from a ledger is valid for its field. */
export type FieldCheck = (value: unknown) => boolean;
export type Shape = Readonly<Record<string, FieldCheck>>;

const text: FieldCheck = (value) => typeof value === 'string';
const instant: FieldCheck = (value) =>
  typeof value === 'string' && parseInstant(value) !== undefined;
const flag: FieldCheck = (value) => typeof value === 'boolean';
const whole: FieldCheck = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const amount: FieldCheck = (value) => typeof value === 'number' && value >= 0;
const optional =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);
const pair: FieldCheck = (value) => Array.isArray(value) && value.length === 2 && value.every(text);
const oneOf =
  (words: readonly string[]): FieldCheck =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const shaped =
  (shape: Shape): FieldCheck =>
  (value) =>
    wrongField(value, shape) === undefined;
const counts: FieldCheck = (value) => isObject(value) && Object.values(value).every(whole);

const intent = shaped({
  id: text,
  device: text,
  target: text,
  generation: whole,
  policy: text,
  sites: listOf(text),
  model: optional(text),
  towards: optional(text),
  before: text,
  marker: text,
  allowed: optional(
    shaped({ outcome: text, approval: whole, preapproved: optional((value) => value === true) }),
  ),
});
const evidence = listOf(shaped({ source: text, field: text, value: text, at: text }));

const head = shaped({ seq: whole, hash: text });

const part = shaped({
  policies: optional(listOf(text)),
  sites: optional(listOf(text)),
  devices: optional(listOf(text)),
});

const coverage = shaped({
  seen: counts,
  offered: counts,
  person: listOf(text),
  anew: optional((value) => value === true),
});

const basis = shaped({
  tool: text,
  at: text,
  expiresAt: text,
  commit: optional(text),
  dirty: optional(flag),
  documents: text,
  snapshot: text,
  snapshotFile: optional(text),
  ledger: head,
  approved: optional(text),
  gated: optional(text),
  digest: text,
  file: optional(text),
  part: optional(part),
});

/** The closed vocabulary of the ledger (protocol J9): every record type with its fields. */
export const VOCABULARY: Readonly<Record<RecordType, Shape>> = {
  GENESIS: { ledgerId: text, format: whole, fingerprint: text },
  LOCK: {
    nonce: text,
    label: text,
    ttl: whole,
    host: text,
    pid: whole,
    process: text,
    who: optional(text),
    why: optional(text),
    lost: optional(listOf(head)),
    rejected: optional(listOf(head)),
  },
  BEAT: { n: whole },
  RELEASE: {
    sums: optional(shaped({ planId: text, classes: counts, noted: whole, beside: counts })),
    coverage: optional(coverage),
  },
  GROUND: {
    service: shaped({ origin: text, organization: text }),
    ledger: shaped({
      store: oneOf(['directory', 'git']),
      remote: optional(text),
      at: optional(text),
      branch: optional(text),
    }),
    approval: oneOf(APPROVAL_MODES),
    gate: oneOf(GROUND_GATES),
    commit: text,
    who: text,
    why: text,
  },
  FACTS: {
    facts: optional(text),
    coverage: optional(coverage),
    distrust: optional(shaped({ kind: text, before: instant })),
  },
  RENAMED: { from: text, to: text },
  PLAN: {
    planId: text,
    commit: text,
    fromFile: flag,
    counts: shaped({ devices: whole, sites: whole, changes: whole }),
    confidence: oneOf(CONFIDENCES),
    approvedBy: optional(oneOf(APPROVALS)),
    named: optional(flag),
    unmerged: optional(shaped({ who: text, why: text })),
    raisedBy: optional(listOf(text)),
    part: optional(part),
    basis: optional(basis),
    reading: optional(shaped({ documents: text, dirty: optional(flag), snapshot: text })),
  },
  ROLLOUT: {
    policy: text,
    targetDigest: text,
    base: listOf(text),
    waves: optional(listOf(shaped({ name: text, devices: whole, asked: optional(whole) }))),
    weighed: optional(listOf(text)),
    replaced: optional(listOf(pair)),
  },
  ATTEMPT: {
    attemptId: text,
    planId: text,
    task: oneOf(TASK_TYPES),
    intents: listOf(intent),
    batchDigest: text,
    window: text,
    sendBy: text,
  },
  RESULT: {
    attemptId: text,
    outcome: oneOf(POST_OUTCOMES),
    row: text,
    status: optional(whole),
    taskId: optional(text),
    retryAfter: optional(amount),
    answeredAt: optional(text),
  },
  OBSERVED: { intentId: text, evidence, weak: flag },
  SEEN: { what: text, subject: text, value: optional(text), seenAt: text },
  SETTLED: {
    intentId: text,
    verdict: oneOf(RESULT_VERDICTS),
    by: oneOf(['verify', 'evidence', 'person']),
    evidence,
    why: optional(text),
    who: optional(text),
    seconds: optional(amount),
  },
  STOP: {
    scope: text,
    rule: text,
    counts,
    action: optional(oneOf(['pause', 'abort'])),
    documents: optional(text),
    wish: optional(text),
  },
  LIFT: {
    scope: text,
    who: text,
    why: text,
    ticket: text,
    what: optional(oneOf(LIFTED_KINDS)),
    wish: optional(text),
  },
  PAUSE: { scope: text, who: text, why: text, ticket: optional(text), until: optional(instant) },
  APPROVED: {
    planId: text,
    commit: text,
    documents: text,
    pulls: listOf(text),
    approvers: listOf(text),
    run: text,
    expires: instant,
    preapproved: listOf(text),
    part: optional(part),
    changes: listOf(pair),
    of: optional(whole),
  },
  WITHDRAWN: {
    planId: optional(text),
    policy: optional(text),
    ids: listOf(text),
    who: text,
    why: text,
  },
  ANOMALY: { what: text, ids: listOf(text) },
};

/** The first invalid field of a value; the empty text if the value is not an object. */
export function wrongField(value: unknown, shape: Shape): string | undefined {
  if (!isObject(value)) return '';
  return Object.keys(shape).find((field) => shape[field]?.(value[field]) !== true);
}
