import { KINDS } from '../../kinds/index.ts';
import { WorldError } from '../../model/error.ts';
import type { Candidate } from './candidate.ts';
import { snapshotOf } from './window-check.ts';
import type { Run } from '../run/run.ts';

/**
 * Whether the last look shows a device down that came under management after the fleet was read: it is
 * in no set of any budget, so that nobody can tell how many of its site, model or group may still go
 * down. Nothing is sent to a device that goes down by it before the fleet was read anew.
 */
export function isOutgrown(run: Run, batch: readonly Candidate[]): boolean {
  if (!batch.some(({ change }) => KINDS[change.task].disruptive)) return false;
  const { devices } = snapshotOf(run);
  const isNew = [...run.down.keys()].some((id) => devices.rowOf(id) === undefined);
  if (isNew) run.failure = unlisted();
  return isNew;
}

/** What it is where reading the fleet again and again does not show the device either. */
function unlisted(): WorldError {
  return new WorldError('listTorn', { collection: 'devices', why: 'short' }, { retry: 'safe' });
}
