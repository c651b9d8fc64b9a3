import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { AuditEvent, AuditPlan, AuditView } from '../../../src/model/ledger/audit.ts';
import type { GroundTerms } from '../../../src/model/ledger/ground.ts';
import type { ActiveStop } from '../../../src/model/ledger/memory.ts';
import type { PolicyStatus, StatusView } from '../../../src/model/report/status.ts';
import { whyJson } from '../../../src/render/data/output-json.ts';
import { statusJson } from '../../../src/render/data/output-json.ts';

const SCHEMAS = new URL('../../../schemas/', import.meta.url);
const NAMES = readdirSync(new URL('output/', SCHEMAS));

/** What is the service's own, and printed as it came. */
const OPEN = ['get-list.schema.json/properties/items/items'];

const read = (path: string) => JSON.parse(readFileSync(new URL(path, SCHEMAS), 'utf8')) as object;

const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
ajv.addSchema(read('plan.schema.json'));
ajv.addSchema(read('dialect.schema.json'));
for (const name of NAMES) ajv.addSchema(read(`output/${name}`));

function objectionTo(name: string, value: object): unknown {
  const check = ajv.getSchema(`https://schemas.fleetform.example/output/${name}.schema.json`);
  return check?.({ version: 1, ...value }) === true ? undefined : (check?.errors ?? 'no schema');
}

const AT = '2026-11-20T12:00:00Z';
const HEAD = { seq: 4, hash: 'a'.repeat(64) };

const PLAN: Required<AuditPlan> = {
  seq: 1,
  at: AT,
  planId: 'plan',
  commit: '',
  fromFile: true,
  counts: { devices: 1, sites: 1, changes: 1 },
  confidence: 'one page',
  approvedBy: 'file',
  named: true,
  unmerged: { who: 'Ada', why: 'the remote is down' },
  raisedBy: ['exceptions.more'],
  part: { policies: ['firmware.axis'], sites: ['1'], devices: ['dev-1'] },
  basis: {
    tool: 'fleetform 0.0.0',
    at: AT,
    expiresAt: AT,
    commit: 'c',
    dirty: true,
    documents: 'd',
    snapshot: 's',
    snapshotFile: 'f',
    ledger: HEAD,
    digest: 'd',
    file: 'f',
    part: { policies: ['firmware.axis'], sites: ['1'], devices: ['dev-1'] },
  },
  reading: { documents: 'd', dirty: true, snapshot: 's' },
};

const BY = { who: 'Ada', why: 'looked' };
const INTENT = { intentId: 'i', device: 'dev-1', policy: 'restarts.dark' };
const GROUND: GroundTerms = {
  service: { origin: 'https://api.example.com', organization: 'acme' },
  ledger: { store: 'git', remote: 'origin', at: 'git.example.com/acme/fleet', branch: 'l' },
  approval: 'plan',
  gate: 'github',
  commit: 'c',
  ...BY,
};
const EVENTS: Readonly<Record<AuditEvent['is'], AuditEvent>> = {
  stop: { seq: 2, at: AT, is: 'stop', scope: 'fleet', rule: 'canary', abort: false },
  lift: { seq: 3, at: AT, is: 'lift', scope: 'fleet', ticket: 'T-1', what: 'stop', ...BY },
  pause: { seq: 7, at: AT, is: 'pause', scope: 'fleet', ticket: 'T-1', until: AT, ...BY },
  approval: {
    seq: 8,
    at: AT,
    is: 'approval',
    planId: 'p',
    commit: 'c',
    documents: 'd',
    preapproved: ['restarts.dark'],
    pulls: ['#7'],
    approvers: ['ada'],
    run: '4711',
    expires: AT,
    ids: ['restartDevice/dev-1'],
  },
  withdrawal: { seq: 9, at: AT, is: 'withdrawal', planId: 'p', ids: [], ...BY },
  unlock: { seq: 4, at: AT, is: 'unlock', ...BY },
  resolve: { seq: 5, at: AT, is: 'resolve', verdict: 'done', ...INTENT, ...BY },
  ground: { seq: 10, at: AT, is: 'ground', ...GROUND },
  distrust: { seq: 11, at: AT, is: 'distrust', kind: 'passwords', before: AT },
  rename: { seq: 12, at: AT, is: 'rename', from: 'firmware.a', to: 'firmware.b' },
  anomaly: { seq: 6, at: AT, is: 'anomaly', what: 'foreignUser', ids: ['t-1'] },
};

const AUDIT: AuditView = {
  ledgerId: 'l',
  fingerprint: 'f',
  head: HEAD,
  idle: 0,
  runs: [
    {
      epoch: 1,
      record: 7,
      label: 'ada@host',
      tool: 'fleetform 0.0.0',
      startedAt: AT,
      plans: [PLAN],
      attempts: [],
      events: Object.values(EVENTS),
    },
  ],
};

const NOW = Date.parse(AT);

const STOP: Required<ActiveStop> = {
  scope: 'firmware.a',
  rule: 'canary',
  counts: { failed: 1 },
  at: NOW,
  action: 'abort',
  documents: 'd',
  wish: 'w',
};

