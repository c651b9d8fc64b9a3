import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const FOLDER = join(ROOT, '.github', 'docker');
const lines = readFileSync(join(FOLDER, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');
const told = (instruction: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${instruction} `));

describe('the container image', () => {
  it('stands on one exact release of slim Node.js, of a line that we support', () => {
    const bases = new Set(told('FROM').map((line) => line.split(' ')[1]));
    expect([...bases]).toEqual([expect.stringMatching(/^node:(?:20|22|24)\.\d+\.\d+-\w+-slim$/)]);
  });

  it('runs as a user without rights, by a number that every host understands', () => {
    expect(told('USER').at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
    expect(lines.findLastIndex((line) => line.startsWith('RUN '))).toBeLessThan(
      lines.findLastIndex((line) => line.startsWith('USER ')),
    );
  });

  it('runs no script of a package and downloads nothing beside packages', () => {
    const runs = told('RUN').join('\n');
    for (const [, rest] of runs.matchAll(/\bnpm (?:ci|prune)\b([^&]*)/g))
      expect(rest).toContain('--ignore-scripts');
    expect(runs).not.toMatch(/\bcurl\b|\bwget\b|\bnpx\b/);
    expect(told('ADD')).toEqual([]);
  });

  it('passes signals on: the program is the first process', () => {
    expect(told('ENTRYPOINT')).toEqual(['ENTRYPOINT ["fleetform"]']);
  });

  it('is built from listed folders alone', () => {
    const [first, ...rest] = readFileSync(join(FOLDER, 'Dockerfile.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(first).toBe('*');
    expect(rest.filter((line) => !line.startsWith('!'))).toEqual([]);
    expect(rest).not.toContain('!.git');
  });
});
