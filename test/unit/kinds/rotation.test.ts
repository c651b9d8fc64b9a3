import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/kinds/kind.ts';
import { rotatePassword } from '../../../src/kinds/rotate-password.ts';
import { rotateSslCertificate } from '../../../src/kinds/rotate-ssl-certificate.ts';
import type { DueRule } from '../../../src/model/documents/policy.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import { formatInstant } from '../../../src/lib/time.ts';
import { rotation } from '../../support/desired-documents.ts';
import { able, brief, caseOf, DAY, HOUR, intent, MINUTE, NOW } from '../../support/kinds-case.ts';

const MAX_AGE: DueRule = { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 0 };
const RENEW: DueRule = { is: 'renewBefore', before: 30 * DAY, spread: 0 };
const NEVER: DueRule = { is: 'never' };

const password = (changed: number, expires?: number): Facts => ({
  passwords: {
    changedAt: NOW - changed * DAY,
    ...(expires !== undefined && { expiresAt: NOW + expires * DAY }),
    marker: 'mark',
  },
});

const SHARE: DueRule = { is: 'renewShare', percent: 33, spread: 0 };

function given(due: DueRule, fields: Partial<Case> = {}, generation = 1): Case {
  return caseOf(rotation('passwords', { due, generation }), fields);
}

/** The same, where its author wrote that what is of unknown age is to be rotated. */
function willing(due: DueRule, fields: Partial<Case> = {}): Case {
  return caseOf(rotation('passwords', { due, unknownAge: 'rotate' }), fields);
}

const done = (days: number, generation = 1): Case['past'][number] =>
  intent({ task: 'rotatePassword', target: 'old', generation, attemptedAt: NOW - days * DAY });

/** A rotation whose request was lost, and which a person recorded as done. */
const word = (days: number, generation = 1): Case['past'][number] => ({
  ...done(days, generation),
  settledBy: 'person',
});

const listed = (days: number): Partial<Case> => ({
  device: able({ passwordExpiresAt: NOW + days * DAY }),
});

