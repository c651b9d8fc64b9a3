import type { Attempted, Case, Judgement, Readback } from '../../src/kinds/kind.ts';
import type { Device } from '../../src/model/fleet/device.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { IntentState } from '../../src/model/ledger/memory.ts';
import type { Policy } from '../../src/model/documents/policy.ts';
import { device, NOW } from './desired-documents.ts';

export { NOW };
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A device that reads online and on which every task is available. */
export function able(fields: Partial<Device> = {}): Device {
  return {
    ...device('dev-1', {
      vendor: 'Axis',
      firmwareVersion: '11.8.61',
      status: 'online',
      lastSeen: NOW - MINUTE,
    }),
    available: {
      upgradeFirmware: true,
      rotatePassword: true,
      rotateSslCertificate: true,
      restartDevice: true,
    },
    ...fields,
  };
}

export function caseOf(policy: Policy, fields: Partial<Case> = {}): Case {
  return {
    policy,
    device: able(),
    facts: {},
    past: [],
    generation: 1,
    now: NOW,
    dialect: resolveDialect(),
    ...fields,
  };
}

/** An intent that was settled done a day ago, unless said otherwise. */
export function intent(fields: Partial<IntentState> = {}): IntentState {
  return {
    id: 'intent',
    task: 'upgradeFirmware',
    device: 'dev-1',
    target: '11.11.73',
    generation: 0,
    policy: 'firmware.axis',
    sites: [],
    marker: '',
    phase: 'closed',
    attempts: 1,
    attemptId: 'nonce.1',
    attemptedAt: NOW - DAY,
    outcome: 'accepted',
    verdict: 'done',
    ...fields,
  };
}

/** What was attempted an hour ago and reported as completed half an hour ago. */
export function attempted(fields: Partial<Attempted> = {}): Attempted {
  return {
    target: '11.11.73',
    marker: '11.8.61',
    attemptedAt: NOW - HOUR,
    completedAt: NOW - 30 * MINUTE,
    ...fields,
  };
}

export function seen(fields: Partial<Readback> = {}): Readback {
  return { device: able(), facts: {}, readAt: NOW, ...fields };
}

/** A judgement in a word or two: what it is, and the finer word of its reason. */
export function brief(judgement: Judgement): string {
  if (judgement.is === 'due') return `due ${judgement.why}`;
  const { code, why } = judgement.reason;
  return `${judgement.is} ${why ?? code}`;
}
