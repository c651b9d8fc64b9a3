import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTrace } from '../../../src/shell/trace-file.ts';
import { scratchFolder } from '../../support/scratch.ts';

const folder = scratchFolder('trace-file');
const LINE = '{"at":"2026-11-20T20:00:00Z","method":"GET"}\n';

function open(file: string, ends: string[] = []) {
  return openTrace(file, (cause) => ends.push(cause));
}

describe('a trace file', () => {
  it('is new, for its user alone, and gone on with', () => {
    const file = join(folder, 'new.jsonl');
    for (let nth = 0; nth < 2; nth += 1) {
      const trace = open(file);
      trace.write(LINE.trim());
      trace.close();
    }
    expect(readFileSync(file, 'utf8')).toBe(LINE + LINE);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('that everybody could read is from then on for its user alone', () => {
    const file = join(folder, 'open.jsonl');
    writeFileSync(file, LINE);
    chmodSync(file, 0o644);
    open(file).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is never a link, a pipe, a folder, or a file with something else in it', () => {
    const [target, link, pipe, other] = ['target', 'link', 'pipe', 'fleet.yaml'].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    symlinkSync(target, link);
    const nowhere = join(folder, 'none', 'trace');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(other, 'service: {}\n');
    for (const [file, params] of [
      [link, { file: link, why: 'link' }],
      [pipe, { file: pipe, why: 'notPlain' }],
      [other, { file: other, why: 'notTrace' }],
      [folder, { file: folder, why: 'folder' }],
      [nowhere, { file: nowhere, why: 'notWritable' }],
    ] as const) {
      expect(() => open(file)).toThrow(expect.objectContaining({ code: 'fileRefused', params }));
    }
    expect(existsSync(target)).toBe(false);
    expect(readFileSync(other, 'utf8')).toBe('service: {}\n');
  });

  it.each([
    [
      'throws',
      () => {
        throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      },
    ],
    ['takes a part', () => 3],
  ])('that cannot be written ends, says so once, and throws nothing: it %s', (_, write) => {
    const ends: string[] = [];
    const file = join(folder, 'full.jsonl');
    const trace = openTrace(file, (cause) => ends.push(cause), write);
    trace.write(LINE);
    trace.write(LINE);
    expect(ends).toEqual(['ENOSPC']);
    trace.close();
  });

  it('gets no line once it is closed, when its number may be that of another file', () => {
    const [file, other] = [join(folder, 'closed.jsonl'), join(folder, 'other.jsonl')];
    const trace = open(file);
    trace.close();
    const next = open(other);
    trace.write(LINE);
    next.close();
    expect(readFileSync(other, 'utf8')).toBe('');
  });
});
