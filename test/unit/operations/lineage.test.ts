import { describe, expect, it } from 'vitest';
import { approvalRecords } from '../../../src/ledger/approval-records.ts';
import { ApprovalLog, NO_APPROVALS } from '../../../src/ledger/approvals.ts';
import { approvedOutcomes } from '../../../src/model/ledger/approval.ts';
import { loadDocuments } from '../../../src/operations/documents.ts';
import { readDefaultBranch } from '../../../src/operations/gate/default-branch.ts';
import { findEnded } from '../../../src/operations/gate/lineage.ts';
import { plan } from '../../../src/plan/plan.ts';
import { wantedOutcomes } from '../../../src/plan/compare/wanted-outcomes.ts';
import { createClone } from '../../support/clone.ts';
import { make, readScenario } from '../../support/plan-scenario.ts';

const SCENARIO = '01-firmware-upgrade-to-exact-version';

/** A fleet, the documents that ask for its upgrades, and a clone where their first commit was approved. */
async function approvedClone(name: string, isShared = false) {
  const scenario = readScenario(SCENARIO);
  const [{ text: whole = '' } = {}] = scenario.files;
  const text = whole.replace('acme}', 'acme, ledger: {store: git}, approval: plan}');
  const clone = createClone(name, { service: text });
  if (isShared) {
    const start = text.search(/^firmware:/m);
    clone.write('_shared/base/firmware.yaml', text.slice(start));
    clone.write('fleet/fleet.yaml', `include: [../_shared/base]\n${text.slice(0, start)}`);
    clone.commit('shared');
    clone.push('trunk');
  }
  const commit = clone.git('rev-parse', 'HEAD');
  const { input } = await make(scenario);
  const { documents } = await loadDocuments(clone.shell(), 'fleet');
  const planned = plan({ ...input, documents, approvals: {} }).plan;
  const changes = wantedOutcomes(planned.changes);
  if (changes.length === 0) throw new Error('nothing to approve');
  const log = new ApprovalLog(NO_APPROVALS);
  const terms = {
    planId: planned.id,
    commit,
    documents: documents.digest,
    pulls: [],
    approvers: ['ada'],
    run: '1',
    preapproved: [],
  };
  const [body] = approvalRecords(terms, input.now + 86_400_000, changes);
  if (body?.type !== 'APPROVED') throw new Error('no approval');
  log.approve({ seq: 5 }, body, input.now);
  const approvals = approvedOutcomes(log.finish());
  return {
    clone,
    text,
    changes,
    merge(what: string, path = 'fleet/fleet.yaml') {
      clone.write(path, what);
      clone.commit('merged');
      clone.push('trunk');
    },
    /** How many outcomes have ended, of those that were approved. */
    async countEnded(checked?: string) {
      const shell = clone.shell();
      const parts = {
        ...(await loadDocuments(shell, 'fleet')),
        target: input.inputs.service,
        dialect: input.dialect,
        onProgress: () => undefined,
      };
      const memory = {
        ...input.memory,
        approvals,
        ...(checked !== undefined && { checked: { seq: 6, commit: checked } }),
      };
      const recorded = { snapshot: input.snapshot, digest: '' };
      const branch = await readDefaultBranch(parts, { isFetched: true });
      const found = await findEnded({ parts, memory, recorded, now: input.now }, branch);
      const [approval] = approvals.plans;
      if (!approval) throw new Error('no approval');
      return changes.filter(([id, outcome]) => found?.isEnded(id, outcome, approval)).length;
    },
  };
}

describe('M10 an approval', () => {
  it('ends with a revert that no run saw, though the same documents were merged again', async () => {
    const { text, changes, merge, countEnded } = await approvedClone('lineage-revert');
    expect(await countEnded()).toBe(0);
    merge(text.replace(/^firmware:[\s\S]*/m, ''));
    merge(text);
    expect(await countEnded()).toBe(changes.length);
  });

  it('ends with a revert of a shared folder, or of what the fleet includes (semantics D11)', async () => {
    const { changes, clone, merge, countEnded } = await approvedClone('lineage-shared', true);
    const shared = '_shared/base/firmware.yaml';
    const [policy = '', fleet = ''] = [shared, 'fleet/fleet.yaml'].map(
      (path) => `${clone.git('show', `HEAD:${path}`)}\n`,
    );
    expect(await countEnded()).toBe(0);
    merge(`${policy}# a comment\n`, shared);
    expect(await countEnded()).toBe(0);
    const since = clone.git('rev-parse', 'HEAD');
    merge('groups: {}\n', shared);
    merge(policy, shared);
    expect(await countEnded()).toBe(changes.length);
    clone.git('reset', '--hard', since);
    clone.write('_shared/empty/groups.yaml', 'groups: {}\n');
    merge(fleet.replace('base', 'empty'));
    merge(fleet);
    expect(await countEnded()).toBe(changes.length);
  });

  it('stays where later documents ask for the same, and ends where they cannot be read', async () => {
    const { text, changes, merge, clone, countEnded } = await approvedClone('lineage-same');
    merge(`${text}\ngroups: {other: {devices: [somebody]}}\n`);
    expect(await countEnded()).toBe(0);
    merge('service: [');
    merge(text);
    expect(await countEnded()).toBe(changes.length);
    expect(await countEnded(clone.git('rev-parse', 'HEAD'))).toBe(0);
  });

  it('ends after more than 50 commits that change the documents', async () => {
    const { text, changes, clone, countEnded } = await approvedClone('lineage-many');
    for (let n = 1; n <= 51; n += 1) {
      clone.write('fleet/fleet.yaml', `${text}# ${n}\n`);
      clone.commit(`${n}`);
    }
    clone.push('trunk');
    expect(await countEnded()).toBe(changes.length);
  });
});
