import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { remoteGit } from '../../../src/git/git.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

const place = scratchFolder('outside');
const folder = join(place, 'work');
const calls = join(place, 'calls');
mkdirSync(folder);
const path = process.env['PATH'] ?? '';
const program = `#!/bin/sh\necho "$*" >>'${calls}'\nPATH='${path}'\nexec git "$@"\n`;
writeFileSync(join(place, 'git'), program, { mode: 0o755 });

/** A command of its own, whose calls of git are counted. */
function openCommand() {
  writeFileSync(calls, '');
  return remoteGit(folder, { PATH: `${place}:${path}`, HOME: place }, { silence: 60_000 });
}

const called = (): number => readFileSync(calls, 'utf8').split('\n').filter(Boolean).length;

describe('git in a folder that is in no repository', () => {
  it('is asked once by a command, whatever only a repository knows', async () => {
    const git = openCommand();
    const first = await git('rev-parse', 'HEAD');
    expect(first.exit).toBe(128);
    expect(await git('log', 'HEAD')).toEqual(first);
    expect(await git('for-each-ref')).toEqual(first);
    expect(called()).toBe(1);
  });

  it('still answers what needs no repository', async () => {
    const git = openCommand();
    await git('rev-parse', 'HEAD');
    expect((await git('ls-remote', '--get-url', '--', 'https://h/r')).out.trim()).toBe(
      'https://h/r',
    );
    expect((await git('config', '--get', 'remote.origin.url')).exit).toBe(1);
    expect(called()).toBe(3);
  });

  it('is asked again by the next command', async () => {
    const git = openCommand();
    await git('rev-parse', 'HEAD');
    gitIn(folder, 'init', '--quiet');
    expect((await git('rev-parse', '--git-dir')).exit).toBe(128);
    expect((await openCommand()('rev-parse', '--git-dir')).out.trim()).toBe('.git');
  });
});
