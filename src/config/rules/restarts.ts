import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { placeIn, type AuthoredFleet } from '../authored.ts';
import { warning } from '../findings.ts';

/** Someone may be working on a device in maintenance mode, so a restart is seldom intended. */
export function* maintenanceLeftOut(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('restarts'))
    if (entry.value.when.excludeMaintenanceMode === false)
      yield warning('maintenanceIncluded', placeIn(entry, '/when/excludeMaintenanceMode'), {
        policy: entry.address,
      });
}
