import { describe, expect, it } from 'vitest';
import { tenantFingerprint } from '../../../../src/ledger/owner.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { approveOn } from '../../../../src/operations/gate/approve.ts';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const PLAN = `${GIT}, approval: plan`;
const CREATED: RecordBody = {
  type: 'GENESIS',
  ledgerId: 'ledger-of-format-2',
  format: 2,
  fingerprint: tenantFingerprint({ origin: 'https://api.example.com', organization: 'acme' }),
};

function planOf(commit: string): RecordBody {
  return {
    type: 'PLAN',
    planId: 'p',
    commit,
    fromFile: false,
    counts: { devices: 1, sites: 1, changes: 1 },
    confidence: 'one page',
  };
}

const LOCK: RecordBody = {
  type: 'LOCK',
  nonce: 'n',
  label: 'old',
  ttl: 1,
  host: 'h',
  pid: 1,
  process: 'p',
};

/** A ledger that an earlier version wrote, with a plan of a commit. */
async function earlier(commit: (rig: GroundRig) => string, more: readonly RecordBody[] = []) {
  const rig = new GroundRig();
  const planned = commit(rig);
  await rig.forge('fleetform-ledger', CREATED);
  await rig.forge('fleetform-ledger', LOCK, planOf(planned), { type: 'RELEASE' }, ...more);
  return rig;
}

const grounds = async (rig: GroundRig) =>
  (await rig.recordsAt('fleetform-ledger')).flatMap(({ body }) =>
    body.type === 'GROUND' ? [[body.approval, body.why]] : [],
  );

describe('M2 the first ground of a ledger of format 2', () => {
  it('comes with the next run where a plan was of the same one, and is told once', async () => {
    const rig = await earlier((at) => at.merge(GIT));
    rig.merge(`${GIT}, pace: {requestsPerSecond: 2}`);
    await rig.run();
    const types = (await rig.recordsAt('fleetform-ledger')).map(({ body }) => body.type);
    expect(types.slice(4)).toEqual(['LOCK', 'GENESIS', 'GROUND', 'RELEASE']);
    expect(await grounds(rig)).toEqual([['commit', 'format']]);
    await rig.run();
    expect(await grounds(rig)).toHaveLength(1);
  });

  it('is recorded by a person where no plan says it', async () => {
    const rig = await earlier((at) => {
      at.merge(GIT);
      return '';
    });
    expect(await rig.types()).toHaveLength(4);
    await expect(rig.run()).rejects.toEqual(refused('groundUnrecorded'));
    expect(await rig.move({ isAdopted: true })).toBe(0);
    await rig.run();
  });

  it('is recorded by a person where the plan was of another ledger, or of a commit that is gone', async () => {
    const rig = await earlier((at) => {
      const commit = at.merge('ledger: {store: git, branch: other}');
      at.merge(GIT);
      return commit;
    });
    await expect(rig.run()).rejects.toEqual(refused('groundUnrecorded'));
    const lost = await earlier((at) => {
      at.merge(GIT);
      return 'f'.repeat(40);
    });
    await expect(lost.run()).rejects.toEqual(refused('groundUnrecorded'));
  });

  it('may ask for plans since, and no longer only by a person', async () => {
    const stricter = await earlier((at) => at.merge(GIT));
    stricter.merge(PLAN);
    await stricter.run();
    expect(await grounds(stricter)).toEqual([['plan', 'format']]);
    const laxer = await earlier((at) => at.merge(PLAN));
    laxer.merge(GIT);
    await expect(laxer.run()).rejects.toEqual(refused('groundUnrecorded'));
    await laxer.move({ isAdopted: true });
    expect(await grounds(laxer)).toEqual([['plan', 'moved']]);
  });

  it('F: asks a person for nothing where the ledger is in a directory', async () => {
    const rig = new GroundRig();
    rig.write('ledger: {path: records}');
    await rig.forge(`${rig.folder}/records`, CREATED);
    await rig.run();
    const types = (await rig.recordsAt(`${rig.folder}/records`)).map(({ body }) => body.type);
    expect(types).toEqual(['GENESIS', 'LOCK', 'GENESIS', 'GROUND', 'RELEASE']);
  });
});

