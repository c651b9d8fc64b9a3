import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fold } from '../../../../src/ledger/fold.ts';
import { listMerged } from '../../../../src/operations/outcome/leave-outcome.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { gitIn } from '../../../support/blackbox-record.ts';
import { chained, GENESIS, lock, plan } from '../../../support/ledger-records.ts';
import { scratchFolder } from '../../../support/scratch.ts';

test('a run answers for what was merged after the last other commit that a run had a plan of', async () => {
  const place = scratchFolder('leave-outcome');
  gitIn(place, 'init', '--quiet', '--initial-branch=main');
  const commit = (text: string): string => {
    writeFileSync(join(place, 'a.yaml'), text);
    gitIn(place, 'add', '-A');
    gitIn(place, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', text);
    return gitIn(place, 'rev-parse', 'HEAD').trim();
  };
  const [first, second, third] = ['one', 'two', 'three'].map((text) => commit(text));
  const documents = { folder: join(place, 'fleet'), service: { value: {} } } as Documents;
  const shell = { cwd: place, env: process.env } as unknown as Shell;
  const merged = (...planned: readonly (string | undefined)[]): Promise<readonly string[]> => {
    const plans = planned.map((each = '') => plan('p', each));
    return listMerged(
      { shell, documents },
      fold(chained([GENESIS, lock(), ...plans])),
      third ?? '',
    );
  };
  expect(await merged(first)).toEqual([second, third]);
  expect(await merged(first, third, third)).toEqual([second, third]);
  expect(await merged(first, second)).toEqual([third]);
  expect(await merged()).toEqual([third]);
  expect(await merged('', third)).toEqual([third]);
  // A commit that the clone does not have.
  expect(await merged('e'.repeat(40))).toEqual([third]);
});
