import { type Diagnostic, error } from '../../model/documents/diagnostic.ts';
import { listPolicies, policiesByAddress } from '../../model/documents/policies.ts';
import { locateValue } from '../../model/documents/source.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Reports policies that have, or claim, an address that is by the ledger one of another policy: `nameTaken`,
 * `renameTwice`. Whatever they did would be recorded as that of the other (semantics M23).
 */
export function* nameFindings({
  documents,
  memory,
}: Pick<PlannerInput, 'documents' | 'memory'>): Generator<Diagnostic> {
  const { renamed } = memory;
  if (renamed.size === 0) return;
  const policies = policiesByAddress(documents);
  for (const sourced of listPolicies(documents)) {
    const { address: policy, renamedFrom = [] } = sourced.value;
    const present = renamed.get(policy);
    if (present !== undefined && present !== policy)
      yield error('nameTaken', sourced.at, { policy, present });
    for (const name of renamedFrom) {
      const other = renamed.get(name) ?? policy;
      if (other !== policy && policies.has(other))
        yield error('renameTwice', locateValue(sourced, '/renamedFrom'), { policy, name });
    }
  }
}
