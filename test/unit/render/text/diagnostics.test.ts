import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../../../../src/model/documents/diagnostic.ts';
import { quotable } from '../../../../src/model/documents/quoted.ts';
import { WorldError } from '../../../../src/model/error.ts';
import {
  bugBlocks,
  diagnosticsJson,
  errorBlocks,
  findingBlocks,
} from '../../../../src/render/outputs/findings.ts';
import { errorJson } from '../../../../src/render/data/output-json.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { COLOURED, shown, uncoloured } from '../../../support/render-look.ts';

const CAMERAS = [
  'firmware:',
  '  axis-p32:',
  '    select: {vendor: Axis}',
  '    verson: 11.10',
  '  axis-p32:',
  `    rationale: "${'long '.repeat(40)}" # here`,
  '',
].join('\n');

const place = (line: number, column: number, length?: number) => ({
  file: 'fleet/cameras.yaml',
  line,
  column,
  ...(length !== undefined && { length }),
});

const FINDINGS: readonly Diagnostic[] = [
  {
    code: 'selectsNothing',
    severity: 'warning',
    at: place(3, 5, 22),
    params: { policy: 'firmware.axis-p32' },
  },
  {
    code: 'duplicateName',
    severity: 'error',
    at: place(5, 3, 8),
    params: { name: 'axis-p32', section: 'firmware' },
    related: [place(2, 3)],
  },
  {
    code: 'unknownKey',
    severity: 'error',
    at: place(4, 5, 6),
    params: {
      key: 'verson',
      within: 'firmware.axis-p32',
      allowed: 'select, version',
      suggestion: 'version',
    },
  },
  { code: 'unknownKey', severity: 'error', at: place(6, 221, 4), params: { key: 'here' } },
  { code: 'serviceMissing', severity: 'error', params: {} },
];

const files = new Map([['fleet/cameras.yaml', quotable(CAMERAS)]]);

describe('findings as text', () => {
  it('show code, place, line, caret and next step, all at once and in order', async () => {
    await expect(shown(findingBlocks(FINDINGS, files))).toMatchFileSnapshot(
      '../goldens/findings.txt',
    );
  });

  it('do not depend on the order they were found in', () => {
    expect(shown(findingBlocks([...FINDINGS].reverse(), files))).toBe(
      shown(findingBlocks(FINDINGS, files)),
    );
  });

  it('say the same with colours', () => {
    const coloured = shown(findingBlocks(FINDINGS, files), { paint: COLOURED, width: 80 });
    expect(uncoloured(coloured)).toBe(shown(findingBlocks(FINDINGS, files)));
  });

  it('are nothing where nothing was found', () => {
    expect(shown(findingBlocks([], files))).toBe('');
  });

  it('are counted by their codes after the first hundred, errors first', () => {
    const many = (count: number, code: 'unknownKey' | 'selectsNothing'): readonly Diagnostic[] =>
      Array.from({ length: count }, (_, n) => ({
        code,
        severity: code === 'unknownKey' ? 'error' : 'warning',
        at: { file: code === 'unknownKey' ? 'z.yaml' : 'a.yaml', line: n + 1, column: 1 },
        params: {},
      }));
    const all = [...many(98, 'unknownKey'), ...many(1_005, 'selectsNothing')];
    const text = shown(findingBlocks(all, files));
    expect(text.match(/^error\[/gm)).toHaveLength(98);
    expect(text.match(/^warning\[/gm)).toHaveLength(2);
    expect(text).toContain('\nAnd 1,003 more: 1,003 selectsNothing.\n98 errors and 1,005 warnings');
    expect(shown(findingBlocks(all.slice(0, 100), files))).not.toContain('more:');
    expect(diagnosticsJson(all)).toMatchObject({ count: 1_103 });
  });

  it('obey nothing that stands in a document', () => {
    for (const name of hostileNames(80)) {
      const text = `first: 1\n  ${name}\n`;
      const at = { file: `fleet/${name}.yaml`, line: 2, column: 3, length: 3 };
      const finding: Diagnostic = {
        code: 'unknownKey',
        severity: 'error',
        at,
        params: { key: name },
      };
      const framed = shown(findingBlocks([finding], new Map([[at.file, quotable(text)]])));
      for (const line of framed.split('\n')) expect(line).not.toMatch(FORBIDDEN);
    }
  });

  it('are plain JSON with code, place, English and parameters', () => {
    expect(JSON.parse(JSON.stringify(diagnosticsJson(FINDINGS)))).toMatchObject({
      count: 5,
      diagnostics: [
        { code: 'serviceMissing' },
        { code: 'selectsNothing', file: 'fleet/cameras.yaml', line: 3, column: 5 },
        { code: 'unknownKey', next: 'Did you mean "version"?', params: { key: 'verson' } },
        { code: 'duplicateName', related: [{ line: 2 }] },
        { code: 'unknownKey', params: { key: 'here' } },
      ],
    });
  });
});

describe('failures as text', () => {
  const locked = new WorldError('locked', { label: 'ci', host: 'runner-7', pid: 4711 });

  it('name the code, what happened and the next step, within the width', async () => {
    const text = shown(errorBlocks(locked));
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80);
    await expect(text).toMatchFileSnapshot('../goldens/locked.txt');
  });

  it('are plain JSON under one key', () => {
    expect(errorJson(locked)).toMatchObject({
      error: { code: 'locked', retry: 'never', params: { pid: 4711 }, summary: expect.any(String) },
    });
  });

  it('show a bug with its trace and whom to tell', () => {
    const text = shown(bugBlocks('Bug: boom\n    at x\u001b[2J'));
    expect(text).toContain('bug: Internal error in fleetform.');
    expect(text).toContain('next: Report it with these lines');
    expect(text).toContain('\\u{1b}[2J');
  });
});
