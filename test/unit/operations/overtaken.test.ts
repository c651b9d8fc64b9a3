import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitOf, requireNewest, stepsToNewest } from '../../../src/operations/gate/overtaken.ts';
import { loadDocuments } from '../../../src/operations/documents.ts';
import { createClone, serviceText, type Clone } from '../../support/clone.ts';

const FREEZE = `freezes: {f: {hard: true, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", reason: r, owner: o, ticket: "1"}}\n`;
const MINUTE = 60_000;
const unmerged = { who: 'Ada', why: 'the forge is down' };

/** What a run of the documents of this folder is judged by. */
async function judge(clone: Clone, by?: typeof unmerged, now = () => 0) {
  const shell = clone.shell({}, now);
  return requireNewest(await loadDocuments(shell, 'fleet'), by);
}

const refused = (params: object) =>
  expect.objectContaining({ code: 'documentsNotNewest', params: expect.objectContaining(params) });

describe.each(['', ', approval: plan'])('M8 documents that others followed%s', (approval) => {
  const clone = createClone(`overtaken${approval.length}`, { service: serviceText(approval) });
  const first = clone.git('rev-parse', 'HEAD');
  clone.write('fleet/freeze.yaml', FREEZE);
  const second = clone.commit('freeze');
  clone.push('trunk');

  test('start nothing in a job that is run again, by the commit or by a plan', async () => {
    clone.git('checkout', '--quiet', first);
    await expect(judge(clone)).rejects.toEqual(
      refused({ here: first.slice(0, 12), newest: second.slice(0, 12), branch: 'trunk' }),
    );
    clone.git('checkout', '--quiet', second);
    expect(await judge(clone)).toMatchObject({ commit: { commit: second, dirty: false } });
  });

  test('are judged at the newest commit, where that leaves them alone', async () => {
    clone.write('README.md', 'more');
    const third = clone.commit('readme');
    clone.push('trunk');
    clone.git('checkout', '--quiet', second);
    expect((await judge(clone)).commit?.commit).toBe(third);
  });

  test('start nothing by hand with a change that nobody merged, ignored files included', async () => {
    clone.git('checkout', '--quiet', '-B', 'trunk', 'origin/trunk');
    clone.write('.git/info/exclude', 'fleet/own.yaml\n');
    clone.write('fleet/own.yaml', 'windows: {}\n');
    await expect(judge(clone)).rejects.toEqual(refused({ why: 'dirty' }));
  });

  test('are named by a plan before the run, with what makes them the newest', async () => {
    const steps = async () => stepsToNewest(await loadDocuments(clone.shell({}), 'fleet'));
    expect(await steps()).toBe('git add -A && git commit && git push origin HEAD:trunk');
    clone.git('clean', '--quiet', '-fdx');
    expect(await steps()).toBeUndefined();
    clone.write('fleet/own.yaml', 'windows: {}\n');
  });

  test('start by hand for a reason on record, where the commit is the approval alone', async () => {
    if (approval === '') expect(await judge(clone, unmerged)).toMatchObject({ unmerged });
    else await expect(judge(clone, unmerged)).rejects.toEqual(refused({ why: 'dirty' }));
    clone.git('clean', '--quiet', '-fdx');
  });

  test('start nothing where the remote does not answer', async () => {
    clone.git('remote', 'set-url', 'origin', '/nowhere');
    await expect(judge(clone)).rejects.toMatchObject({ code: 'branchUnclear' });
  });
});

describe('M8 the refusal says first what makes the documents the newest', () => {
  const clone = createClone('overtaken-way');
  const steps = (line: string) => refused({ steps: line });

  test.each([
    ['a change', 'git add -A && git commit && git push origin HEAD:trunk'],
    ['a commit', 'git push origin HEAD:trunk'],
  ])('%s that nobody pushed', async (what, line) => {
    clone.write('fleet/freeze.yaml', FREEZE);
    if (what === 'a commit') clone.commit('freeze');
    await expect(judge(clone)).rejects.toEqual(steps(line));
  });

  test('what others pushed', async () => {
    clone.push('trunk');
    clone.git('checkout', '--quiet', 'HEAD~1');
    await expect(judge(clone)).rejects.toEqual(steps('git pull origin trunk'));
    clone.write('fleet/own.yaml', 'windows: {}\n');
    clone.commit('own');
    await expect(judge(clone)).rejects.toEqual(
      steps('git pull origin trunk && git push origin HEAD:trunk'),
    );
  });
});

