import { expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** The id that this twin gives to the first task of a run. */
const FIRST = 'f4958dbd-6b3e-44a6-a9fd-75c4b7143661';

const BAD = [{ match: { path: `/v1/tasks/${FIRST}` }, fault: { type: 'html' } }];

it(
  'X19 devices of other tasks are verified where the answer about one is never understood',
  PATIENCE,
  async () => {
    using place = createPlace();
    const twin = await startTwin(place, { devices: 20, faults: BAD });
    const run = place.start('apply --yes', twin.as('admin'));
    await run.says(/, 8 verified,/);
    run.signal('SIGINT');
    const { code, out } = await run.done;
    expect([code, out]).toEqual([7, expect.stringMatching(/8 devices verified[\s\S]*Running: 1/)]);
    expect(out).toContain(FIRST);
    const verdicts = (place.ledger() as readonly { type: string; verdict?: string }[])
      .filter(({ type }) => type === 'SETTLED')
      .map(({ verdict }) => verdict);
    expect(verdicts).toEqual(Array.from({ length: 8 }, () => 'done'));
    await twin.stop();
  },
);
