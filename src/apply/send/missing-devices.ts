import { WorldError } from '../../model/error.ts';
import type { Run } from '../run/run.ts';

/**
 * Counts a known device that the service does not show when it is asked for by its id: one that a plan
 * of this run was to touch. Several of them in one run are no chance: permissions have probably
 * changed (protocol Y5), and with more than three nothing is attempted any more.
 */
export function countGone(run: Run): void {
  run.gone += 1;
  if (run.gone > TOLERATED) throw new WorldError('permissionsChanged', { gone: run.gone });
}

const TOLERATED = 3;
