import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import { newestApproved } from '../../../src/operations/gate/newest-approved.ts';
import { commitsToApprove } from '../../../src/operations/gate/requests.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** A clone and the remote it pushes to; commits go to `main` unless said otherwise. */
class Clone {
  readonly folder: string;
  constructor(name: string) {
    const place = scratchFolder(name);
    const bare = join(place, 'hub.git');
    this.folder = join(place, 'clone');
    gitIn(place, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
    gitIn(place, 'init', '--quiet', '--initial-branch=main', this.folder);
    this.git('remote', 'add', 'origin', bare);
    mkdirSync(join(this.folder, 'fleet'));
  }
  git(...args: readonly string[]): string {
    const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return gitIn(this.folder, ...author, ...args).trim();
  }
  commit(approval: string, more = ''): string {
    writeFileSync(join(this.folder, 'fleet', 'fleet.yaml'), textWith(approval, more));
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '-m', `approval${approval} ${more}`);
    return this.git('rev-parse', 'HEAD');
  }
  push(): void {
    this.git('push', '--quiet', 'origin', 'main');
    this.git('fetch', '--quiet', 'origin');
  }
  /** What is known of approvals at these documents, with approvals of these commits in the ledger. */
  newest(approval: string, approved: readonly string[] = [], inParts: readonly string[] = []) {
    const shell = { cwd: this.folder, env: process.env } as unknown as Shell;
    return newestApproved(
      { shell, documents: this.documents(approval) },
      memoryWith(approved, inParts),
    );
  }
  documents(approval: string): Documents {
    const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: textWith(approval) }]);
    return { ...(documents as Documents), folder: join(this.folder, 'fleet') };
  }
}

function textWith(approval: string, more = ''): string {
  return `service: {baseUrl: https://api.example.com, organization: acme, ledger: {store: git}${approval}}\n${more}`;
}

function memoryWith(approved: readonly string[], inParts: readonly string[] = []): Memory {
  const part = { devices: ['dev-1'] };
  const plans = [...approved, ...inParts].map((commit, seq) => ({
    commit,
    seq,
    preapproved: [],
    planId: commit,
    ...(seq >= approved.length && { part }),
  }));
  return { ...(plans.length > 0 && { approvals: { plans } }) } as unknown as Memory;
}

const [OFF, PLAN] = ['', ', approval: plan'];

describe('N80 the newest approved commit', () => {
  const clone = new Clone('newest');
  const [first, second] = [clone.commit(OFF), clone.commit(PLAN)];
  clone.push();

  test('is the newest of the branch, whatever came later', async () => {
    const known = { is: 'known', approval: { commit: second } };
    expect(await clone.newest(PLAN, [second, first])).toMatchObject(known);
    expect(await clone.newest(PLAN)).toBeUndefined();
  });

  test('N41 is none that a part was approved of', async () => {
    expect(await clone.newest(PLAN, [first], [second])).toMatchObject({
      approval: { commit: first },
    });
    expect(await clone.newest(PLAN, [], ['f'.repeat(40)])).toBeUndefined();
  });

  test('is none where its commit is gone', async () => {
    const lost = 'f'.repeat(40);
    expect(await clone.newest(PLAN, [lost])).toEqual({ is: 'lapsed', commit: lost });
  });
});

describe('N79 what no gate has seen', () => {
  const clone = new Clone('unseen');
  const before = clone.commit(OFF);
  const gated = [clone.commit(PLAN), clone.commit(PLAN, 'windows: {}\n')];
  clone.push();
  const unseen = async (from?: string): Promise<readonly string[]> => {
    const shell = { cwd: clone.folder, env: process.env } as unknown as Shell;
    const to = gated[1] ?? '';
    const found = await commitsToApprove({ shell, documents: clone.documents(PLAN) }, { from, to });
    return found.map(({ commit }) => commit);
  };

  test('begins where the documents first asked for gates, before the first approval', async () => {
    expect(await unseen()).toEqual(gated);
    expect(await unseen(gated[0])).toEqual([gated[1]]);
    expect(await unseen(before)).toEqual(gated);
  });

  test('begins with the first commit of all, if that one asks for gates', async () => {
    const young = new Clone('young');
    const all = [young.commit(PLAN), young.commit(PLAN, 'windows: {}\n')];
    const shell = { cwd: young.folder, env: process.env } as unknown as Shell;
    const found = await commitsToApprove(
      { shell, documents: young.documents(PLAN) },
      { to: all[1] ?? '' },
    );
    expect(found.map(({ commit }) => commit)).toEqual(all);
  });
});