describe('M9 the kind of approval', () => {
  it('is recorded as plan by the next run, and never lowered by one', async () => {
    const rig = await begunRig();
    rig.merge(PLAN);
    await rig.run();
    rig.merge(GIT);
    await rig.run();
    expect(await grounds(rig)).toEqual([
      ['commit', 'first'],
      ['plan', 'stricter'],
    ]);
  });

  it('is recorded by a look, too, without a lock', async () => {
    const rig = new GroundRig();
    rig.merge(PLAN);
    const journal = await rig.journal();
    await journal.stand();
    await journal.stand();
    expect(await rig.types()).toEqual(['GENESIS', 'GROUND']);
  });

  it.each([
    [GIT, undefined, 'commit'],
    [PLAN, undefined, 'plan'],
    [GIT, { sites: ['site-1'] }, 'plan'],
  ] as const)(
    'is lowered by a gate that approves %s, but not a part of it (%o)',
    async (documents, part, approval) => {
      const rig = await begunRig(PLAN);
      const commit = rig.merge(documents);
      const journal = await rig.journal();
      const { documents: loaded } = await rig.open();
      const terms = {
        planId: 'p',
        commit,
        documents: '',
        pulls: [],
        approvers: ['Ada'],
        run: 'r',
        preapproved: [],
      };
      const side = { changes: [], documents: loaded };
      const gate = {
        terms: { ...terms, ...(part && { part }) },
        shown: [],
        again: side,
        newest: side,
      };
      await approveOn(journal, { ...gate, expires: 1e12 }, 0);
      expect(journal.memory.ground).toMatchObject({ approval });
      if (approval === 'commit')
        expect(journal.memory.ground).toMatchObject({ who: 'Ada', why: 'gate', commit });
    },
  );

  it('is plan in a job that pins it, whatever the documents say', async () => {
    const rig = new GroundRig({ env: { CI: 'true', FLEETFORM_APPROVAL: 'plan' } });
    rig.merge(GIT);
    const { documents } = await rig.open();
    expect(documents.service.value.approval).toEqual({ is: 'plan', expires: 30 * 86_400_000 });
    await rig.run();
    expect(await grounds(rig)).toEqual([['plan', 'first']]);
    const { documents: byHand } = await rig.open(rig.folder, { CI: '' });
    expect(byHand.service.value.approval).toEqual({ is: 'commit' });
    await expect(rig.open(rig.folder, { FLEETFORM_APPROVAL: 'none' })).rejects.toEqual(
      refused('usage'),
    );
  });
});

describe('the gate of a ground', () => {
  it('is that of the forge whose job records it, and is not forgotten', async () => {
    const rig = await begunRig();
    const gateOf = async () => (await rig.journal()).memory.ground?.gate;
    expect(await gateOf()).toBe('none');
    await rig.run({ GITHUB_ACTIONS: 'true' });
    expect(await gateOf()).toBe('github');
    await rig.run();
    await rig.run({ GITLAB_CI: 'true' });
    expect(await gateOf()).toBe('github');
  });

  it('is that of the jobs of the repository elsewhere', async () => {
    const rig = new GroundRig();
    rig.write('approve: 1', 'x: 1', '.gitlab-ci.yml');
    rig.merge(GIT);
    const { writeFileSync } = await import('node:fs');
    writeFileSync(
      `${rig.folder}/.gitlab-ci.yml`,
      'fleet-approve: {script: fleetform ci approve}\n',
    );
    await rig.run();
    expect((await rig.journal()).memory.ground?.gate).toBe('gitlab');
  });
});
