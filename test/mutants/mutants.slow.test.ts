import { expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT } from '../support/campaign.ts';
import { MUTANTS } from './rules.ts';
import { linesOf, tryAll } from './table.ts';

it(
  'each rule that is switched off is seen by what is recorded for it',
  { timeout: CAMPAIGN_TIMEOUT },
  async () => {
    const rows = await tryAll(MUTANTS, { threads: 2 });
    const survivors = rows.filter(({ told }) => told === undefined).map(({ id }) => id);
    expect(survivors, linesOf(rows).join('\n')).toEqual([]);
  },
);
