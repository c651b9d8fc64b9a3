import { describe, expect, it } from 'vitest';
import { checkApproval, checkOwnWords, parseApproved } from '../../../src/operations/approval.ts';
import { resolveTarget } from '../../../src/operations/target.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { brokenScope, scopedPlan } from '../../support/scoped.ts';
import { parseInstant } from '../../../src/lib/time.ts';

const settings = { baseUrl: 'https://api.example.com', organization: 'acme' };
const target = resolveTarget(settings, undefined, {});
const ID = 'a'.repeat(26);
const DIGEST = 'd'.repeat(64);
const plan = {
  id: ID,
  evaluatedAt: '2026-11-20T00:00:00Z',
  expiresAt: '2026-11-27T00:00:00Z',
  inputs: { service: target },
} as Plan;
const now = parseInstant('2026-11-20T00:00:00Z') ?? 0;

describe('X13 checkApproval', () => {
  it('takes a plan for this service that holds and is the approved one', () => {
    expect(() => checkApproval(plan, { target, approved: { id: ID }, now })).not.toThrow();
    expect(() => checkApproval(plan, { target, approved: undefined, now })).not.toThrow();
  });

  it('X4 refuses a plan at the instant it expires', () => {
    const late = parseInstant(plan.expiresAt) ?? 0;
    expect(() => checkApproval(plan, { target, approved: undefined, now: late - 1 })).not.toThrow();
    expect(() => checkApproval(plan, { target, approved: undefined, now: late })).toThrow(
      expect.objectContaining({ code: 'planExpired' }),
    );
  });

  it.each([
    ['baseUrl', { baseUrl: 'https://api.example.com/other' }, 'planForeign'],
    ['baseUrl of another service', { baseUrl: 'https://evil.example' }, 'planForeign'],
    ['organization', { organization: 'other' }, 'planForeign'],
  ])('X18 refuses an edited %s whose fingerprint is left as it was', (_, edit, code) => {
    const service = { ...plan.inputs.service, ...edit };
    const edited = { ...plan, inputs: { ...plan.inputs, service } };
    const refused = expect.objectContaining({ code });
    expect(() => checkApproval(edited, { target, approved: undefined, now })).toThrow(refused);
  });

  it('takes a plan whose URL differs by a final slash alone', () => {
    const here = resolveTarget({ ...settings, baseUrl: `${settings.baseUrl}/` }, undefined, {});
    expect(() => checkApproval(plan, { target: here, approved: undefined, now })).not.toThrow();
  });

  it.each([
    ['that expires before it was made', { expiresAt: '2026-11-19T00:00:00Z' }],
    ['that lives longer than any plan', { expiresAt: '2027-11-20T00:00:00Z' }],
    ['without an instant', { expiresAt: 'never' }],
    [
      'of another service than its fingerprint',
      { inputs: { service: { ...target, baseUrl: 'https://b.example' } } },
    ],
    ['of a URL that is none', { inputs: { service: { ...target, baseUrl: 'file:///x' } } }],
  ])('X18 a plan %s contradicts itself, and no command shows it', (_, edit) => {
    const edited = { ...plan, ...edit } as Plan;
    expect(() => checkOwnWords(plan)).not.toThrow();
    expect(() => checkOwnWords(edited)).toThrow(expect.objectContaining({ code: 'planTampered' }));
  });

  it('X18 refuses a plan before the instant that it is of', () => {
    const ahead = { ...plan, evaluatedAt: '2026-11-22T00:00:00Z' };
    const check = { target, approved: undefined };
    const early = expect.objectContaining({ code: 'planAhead' });
    expect(() => checkApproval(ahead, { ...check, now })).toThrow(early);
    const then = parseInstant(ahead.evaluatedAt) ?? 0;
    expect(() => checkApproval(ahead, { ...check, now: then })).not.toThrow();
  });

  it('refuses a plan that does not keep to its scope (semantics G9)', () => {
    const outside = { ...plan, base: scopedPlan(brokenScope('firmware.a')).base } as Plan;
    expect(() => checkApproval(outside, { target, approved: { id: ID }, now })).toThrow(
      expect.objectContaining({ code: 'planOutOfScope' }),
    );
  });

  it('X4 refuses another plan than the approved one', () => {
    expect(() => checkApproval(plan, { target, approved: { id: 'b'.repeat(26) }, now })).toThrow(
      expect.objectContaining({ code: 'planNotApproved' }),
    );
  });

  it('X4 refuses another file than the approved one, where its digest is given', () => {
    const approved = parseApproved(`${ID}:${DIGEST}`);
    const check = { target, approved, now };
    expect(() => checkApproval(plan, { ...check, digest: DIGEST })).not.toThrow();
    for (const digest of [{}, { digest: 'e'.repeat(64) }])
      expect(() => checkApproval(plan, { ...check, ...digest })).toThrow(
        expect.objectContaining({ code: 'planNotApproved' }),
      );
  });

  it.each(['', `${ID}:`, `${ID}:abcd`, `:${DIGEST}`, `${ID}:${DIGEST} `])(
    'takes no “%s” for what was approved',
    (text) => {
      expect(() => parseApproved(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    },
  );

  it.each([
    ['another service', { ...settings, baseUrl: 'https://api.example.org' }],
    ['another organisation', { ...settings, organization: 'other' }],
  ])('refuses a plan made for %s', (_, other) => {
    const here = resolveTarget(other, undefined, {});
    expect(() => checkApproval(plan, { target: here, approved: undefined, now })).toThrow(
      expect.objectContaining({ code: 'planForeign' }),
    );
  });
});

describe('targetOf', () => {
  const env = { FLEETFORM_BASE_URL: 'https://env.example.com' };

  it.each([
    { from: 'document', flag: undefined, given: {}, baseUrl: 'https://api.example.com' },
    { from: 'environment', flag: undefined, given: env, baseUrl: 'https://env.example.com' },
    {
      from: 'flag',
      flag: 'https://flag.example.com',
      given: env,
      baseUrl: 'https://flag.example.com',
    },
  ])('takes the address of the $from', ({ from, flag, given, baseUrl }) => {
    expect(resolveTarget(settings, flag, given)).toMatchObject({ baseUrl, from });
  });

  it('gives one fingerprint to one origin, whatever the path', () => {
    const other = resolveTarget(
      { ...settings, baseUrl: 'https://api.example.com/' },
      undefined,
      {},
    );
    expect(other.fingerprint).toBe(target.fingerprint);
  });
});
