import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { ROOT } from '../habits/sources.ts';

/** How many files a reader of one decision, or of one attempt in `apply/`, has to follow at the most. */
const MOST = { 'files of one decision': 10, 'files of one attempt in apply/': 15 };

it('follows one decision through ten files, and one attempt through fifteen', () => {
  const { stdout } = spawnSync(process.execPath, ['test/measure/measure.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const [name, most] of Object.entries(MOST)) {
    const line = stdout.split('\n').find((each) => each.startsWith(`${name} `)) ?? '';
    expect(Number(line.slice(name.length)), `${name} ${stdout}`).toBeLessThanOrEqual(most);
    expect(Number(line.slice(name.length)), name).toBeGreaterThan(0);
  }
});
