import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/git/repo.ts';
import { newestFirst, type LineOrigin } from '../../../src/model/documents/origin.ts';
import { randomHistory } from '../../support/git-history.ts';
import { isTried } from '../../support/campaign.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folders: string[] = [];

/** Every line of every file, as many as any of them has. */
const LINES = new Set(Array.from({ length: 60 }, (_, index) => index + 1));

describe('blame of many files at once', () => {
  it.each([1, 2, 3, 4, 5, 6].filter((_, nth) => isTried(nth)))(
    'is what git says of each of them alone, history %i',
    async (seed) => {
      const folder = repository(randomHistory(seed));
      const paths = git(folder, 'ls-files', 'fleet').trim().split('\n');
      const found = await blame(folder, paths);
      let compared = 0;
      for (const path of paths)
        for (const [index, commit] of plainBlame(folder, path).entries()) {
          expect(found.get(path)?.get(index + 1), `${path}:${index + 1}`).toMatchObject({ commit });
          compared += 1;
        }
      expect(compared).toBeGreaterThan(50);
    },
  );

  it('names author, day and subject as the commit has them', async () => {
    const folder = repository(randomHistory(1));
    const [path = ''] = git(folder, 'ls-files', 'fleet').split('\n');
    const [line] = [...((await blame(folder, [path])).get(path)?.values() ?? [])];
    const of = line?.is === 'commit' ? line.commit : '';
    const [author, subject, at] = git(folder, 'show', '-s', '--format=%an%n%s%n%at', of).split(
      '\n',
    );
    expect(line).toMatchObject({
      is: 'commit',
      commit: of,
      author,
      subject,
      at: new Date(Number(at) * 1_000).toISOString().replace('.000Z', 'Z'),
    });
  });

  it('names the author of the commit, whomever a file .mailmap says that it was', async () => {
    const folder = repository(oneAfterTheOther(3, 1));
    writeFileSync(join(folder, '.mailmap'), 'The CISO <ciso@x.example> Ada <ada@x.example>\n');
    git(folder, 'config', 'log.mailmap', 'true');
    const lines = (await blame(folder, ['fleet/a.yaml'])).get('fleet/a.yaml');
    const at = { path: 'fleet/a.yaml', folders: ['fleet'], from: 'HEAD~2' };
    const moved = await openRepository(folder, process.env).lastToMove('first 1', at);
    for (const line of [...(lines?.values() ?? []), moved])
      expect(line).toMatchObject({ is: 'commit', author: 'Ada' });
  });

  it('says of the work tree what is in no commit yet', async () => {
    const folder = repository(randomHistory(1));
    const [path = ''] = git(folder, 'ls-files', 'fleet').split('\n');
    const length = plainBlame(folder, path).length;
    appendFileSync(join(folder, path), 'new\n');
    writeFileSync(join(folder, 'fleet', 'untracked.yaml'), 'a\n');
    const found = await blame(folder, [path, 'fleet/untracked.yaml']);
    expect(found.get(path)?.get(length)).toMatchObject({ is: 'commit' });
    expect(found.get(path)?.get(length + 1)).toEqual({ is: 'notCommitted' });
    expect(found.get('fleet/untracked.yaml')?.get(1)).toEqual({ is: 'notCommitted' });
  });

  it('reads a commit instead of the work tree where it is given one', async () => {
    const folder = repository(randomHistory(1));
    const [path = ''] = git(folder, 'ls-files', 'fleet').split('\n');
    writeFileSync(join(folder, path), 'all new\n');
    const found = await blame(folder, [path], 'HEAD');
    expect(found.get(path)?.get(1)).toMatchObject({ is: 'commit' });
  });

  it.each([
    { clocks: 'in one second', seconds: 0 },
    { clocks: 'by clocks that went back', seconds: -60 },
  ])('tells commits $clocks newest first, as they build on each other', async ({ seconds }) => {
    const folder = repository(oneAfterTheOther(12, seconds));
    const wanted = git(folder, 'rev-list', '--topo-order', 'HEAD').trim().split('\n');
    const lines = (await blame(folder, ['fleet/a.yaml'])).get('fleet/a.yaml') ?? new Map();
    expect(commitsOf(newestFirst(lines.values()))).toEqual(wanted);
  });

  it('tells who took a line away in the same order', async () => {
    const folder = repository(oneAfterTheOther(12, 0));
    const ids = git(folder, 'rev-list', '--topo-order', 'HEAD').trim().split('\n');
    const at = { path: 'fleet/a.yaml', folders: ['fleet'], from: ids.at(-1) ?? '' };
    const moved = await openRepository(folder, process.env).lastToMove('first 5', at);
    const lines = (await blame(folder, ['fleet/a.yaml'])).get('fleet/a.yaml') ?? new Map();
    const others = [...lines.values()].filter(({ commit }) => commit !== ids[5]);
    expect(moved).toMatchObject({ commit: ids[5] });
    expect(commitsOf(newestFirst([...others, ...(moved ? [moved] : [])]))).toEqual(ids);
  });

  it('does not guess beyond the end of a shallow clone', async () => {
    const whole = repository(randomHistory(2));
    const folder = temporary();
    git(folder, 'clone', '-q', '--depth', '3', `file://${whole}`, '.');
    const paths = git(folder, 'ls-files', 'fleet').trim().split('\n');
    const found = await blame(folder, paths);
    const said = paths.flatMap((path) => [...(found.get(path)?.values() ?? [])]);
    expect(said.some(({ is }) => is === 'commit')).toBe(true);
    expect(said.some(({ is }) => is === 'cutOff')).toBe(true);
    for (const path of paths)
      for (const [index, commit] of plainBlame(whole, path).entries()) {
        const mine = found.get(path)?.get(index + 1);
        if (mine?.is === 'commit') expect(mine.commit, `${path}:${index + 1}`).toBe(commit);
      }
  });

  it('is undefined outside a repository', async () => {
    const folder = temporary();
    const repo = openRepository(folder, process.env);
    expect(await repo.blame(new Map(), { folders: ['fleet'] })).toBeUndefined();
  });
});

