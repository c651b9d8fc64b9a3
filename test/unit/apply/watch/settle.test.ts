import { expect, it } from 'vitest';
import { verifyEnded } from '../../../../src/apply/watch/settle.ts';
import { READ_DELAY_MS } from '../../../../src/model/fleet/read-delay.ts';
import type { RecordBody } from '../../../../src/model/ledger/record.ts';
import { aRun } from '../../../support/apply-run.ts';
import { device } from '../../../support/desired-documents.ts';
import { aMemory, anOpenIntent, NOW, someDocuments } from '../../../support/plan-fleet.ts';

/** What is settled of a task seen as completed at NOW, where a read from then shows its target. */
async function settledBy(readAt: number): Promise<readonly RecordBody[]> {
  const intent = anOpenIntent('dev-1', { target: '11.11.73' });
  const appended: RecordBody[] = [];
  const run = aRun({
    documents: someDocuments(),
    clock: { now: () => NOW + 1_000, monotonic: () => 0 },
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
    firmwareVersion: '11.11.73',
  });
  const seen = { device: shown, steadyFor: READ_DELAY_MS, facts: {}, readAt };
  await verifyEnded(run, async () => new Map([[intent.id, seen]]));
  return appended;
}

it('V1 a read from before its task was seen as completed verifies no device', async () => {
  expect(await settledBy(NOW - 1)).toEqual([]);
});

it('V1 a read sent once its task was seen as completed verifies a device', async () => {
  expect(await settledBy(NOW)).toMatchObject([{ type: 'SETTLED', verdict: 'done', by: 'verify' }]);
});
