import { expect, it } from 'vitest';
import { verifyEnded } from '../../../../src/apply/watch/settle.ts';
import { READ_DELAY_MS } from '../../../../src/model/fleet/read-delay.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { aRun } from '../../../support/apply-run.ts';
import { device } from '../../../support/desired-documents.ts';
import { aMemory, anOpenIntent, NOW, someDocuments } from '../../../support/plan-fleet.ts';

interface Read {
  readonly readAt: number;
  readonly version?: string;
  /** How long after its task the device is looked at. */
  readonly after?: number;
}

/** What is settled of a task seen as completed at NOW, where a read from then shows its target, or another version. */
async function settledBy(
  readAt: number,
  read: Omit<Read, 'readAt'> = {},
): Promise<readonly RecordBody[]> {
  return (await settledRun({ readAt, ...read })).appended;
}

async function settledRun({ readAt, version = '11.11.73', after = 1_000 }: Read) {
  const intent = anOpenIntent('dev-1', { target: '11.11.73' });
  const appended: RecordBody[] = [];
  const run = aRun({
    documents: someDocuments(),
    clock: { now: () => NOW + after, monotonic: () => 0 },
    progress: () => undefined,
    journal: {
      memory: aMemory([intent]),
      append: async (bodies: readonly RecordBody[]) => {
        appended.push(...bodies);
        return 'acknowledged';
      },
    },
  });
  run.inFlight.of(intent).complete({ completedAt: NOW, undated: false });
  // Equal reads over V are proof where a device says no `lastSeen`: the time of the read alone decides.
  const { lastSeen: _, ...shown } = device('dev-1', {
    status: 'online',
    firmwareVersion: version,
  });
  const seen = { device: shown, steadyFor: READ_DELAY_MS, facts: {}, readAt };
  await verifyEnded(run, async () => new Map([[intent.id, seen]]));
  return { appended, said: run.outcomes.said };
}

it('V1 a read from before its task was seen as completed verifies no device', async () => {
  expect(await settledBy(NOW - 1)).toEqual([]);
});

it('V1 a read sent once its task was seen as completed verifies a device', async () => {
  expect(await settledBy(NOW)).toMatchObject([{ type: 'SETTLED', verdict: 'done', by: 'verify' }]);
});

it('V4 a device that shows another version to the end is unverified, with the version read and the one wanted', async () => {
  const late = { readAt: NOW + 7_199_000, version: '11.8.61', after: 7_200_000 };
  const { appended, said } = await settledRun(late);
  expect(appended).toMatchObject([{ verdict: 'unverified', why: 'mismatch' }]);
  expect([...said.values()]).toMatchObject([
    { shown: { field: 'firmwareVersion', value: '11.8.61', wanted: '11.11.73' } },
  ]);
});
