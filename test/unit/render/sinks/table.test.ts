import { describe, expect, it } from 'vitest';
import { terminal } from '../../../../src/render/sinks/sinks.ts';
import { table } from '../../../../src/render/sinks/table.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { hostileNames } from '../../../support/hostile.ts';

const rows = (...lines: string[][]) => lines.map((row) => row.map(terminal));

describe('a table', () => {
  it('aligns columns, numbers to the right, without spaces at the end', () => {
    const lines = table(rows(['cam-1', '5', 'x'], ['東京', '1,000', '']), {
      width: 80,
      header: ['name', 'count', 'note'].map(terminal),
      align: ['left', 'right'],
      head: (line) => terminal(line.toUpperCase()),
    });
    expect(lines).toEqual(['NAME   COUNT  NOTE', 'cam-1      5  x', '東京   1,000']);
  });

  it('cuts the widest column first and keeps narrow ones whole', () => {
    const [line] = table(rows(['dev-1', 'a'.repeat(60), 'b'.repeat(30)]), { width: 60 });
    expect(line).toBe(`dev-1  ${'a'.repeat(25)}…  ${'b'.repeat(24)}…`);
  });

  it('fits 80 columns whatever the names', () => {
    const names = hostileNames(200);
    const lines = table(
      names.map((name, n) => [name, `${n}`, name, name].map(terminal)),
      { width: 80 },
    );
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });

  it('keeps numbers whole until texts are narrow, where that is wanted', () => {
    const cells = rows(['a'.repeat(20), 'b'.repeat(10), '95.6% of 987'], ['c', 'd', '-']);
    const align = ['left', 'left', 'right'] as const;
    const [kept] = table(cells, { width: 34, align, keepsNumbers: true });
    expect(kept).toBe('aaaaaaaa…  bbbbbbbb…  95.6% of 987');
    const [narrower] = table(cells, { width: 30, align, keepsNumbers: true });
    expect(narrower).toBe('aaaaaa…  bbbbbb…  95.6% of 987');
    const [first] = table(cells, { width: 34, align });
    expect(first).not.toContain('95.6% of 987');
  });

  it('of nothing has no lines', () => {
    expect(table([], { width: 80 })).toEqual([]);
  });
});
