import { WorldError, type WorldCode } from '../../model/error.ts';
import type { Ended } from './run-event.ts';
import { Interrupted } from './stop.ts';

/**
 * How a run ended whose ledger or service was unfit to go on with, or that lost its lease; any
 * other code is an error.
 */
const ENDED_BY: Readonly<Partial<Record<WorldCode, Ended>>> = {
  locked: 'locked',
  leaseLost: 'locked',
  planExpired: 'stale',
  planForeign: 'stale',
  planStale: 'stale',
  storeFailed: 'unfit',
  ledgerUnfit: 'unfit',
  ledgerBroken: 'unfit',
  ledgerForeign: 'unfit',
  ledgerNewer: 'unfit',
  ledgerRolledBack: 'unfit',
  permissionsChanged: 'unfit',
  clockSkew: 'unfit',
};

/** How a run ended that this was thrown out of. */
export function endedBy(error: unknown): Ended {
  if (error instanceof Interrupted) return 'interrupted';
  return (error instanceof WorldError ? ENDED_BY[error.code] : undefined) ?? 'error';
}
