import { expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT } from '../support/campaign.ts';
import { MUTANTS } from './rules.ts';
import { controlsOf, linesOf, tryAll } from './table.ts';

it(
  'each rule that is switched off is seen by what is recorded for it',
  { timeout: CAMPAIGN_TIMEOUT },
  async () => {
    const rows = await tryAll(MUTANTS, { threads: 2 });
    const survivors = rows.filter(({ told }) => told === undefined).map(({ id }) => id);
    expect(survivors, linesOf(rows).join('\n')).toEqual([]);
  },
);

it(
  'no fleet, rehearsal or cell that is recorded finds anything in the sources as they are',
  { timeout: CAMPAIGN_TIMEOUT },
  async () => {
    const rows = await tryAll(controlsOf(MUTANTS.filter(({ killer }) => !('test' in killer))), {
      threads: 2,
    });
    expect(rows.filter(({ told, unfit }) => told !== undefined || unfit !== undefined)).toEqual([]);
  },
);