async function blame(
  folder: string,
  paths: readonly string[],
  ref?: string,
): Promise<ReadonlyMap<string, ReadonlyMap<number, LineOrigin>>> {
  const lines = new Map(paths.map((path) => [path, LINES]));
  const at = { folders: ['fleet'], ...(ref !== undefined && { ref }) };
  const found = await openRepository(folder, process.env).blame(lines, at);
  if (!found) throw new Error('no repository');
  return found;
}

/** A file of so many lines, and after the first commit one for each line but the last, so many seconds later. */
function oneAfterTheOther(count: number, seconds: number): string {
  const lines = Array.from({ length: count }, (_, line) => `first ${line}`);
  return lines
    .map((_, index) => {
      if (index > 0) lines[index - 1] = `second ${index - 1}`;
      const text = `${lines.join('\n')}\n`;
      const person = `Ada <ada@x.example> ${1_600_000_000 + index * seconds} +0000`;
      const head = `commit refs/heads/main\nauthor ${person}\ncommitter ${person}\ndata 1\nx\n`;
      return `${head}M 100644 inline fleet/a.yaml\ndata ${text.length}\n${text}\n`;
    })
    .join('');
}

function commitsOf(origins: readonly LineOrigin[]): readonly string[] {
  return origins.map((origin) => (origin.is === 'commit' ? origin.commit : origin.is));
}

/** The commit of each line, by git alone. */
function plainBlame(folder: string, path: string): readonly string[] {
  const said = git(folder, 'blame', '-l', '--root', 'HEAD', '--', path).trimEnd();
  return said.split('\n').map((line) => line.slice(0, 40));
}

function repository(stream: string): string {
  const folder = temporary();
  git(folder, 'init', '-q', '-b', 'main');
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: stream });
  git(folder, 'reset', '-q', '--hard', 'main');
  return folder;
}

function temporary(): string {
  const folder = scratchFolder('blame');
  folders.push(folder);
  return folder;
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
}
