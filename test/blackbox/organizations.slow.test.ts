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

  it('all converge, each on a clone of its own, and none waits for the pushes of others', async () => {
    let left: readonly Organization[] = many.organizations;
    for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
      const runs = await inParallel(left, AT_ONCE, (one) => many.job(one, ['ci', 'apply']));
      if (round === 0) first.push(...runs);
      for (const { organization, code, said } of runs)
        // What needs a person, such as a model past its support, ends the first run of its organization with 4.
        expect([0, 4], `${organization}: ${said}`).toContain(code);
      left = await unfinished(left);
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
    const all = await inParallel(many.organizations, AT_ONCE, planInputs);
    for (const [index, { out }] of all.entries()) {
      const name = many.organizations[index]?.name;
      const head = await notedHead(many.bare, env, out.service.fingerprint);
      expect([name, head?.seq]).toEqual([name, expect.any(Number)]);
      expect(head?.seq).toBeLessThanOrEqual(out.ledger.seq);
    }
  });
});

interface Inputs {
  readonly service: { readonly fingerprint: string };
  readonly ledger: { readonly seq: number };
}

/** The inputs of a plan of an organization, as JSON mode prints them. */
async function planInputs(one: Organization): Promise<{ readonly out: Inputs }> {
  const { said } = await many.job(one, ['plan', '--format', 'json']);
  const fingerprint = /"fingerprint":\s*"([0-9a-f]{64})"/.exec(said)?.[1] ?? '';
  const seq = Number(/"ledger":\s*\{[^}]*"seq":\s*(\d+)/.exec(said)?.[1]);
  return { out: { service: { fingerprint }, ledger: { seq } } };
}

/** The organizations whose plan is not empty. */
async function unfinished(all: readonly Organization[]): Promise<readonly Organization[]> {
  const plans = await inParallel(all, AT_ONCE, async (one) => ({
    one,
    code: (await many.job(one, ['plan', '--detailed-exitcode'])).code,
  }));
  return plans.filter(({ code }) => code !== 0).map(({ one }) => one);
}
