import { FLEET } from '../../model/ledger/scopes.ts';
import { stopKey } from '../../model/ledger/memory.ts';
import type { AnomalyKind, RecordBody } from '../../model/ledger/record.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { record } from './outbox.ts';

/** The service showed a device in our task that nobody sent. */
export const FOREIGN_DEVICES = 'foreignDevices';

/** The service shows a task of ours as somebody else's. */
export const FOREIGN_USER = 'foreignUser';

/** As much of a run as an anomaly is noted in. */
type Noting = Pick<Ports, 'journal'> & { readonly outcomes: Outcomes };

/** Reports something that the world must not do; it stands in the run's report. */
export async function recordAnomaly(
  run: Noting,
  what: AnomalyKind,
  ids: readonly string[],
): Promise<void> {
  run.outcomes.noteAnomaly(what, ids);
  await record(run, [{ type: 'ANOMALY', what, ids }]);
}

/**
 * Reports what must not be, and stops the whole fleet for it: no attempt in this run or a later one
 * until a person has looked and lifts the stop under a ticket (protocol X11, I17).
 * @param ids the task, then whatever of it is foreign
 */
export async function haltOnForeign(
  run: Noting,
  what: typeof FOREIGN_DEVICES | typeof FOREIGN_USER,
  ids: readonly string[],
): Promise<void> {
  run.outcomes.noteAnomaly(what, ids);
  const stop: RecordBody = { type: 'STOP', scope: FLEET, rule: what, counts: {}, action: 'pause' };
  await record(run, [{ type: 'ANOMALY', what, ids }, stop], (body, { stops }) => {
    return body.type !== 'STOP' || stops?.has(stopKey(body)) !== true;
  });
}