const DUE: readonly (readonly [string, Case, string])[] = [
  [
    'maxAge less headStart, to the millisecond',
    given(MAX_AGE, { facts: password(159) }),
    'due ageReached',
  ],
  ['younger than that', given(MAX_AGE, { facts: password(158.999) }), 'notDue age'],
  ['renewBefore, to the millisecond', given(RENEW, { facts: password(1, 30) }), 'due renewalDue'],
  ['expiring later', given(RENEW, { facts: password(1, 30.001) }), 'notDue age'],
  ['never, whatever its age', given(NEVER, { facts: password(900) }), 'notDue age'],
  ['changed within a day from now', given(MAX_AGE, { facts: password(-1) }), 'notDue age'],
  [
    'changed in the future',
    given(MAX_AGE, { facts: password(-1.001) }),
    'unsupported valueUnknown',
  ],
  [
    'changed in the future, where an unknown age is due',
    willing(MAX_AGE, { facts: password(-500) }),
    'unsupported valueUnknown',
  ],
  [
    'changed in the future by the list alone',
    given(MAX_AGE, { device: able({ passwordChangedAt: NOW + 2 * DAY }) }),
    'notRead notRead',
  ],
  [
    'changed in the future by the list, read as old',
    given(MAX_AGE, {
      device: able({ passwordChangedAt: NOW + 2 * DAY }),
      facts: password(200),
    }),
    'due ageReached',
  ],
  [
    'an age that the service does not know',
    given(RENEW, { facts: password(1) }),
    'unsupported ageNotShown',
  ],
  [
    'an age that the service does not know, where the policy says so',
    willing(RENEW, { facts: password(1) }),
    'due ageUnknown',
  ],
  [
    'an unknown age after a rotation of ours',
    given(RENEW, { facts: password(1), past: [done(400)] }),
    'notDue age',
  ],
  [
    'a rotation of ours as the age, where that is later',
    given(MAX_AGE, { facts: password(900), past: [done(10)] }),
    'notDue age',
  ],
  [
    'a rotation of ours that is old itself',
    given(MAX_AGE, { facts: password(900), past: [done(170)] }),
    'due ageReached',
  ],
  [
    'a rotation that failed as none',
    given(MAX_AGE, { facts: password(900), past: [{ ...done(10), verdict: 'failed' }] }),
    'due ageReached',
  ],
  [
    'R8 the date of the service, where a person recorded a later rotation',
    given(MAX_AGE, { facts: password(900), past: [word(10)] }),
    'due ageReached',
  ],
  [
    'R8 the rotation that a person recorded, where the service shows no date',
    given(MAX_AGE, { facts: { passwords: { marker: 'mark' } }, past: [word(10)] }),
    'notDue age',
  ],
  [
    'R8 the rotation that a person recorded, where our user may not read the date',
    given(MAX_AGE, { facts: { passwords: 'forbidden' }, past: [word(10)] }),
    'notDue age',
  ],
  [
    'R8 no rotation that a person recorded, before the date is read',
    given(MAX_AGE, { past: [word(10)] }),
    'notRead notRead',
  ],
  [
    'R8 no rotation that a person recorded, where the date was not understood',
    given(MAX_AGE, { facts: { passwords: 'unreadable' }, past: [word(10)] }),
    'unsupported valueUnknown',
  ],
  [
    'R8 the end that has passed, where a person recorded a later rotation',
    given(MAX_AGE, {
      facts: { passwords: { expiresAt: NOW - 20 * DAY, marker: 'mark' } },
      past: [word(10)],
    }),
    'due expiryReached',
  ],
  [
    'R8 a verified rotation, whatever a person recorded before',
    given(MAX_AGE, { facts: password(900), past: [word(20), done(10)] }),
    'notDue age',
  ],
  ['a read that was not made', given(MAX_AGE), 'notRead notRead'],
  [
    'metadata that was not understood, whatever the policy says',
    willing(MAX_AGE, { facts: { passwords: 'unreadable' } }),
    'unsupported valueUnknown',
  ],
  [
    'metadata that was not understood, where the list decides',
    given(RENEW, { ...listed(3), facts: { passwords: 'unreadable' } }),
    'unsupported valueUnknown',
  ],
  [
    'metadata that was not understood, where a generation was raised',
    given(MAX_AGE, { facts: { passwords: 'unreadable' } }, 2),
    'unsupported valueUnknown',
  ],
  [
    'a forbidden read, where the age decides and the policy wants what is of unknown age',
    willing(MAX_AGE, { facts: { passwords: 'forbidden' } }),
    'unsupported valueUnknown',
  ],
  [
    'a forbidden read, where the age decides',
    given(MAX_AGE, { facts: { passwords: 'forbidden' } }),
    'unsupported valueUnknown',
  ],
  [
    'a forbidden read, where the list decides',
    given(RENEW, { ...listed(3), facts: { passwords: 'forbidden' } }),
    'due renewalDue',
  ],
  [
    'a forbidden read, where a share of a life decides that the list does not show',
    given(SHARE, { ...listed(60), facts: { passwords: 'forbidden' } }),
    'unsupported valueUnknown',
  ],
  [
    'a forbidden read, within the least lead time of any life',
    given(SHARE, { ...listed(13), facts: { passwords: 'forbidden' } }),
    'due renewalDue',
  ],
  [
    'the read before the list',
    given(RENEW, { ...listed(3), facts: password(1, 300) }),
    'notDue age',
  ],
  [
    'M27 an end that has passed, whatever its age',
    given(MAX_AGE, { facts: password(10, -1) }),
    'due expiryReached',
  ],
  ['M27 an end that has come', given(RENEW, { facts: password(10, 0) }), 'due expiryReached'],
  [
    'M27 an end that has passed by the list alone',
    given(MAX_AGE, {
      ...listed(-1),
      facts: { passwords: { changedAt: NOW - 10 * DAY, marker: 'm' } },
    }),
    'due expiryReached',
  ],
  ['M27 an end that has passed, before it is read', given(NEVER, listed(-1)), 'notRead notRead'],
  [
    'M27 an end that has passed, in a policy that never rotates it',
    given(NEVER, { ...listed(-1), facts: password(10, -1) }),
    'unsupported expired',
  ],
  [
    'M27 an end that has passed, where a generation was raised',
    given(NEVER, { ...listed(-1), facts: password(10, -1) }, 2),
    'due generationRaised',
  ],
  [
    'M27 an end that has passed, of an unknown age',
    given(MAX_AGE, { facts: { passwords: { expiresAt: NOW - DAY, marker: 'm' } } }),
    'due expiryReached',
  ],
  [
    'M27 an end that has passed by the list, and not by its own read',
    given(MAX_AGE, { ...listed(-1), facts: password(200, 90) }),
    'unsupported datesContradict',
  ],
  [
    'M27 an end that has passed by its own read, and not by the list',
    given(MAX_AGE, { ...listed(90), facts: password(200, -1) }),
    'unsupported datesContradict',
  ],
  [
    'M27 an end before the last change',
    given(MAX_AGE, { facts: password(5, -10) }),
    'unsupported datesContradict',
  ],
  [
    'M27 an end before the last change, which is our own rotation',
    given(MAX_AGE, { facts: password(200, -10), past: [done(5)] }),
    'unsupported datesContradict',
  ],
  [
    'M27 an end before the last change, where a generation was raised',
    given(MAX_AGE, { facts: password(5, -10) }, 2),
    'due generationRaised',
  ],
  [
    'M27 an end that the list still shows just after our rotation',
    given(MAX_AGE, { ...listed(-1), facts: password(0, 90), past: [done(5 / 1440)] }),
    'notDue age',
  ],
  [
    'a task that is not available',
    given(MAX_AGE, {
      device: able({ available: { upgradeFirmware: true } }),
      facts: password(900),
    }),
    'unsupported taskUnavailable',
  ],
];

