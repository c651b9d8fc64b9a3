import { describe, expect, it } from 'vitest';
import type { Attempted, Kind, Readback, Proof } from '../../../src/kinds/kind.ts';
import { rotatePassword } from '../../../src/kinds/rotate-password.ts';
import { rotateSslCertificate } from '../../../src/kinds/rotate-ssl-certificate.ts';
import type { Facts } from '../../../src/model/fleet/snapshot.ts';
import { able, attempted, DAY, HOUR, MINUTE, NOW, seen } from '../../support/kinds-case.ts';

const POST = NOW - HOUR;

const tried = (marker: string): Attempted => attempted({ marker, attemptedAt: POST });

function shortly(proof: Proof): string {
  return proof.is === 'notYet' ? `notYet ${proof.why}` : proof.is;
}

function answers(kind: Kind, marker: string, observation: Readback): string {
  const settles = kind.settlesDoubt(tried(marker), observation).length > 0 ? ', settles' : '';
  return shortly(kind.prove(tried(marker), observation)) + settles;
}

describe('a password', () => {
  const read = (marker: string, changedAt?: number): Facts => ({
    passwords: { marker, ...(changedAt !== undefined && { changedAt }) },
  });
  it.each([
    ['changed after the attempt', 'm', read('m', POST + 1), 'shown, settles'],
    ['changed at the very instant', 'm', read('m', POST), 'other'],
    ['changed in the future', 'm', read('n', NOW + 2 * DAY), 'other'],
    ['another marker, never with a time', 'undated:m', read('undated:n'), 'shown, settles'],
    ['another marker that lost its time', 'm', read('undated:n'), 'other'],
    ['another marker that got a time', 'undated:m', read('n', POST - 2 * DAY), 'other'],
    ['no entry any more', 'm', read('undated:none'), 'other'],
    ['no entry any more, never with a time', 'undated:m', read('undated:none'), 'other'],
    ['no entry before', 'undated:none', read('undated:n'), 'shown, settles'],
    ['another marker, changed on the day of the attempt', 'm', read('n', POST - DAY), 'shown'],
    ['another marker, changed before that', 'm', read('n', POST - DAY - 1), 'other'],
    ['the same marker', 'm', read('m'), 'other'],
    ['no marker before, changed before the attempt', '', read('n', POST - 1), 'other'],
    ['no marker before and no time', '', read('n'), 'resultOnly'],
    ['metadata that was not understood', '', { passwords: 'unreadable' }, 'notYet unreadable'],
    ['metadata that this user may not read', '', { passwords: 'forbidden' }, 'resultOnly'],
    ['metadata that could be read before', 'm', { passwords: 'unreadable' }, 'notYet unreadable'],
    ['metadata that this user might read', 'm', { passwords: 'forbidden' }, 'notYet unreadable'],
    ['no answer', 'm', { passwords: 'notFound' }, 'notYet unreadable'],
    ['no read', 'm', {}, 'notYet unreadable'],
  ] as const)('with %s', (_, marker, facts, expected) => {
    expect(answers(rotatePassword, marker, seen({ facts }))).toBe(expected);
  });

  it('whose change the device list shows needs no other read', () => {
    const device = able({ passwordChangedAt: POST + 1 });
    expect(answers(rotatePassword, '', seen({ device }))).toBe('shown, settles');
  });
});

describe('a certificate', () => {
  const read = (fingerprint: string, notBefore?: number): Facts => ({
    certificates: { fingerprint, ...(notBefore !== undefined && { notBefore }) },
  });
  it.each([
    ['another one, made after the attempt', 'aa', read('bb', POST), 'shown, settles'],
    ['another one, made a minute before', 'aa', read('bb', POST - MINUTE), 'shown, settles'],
    ['another one, made on the day before', 'aa', read('bb', POST - DAY), 'shown'],
    ['another one, made earlier', 'aa', read('bb', POST - DAY - 1), 'other'],
    ['an entry whose certificate is gone', 'AA:AA', read('bb'), 'other'],
    ['none before, an old one now', 'none', read('aa', POST - DAY - 1), 'other'],
    ['another one that was parsed', 'AA:AA', read('BB:BB'), 'shown'],
    ['another one, nobody knows of when', 'aa', read('bb'), 'shown'],
    ['the same one', 'aa', read('aa', POST), 'other'],
    ['none before, one now', 'none', read('aa', POST), 'shown, settles'],
    ['an unknown one before, made after', '', read('bb', POST), 'shown, settles'],
    ['an unknown one before, made earlier', '', read('bb', POST - HOUR), 'other'],
    ['none now', 'aa', { certificates: 'none' }, 'other'],
    ['it was not understood', '', { certificates: 'unreadable' }, 'notYet unreadable'],
    ['this user may not read it', '', { certificates: 'forbidden' }, 'resultOnly'],
    ['it could be read before', 'aa', { certificates: 'unreadable' }, 'notYet unreadable'],
    ['no read', 'aa', {}, 'notYet unreadable'],
  ] as const)('%s', (_, marker, facts, expected) => {
    expect(answers(rotateSslCertificate, marker, seen({ facts }))).toBe(expected);
  });

  it('of a device that is not online proves nothing yet', () => {
    const device = able({ status: 'offline' });
    const observation = seen({ device, facts: read('bb', POST) });
    expect(shortly(rotateSslCertificate.prove(tried('aa'), observation))).toBe('notYet notOnline');
  });
});

it('the result of a task stands for its effect only once there is one', () => {
  const facts = { passwords: 'forbidden' } as const;
  const { completedAt: _, ...inDoubt } = tried('');
  expect(shortly(rotatePassword.prove(inDoubt, seen({ facts })))).toBe('notYet unreadable');
  expect(rotatePassword.prove(tried(''), seen({ facts }))).toMatchObject({
    evidence: [{ source: 'task', field: 'result', value: 'succeeded' }],
  });
});