test.each([
  ['.gitattributes', 'fleet/own.yaml text working-tree-encoding=SHIFT-JIS'],
  ['fleet/.gitattributes', 'own.yaml text working-tree-encoding=SHIFT-JIS'],
  ['.gitattributes', 'fleet/own.yaml ident'],
])(
  'M8 documents that git changes as it writes them are refused: %s with %s',
  async (file, line) => {
    const clone = createClone(`converted-${file.length}-${line.length}`);
    clone.write('fleet/own.yaml', '# $Id$ A\u{a5}u0078is\nwindows: {}\n');
    clone.commit('own');
    clone.push('trunk');
    expect(await judge(clone)).toMatchObject({ commit: { dirty: false } });
    clone.write(file, `${line}\n`);
    const commit = clone.commit('attributes').slice(0, 12);
    clone.push('trunk');
    rmSync(join(clone.folder, 'fleet/own.yaml'));
    clone.git('checkout', '--quiet', '--', 'fleet/own.yaml');
    expect(clone.git('status', '--porcelain')).toBe('');
    const refusal = { code: 'documentsConverted', params: { file: 'fleet/own.yaml', commit } };
    await expect(judge(clone)).rejects.toMatchObject(refusal);
    const here = await loadDocuments(clone.shell({}), 'fleet');
    await expect(commitOf(here)).rejects.toMatchObject(refusal);
  },
);

test.each([
  ['false', 'eol=crlf'],
  ['true', 'eol=lf'],
])('M8 line ends of a machine are no other text: autocrlf %s with %s', async (autocrlf, eol) => {
  const clone = createClone(`line-ends-${autocrlf}`);
  clone.git('config', 'core.autocrlf', autocrlf);
  clone.write('.gitattributes', `* text=auto ${eol}\n`);
  clone.write('fleet/own.yaml', 'windows: {}\n');
  clone.commit('own');
  clone.push('trunk');
  rmSync(join(clone.folder, 'fleet/own.yaml'));
  clone.git('checkout', '--quiet', '--', 'fleet/own.yaml');
  expect(await judge(clone)).toMatchObject({ commit: { dirty: false } });
  const here = await loadDocuments(clone.shell({}), 'fleet');
  expect(await commitOf(here)).toMatchObject({ dirty: false });
});

describe('M8 a run that goes on', () => {
  const clone = createClone('overtaken-later');
  let now = 0;

  test('looks again after five minutes, and starts nothing of older documents', async () => {
    const { isOvertaken } = await judge(clone, undefined, () => now);
    clone.write('fleet/freeze.yaml', FREEZE);
    clone.commit('freeze');
    clone.push('trunk');
    now = 5 * MINUTE;
    expect(await isOvertaken()).toBe(false);
    now += 1;
    expect(await isOvertaken()).toBe(true);
  });

  test('goes on where newer commits leave the documents alone', async () => {
    const { isOvertaken } = await judge(clone, undefined, () => now);
    clone.write('README.md', 'more');
    clone.commit('readme');
    clone.push('trunk');
    now += 6 * MINUTE;
    expect(await isOvertaken()).toBe(false);
    clone.git('remote', 'set-url', 'origin', '/nowhere');
    now += 6 * MINUTE;
    await expect(isOvertaken()).rejects.toMatchObject({ code: 'branchUnclear' });
  });
});

describe('M8 a person who works alone', () => {
  test('needs no remote, and none with a ledger in a directory', async () => {
    const clone = createClone('overtaken-alone', {
      service: 'service: {baseUrl: https://api.example.com, organization: acme}\n',
    });
    clone.write('fleet/freeze.yaml', FREEZE);
    expect(await judge(clone)).toMatchObject({ commit: { dirty: true } });
    clone.write('fleet/fleet.yaml', serviceText());
    clone.git('remote', 'remove', 'origin');
    expect(await judge(clone)).toMatchObject({ commit: { dirty: true } });
  });
});