describe('a rotation is judged by', () => {
  it.each(DUE)('%s', (_, theCase, expected) => {
    expect(brief(rotatePassword.judge(theCase))).toBe(expected);
  });
});

describe('a generation', () => {
  const facts = password(1);
  const failed = { ...done(1, 2), verdict: 'failed' } as const;
  it.each([
    ['raised above the ledger', 2, { generation: 1 }, 'due generationRaised'],
    ['equal to the ledger', 2, { generation: 2, past: [done(1, 2)] }, 'notDue age'],
    ['lowered', 2, { generation: 3, past: [done(1, 3)] }, 'notDue age'],
    ['of 1 without a record', 1, { generation: 1 }, 'notDue age'],
    ['raised, tried and failed', 2, { generation: 2, past: [failed] }, 'due generationRaised'],
    ['done, as a person recorded', 2, { generation: 2, past: [word(0, 2)] }, 'notDue age'],
    ['failed, then done', 2, { generation: 2, past: [failed, done(0, 2)] }, 'notDue age'],
  ] as const)('%s', (_, written, fields, expected) => {
    const theCase = given(NEVER, { facts, ...fields }, written);
    expect(brief(rotatePassword.judge(theCase))).toBe(expected);
  });

  it('is never lower than the ledger has it', () => {
    const theCase = given(MAX_AGE, { facts: password(900), generation: 4 }, 2);
    expect(rotatePassword.judge(theCase)).toMatchObject({ generation: 4 });
  });
});

describe('the metadata of passwords', () => {
  it.each([
    ['when the list does not show enough', given(MAX_AGE), 1],
    ['when the list shows that it is due', given(RENEW, listed(3)), 1],
    ['not when the list shows that it is not', given(RENEW, listed(300)), 0],
    ['not when the ledger shows that it is not', given(MAX_AGE, { past: [done(10)] }), 0],
    ['when only a person recorded that', given(MAX_AGE, { past: [word(10)] }), 1],
    ['when a generation is raised', given(NEVER, {}, 2), 1],
    ['not when nothing but a generation counts', given(NEVER), 0],
    ['not when the task is not available', given(MAX_AGE, { device: able({ available: {} }) }), 0],
  ] as const)('is read %s', (_, theCase, times) => {
    expect(rotatePassword.reads(theCase)).toHaveLength(times);
  });
});

describe('what the documents ask for by themselves', () => {
  const failed = { ...done(1, 2), verdict: 'failed' } as const;
  const { verdict: _, ...unsent } = { ...failed, phase: 'none' as const };
  const again = intent({ ...unsent, earlier: [failed] });
  it.each([
    ['before it was tried', [], true],
    ['once it was done', [done(1)], true],
    ['once it failed, where it is tried again only if the password is the same', [failed], false],
    ['once it failed, and another attempt was not sent', [again], false],
  ])('R14 N56 is left to the last look %s', (_, past, isLeft) => {
    const raised = given(NEVER, { generation: 2, past }, 3);
    expect(rotatePassword.readsLate?.(raised)).toBe(isLeft);
  });
});

