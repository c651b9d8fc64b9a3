import { describe, expect, it } from 'vitest';
import { judgeDoubt, newSigns } from '../../../../src/apply/watch/settle.ts';
import type { Readback } from '../../../../src/kinds/kind.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { Facts } from '../../../../src/model/fleet/snapshot.ts';
import { TASK_TYPES, type TaskType } from '../../../../src/model/fleet/task.ts';
import { aRun } from '../../../support/apply-run.ts';
import { aMemory, anOpenIntent, NOW } from '../../../support/plan-fleet.ts';
import { able } from '../../../support/kinds-case.ts';

const MINUTE = 60_000;
const MODEL = 'P3265-V';
const BEFORE = 'the old one';

type Look = Omit<Readback, 'readAt' | 'facts'> & { readonly facts?: Facts };

const on = (fields: Partial<Device> = {}): Look => ({ device: able(fields) });
const password = (fields: object): Look => ({ facts: { passwords: { marker: 'm', ...fields } } });
const certificate = (fingerprint: string, notBefore: number): Look => {
  return { ...on(), facts: { certificates: { fingerprint, notBefore } } };
};

/** What each task type shows: protocol Q2 to Q5, a row each. */
const TABLE: Readonly<Record<TaskType, Row>> = {
  upgradeFirmware: {
    intent: { target: '11.11.73', marker: '11.8.61' },
    done: on({ firmwareVersion: '11.11.73' }),
    weak: [on({ status: 'offline' }), on({ firmwareVersion: '11.9.60' })],
    before: on({ firmwareVersion: '11.8.61' }),
    offline: on({ firmwareVersion: '11.8.61', status: 'offline' }),
  },
  rotateSslCertificate: {
    intent: { target: BEFORE, marker: BEFORE },
    done: certificate('new', NOW + MINUTE),
    weak: [certificate('new', NOW - 60 * MINUTE)],
    before: certificate(BEFORE, 0),
    offline: { ...certificate(BEFORE, 0), ...on({ status: 'offline' }) },
  },
  onboardDevice: {
    intent: { target: 'dev-1', marker: '' },
    done: on(),
    weak: [{ namesake: { id: 'dev-77' } }],
    before: { discovered: { id: 'dev-1', onboardingStatus: 'readyToOnboard' } },
    offline: { discovered: { id: 'dev-1', onboardingStatus: 'archived' } },
  },
  restartDevice: {
    intent: { target: 'restart', marker: 'online' },
    done: on({ status: 'offline' }),
    weak: [],
    before: on(),
    offline: on({ status: 'partial' }),
  },
  rotatePassword: {
    intent: { target: 'm', marker: 'm' },
    done: password({ changedAt: NOW + MINUTE }),
    weak: [],
    before: password({ changedAt: NOW - 60 * MINUTE }),
    offline: password({ changedAt: NOW - 60 * MINUTE }),
  },
};

interface Row {
  readonly intent: Pick<IntentState, 'target' | 'marker'>;
  readonly done: Look;
  readonly weak: readonly Look[];
  /** The device as it was before the attempt. */
  readonly before: Look;
  /** The same, but not so that it proves anything. */
  readonly offline: Look;
}

/** A process that watches one intent in doubt from NOW on. */
function watch(task: TaskType, given: Given = {}) {
  const { settles = 'afterQuarantine', moved = [`${task}/${MODEL}`], intent: fields } = given;
  let minutes = 0;
  const of = {
    task,
    model: MODEL,
    attemptedAt: NOW,
    phase: 'inDoubt',
    ...TABLE[task].intent,
  } as const;
  const intent = anOpenIntent('dev-1', { ...of, ...fields });
  const run = aRun({
    clock: { now: () => NOW + minutes * MINUTE, monotonic: () => minutes * MINUTE },
    documents: {
      rollouts: new Map(),
      firmware: new Map(),
      rotations: new Map(),
      onboarding: new Map(),
      restarts: new Map(),
    } as unknown as Documents,
    dialect: resolveDialect({ autoSettleNegative: settles }),
    journal: { memory: aMemory([intent], { moved: new Set(moved) }) },
  });
  return {
    at: (minute: number, look: Look) => {
      minutes = minute;
      const observation = { facts: {}, ...look, readAt: NOW + minute * MINUTE + 1 };
      return judgeDoubt(run, intent, observation)?.verdict ?? 'inDoubt';
    },
    signs: (look: Look, readAt = NOW + MINUTE) =>
      newSigns(run, intent, { facts: {}, ...look, readAt }),
  };
}

interface Given {
  readonly settles?: 'never' | 'afterQuarantine';
  readonly moved?: readonly string[];
  readonly intent?: Partial<IntentState>;
}

const NEVER: readonly TaskType[] = ['rotatePassword', 'restartDevice'];
const READABLE = TASK_TYPES.filter((task) => !NEVER.includes(task));

