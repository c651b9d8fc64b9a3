import type { Documents } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Instant } from '../lib/time.ts';
import type { Desired } from '../model/plan/desired-state.ts';
import { findAbsences } from './absences.ts';
import { countConflicts } from './conflicts.ts';
import { currentExceptions, endlessExceptions } from './exempt.ts';
import { deviceFacets } from './facets.ts';
import { desiredOnboarding } from './onboarding.ts';
import { resolveFleet } from './resolve-fleet.ts';
import { createExplainer } from './select.ts';
import { severalNames } from './several-names.ts';
import { unclearSelectors } from './unclear-selectors.ts';

/**
 * The desired state of a fleet at one instant: for each device and task the winning policy, the
 * losing ones and the exemption; ties and idle selectors as diagnostics. A pure function of its
 * input.
 */
export function desire(input: {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly now: Instant;
}): Desired {
  const { documents, snapshot, now } = input;
  const facets = deviceFacets(documents, snapshot.devices);
  const conflicts = countConflicts();
  const { holding, ended } = currentExceptions(documents.exceptions, now);
  const stage = { documents, snapshot, exceptions: holding, conflicts };
  const explain = createExplainer({ documents, snapshot });
  const { wants, used } = resolveFleet({ ...stage, facets, now, explain });
  const onboarding = desiredOnboarding(stage);
  const allUsed = new Set([...used, ...onboarding.used]);
  const findDiagnostics = (): Desired['diagnostics'] => [
    ...conflicts.diagnostics(),
    ...onboarding.diagnostics,
    ...ended,
    ...endlessExceptions(documents.exceptions, now),
    ...findAbsences({ ...stage, facets, used: allUsed, now }),
    ...severalNames(documents, facets),
    ...unclearSelectors({ ...stage, facets, explain }),
  ];
  let diagnostics: Desired['diagnostics'] | undefined;
  return {
    wants,
    onboarding: onboarding.wants,
    /** Found on first use: most callers want the wants alone. */
    get diagnostics() {
      return (diagnostics ??= findDiagnostics());
    },
  };
}
