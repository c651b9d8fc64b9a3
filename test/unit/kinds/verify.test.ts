import { describe, expect, it } from 'vitest';
import type { Proof } from '../../../src/kinds/kind.ts';
import { verify } from '../../../src/kinds/verify.ts';

const EVIDENCE = [{ source: 'device', field: 'firmwareVersion', value: '2', at: '' }];
const DEADLINE = 1_000 + 500;

function look(proof: Proof, { now = 1_100, readAt = 1_050, isSeen = true } = {}) {
  return verify({
    kind: { prove: () => proof },
    limit: 500,
    attempted: { target: '2', marker: '1', attemptedAt: 0, completedAt: 1_000 },
    ...(isSeen && { seen: { facts: {}, readAt } }),
    now,
  });
}

const SHOWN: Proof = { is: 'shown', evidence: EVIDENCE };
const OTHER: Proof = { is: 'other', evidence: EVIDENCE };

describe('a device whose task succeeded', () => {
  it('is verified by a fresh read that shows the target', () => {
    expect(look(SHOWN)).toEqual({ is: 'verified', evidence: EVIDENCE, resultOnly: false });
  });

  it('V5 is verified by the result alone where the service shows nothing else, and says so', () => {
    const proof: Proof = { is: 'resultOnly', evidence: EVIDENCE };
    expect(look(proof)).toEqual({ is: 'verified', evidence: EVIDENCE, resultOnly: true });
  });

  it('V1 is not verified by a read from before its task ended', () => {
    expect(look(SHOWN, { readAt: 999 })).toEqual({ is: 'pending', why: 'noFreshRead' });
  });

  it.each([
    ['other than the target', OTHER, 'mismatch'],
    ['stale', { is: 'notYet', why: 'stale' } as Proof, 'noFreshRead'],
    ['unreadable', { is: 'notYet', why: 'unreadable' } as Proof, 'noFreshRead'],
    ['not online', { is: 'notYet', why: 'notOnline' } as Proof, 'notOnline'],
  ])('that reads %s is waited for until its deadline, then unverified', (_what, proof, why) => {
    expect(look(proof, { now: DEADLINE - 1 })).toEqual({ is: 'pending', why });
    expect(look(proof, { now: DEADLINE })).toMatchObject({ is: 'unverified', why });
  });

  it('is unverified where nothing could be read until its deadline', () => {
    const verification = look(SHOWN, { now: DEADLINE, isSeen: false });
    expect(verification).toEqual({ is: 'unverified', why: 'noFreshRead', evidence: [] });
  });

  it('is verified even after the deadline if the last read shows the target', () => {
    expect(look(SHOWN, { now: DEADLINE + 1 }).is).toBe('verified');
  });
});
