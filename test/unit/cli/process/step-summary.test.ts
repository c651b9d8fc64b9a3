import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Shell } from '../../../../src/shell/shell.ts';
import { addToSummary } from '../../../../src/cli/process/step.ts';
import { runSummary } from '../../../../src/render/words/job-words.ts';
import { scratchFolder } from '../../../support/scratch.ts';

const folder = scratchFolder('summary');
const file = join(folder, 'summary.md');

const shell = { env: { GITHUB_STEP_SUMMARY: file } } as unknown as Shell;
const MIB = 1024 ** 2;

describe('the summary of a step', () => {
  it.each([
    ['letters of one byte', 'a', 0],
    ['letters of three bytes', '設', 0],
    ['pairs of four bytes', '😀', 0],
    ['room that others took', '設', MIB - 10_000],
  ])('never grows beyond 1 MiB: %s', (_, letter, taken) => {
    writeFileSync(file, 'x'.repeat(taken));
    addToSummary(shell, (limit) => letter.repeat(limit / letter.length));
    const { size } = statSync(file);
    expect(size).toBeLessThanOrEqual(MIB);
    expect(size).toBeGreaterThan(taken + 4_000);
  });

  it('is left alone where there is no room, and where there is none', () => {
    writeFileSync(file, 'x'.repeat(MIB - 100));
    addToSummary(shell, (limit) => 'a'.repeat(limit));
    expect(statSync(file).size).toBe(MIB - 100);
    addToSummary({ env: {} } as Shell, () => expect.unreachable());
  });

  it('holds a report in a fence that the report cannot close', () => {
    const text = runSummary('fleetform apply', 'name ```` <b>x</b>\nlast\n', 10_000);
    expect(text).toBe('### fleetform apply\n\n`````text\nname ```` <b>x</b>\nlast\n`````\n');
  });

  it('says that a report goes on elsewhere', () => {
    const text = runSummary('fleetform apply', 'a line\n'.repeat(10_000), 5_000);
    expect(text.length).toBeLessThanOrEqual(5_000);
    expect(text).toMatch(/a line\n```\n… and more, in the log of the step\n$/);
    writeFileSync(file, '');
    addToSummary(shell, () => text);
    expect(readFileSync(file, 'utf8')).toBe(`${text}\n`);
  });
});
