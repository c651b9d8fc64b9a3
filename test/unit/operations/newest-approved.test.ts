import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import { newestApproved } from '../../../src/operations/gate/newest-approved.ts';
import { commitsToApprove } from '../../../src/operations/gate/requests.ts';
import { newestFor } from '../../../src/operations/survey.ts';
import { approvalRules } from '../../../src/plan/preapproval.ts';
import type { PlannerInput } from '../../../src/plan/plan.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** A clone and the remote it pushes to; commits go to `main` unless said otherwise. */
class Clone {
  readonly folder: string;
  constructor(name: string, origin?: Clone, depth = 1) {
    const place = scratchFolder(name);
    const bare = join(place, 'hub.git');
    this.folder = join(place, 'clone');
    if (origin) {
      const from = `file://${origin.git('remote', 'get-url', 'origin')}`;
      gitIn(place, 'clone', '--quiet', `--depth=${depth}`, from, this.folder);
      return;
    }
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
  /** Commits that change a text about approvals, made in one go. */
  commitMany(approval: string, count: number): void {
    const each = Array.from({ length: count }, (_, n) => {
      const text = textWith(approval, `# approval of plan ${n}\n`);
      const parent = n === 0 ? 'from refs/heads/main^0\n' : '';
      return `commit refs/heads/main
committer Ada <ada@example.com> 1795000000 +0000
data 4
text
${parent}M 100644 inline fleet/fleet.yaml
data ${text.length}
${text}
`;
    });
    const { status } = spawnSync('git', ['fast-import', '--quiet'], {
      cwd: this.folder,
      input: each.join(''),
    });
    expect(status).toBe(0);
  }
  push(): void {
    this.git('push', '--quiet', 'origin', 'main');
    this.git('fetch', '--quiet', 'origin');
  }
  /** What is known of approvals at these documents, with approvals of these commits in the ledger. */
  newest(approval: string, approved: readonly string[] = [], inParts: readonly string[] = []) {
    const shell = { cwd: this.folder, env: process.env } as unknown as Shell;
    return newestApproved(shell, this.documents(approval), memoryWith(approved, inParts));
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

describe('N70 what an approval was before', () => {
  const clone = new Clone('newest');
  const first = clone.commit(OFF);
  clone.push();

  test('is the commit where no merged commit said otherwise', async () => {
    expect(await clone.newest(OFF)).toBeUndefined();
  });

  test('is not what a branch says that was never merged', async () => {
    clone.git('checkout', '--quiet', '-b', 'beside');
    clone.commit(PLAN);
    clone.git('checkout', '--quiet', 'main');
    expect(await clone.newest(OFF)).toBeUndefined();
  });

  test('is the plan from its merge on, though no gate was ever passed', async () => {
    const on = clone.commit(PLAN);
    clone.push();
    expect(await clone.newest(OFF)).toEqual({ is: 'none', gated: on });
    expect(await clone.newest(PLAN)).toBeUndefined();
  });

  test('is the plan, too, where it was merged back to the commit since, and later ones followed', async () => {
    const on = clone.git('rev-parse', 'HEAD');
    clone.commit(OFF);
    clone.commit(OFF, '# another line\n');
    clone.push();
    expect(await clone.newest(OFF)).toEqual({ is: 'none', gated: on });
  });

  test('N41 is the plan, although a part was approved at a commit that says otherwise', async () => {
    const [off, , on] = clone.git('rev-list', 'HEAD').split('\n');
    const none = { is: 'none', gated: on };
    expect(await clone.newest(OFF, [], [off ?? ''])).toEqual(none);
    const known = await clone.newest(OFF, [first], [off ?? '']);
    expect(known).toMatchObject({ is: 'known', approval: { commit: first }, gated: on });
    expect(await clone.newest(OFF, [], ['f'.repeat(40)])).toEqual(none);
  });

  test('is the commit again from an approved commit on, until the gate is switched on once more', async () => {
    const off = clone.git('rev-parse', 'HEAD');
    const known = expect.objectContaining({ is: 'known' });
    const free = await clone.newest(OFF, [off]);
    expect([free, free && 'gated' in free]).toEqual([known, false]);
    expect(rulesOf(clone, free)).toEqual({ findings: [] });
    const on = clone.commit(PLAN);
    clone.commit(OFF);
    clone.push();
    const held = await clone.newest(OFF, [first, off]);
    expect(held).toEqual(expect.objectContaining({ is: 'known', gated: on }));
    expect(rulesOf(clone, held)).toEqual({
      approvals: {},
      findings: [
        expect.objectContaining({ code: 'approvalStillPlan', params: { commit: on.slice(0, 12) } }),
      ],
    });
  });

  test('is the plan where the commit that wrote it had a mistake, which a later one mended', async () => {
    const other = new Clone('newest-mended');
    other.commit(OFF);
    other.commit(PLAN, 'nonsense: 1\n');
    const mended = other.commit(PLAN, '# mended\n');
    other.commit(OFF);
    other.push();
    expect(await other.newest(OFF)).toEqual({ is: 'none', gated: mended });
  });

  test('is the plan where only the line of `is` changed, both ways', async () => {
    const other = new Clone('newest-is');
    const spread = (is: string): string => `,\n  approval: {\n    is: ${is}}`;
    const gated = other.commit(spread('commit'));
    const on = other.commit(spread('plan'));
    other.commit(spread('commit'));
    other.push();
    expect(await other.newest(OFF, [gated])).toMatchObject({ is: 'known', gated: on });
  });

  test('is the plan, however many commits that mention approvals followed', async () => {
    const other = new Clone('newest-many');
    const on = other.commit(PLAN);
    other.commitMany(OFF, 51);
    other.push();
    expect(await other.newest(OFF)).toEqual({ is: 'none', gated: on });
  });
});

describe('N70 in a shallow clone', () => {
  const whole = new Clone('newest-whole');
  whole.commit(PLAN);
  const between = whole.commit(OFF);
  whole.commit(OFF, '# another line\n');
  whole.push();
  const shallow = new Clone('newest-shallow', whole, 2);

  test('what was before is not known, and changes wait', async () => {
    const found = await shallow.newest(OFF);
    expect(found).toEqual({ is: 'none', cut: between });
    expect(rulesOf(shallow, found)).toEqual({
      approvals: {},
      findings: [expect.objectContaining({ code: 'approvalUnknown' })],
    });
    expect(await shallow.newest(PLAN)).toBeUndefined();
  });

  test('an approved commit that the clone has is enough', async () => {
    const found = await shallow.newest(OFF, [between]);
    expect(rulesOf(shallow, found)).toEqual({ findings: [] });
  });

  test('the first commit of all is no cut', async () => {
    const young = new Clone('newest-young');
    young.commit(OFF);
    young.push();
    expect(await new Clone('newest-young-shallow', young, 5).newest(OFF)).toBeUndefined();
  });
});

test('N70 the plan holds in a job, though the commit that left it also left the ledger', async () => {
  const other = new Clone('newest-elsewhere');
  const on = other.commit(PLAN);
  other.commit(OFF);
  other.push();
  const { documents } = loadTexts([
    {
      path: 'fleet/fleet.yaml',
      text: textWith(OFF).replace('{store: git}', '{path: /mnt/ledger}'),
    },
  ]);
  const parts = (CI: string) => ({
    shell: { cwd: other.folder, env: { ...process.env, CI } } as unknown as Shell,
    documents: { ...(documents as Documents), folder: join(other.folder, 'fleet') },
  });
  expect(await newestFor(parts('true'), memoryWith([]))).toEqual({
    newest: { is: 'none', gated: on },
  });
  expect(await newestFor(parts(''), memoryWith([]))).toEqual({});
});

function rulesOf(clone: Clone, newest: Awaited<ReturnType<Clone['newest']>>) {
  const input = { documents: clone.documents(OFF), memory: memoryWith([]) };
  return approvalRules(input as unknown as PlannerInput, newest);
}

describe('N79 what no gate has seen', () => {
  const clone = new Clone('unseen');
  const before = clone.commit(OFF);
  const gated = [clone.commit(PLAN), clone.commit(PLAN, 'windows: {}\n')];
  clone.push();
  const unseen = async (from?: string): Promise<readonly string[]> => {
    const shell = { cwd: clone.folder, env: process.env } as unknown as Shell;
    const to = gated[1] ?? '';
    const found = await commitsToApprove(shell, clone.documents(PLAN), { from, to });
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
    const found = await commitsToApprove(shell, young.documents(PLAN), { to: all[1] ?? '' });
    expect(found.map(({ commit }) => commit)).toEqual(all);
  });
});
