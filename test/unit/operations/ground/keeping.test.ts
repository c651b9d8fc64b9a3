import { describe, expect, it } from 'vitest';
import { approveOn } from '../../../../src/operations/gate/approve.ts';
import { earlier, grounds } from '../../../support/ground-earlier.ts';
import { begunRig, GroundRig, refused } from '../../../support/ground-rig.ts';

const GIT = 'ledger: {store: git}';
const PLAN = `${GIT}, approval: plan`;

describe('M2 the first ground of a ledger of format 2', () => {
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
