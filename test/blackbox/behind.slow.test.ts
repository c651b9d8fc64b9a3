import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../src/model/plan/change.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { PATIENCE, createPlace, type Env } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const place = createPlace();
let twin: TwinProcess;

const git = (...args: string[]): string => {
  const identity = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@x.example'];
  return execFileSync('git', [...identity, ...args], {
    cwd: place.folder,
    encoding: 'utf8',
  }).trim();
};

const rotation = (name: string, select: string, maxAge = '30d'): string => `rotations:
  ${name}:
    task: rotatePassword
    select: {deviceType: ${select}}
    maxAge: ${maxAge}
    headStart: 2d
    spread: 1d
    windows: anytime
`;

const CERTIFICATES = `rotations:
  intercom-certificates:
    task: rotateSslCertificate
    select: {deviceType: intercom}
    renewBefore: 30d
    windows: anytime
`;

function commit(file: string, text: string, subject: string): void {
  place.write(`fleet/${file}`, text);
  git('add', 'fleet');
  git('commit', '-q', '-m', subject);
}

/** Of main: rotate the intercoms. Of the branch, which left before: rotate the panels. */
beforeAll(async () => {
  twin = await startTwin(place);
  git('init', '-q', '-b', 'main');
  git('add', 'fleet');
  git('commit', '-q', '-m', 'A first fleet');
  git('checkout', '-q', '-b', 'branch');
  commit('panels.yaml', rotation('panel-passwords', 'access*'), 'Rotate the panels');
  git('checkout', '-q', 'main');
  commit('intercoms.yaml', rotation('intercom-passwords', 'intercom'), 'Rotate the intercoms');
  commit('notes.txt', 'no document\n', 'A note');
}, PATIENCE.timeout);
beforeEach(() => void git('checkout', '-q', 'branch'));
afterAll(() => place[Symbol.dispose]());

const MAIN = 'rotations.intercom-passwords';
const BRANCH = 'rotations.panel-passwords';

