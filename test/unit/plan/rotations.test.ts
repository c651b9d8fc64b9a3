import { describe, expect, it, test } from 'vitest';
import { formatInstant } from '../../../src/lib/time.ts';
import { portion, spreadPosition } from '../../../src/kinds/due-rule.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { IntentState, Memory, ObservedFact } from '../../../src/model/ledger/memory.ts';
import type { DueRule, RotationPolicy } from '../../../src/model/documents/policy.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import { sightingKey } from '../../../src/model/ledger/sightings.ts';
import { OBSERVERS } from '../../../src/plan/observe/observers.ts';
import { plan } from '../../../src/plan/plan.ts';
import { INPUTS } from '../../support/plan-change.ts';
import { ROTATION } from '../../support/plan-decide.ts';
import {
  NOW,
  aDevice,
  aMemory,
  aSnapshot,
  anIntent,
  anOpenIntent,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BY_AGE: DueRule = { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 0 };
const SPREAD: DueRule = { ...BY_AGE, spread: 14 * DAY };
const PASSWORDS: RotationPolicy = { ...ROTATION, due: BY_AGE, offlineGrace: DAY };
const CERTIFICATES: RotationPolicy = {
  ...ROTATION,
  task: 'rotateSslCertificate',
  address: 'rotations.tls',
  due: { is: 'renewBefore', before: 30 * DAY, spread: 0 },
  expiryGuard: 3 * DAY,
};

interface Given {
  readonly policies?: readonly RotationPolicy[];
  readonly devices?: readonly Device[];
  /** Age of every password, and days until every certificate ends. */
  readonly age?: number;
  readonly left?: number;
  readonly past?: readonly IntentState[];
  /** What was seen, by `what/subject`: since when, and as what. */
  readonly seen?: Readonly<Record<string, readonly [days: number, value?: string]>>;
  readonly later?: number;
}

function sighting([days, value = '']: readonly [number, string?]): ObservedFact {
  const at = NOW - days * DAY;
  return { value, firstAt: at, lastAt: at, since: at, times: 1 };
}

function made(given: Given) {
  const { policies = [PASSWORDS], devices = [aDevice('cam-1')], age, left = 300 } = given;
  const sightings = new Map(
    Object.entries(given.seen ?? {}).map(([key, seen]) => [key, sighting(seen)]),
  );
  const facts: Facts = {
    passwords: { marker: 'old', ...(age !== undefined && { changedAt: NOW - age * DAY }) },
    certificates: {
      fingerprint: 'aa',
      notBefore: NOW - 300 * DAY,
      notAfter: NOW + left * DAY,
    },
  };
  const memory: Memory = aMemory(given.past, { sightings });
  const documents = someDocuments({
    rotations: entries(Object.fromEntries(policies.map((policy) => [policy.address, policy]))),
  });
  const snapshot = aSnapshot(devices, { facts: () => facts });
  const now = NOW + (given.later ?? 0) * DAY;
  const input = { documents, snapshot, memory, now, dialect: resolveDialect() };
  return { ...input, ...plan({ ...input, inputs: INPUTS, expiresAfter: 1 }) };
}

/** Task, device, action, and why. */
function planned(given: Given): readonly string[] {
  const { changes } = made(given).plan;
  return [...changes].map(
    ({ id, action, reason }) => `${id} ${action} ${reason.why ?? reason.code}`,
  );
}

const reasonsOf = (given: Given) => [...made(given).plan.changes].map(({ reason }) => reason);

/** What apply would record of this reading. */
function observed(given: Given) {
  const { plan: of, documents, snapshot, memory, now } = made(given);
  const surveyed = { documents, snapshot, memory, now, changes: of.changes };
  return OBSERVERS.flatMap((observer) => [...observer(surveyed)]);
}

const offline = (days: number) =>
  aDevice('cam-1', { status: 'offline', lastSeen: NOW - days * DAY });
const BACK = sightingKey('back', 'cam-1');

describe('R1 a device that is offline through three windows', () => {
  it('R11 is in debt: since when, windows missed, and when it is too late', () => {
    const [reason] = reasonsOf({ devices: [offline(9)], age: 162 });
    expect(reason).toEqual({
      code: 'offline',
      since: NOW - 9 * DAY,
      params: {
        dueSince: formatInstant(NOW - 3 * DAY),
        windowsMissed: 3,
        breachesAt: formatInstant(NOW + 18 * DAY),
        needsYou: true,
      },
    });
  });

  it('is seen to be away by apply, once', () => {
    const away = { what: 'back', subject: 'cam-1', value: 'away', seenAt: NOW - 9 * DAY };
    expect(observed({ devices: [offline(9)], age: 162 })).toEqual([away]);
    expect(observed({ devices: [offline(9)], age: 162, seen: { [BACK]: [9, 'away'] } })).toEqual(
      [],
    );
    expect(observed({ devices: [offline(9)], age: 100 })).toEqual([]);
  });

  it('R13 waits once it is back until apply has seen that, and says so', () => {
    const [reason] = reasonsOf({ age: 162, seen: { [BACK]: [9, 'away'] } });
    expect(reason).toMatchObject({ why: 'offlineGrace', params: { unseen: 'return' } });
  });

  it('is seen to be back by apply', () => {
    const back = { what: 'back', subject: 'cam-1', value: 'back', seenAt: NOW };
    expect(observed({ age: 162, seen: { [BACK]: [9, 'away'] } })).toEqual([back]);
  });

  it.each([
    ['before its grace is over', 0.9, 'wait offlineGrace'],
    ['at the first start after its grace', 1, 'run ageReached'],
  ])('%s: %d days after it was seen: %s', (_, days, expected) => {
    const given = { age: 162, seen: { [BACK]: [days, 'back'] } } as const;
    expect(planned(given)).toEqual([`rotatePassword/cam-1 ${expected}`]);
  });

  it('is not left alone where its policy gives no grace', () => {
    const policies = [{ ...PASSWORDS, offlineGrace: 0 }];
    expect(planned({ policies, age: 162, seen: { [BACK]: [9, 'away'] } })).toEqual([
      'rotatePassword/cam-1 run ageReached',
    ]);
  });
});

test.each(['inDoubt', 'open', 'running'] as const)(
  'R3 a credential whose rotation is %s is not rotated again',
  (phase) => {
    const intent = anOpenIntent('cam-1', { task: 'rotatePassword', phase, target: 'old' });
    const [only = ''] = planned({ age: 900, past: [intent] });
    expect(only).not.toContain(' run ');
  },
);

describe('R4 password and certificate of one device', () => {
  const policies = [PASSWORDS, CERTIFICATES];
  it('both due: the password first, the certificate a day later', () => {
    const given = { policies, age: 160, left: 20 };
    expect(planned(given)).toEqual([
      'rotatePassword/cam-1 run ageReached',
      'rotateSslCertificate/cam-1 wait gap',
    ]);
    expect(reasonsOf(given)[1]).toMatchObject({ next: NOW + DAY });
  });

  it.each([
    ['that is inside its guard', 3, 'renewalDue'],
    ['that has ended', -1, 'expiryReached'],
  ])('both due: a certificate %s goes first', (_, left, why) => {
    expect(planned({ policies, age: 160, left })).toEqual([
      `rotateSslCertificate/cam-1 run ${why}`,
      'rotatePassword/cam-1 wait gap',
    ]);
  });

  const rotated = (hours: number, fields: Partial<IntentState> = {}) =>
    anIntent('cam-1', {
      task: 'rotateSslCertificate',
      settledAt: NOW - hours * HOUR,
      ...fields,
    });
  it.each([
    ['23 hours after the other', rotated(23), 'wait gap'],
    ['24 hours after the other', rotated(24), 'run ageReached'],
    ['after one that failed', rotated(1, { verdict: 'failed' }), 'wait gap'],
    ['after one that never ran', rotated(1, { verdict: 'notDone' }), 'run ageReached'],
    ['a day after a firmware upgrade', rotated(23, { task: 'upgradeFirmware' }), 'run ageReached'],
  ])('%s: %s', (_, intent, expected) => {
    expect(planned({ age: 160, past: [intent] })).toEqual([`rotatePassword/cam-1 ${expected}`]);
  });
});

test('R7 a lowered generation does nothing, and is said', () => {
  const past = [anIntent('cam-1', { task: 'rotatePassword', generation: 3 })];
  const given: Given = { policies: [{ ...PASSWORDS, due: { is: 'never' }, generation: 2 }], past };
  expect(planned(given)).toEqual([]);
  expect(made(given).diagnostics).toMatchObject([{ code: 'generationLowered' }]);
  const reason = { reason: 'leaked', owner: 'secops', ticket: 'S-1' };
  const incident = { name: 'leak', since: NOW - 1, until: NOW + HOUR, expect: 9, ...reason };
  const policies = [{ ...PASSWORDS, due: { is: 'never' } as const, incident }];
  const said = made({ policies, past }).diagnostics.map(({ code }) => code);
  expect(said, 'an incident has no generation').not.toContain('generationLowered');
});

describe('N56 R8 an incident, once a person recorded a lost rotation as done', () => {
  const reason = { reason: 'leaked', owner: 'secops', ticket: 'S-1' };
  const incident = { name: 'leak', since: NOW - DAY, until: NOW + DAY, expect: 9, ...reason };
  const policies = [{ ...PASSWORDS, due: { is: 'never' } as const, incident }];
  const attemptedAt = NOW - HOUR;
  const task = 'rotatePassword';
  const word = anIntent('cam-1', { task, attemptedAt, marker: 'old', settledBy: 'person' });
  const past = [{ ...word, target: 'old', policy: PASSWORDS.address }];

  it('is due by an older date of the service, as another intent', () => {
    const [change] = [...made({ policies, age: 10, past }).plan.changes];
    expect(change).toMatchObject({ action: 'run', target: `old ${formatInstant(attemptedAt)}` });
  });

  it('is done for a device whose service shows no date', () => {
    expect(planned({ policies, past })).toEqual([]);
  });
});

describe('R12 what was overdue when its policy was adopted', () => {
  const policies = [{ ...PASSWORDS, due: SPREAD }];
  const ADOPTED = sightingKey('adopted', PASSWORDS.address);
  const share = spreadPosition(PASSWORDS.address, 'cam-1');
  const turn = portion(180 * DAY, share);
  const offset = portion(14 * DAY, share) / DAY;

  it('waits for its turn within a whole maxAge, and counts as wanted', () => {
    const given = { policies, age: 400 };
    const [reason] = reasonsOf(given);
    expect(reason).toMatchObject({
      why: 'spread',
      next: NOW + turn,
      params: { unseen: 'adoption' },
    });
    expect(made(given).plan.counts).toMatchObject({ run: 0, wait: 1 });
  });

  it('has its turn before it is too old, where it is not yet', () => {
    const [reason] = reasonsOf({ policies, age: 175, seen: { [ADOPTED]: [0] } });
    expect(reason).toMatchObject({ why: 'spread', next: NOW + portion(5 * DAY, share) });
  });

  it('runs when its turn has come', () => {
    const days = turn / DAY;
    const at = (later: number) => planned({ policies, age: 400, seen: { [ADOPTED]: [0] }, later });
    expect(at(days - 0.01)).toEqual(['rotatePassword/cam-1 wait spread']);
    expect(at(days)).toEqual(['rotatePassword/cam-1 run ageReached']);
  });

  it.each([
    ['fell due later', { age: 160 + offset, seen: { [ADOPTED]: [1.1] } }],
    ['was rotated by us before', { age: 400, past: [rotatedLongAgo()] }],
    ['has a spread of 0', { age: 400, policies: [PASSWORDS] }],
  ] as const)('does not concern what %s', (_, given) => {
    expect(planned({ policies, ...given })).toEqual(['rotatePassword/cam-1 run ageReached']);
  });

  it('is adopted by the first apply, once', () => {
    const adopted = { what: 'adopted', subject: PASSWORDS.address, seenAt: NOW };
    expect(observed({ policies, age: 400 })).toEqual([adopted]);
    expect(observed({ policies, age: 400, seen: { [ADOPTED]: [1] } })).toEqual([]);
    expect(observed({ policies: [PASSWORDS], age: 400 })).toEqual([]);
  });
});

function rotatedLongAgo(): IntentState {
  const attemptedAt = NOW - 300 * DAY;
  return anIntent('cam-1', { task: 'rotatePassword', attemptedAt, settledAt: attemptedAt });
}

describe('R10 of unknown age', () => {
  const devices = Array.from({ length: 8 }, (_, index) =>
    aDevice(`cam-${index + 1}`, { sites: [{ id: `s${index}` }] }),
  );
  const policies = [{ ...PASSWORDS, unknownAge: 'rotate' }] as const;
  const running = (given: Given) =>
    planned({ policies, ...given }).filter((each) => each.endsWith(' run ageUnknown')).length;

  it('five of a policy may run at once, and the rest waits with the reason', () => {
    expect(running({ devices })).toBe(5);
    expect(planned({ policies, devices }).at(-1)).toBe('rotatePassword/cam-8 wait canaryPace');
  });

  it('fewer may while others of the policy are in flight', () => {
    const past = ['cam-1', 'cam-2', 'cam-3'].map((id) =>
      anOpenIntent(id, { task: 'rotatePassword', policy: PASSWORDS.address }),
    );
    expect(running({ devices, past })).toBe(2);
    const others = past.map((intent) => ({ ...intent, policy: 'rotations.other' }));
    expect(running({ devices, past: others })).toBe(5);
  });
});

describe('renewalLoop', () => {
  const codes = (before: number) =>
    made({
      policies: [{ ...CERTIFICATES, due: { is: 'renewBefore', before: before * DAY } }],
      left: 20,
    }).diagnostics.map(({ code, severity, params }) => ({ code, severity, params }));

  it('is a warning where a certificate lives no longer than twice what it is renewed ahead', () => {
    expect(codes(159)).toEqual([]);
    expect(codes(160)).toEqual([
      {
        code: 'renewalLoop',
        severity: 'warning',
        params: {
          policy: CERTIFICATES.address,
          renewBefore: '160d',
          life: '320d',
          device: 'cam-1',
          count: 1,
        },
      },
    ]);
  });
});
