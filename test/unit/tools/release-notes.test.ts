import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../habits/sources.ts';
import { scratchFolder } from '../../support/scratch.ts';

const READY = { version: '1.2.3', repository: 'r', bugs: 'b', homepage: 'h' };
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.3 (2026-12-01)\n\n- this\n\n## 1.2.30\n\n- other\n';

/** Runs the command of the release workflow; returns its exit code and what it printed. */
function releaseNotes(tag: string, manifest: object, changelog = CHANGELOG) {
  const folder = scratchFolder('release');
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  const command = [join(ROOT, 'test', 'tools', 'release-notes.mjs'), tag];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('notes of a release', () => {
  it.each([
    ['1.2.3', '- this\n'],
    ['1.2.30', '- other\n'],
  ])('are the part of version %s alone', (version, stdout) => {
    const given = { ...READY, version };
    expect(releaseNotes(`v${version}`, given)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it.each([
    ['a tag of another version', 'v1.2.4', READY, 'the tag is v1.2.4'],
    ['no repository', 'v1.2.3', { ...READY, repository: undefined }, 'no "repository"'],
    ['no address for bugs', 'v1.2.3', { ...READY, bugs: '' }, 'no "bugs"'],
    ['no homepage', 'v1.2.3', { ...READY, homepage: undefined }, 'no "homepage"'],
    ['a private package', 'v1.2.3', { ...READY, private: true }, 'private'],
    ['no notes', 'v2.0.0', { ...READY, version: '2.0.0' }, 'no notes under "## 2.0.0"'],
  ])('are refused for %s', (_, tag, manifest, problem) => {
    const { status, stdout, stderr } = releaseNotes(tag, manifest);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(problem)]);
  });

  it('are refused where a release on GitHub would refuse them for their length', () => {
    const notes = (length: number) => `## 1.2.3\n\n${'x'.repeat(length)}\n`;
    expect(releaseNotes('v1.2.3', READY, notes(125_000)).status).toBe(0);
    const { status, stdout, stderr } = releaseNotes('v1.2.3', READY, notes(125_001));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('125001 characters');
  });
});
