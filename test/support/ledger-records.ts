import { appendTo, EMPTY_HEAD, headAfter } from '../../src/ledger/chain.ts';
import {
  LEDGER_FORMAT,
  type LedgerHead,
  type LedgerRecord,
  type RecordBody,
} from '../../src/model/ledger/record.ts';
import type { TaskType } from '../../src/model/fleet/task.ts';

export type BodyOf<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

export const FINGERPRINT = 'f'.repeat(64);

export const GENESIS: RecordBody = {
  type: 'GENESIS',
  ledgerId: 'ledger-1',
  format: LEDGER_FORMAT,
  fingerprint: FINGERPRINT,
};

export const RELEASE: RecordBody = { type: 'RELEASE' };

export function lock(nonce = 'run-a'): RecordBody {
  const of = { label: 'ci@host', ttl: 90_000, host: 'host', pid: 1, process: 'start-1' };
  return { type: 'LOCK', nonce, ...of };
}

/**
 * An attempt at `upgradeFirmware` of devices to version `2`; an intent's id is `<device>@<target>`.
 */
export function plan(planId: string, commit: string): BodyOf<'PLAN'> {
  return {
    type: 'PLAN',
    planId,
    commit,
    fromFile: true,
    counts: { devices: 9, sites: 1, changes: 3 },
    confidence: 'one page',
  };
}

export function attempt(
  attemptId: string,
  devices: readonly string[],
  more: { readonly task?: TaskType; readonly target?: string; readonly policy?: string } = {},
): BodyOf<'ATTEMPT'> {
  const { task = 'upgradeFirmware', target = '2', policy = 'firmware.p' } = more;
  const intents = devices.map((device) => ({
    id: `${device}@${target}`,
    device,
    target,
    generation: 1,
    policy,
    sites: ['s1'],
    before: 'before',
    marker: 'marker',
  }));
  const rest = { batchDigest: 'b', window: 'w', sendBy: '2026-01-01T00:00:30Z' };
  return { type: 'ATTEMPT', attemptId, planId: 'plan-1', task, intents, ...rest };
}

export function result(
  attemptId: string,
  outcome: BodyOf<'RESULT'>['outcome'],
  row = 'P03',
): BodyOf<'RESULT'> {
  const taskId = outcome === 'accepted' ? { taskId: `task-of-${attemptId}` } : {};
  return { type: 'RESULT', attemptId, outcome, row, ...taskId };
}

export function settled(
  intentId: string,
  verdict: BodyOf<'SETTLED'>['verdict'],
  by: BodyOf<'SETTLED'>['by'] = 'verify',
): BodyOf<'SETTLED'> {
  return { type: 'SETTLED', intentId, verdict, by, evidence: [], seconds: 60 };
}

/**
 * One record per body, a second apart; each LOCK raises the epoch unless `epoch` says otherwise.
 */
export function chained(
  bodies: readonly (RecordBody | { readonly epoch: number; readonly body: RecordBody })[],
  from: { readonly head: LedgerHead; readonly epoch: number } = { head: EMPTY_HEAD, epoch: 0 },
): LedgerRecord[] {
  const records: LedgerRecord[] = [];
  let { head, epoch } = from;
  for (const entry of bodies) {
    const body = 'body' in entry ? entry.body : entry;
    if (body.type === 'LOCK') epoch += 1;
    const by = { epoch: 'body' in entry ? entry.epoch : epoch, at: instant(head.seq), tool: '1' };
    const added = appendTo(head, [body], by);
    records.push(...added);
    head = headAfter(added, head);
  }
  return records;
}

function instant(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
}
