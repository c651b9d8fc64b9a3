import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCKERFILE_RULES, dockerfileFindings } from './dockerfile-audit.ts';
import { ROOT } from './sources.ts';

const FOLDER = join(ROOT, '.github', 'docker');
const DOCKERFILE = readFileSync(join(FOLDER, 'Dockerfile'), 'utf8');
const lines = DOCKERFILE.replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '');
const told = (instruction: string): readonly string[] =>
  lines.filter((line) => line.startsWith(`${instruction} `));

/** One change to our own Dockerfile for each rule, which has to see it. */
const SPOILT: Readonly<Record<string, readonly [RegExp, string]>> = {
  DL3000: [/WORKDIR \/work/, 'WORKDIR work'],
  DL3002: [/USER 1000:1000/, 'USER root'],
  DL3003: [/RUN npm ci/, 'RUN cd /build && npm ci'],
  DL3004: [/RUN npm ci/, 'RUN sudo npm ci'],
  DL3007: [/node:[\w.-]+ AS/, 'node:latest AS'],
  DL3009: [/ && rm -rf \/var\/lib\/apt\/lists\/\* \\\n/, ''],
  DL3014: [/install -y/, 'install'],
  DL3015: [/ --no-install-recommends/, ''],
  DL3020: [/COPY \. \./, 'ADD . .'],
  DL3025: [/CMD \["--help"\]/, 'CMD --help'],
  DL3027: [/RUN apt-get update/, 'RUN apt update'],
  DL3059: [/(RUN npm ci.*)/, '$1\nRUN npm audit'],
  DL4000: [/(USER 1000.*)/, 'MAINTAINER ada\n$1'],
  DL4004: [/(ENTRYPOINT .*)/, '$1\n$1'],
  DL4006: [/RUN npm ci/, 'RUN cat x | sh && npm ci'],
  'no secret': [/WORKDIR \/build/, 'ARG NPM_TOKEN\nWORKDIR /build'],
  'an ignored': [/# Versions of Debian's.*\n/, ''],
};

describe('a lint of the Dockerfile', () => {
  it('has no finding', () => {
    expect(dockerfileFindings(DOCKERFILE)).toEqual([]);
  });

  it.each(DOCKERFILE_RULES)('sees %s', (rule) => {
    const [, change] = Object.entries(SPOILT).find(([name]) => rule.startsWith(name)) ?? [];
    const spoilt = change ? DOCKERFILE.replace(...change) : DOCKERFILE;
    expect(spoilt).not.toBe(DOCKERFILE);
    expect(dockerfileFindings(spoilt)).toContain(rule);
  });
});

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