describe('a rotation that is due', () => {
  it('says since when, what it finds, and by which rule', () => {
    expect(rotatePassword.judge(given(MAX_AGE, { facts: password(160, 5) }))).toEqual({
      is: 'due',
      why: 'ageReached',
      since: NOW - DAY,
      breachesAt: NOW + 5 * DAY,
      expiresAt: NOW + 5 * DAY,
      cause: 'clock',
      before: {
        changed: formatInstant(NOW - 160 * DAY),
        expires: formatInstant(NOW + 5 * DAY),
      },
      after: { rotated: true, by: 'maxAge 180d' },
      target: 'mark',
      generation: 1,
      marker: 'mark',
    });
  });

  it.each([
    ['renewBefore 30d', 'clock', given(RENEW, { facts: password(1, 3) })],
    ['generation 2', 'config', given(MAX_AGE, { facts: password(1) }, 2)],
  ] as const)('by %s is caused by %s', (by, cause, theCase) => {
    expect(rotatePassword.judge(theCase)).toMatchObject({ cause, after: { by } });
  });

  it.each([
    [
      'the last change in the list',
      { device: able({ passwordChangedAt: NOW - 200 * DAY }) },
      NOW - 200 * DAY,
    ],
    ['the last rotation of ours', { past: [done(300)] }, NOW - 300 * DAY],
    ['the end in the list', listed(-1), undefined],
  ] as const)('without metadata replaces %s, and has no marker to compare', (_, fields, at) => {
    const facts = { passwords: 'forbidden' } as const;
    const rule = at === undefined ? RENEW : MAX_AGE;
    const judgement = rotatePassword.judge(given(rule, { facts, ...fields }));
    const target = at === undefined ? 'none' : formatInstant(at);
    expect(judgement).toMatchObject({ is: 'due', target, marker: '' });
  });

  it('is a retry where the same one failed before', () => {
    const past = [{ ...done(1), target: 'mark', verdict: 'failed' } as const];
    const judgement = rotatePassword.judge(given(MAX_AGE, { facts: password(900), past }));
    expect(judgement).toMatchObject({ cause: 'retry' });
  });
});

it('R8 a rotation after one that only a person recorded is another one (protocol J13)', () => {
  const past = [{ ...word(10), target: 'mark', marker: 'mark' }];
  const judge = (days: number, marker = 'mark'): unknown =>
    rotatePassword.judge(
      given(MAX_AGE, { facts: { passwords: { changedAt: NOW - days * DAY, marker } }, past }),
    );
  const target = `mark ${formatInstant(NOW - 10 * DAY)}`;
  expect(judge(900)).toMatchObject({ is: 'due', target, marker: 'mark', cause: 'clock' });
  expect(judge(170, 'another')).toMatchObject({ is: 'due', target: 'another' });
});

it('a rotation that is not due says when it will be', () => {
  expect(rotatePassword.judge(given(MAX_AGE, { facts: password(100) }))).toMatchObject({
    within: true,
    reason: { code: 'notDue', why: 'age', since: NOW - 100 * DAY, next: NOW + 59 * DAY },
  });
  expect(rotatePassword.judge(given(NEVER))).toMatchObject({ reason: { next: 'never' } });
});