const POLICY: Required<PolicyStatus> = {
  at: { file: 'fleet/a.yaml', line: 1, column: 1, policy: 'firmware.a' },
  task: 'upgradeFirmware',
  devices: 1,
  converged: 0,
  notDue: 0,
  run: 0,
  wait: 1,
  skip: 0,
  noted: 0,
  notRead: 1,
  columns: { now: 0, running: 0, later: 1, person: 0, done: 0, out: 0 },
  verified: 0,
  verifiedBefore: 1,
  startedAt: NOW,
  waves: [
    {
      name: 'canary',
      is: 'soaking',
      devices: 1,
      attempted: 1,
      verified: 1,
      bad: 0,
      failed: 0,
      since: NOW,
      until: NOW,
      why: 'minReached',
    },
  ],
  waits: [{ reason: { code: 'gatePending', why: 'soak', next: NOW }, count: 1 }],
  left: [{ count: 1, reason: { code: 'notDiscovered' }, lastNext: NOW }],
  skips: [{ reason: { code: 'hold', next: 'never', params: { exception: 'e' } }, count: 1 }],
  debt: { devices: 1, oldest: NOW, oldestDevice: 'dev-1', breachesAt: NOW, breached: 0 },
  halted: { code: 'rolloutPaused', next: 'never', params: { rule: 'canary' } },
  nextDue: NOW,
  next: NOW,
};

const OPEN_ONE = { attemptId: 'a', taskId: 't', task: 'restartDevice', since: NOW } as const;

const STATUS: StatusView = {
  at: NOW,
  ledgerLost: { found: 3, seen: 12 },
  clocksDiffer: { seconds: 300 },
  refused: [
    { guardrail: 'default', limit: 'maxChanges', value: 2, number: 9, allowed: 2, passed: false },
  ],
  policies: [POLICY],
  run: { is: 'dead', epoch: 1, label: 'l', host: 'h', pid: 1, since: NOW, lastSignAt: NOW },
  pauses: [{ scope: 'fleet', who: 'Ada', why: 'dark', ticket: 'T-1', since: AT, until: AT }],
  paused: [
    {
      ...STOP,
      bad: [{ device: 'dev-1', verdict: 'failed', step: 's', taskId: 't' }],
      effects: { held: 1, again: 1, againFrom: NOW, setAside: 0 },
    },
  ],
  inDoubt: [{ ...OPEN_ONE, ...INTENT, lost: true }],
  inFlight: [],
};

describe('the schemas of what commands print', () => {
  it('leave no object open but rows of the service', () => {
    expect(NAMES.flatMap((name) => [...openIn(read(`output/${name}`), name)])).toEqual(OPEN);
  });

  it('know all that an audit can tell', () => {
    expect(objectionTo('audit', AUDIT)).toBeUndefined();
  });

  it.each(Object.values(EVENTS))('know nothing more of the event $is', (event) => {
    const [run] = AUDIT.runs;
    const odd = { ...AUDIT, runs: [{ ...run, events: [{ ...event, more: 1 }] }] };
    expect(objectionTo('audit', odd)).toBeDefined();
  });

  it('know all that a status can tell, and nothing more', () => {
    const printed = statusJson(STATUS);
    expect(objectionTo('status', printed)).toBeUndefined();
    expect(objectionTo('status', { ...printed, paused: [{ scope: 'fleet' }] })).toBeDefined();
  });

  it('know why a policy is refused that has no row (semantics K27)', () => {
    const params = { policy: 'firmware.axis', other: 'firmware.bosch' };
    const refusing = [{ code: 'conflict', severity: 'warning', params }] as const;
    const printed = statusJson({ ...STATUS, refusing });
    expect(printed).toMatchObject({ refusing });
    expect(objectionTo('status', printed)).toBeUndefined();
    expect(statusJson({ ...STATUS, refusing: [] })).not.toHaveProperty('refusing');
  });

  it('know when a change starts, and what it passes then (semantics M26)', () => {
    const result = {
      action: 'run',
      cause: 'clock',
      reason: { code: 'act' },
      before: {},
      after: {},
      passes: [{ what: 'window', rule: 'expiryGuard' }],
      starts: AT,
      ends: AT,
    } as const;
    const task = { losers: [], others: [], exemptions: [], steps: [], past: [], needs: [] };
    const printed = whyJson({
      device: { id: 'dev-1' },
      standing: 'managed',
      evaluatedAt: NOW,
      readAt: NOW,
      observed: {},
      tasks: [{ task: 'restartDevice', ...task, result }],
    });
    expect(objectionTo('why', printed)).toBeUndefined();
  });
});

/** Objects that take any member of any kind. */
function* openIn(node: unknown, at: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, properties, additionalProperties: more, unevaluatedProperties } = node as Schema;
  const isObject = type === 'object' || (properties !== undefined && !at.endsWith('/properties'));
  const isTyped = more === false || (typeof more === 'object' && more !== null);
  if (isObject && !isTyped && unevaluatedProperties !== false) yield at;
  for (const [key, below] of Object.entries(node)) yield* openIn(below, `${at}/${key}`);
}

interface Schema {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly additionalProperties?: unknown;
  readonly unevaluatedProperties?: unknown;
}
