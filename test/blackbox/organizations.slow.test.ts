import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notedHead } from '../../src/git/notes.ts';
import { PATIENCE } from '../support/blackbox.ts';
import { gitIn } from '../support/blackbox-record.ts';
import {
  createManyFleets,
  inParallel,
  type JobRun,
  type ManyFleets,
  type Organization,
} from '../support/organizations.ts';

const MANY = 50;
const AT_ONCE = 8;
/** A run ends its work at once here; the second finds what the first left, such as a late answer. */
const ROUNDS = 3;

let many: ManyFleets;

beforeAll(async () => {
  const names = Array.from({ length: MANY }, (_, n) => `org-${String(n + 1).padStart(2, '0')}`);
  many = await createManyFleets(names);
}, PATIENCE.timeout);
afterAll(async () => {
  await many.close();
  many[Symbol.dispose]();
});

describe('50 organizations in one repository, 8 at a time', { timeout: 1_800_000 }, () => {
  const first: JobRun[] = [];
  const plans = new Map<string, Plan>();

  it('all converge, each on a clone of its own, and none waits for the pushes of others', async () => {
    let left: readonly Organization[] = many.organizations;
    for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
      const runs = await inParallel(left, AT_ONCE, (one) => many.job(one, ['ci', 'apply']));
      if (round === 0) first.push(...runs);
      for (const { organization, code, said } of runs)
        // What needs a person, such as a model past its support, ends the first run of its organization with 4.
        expect([0, 4], `${organization}: ${said}`).toContain(code);
      const planned = await inParallel(left, AT_ONCE, async (one) => ({
        one,
        plan: JSON.parse((await many.job(one, ['plan', '--format', 'json'])).out) as Plan,
      }));
      for (const { one, plan } of planned) plans.set(one.name, plan);
      left = planned.filter(({ plan }) => isUnfinished(plan)).map(({ one }) => one);
    }
    expect(left.map(({ name }) => name)).toEqual([]);
  });

  it('each has done its work in its first run, and has left its note', () => {
    expect(first).toHaveLength(MANY);
    for (const { organization, said } of first)
      expect([organization, said]).toEqual([organization, expect.stringMatching(/^Noted on /m)]);
  });

  it('each has a ledger and facts of its own on the remote, and no other branch', () => {
    const refs = gitIn(many.bare, 'for-each-ref', '--format=%(refname)', 'refs/heads').trim();
    const kinds = ['facts', 'ledger', 'ledger-heads'];
    const own = many.organizations.flatMap(({ name }) =>
      kinds.map((kind) => `refs/heads/fleetform-${name}-${kind}`),
    );
    expect(refs.split('\n').sort()).toEqual([...own, 'refs/heads/main'].sort());
  });

  it('each finds the head of its own ledger in the shared notes', async () => {
    const env = { PATH: process.env['PATH'] };
    for (const [name, { inputs }] of plans) {
      const head = await notedHead(many.bare, env, inputs.service.fingerprint);
      expect([name, head?.seq]).toEqual([name, expect.any(Number)]);
      expect(head?.seq).toBeLessThanOrEqual(inputs.ledger.seq);
    }
  });
});

interface Plan {
  readonly counts: { readonly run: number; readonly wait: number };
  readonly inputs: {
    readonly service: { readonly fingerprint: string };
    readonly ledger: { readonly seq: number };
  };
}

/** Whether anything is left to do that needs no person. */
function isUnfinished({ counts: { run, wait } }: Plan): boolean {
  return run + wait > 0;
}
