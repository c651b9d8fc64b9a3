import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE } from '../support/blackbox.ts';
import { builtEntry, ROOT } from '../support/blackbox-build.ts';
import { scratchFolder } from '../support/scratch.ts';

const folder = scratchFolder('net');

/** A line of the shell, and what its command said and ended with. */
function sh(line: string, cwd = folder) {
  const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, encoding: 'utf8' });
  return { code: status, lines: stderr.trimEnd().split('\n') };
}

const plan = (entry: string): string => `exec "${process.execPath}" "${entry}" plan`;

describe('a failure that cannot be told', () => {
  it('in a working folder that is gone is one plain line, and 1', PATIENCE, () => {
    const gone = join(folder, 'gone');
    mkdirSync(gone);
    const { code, lines } = sh(`rmdir "${gone}" && ${plan(builtEntry())}`, gone);
    expect([code, lines]).toEqual([
      1,
      [expect.stringMatching(/the working directory no longer exists/)],
    ]);
  });

  it('with hardly a file that may be opened is the same', PATIENCE, () => {
    const { code, lines } = sh(`ulimit -n 24; ${plan(builtEntry())}`);
    expect([code, lines]).toEqual([1, [expect.stringMatching(/too many files are open/)]]);
  });

  it('where the files of the program were taken away under it is the same', PATIENCE, () => {
    const [copy, fleet] = [join(folder, 'program'), join(folder, 'fleet')];
    mkdirSync(copy);
    cpSync(dirname(builtEntry()), join(copy, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(fleet);
    writeFileSync(join(fleet, 'a.yaml'), 'service: {}\n');
    const joined = readdirSync(join(copy, 'dist', 'run'));
    for (const name of joined.filter((one) => /^(load|failure)-/.test(one)))
      rmSync(join(copy, 'dist', 'run', name));
    const { code, lines } = sh(plan(join(copy, 'dist', 'main.js')));
    expect([code, lines]).toEqual([1, [expect.stringMatching(/Cannot find module/)]]);
  });
});

describe('output that a full disk does not take', () => {
  const on = (args: string, to: string) =>
    sh(`exec "${process.execPath}" "${builtEntry()}" ${args} >${to}`, ROOT);

  it.each(['validate', 'validate --format json', 'audit --offline', '--help'])(
    'is the failure of a command that only reads: %s',
    PATIENCE,
    (args) => {
      const { code, lines } = on(args, '/dev/full');
      expect(code).toBe(1);
      expect(lines.join(' ')).toMatch(/Cannot write the output \(.*ENOSPC.*Free disk space/);
    },
  );

  it('leaves the exit code of a command that acts, and is said', PATIENCE, () => {
    const place = join(folder, 'init');
    mkdirSync(place);
    const { code, lines } = sh(
      `exec "${process.execPath}" "${builtEntry()}" init >/dev/full`,
      place,
    );
    expect(code).toBe(0);
    expect(lines.join(' ')).toMatch(/Cannot write the output .*ended with exit code 0/);
  });
});
