import { describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, isWhole } from '../support/campaign.ts';
import { readRehearsal, rehearsals } from '../support/rehearsal-world.ts';
import { enumerate, type Choice, type Row } from './enumerate.ts';
import { deathsOf, shareOf } from './points.ts';
import { tableOf } from './table.ts';

/** Rehearsals of which every second point is lived: one of the smallest. */
const DENSE = ['lost-request-in-doubt'];

/** Points of each of the others that is its turn; `npm run crash` lives all. */
const SAMPLE = 1;

/** Of so many rehearsals one is lived in CI; each night lives all of them. */
const TURNS = 40;

/** Rehearsals in which effects also fail, and how many failures of each. */
const FAILING = [
  'happy-batch',
  'failing-device',
  'three-tasks',
  'X4-a-plan-file-is-applied-many-times',
];
const FAILURES = 4;

const SEED = campaignSeed(7);

describe('a process that dies', () => {
  it(
    'does nothing twice, loses nothing, and is followed by one that ends it',
    { timeout: CAMPAIGN_TIMEOUT },
    async () => {
      const rows: Row[] = [];
      for (const name of rehearsals().filter(isItsTurn)) {
        const choose: Choice = ({ deaths }) =>
          sampleOf(
            deaths,
            DENSE.includes(name) ? Math.ceil(deaths.length / 2) : SAMPLE,
            Math.floor(SEED / TURNS),
          );
        rows.push(
          await enumerate(readRehearsal(name), { heirs: ['same host', 'other host'], choose }),
        );
      }
      expectNothingWrong('deaths', rows);
    },
  );

  it(
    'leaves a ledger in git to another machine after the longer lease of that',
    { timeout: CAMPAIGN_TIMEOUT },
    async () => {
      const row = await enumerate(readRehearsal('happy-batch'), {
        heirs: ['git lease'],
        choose: ({ deaths }) => sampleOf(deaths, 5),
      });
      expectNothingWrong('deaths, git lease', [row]);
    },
  );
});

describe.runIf(isWhole)('a process that dies while the real git appends', () => {
  it(
    'is followed on its own machine and on an empty one',
    { timeout: CAMPAIGN_TIMEOUT },
    async () => {
      const row = await enumerate(readRehearsal('lost-request-in-doubt'), {
        heirs: ['same host', 'other host'],
        ledger: 'git',
        choose: ({ deaths }) => sampleOf(deaths, 1),
      });
      expectNothingWrong('deaths, real git', [row]);
    },
  );
});

describe('an effect that fails, once or for good', () => {
  it(
    'does nothing twice, loses nothing, and is got over',
    { timeout: CAMPAIGN_TIMEOUT },
    async () => {
      const rows: Row[] = [];
      for (const name of FAILING)
        rows.push(
          await enumerate(readRehearsal(name), {
            heirs: ['same host'],
            choose: ({ failures }) => sampleOf(failures, FAILURES),
          }),
        );
      expectNothingWrong('failures', rows);
    },
  );
});

describe('the points of a rehearsal', () => {
  it('are all lived by as many shares as there are', () => {
    const deaths = deathsOf([4, 0, 7]);
    const shares = [0, 1, 2].flatMap((seed) => shareOf(deaths, 3, seed));
    expect(deaths).toHaveLength(4 + 1 + 0 + 1 + 7 + 1);
    expect(new Set(shares)).toEqual(new Set(deaths));
  });
});

function isItsTurn(name: string, index: number): boolean {
  return DENSE.includes(name) || index % TURNS === SEED % TURNS;
}

function sampleOf(
  points: ReturnType<typeof deathsOf>,
  most: number,
  seed: number = SEED,
): typeof points {
  return shareOf(points, Math.ceil(points.length / most), seed);
}

function expectNothingWrong(what: string, rows: readonly Row[]): void {
  process.stdout.write(`${what}, seed ${SEED}\n${tableOf(rows)}`);
  expect(rows.flatMap(({ wrong }) => wrong)).toEqual([]);
}
