import { FLEET } from '../../model/ledger/scopes.ts';
import { stopKey } from '../../model/ledger/memory.ts';
import type { AnomalyKind, RecordBody } from '../../model/ledger/record.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { record } from './outbox.ts';

/** The service returned a device in a task of this run that no request contained. */
export const FOREIGN_DEVICES = 'foreignDevices';

/** The service returned a task of this run under another user. */
export const FOREIGN_USER = 'foreignUser';

/** The service returned a task of this run as one of another type. */
export const FOREIGN_TYPE = 'foreignType';

/** The part of a run that recording an anomaly needs. */
type Noting = Pick<Ports, 'journal' | 'progress'> & { readonly outcomes: Outcomes };

/** Records unexpected behavior; the run's report lists it. */
export async function recordAnomaly(
  run: Noting,
  what: AnomalyKind,
  ids: readonly string[],
): Promise<void> {
  run.outcomes.noteAnomaly(what, ids);
  await record(run, [{ type: 'ANOMALY', what, ids }]);
}

/**
 * Records an unexpected state and stops the whole fleet: no attempt in this run or a later one
 * until a person has checked it and lifts the stop with a ticket (protocol X11, I17).
 * @param ids the task, then its unexpected devices or its type
 */
export async function haltOnForeign(
  run: Noting,
  what: typeof FOREIGN_DEVICES | typeof FOREIGN_USER | typeof FOREIGN_TYPE,
  ids: readonly string[],
): Promise<void> {
  run.outcomes.noteAnomaly(what, ids);
  const stop: RecordBody = { type: 'STOP', scope: FLEET, rule: what, counts: {}, action: 'pause' };
  await record(run, [{ type: 'ANOMALY', what, ids }, stop], (body, { stops }) => {
    return body.type !== 'STOP' || !stops.has(stopKey(body));
  });
}
