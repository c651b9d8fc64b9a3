import { expect, it } from 'vitest';
import { showProgress } from '../../../src/shell/show-progress.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { screenOf } from '../../support/screen.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** What a command shows of a service that does not answer, and of its reading then. */
function shown(isQuiet: boolean): string {
  const err = outputDouble();
  const shell = { err, out: outputDouble(), env: {}, clock: createVirtualClock(0), isQuiet };
  const onProgress = showProgress(shell as unknown as Shell);
  for (const tried of [1, 2])
    onProgress({ type: 'waiting', reason: 'retrying', tried, most: 5, until: 1_000 });
  onProgress({ type: 'phase', name: 'reading', what: 'sites', rows: 3, total: 3 });
  return err.text();
}

it('--quiet shows no progress, and says once that the service does not answer', () => {
  expect(shown(true)).toMatch(/^no response, .*\(2 of 5\)\n$/);
  expect(shown(false)).toMatch(/\(2 of 5\)\n.*\(3 of 5\)\nreading the fleet\n$/);
});

it('a block on a terminal is gone before anything else is written, on stdout too', () => {
  const said: string[] = [];
  const clears: (() => void)[] = [];
  const output = () => ({
    isTerminal: true,
    columns: 80,
    before: (clear: () => void) => void clears.push(clear),
    write: (text: string) => void said.push(text),
  });
  const shell = {
    err: output(),
    out: output(),
    env: { NO_COLOR: '1' },
    clock: createVirtualClock(0),
  };
  const onProgress = showProgress(shell as unknown as Shell);
  onProgress({ type: 'phase', name: 'reading', what: 'sites', rows: 3, total: 3 });
  expect(screenOf(said.join('')).join('')).toContain('Read sites');
  clears.at(-1)?.();
  expect(screenOf(said.join('')).join('')).toBe('');
});
