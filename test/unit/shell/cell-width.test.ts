import { expect, it } from 'vitest';
import { cellWidth } from '../../../src/shell/output.ts';

it('cells of a table are whole in a pipe, and cut on a terminal alone', () => {
  const write = (): boolean => true;
  const env = { COLUMNS: '80' };
  expect(cellWidth({ write, isTerminal: false, columns: 80 }, env)).toBe(Infinity);
  expect(cellWidth({ write, isTerminal: true, columns: 100 }, env)).toBe(100);
});