describe('a certificate', () => {
  const certificate = (fields: Partial<Case>): Case =>
    caseOf(rotation('tls', { task: 'rotateSslCertificate', due: RENEW }), fields);
  const expiring = (days: number) => able({ sslCertificateExpiresAt: NOW + days * DAY });
  const fingerprint = { fingerprint: 'aa:bb', notBefore: NOW - 90 * DAY, notAfter: NOW + DAY };
  const hourly = { ...fingerprint, notBefore: NOW - DAY / 24, notAfter: NOW };

  it('is read when it is due, or when the list does not show its end', () => {
    expect(rotateSslCertificate.reads(certificate({ device: expiring(300) }))).toEqual([]);
    expect(rotateSslCertificate.reads(certificate({ device: expiring(3) }))).toEqual([
      'certificates',
    ]);
    expect(rotateSslCertificate.reads(certificate({}))).toEqual(['certificates']);
  });

  it('is replaced by its fingerprint', () => {
    const judgement = rotateSslCertificate.judge(
      certificate({ facts: { certificates: fingerprint } }),
    );
    expect(judgement).toMatchObject({ why: 'renewalDue', target: 'aa:bb', marker: 'aa:bb' });
  });

  it('that lives for an hour is left to a person, unless the documents ask for a new one', () => {
    const facts = { certificates: hourly };
    expect(brief(rotateSslCertificate.judge(certificate({ facts })))).toBe(
      'unsupported renewalLoop',
    );
    const policy = rotation('tls', { task: 'rotateSslCertificate', due: RENEW, generation: 2 });
    expect(brief(rotateSslCertificate.judge(caseOf(policy, { facts })))).toBe(
      'due generationRaised',
    );
  });

  it('that is not there at all is due where the policy says so', () => {
    const facts = { certificates: 'none' } as const;
    expect(brief(rotateSslCertificate.judge(certificate({ facts })))).toBe(
      'unsupported ageNotShown',
    );
    const policy = rotation('tls', {
      task: 'rotateSslCertificate',
      due: RENEW,
      unknownAge: 'rotate',
    });
    const judgement = rotateSslCertificate.judge(caseOf(policy, { facts }));
    expect(judgement).toMatchObject({ why: 'ageUnknown', target: 'none', marker: 'none' });
  });
});

describe('an incident', () => {
  const incident = {
    name: 'leak',
    ticket: 'SEC-1',
    reason: 'a leak',
    since: NOW - HOUR,
    until: NOW + DAY,
  } as const;
  const judged = (passwords: NonNullable<Facts['passwords']>, past: Case['past'] = []): string => {
    const policy = rotation('passwords', { due: NEVER, incident: incident as never });
    return brief(rotatePassword.judge(caseOf(policy, { facts: { passwords }, past })));
  };
  const marker = 'mark';

  it.each([
    ['changed before', { changedAt: NOW - 2 * HOUR, marker }, 'due incident'],
    ['changed since', { changedAt: NOW - MINUTE, marker }, 'converged'],
    [
      'with a user that did not change since',
      { changedAt: NOW - MINUTE, oldestChangeAt: NOW - 9 * DAY, marker },
      'due incident',
    ],
    ['changed in a minute, by another clock', { changedAt: NOW + MINUTE, marker }, 'converged'],
    [
      'changed in the future, by another zone',
      { changedAt: NOW + MINUTE + 1, marker },
      'unsupported valueUnknown',
    ],
  ] as const)('wants a password %s', (_, passwords, expected) => {
    expect(judged(passwords)).toContain(expected);
  });

  it('is done with a device once it rotated it, whatever its other users', () => {
    const passwords = { changedAt: NOW - MINUTE, oldestChangeAt: NOW - 9 * DAY, marker };
    const ours = intent({ task: 'rotatePassword', target: 'old', attemptedAt: NOW - MINUTE });
    expect(judged(passwords, [ours])).toContain('converged');
  });
});

it('a payload is sent as written, and left out where it is empty', () => {
  const payload = { password: { fromEnv: 'CAMERA_PASSWORD' } };
  expect(
    rotatePassword.payload(rotation('a', { payload }), '', caseOf(rotation('a')).dialect),
  ).toBe(payload);
  expect(rotatePassword.payload(rotation('a'), '', caseOf(rotation('a')).dialect)).toBeUndefined();
});

it.each([
  ['its expiry minus renewBefore', { ...RENEW, spread: 20 * DAY }, 25, NOW - 5 * DAY],
  ['its age, less the head start', { ...MAX_AGE, spread: 400 * DAY }, 500, NOW - DAY],
])('R8 what waits for its day within the spread is due since %s', (_, due, expires, from) => {
  const facts: Facts =
    due.is === 'maxAge'
      ? password(160, expires)
      : { certificates: { notBefore: NOW - DAY, notAfter: NOW + expires * DAY, fingerprint: 'f' } };
  const kind = due.is === 'maxAge' ? rotatePassword : rotateSslCertificate;
  const late = Array.from({ length: 40 }, (_, n) => able({ id: `dev-${n}` }));
  const reasons = late
    .map((device) => kind.judge(given(due, { device, facts })))
    .flatMap((judgement) => (judgement.is === 'notDue' ? [judgement.reason] : []));
  expect(reasons.length).toBeGreaterThan(0);
  expect([...new Set(reasons.map(({ why, since }) => `${why} ${since}`))]).toEqual([
    `spread ${from}`,
  ]);
});
