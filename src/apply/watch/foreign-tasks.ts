import { stopKey } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { record, type Run } from '../run/run.ts';

/** The service showed a device in our task that nobody sent. */
export const FOREIGN_DEVICES = 'foreignDevices';

/** The service shows a task of ours as somebody else's. */
export const FOREIGN_USER = 'foreignUser';

/** What the service may show of tasks after which nothing it says of them can be trusted. */
export type Distrust = typeof FOREIGN_DEVICES | typeof FOREIGN_USER;

const FLEET = 'fleet';

/**
 * Reports what must not be, and stops the whole fleet for it: no attempt in this run or a later one
 * until a person has looked and lifts the stop under a ticket (protocol X11, I17).
 * @param ids the task, then whatever of it is foreign
 */
export async function distrust(run: Run, what: Distrust, ids: readonly string[]): Promise<void> {
  run.anomalies.push(`${what}: ${ids.join(', ')}`);
  const stop: RecordBody = { type: 'STOP', scope: FLEET, rule: what, counts: {}, action: 'pause' };
  await record(run, [{ type: 'ANOMALY', what, ids }, stop], (body, { stops }) => {
    return body.type !== 'STOP' || stops?.has(stopKey(body)) !== true;
  });
}
