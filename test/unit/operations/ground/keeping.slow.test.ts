import { describe, expect, it } from 'vitest';
import { CREATED, earlier, grounds } from '../../../support/ground-earlier.ts';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const PLAN = `${GIT}, approval: plan`;

describe('M2 the first ground of a ledger of format 2', () => {
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
  it('is recorded by a look, too, without a lock', async () => {
    const rig = new GroundRig();
    rig.merge(PLAN);
    const journal = await rig.journal();
    await journal.stand();
    await journal.stand();
    expect(await rig.types()).toEqual(['GENESIS', 'GROUND']);
  });
});

describe('the gate of a ground', () => {
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
});
