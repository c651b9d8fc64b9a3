import type { DialectKey } from '../../model/fleet/dialect.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { placeIn, type AuthoredFleet } from '../authored.ts';
import { error } from '../findings.ts';

/** The device field of each budget scope that needs one. */
const FIELDS = {
  deviceSource: { key: 'deviceSourcesField', what: 'the sources of a device' },
  storageServer: { key: 'storageServerField', what: 'the storage server of a device' },
} as const satisfies Readonly<Record<string, { readonly key: DialectKey; readonly what: string }>>;

/**
 * A budget needs a countable scope: groups are too small for a percentage, and sets by source or
 * storage server need a service that shows these fields (semantics B11).
 */
export function* budgetsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [service] = fleet.of('service');
  const dialect: Readonly<Record<string, unknown>> = service?.value.dialect ?? {};
  for (const entry of fleet.of('budgets')) {
    const { per, maxUnavailable } = entry.value;
    if (per === 'redundancyGroup' && typeof maxUnavailable === 'string')
      yield error('wrongType', placeIn(entry, '/maxUnavailable'), {
        key: 'maxUnavailable',
        expected: 'a whole number',
        found: 'a percentage',
        example: 'maxUnavailable: 1',
      });
    if (per !== 'deviceSource' && per !== 'storageServer') continue;
    const { key, what } = FIELDS[per];
    if (dialect[key] === '') yield error('fieldNotMapped', placeIn(entry, '/per'), { what, key });
  }
}