describe('plan --base on a branch behind its base', PATIENCE, () => {
  it('plans what a merge would give: the work of the base is no work of the branch', async () => {
    // With a base only what differs is read, so main's own work is known from an earlier plan (semantics N27).
    git('checkout', '-q', 'main');
    await place.run('plan', twin.as('admin'));
    git('checkout', '-q', 'branch');
    const { base, changes } = await planned('--base main');
    expect(groupsOf(changes, MAIN)).toEqual(['clock']);
    expect(groupsOf(changes, BRANCH)).toEqual(['branch']);
    expect(base).toMatchObject({ counts: { dropped: 0 }, behind: { lacks: 2, is: 'merged' } });
    expect(base?.gone).toEqual([]);
    const { out } = await place.run('plan --base main', twin.as('admin'));
    expect(out.replace(/\s+/g, ' ')).toContain(
      'main has 2 commits that this branch lacks. The plan is for the merge of both.',
    );
  });

  it('names the authors of lines of both sides, and of what is in no commit', async () => {
    place.write('fleet/more.yaml', CERTIFICATES);
    const { origins = [] } = await planned('--base main');
    const subjectOf = (file: string) =>
      origins
        .filter((each) => each.file === `fleet/${file}`)
        .map((each) => (each.is === 'commit' ? each.subject : each.is));
    expect(new Set(subjectOf('panels.yaml'))).toEqual(new Set(['Rotate the panels']));
    expect(new Set(subjectOf('intercoms.yaml'))).toEqual(new Set(['Rotate the intercoms']));
    expect(new Set(subjectOf('more.yaml'))).toEqual(new Set(['notCommitted']));
    execFileSync('rm', [place.path('fleet/more.yaml')]);
  });

  it('leaves nothing behind: no object, no ref, no index, no file', async () => {
    const state = () => [
      git('count-objects', '-v'),
      git('for-each-ref'),
      git('status', '--porcelain=v2', '--branch', '--ignored'),
    ];
    const before = state();
    await planned('--base main');
    expect(state()).toEqual(before);
  });

  it('is proved again by the audit', async () => {
    await planned('--base main --save-snapshot fleet.snapshot -o saved.plan');
    const { out } = await place.run(
      'audit verify --plan saved.plan --snapshot fleet.snapshot --format json',
      twin.as('admin'),
    );
    expect(out).toContain('planSame');
    for (const file of ['fleet.snapshot', 'saved.plan']) execFileSync('rm', [place.path(file)]);
  });

  it('says what conflicts, and compares with where the branch left', async () => {
    git('checkout', '-q', '-b', 'torn', 'branch');
    commit('intercoms.yaml', rotation('intercom-passwords', 'intercom', '60d'), 'Another age');
    const { base, changes } = await planned('--base main');
    const left = git('merge-base', 'main', 'torn');
    expect(base).toMatchObject({
      commit: left,
      behind: {
        lacks: 2,
        is: 'conflict',
        files: ['fleet/intercoms.yaml'],
        tip: git('rev-parse', 'main'),
      },
    });
    expect(new Set([...groupsOf(changes, MAIN), ...groupsOf(changes, BRANCH)])).toEqual(
      new Set(['branch']),
    );
    const { out } = await place.run('plan --base main --all', twin.as('admin'));
    const said = out.replace(/\s+/g, ' ');
    expect(said).toContain('that conflict with it in fleet/intercoms.yaml.');
    expect(said).toContain(`compared with the merge base with main (${left.slice(0, 12)})`);
  });

  it('takes a conflict outside of the documents for none', async () => {
    git('checkout', '-q', '-b', 'elsewhere', 'branch');
    for (const [branch, text] of [
      ['elsewhere', 'one'],
      ['main', 'two'],
    ] as const) {
      git('checkout', '-q', branch);
      place.write('README.md', text);
      git('add', 'README.md');
      git('commit', '-q', '-m', text);
    }
    git('checkout', '-q', 'elsewhere');
    expect((await planned('--base main')).base?.behind).toEqual({ lacks: 3, is: 'merged' });
    git('branch', '-f', 'main', 'main~1');
  });

  it('shows what is wrong only in the merge', async () => {
    git('checkout', '-q', '-b', 'twice', 'branch');
    commit('same.yaml', rotation('intercom-passwords', 'intercom'), 'The same name again');
    const { code, err } = await place.run('plan --base main', twin.as('admin'));
    expect(code).toBe(1);
    expect(err).toContain('duplicateName');
    expect(err).toMatch(/merged:fleet\/(same|intercoms)\.yaml/);
    expect(err).toMatch(/^main has 2 commits that this branch lacks\. Git can merge them, but /);
    const json = await place.run('plan --base main --format json', twin.as('admin'));
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'documentsInvalid' } });
  });

  it('says of a branch without a commit in common that nothing can be merged', async () => {
    git('checkout', '-q', '--orphan', 'stranger');
    git('commit', '-q', '-m', 'From nowhere');
    const { base } = await planned('--base main');
    expect(base).toMatchObject({ commit: git('rev-parse', 'main'), behind: { is: 'unrelated' } });
  });

  it('says that git is too old to tell', async () => {
    mkdirSync(place.path('old'), { recursive: true });
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh\n[ "$1" = version ] && echo git version 2.34.1 && exit\nexec ${real} "$@"\n`;
    place.write('old/git', script);
    chmodSync(place.path('old/git'), 0o755);
    const PATH = `${join(place.folder, 'old')}:${process.env['PATH'] ?? ''}`;
    const { base, changes } = await planned('--base main', { PATH });
    expect(base).toMatchObject({
      behind: { lacks: 2, is: 'gitTooOld' },
      commit: git('merge-base', 'main', 'branch'),
    });
    expect(groupsOf(changes, MAIN)).toEqual([]);
    execFileSync('rm', ['-r', place.path('old')]);
  });

  it('has nothing to say of a branch that has all of its base', async () => {
    git('checkout', '-q', '-b', 'ahead', 'main');
    commit('panels.yaml', rotation('panel-passwords', 'access*'), 'Rotate the panels');
    expect((await planned('--base main')).base).not.toHaveProperty('behind');
  });
});

function groupsOf(changes: readonly Change[], policy: string): readonly (string | undefined)[] {
  return [...new Set(changes.filter(({ at }) => at.policy === policy).map(({ group }) => group))];
}

async function planned(
  args: string,
  env: Env = {},
): Promise<Plan & { readonly changes: readonly Change[] }> {
  const { code, out, err } = await place.run(`plan ${args} --format json`, {
    ...twin.as('admin'),
    ...env,
  });
  expect(code, err + out.slice(0, 500)).toBe(0);
  return JSON.parse(out) as Plan & { readonly changes: readonly Change[] };
}