describe.each(TASK_TYPES)('%s in doubt', (task) => {
  const { done, weak, before, offline } = TABLE[task];

  it('Q2 is done as soon as its target shows', () => {
    expect(watch(task, { settles: 'never' }).at(1, done)).toBe('done');
  });

  it('Q3 stays in doubt at a weak sign, which is told', () => {
    for (const look of weak) {
      const watched = watch(task, { settles: 'never' });
      expect(watched.at(1, look)).toBe('inDoubt');
      expect(watched.signs(look)).not.toEqual([]);
    }
  });

  it('shows no sign while it is as it was before', () => {
    const watched = watch(task);
    watched.at(0, before);
    expect(watched.signs(before)).toEqual([]);
  });

  it('is never not done by itself, where the dialect does not say so', () => {
    const watched = watch(task, { settles: 'never' });
    const verdicts = [0, 10, 20, 30, 39].map((minute) => watched.at(minute, before));
    expect(new Set(verdicts)).toEqual(new Set(['inDoubt']));
  });

  it('begins anew where one read does not show it as it was before', () => {
    const watched = watch(task);
    const looks = [before, before, before, offline, before, before];
    const verdicts = looks.map((look, index) => watched.at(index * 7, look));
    expect(verdicts.filter((verdict) => verdict === 'notDone')).toEqual([]);
  });
});

describe.each(READABLE)('%s that stayed as it was', (task) => {
  const { before } = TABLE[task];
  const verdicts = (minutes: readonly number[], given: Given = {}) => {
    const watched = watch(task, given);
    return minutes.map((minute) => watched.at(minute, before)).at(-1);
  };

  it.each([
    ['three reads, the last after the quarantine', [0, 15, 30], {}, 'notDone'],
    ['many reads', [0, 4, 8, 12, 16, 20, 24, 28, 32], {}, 'notDone'],
    ['the quarantine is not over', [0, 10, 20, 29.9], {}, 'inDoubt'],
    ['two reads', [0, 31], {}, 'inDoubt'],
    ['reads too close to each other', [0, 28, 30, 31], {}, 'inDoubt'],
    ['no device of its model ever showed it', [0, 15, 30], { moved: [] }, 'inDoubt'],
    ['another model showed it', [0, 15, 30], { moved: [`${task}/other`] }, 'inDoubt'],
    ['its task still runs', [0, 15, 30, 60, 120], { intent: { phase: 'running' } }, 'inDoubt'],
    ['its task was lost before its time', [0, 15, 30], { intent: { taskId: 't' } }, 'inDoubt'],
    ['its task was lost, long after', [0, 60, 119, 125], { intent: { taskId: 't' } }, 'notDone'],
  ] as const)('%s', (_what, minutes, given, expected) => {
    expect(verdicts(minutes, given)).toBe(expected);
  });
});

describe.each(NEVER)('%s that stayed as it was', (task) => {
  it('Q4 is never settled as not done', () => {
    const watched = watch(task);
    const day = Array.from({ length: 288 }, (_, index) => index * 5);
    const all = new Set(day.map((minute) => watched.at(minute, TABLE[task].before)));
    expect([...all]).toEqual(task === 'restartDevice' ? ['inDoubt', 'unknown'] : ['inDoubt']);
  });
});

describe('a restart', () => {
  it('is unknown once the dip and the quarantine are over, and not before', () => {
    const watched = watch('restartDevice');
    expect(watched.at(0, on())).toBe('inDoubt');
    expect(watched.at(39.9, on())).toBe('inDoubt');
    expect(watched.at(40, on())).toBe('unknown');
  });

  it.each([
    ['ten minutes after it', 10.1, 'online', 'inDoubt'],
    ['of a device that was dark before', 1, 'offline', 'inDoubt'],
    ['of a device that nobody knew', 1, '', 'inDoubt'],
    ['of a device that was partly online', 1, 'partial', 'done'],
  ])('takes a dip for its work, but not %s', (_what, minute, marker, expected) => {
    const watched = watch('restartDevice', { intent: { marker } });
    expect(watched.at(minute, on({ status: 'offline' }))).toBe(expected);
  });
});

it.each([
  ['a password', 'rotatePassword', { passwordExpiresAt: NOW }, 'expiresAt'],
  [
    'a certificate',
    'rotateSslCertificate',
    { sslCertificateExpiresAt: NOW },
    'sslCertificateExpiry',
  ],
] as const)('the expiry of %s that moves while it is watched is a sign', (_, task, field, sign) => {
  const watched = watch(task);
  watched.at(0, on(field));
  const later = on(Object.fromEntries(Object.keys(field).map((name) => [name, NOW + MINUTE])));
  expect(watched.at(1, later)).toBe('inDoubt');
  expect(watched.signs(later)).toMatchObject([{ field: sign }]);
});

it('a sign that the ledger holds is not told again', () => {
  const sign = { source: 'device', field: 'status', value: 'offline', at: 'earlier' };
  const watched = watch('upgradeFirmware', { intent: { observed: [sign] } });
  expect(watched.signs(on({ status: 'offline' }))).toEqual([]);
});
