import { expect, it } from 'vitest';
import {
  isPhase,
  type PolicyProgress,
  type ProgressEvent,
} from '../../../../src/model/progress.ts';
import { addRows, tabulateRun } from '../../../../src/model/ledger/run-table.ts';
import { runOnce } from '../../../support/rehearsal.ts';
import { createWorld, readRehearsal } from '../../../support/rehearsal-world.ts';

type Told = Extract<ProgressEvent, { name: 'applying' }>;

/** What a run of a rehearsal told of its policies, and the outcomes of its report. */
async function told(name: string) {
  const rehearsal = readRehearsal(name);
  const events: Told[] = [];
  const onProgress = (event: ProgressEvent): void => {
    if (isPhase(event, 'applying')) events.push(event);
  };
  const world = createWorld(rehearsal.script);
  const { report } = await runOnce(rehearsal, world, { process: 1, onProgress });
  if (!report) throw new Error('no report');
  return { events, report };
}

const sum = (
  policies: readonly PolicyProgress[],
  key: 'done' | 'failed' | 'running' | 'later' | 'person',
) => policies.reduce((all, policy) => all + policy[key], 0);

it.each([
  'failing-device',
  'happy-batch',
  'three-tasks',
  'N59-N61-I3-I5-one-bad-device-in-the-trial-pauses-the-incident',
])(
  'of %s counts each change of the run once, and the last counts are those of the report',
  async (name) => {
    const { events, report } = await told(name);
    const last = events.at(-1);
    expect(last?.isLast).toBe(true);
    expect(events.slice(0, -1).some(({ isLast }) => isLast)).toBe(false);
    const { verified, failed, rolledBack, aborted, unverified } = report.counts;
    const { now, later, person, failed: bad } = addRows(tabulateRun(report));
    const policies = last?.policies ?? [];
    expect(sum(policies, 'done')).toBe(verified);
    expect(sum(policies, 'failed')).toBe(failed + rolledBack + aborted + unverified);
    expect(sum(policies, 'later')).toBe(now + later);
    expect(sum(policies, 'person')).toBe(person - bad);
    expect(events.some((event) => sum(event.policies, 'running') > 0)).toBe(true);
  },
);

it('counts the requests of what is under way and what may start, and none at the end', async () => {
  const { events } = await told('happy-batch');
  const [first] = events;
  // Four devices in one batch: a read before and after each, and one POST.
  expect(first?.policies).toEqual([
    expect.objectContaining({ later: 4, startable: 4, requests: 4 * 2 + 1 }),
  ]);
  expect(events.at(-1)?.policies).toEqual([
    expect.objectContaining({ done: 4, later: 0, requests: 0 }),
  ]);
});
