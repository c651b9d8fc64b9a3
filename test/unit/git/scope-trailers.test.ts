import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repo.ts';
import { MOST_TRAILERS } from '../../../src/model/plan/scope.ts';
import { scratchFolder } from '../../support/scratch.ts';

const root = scratchFolder('scopes');
let second = 1_600_000_000;

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const date = `${(second += 1)} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', env });
}

/** Commits a message with a new text of a file. */
function commit(message: string, file = 'fleet/a.yaml'): string {
  writeFileSync(join(root, file), `# ${second}\n`);
  git('add', '.');
  git('commit', '--quiet', '--cleanup=verbatim', '-m', message);
  return git('rev-parse', 'HEAD').trim();
}

const base = (): string => git('rev-parse', 'main').trim();

async function textsIn(folder = 'fleet'): Promise<readonly string[]> {
  const request = { base: base(), folders: [folder] };
  const trailers = await openRepository(root, process.env).scopeTrailers(request);
  return trailers.map(({ text }) => text);
}

beforeAll(() => {
  git('init', '--quiet', '-b', 'main');
  for (const folder of ['fleet', 'other', 'fleet2']) mkdirSync(join(root, folder));
  commit('first\n\nScope: before the base');
});

beforeEach(() => {
  git('checkout', '--quiet', '-B', 'branch', 'main');
});

describe('G9 the Scope trailers of the commits of a request', () => {
  it('reads those since the base, oldest first, equal ones once with their first commit', async () => {
    const first = commit('one\n\nScope: firmware.a\nReviewed-by: Ada\n');
    const second_ = commit('two\n\nscope:   site Lyon  \nScope: firmware.a\n');
    const request = { base: base(), folders: ['fleet'] };
    expect(await openRepository(root, process.env).scopeTrailers(request)).toEqual([
      { commit: first, text: 'firmware.a' },
      { commit: second_, text: 'site Lyon' },
    ]);
  });

  it('reads none where no commit has one', async () => {
    commit('a Scope: in the middle of a line\n\n  Scope: indented\nScoped: no\n');
    expect(await textsIn()).toEqual([]);
  });

  it('reads what a squash leaves in the middle of a message', async () => {
    commit(
      'Both (#7)\n\n* one\n\nScope: firmware.a\n\n* two\n\nwhy\n\nScope: site Lyon\n\n* three\n',
    );
    expect(await textsIn()).toEqual(['firmware.a', 'site Lyon']);
  });

  it('joins the indented lines below', async () => {
    commit('one\n\nScope: firmware.a,\n  site Lyon,\n\tat most 3 devices\nnot this\n  nor this\n');
    expect(await textsIn()).toEqual(['firmware.a, site Lyon, at most 3 devices']);
  });

  it('reads an empty one, which is malformed later on, and not silent', async () => {
    commit('one\n\nScope:\n');
    expect(await textsIn()).toEqual(['']);
  });

  it('reads the same after a rebase, and after a merge of the base', async () => {
    commit('one\n\nScope: firmware.a\n');
    git('checkout', '--quiet', 'main');
    commit('meanwhile\n\nScope: firmware.other\n', 'fleet/b.yaml');
    git('checkout', '--quiet', 'branch');
    git('merge', '--quiet', '--no-edit', 'main');
    expect(await textsIn()).toEqual(['firmware.a']);
    git('reset', '--quiet', '--hard', 'HEAD~1');
    git('rebase', '--quiet', 'main');
    expect(await textsIn()).toEqual(['firmware.a']);
  });

  it('takes no trailer of a commit on another fleet, but that of one without files', async () => {
    commit('elsewhere\n\nScope: firmware.other\n', 'other/a.yaml');
    commit('next door\n\nScope: firmware.next\n', 'fleet2/a.yaml');
    git('commit', '--quiet', '--allow-empty', '-m', 'again\n\nScope: firmware.a');
    expect(await textsIn()).toEqual(['firmware.a']);
    expect(await textsIn('fleet2')).toEqual(['firmware.next', 'firmware.a']);
  });

  it('reads one more than it judges, so that the rest is not silent', async () => {
    const lines = Array.from({ length: 3 * MOST_TRAILERS }, (_, n) => `Scope: firmware.p${n}`);
    commit(`many\n\n${lines.join('\n')}\n`);
    expect(await textsIn()).toHaveLength(MOST_TRAILERS + 1);
  });
});
