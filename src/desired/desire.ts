import { type Documents, seedOf, type Exception } from '../model/documents/policy.ts';
import type { DeviceTable, Snapshot } from '../model/fleet/snapshot.ts';
import type { Instant } from '../lib/time.ts';
import type { Desired, Exemption, OnboardingWant } from '../model/plan/desired-state.ts';
import { findAbsences } from './absences.ts';
import { countConflicts, type Conflicts } from './conflicts.ts';
import { currentExceptions, endlessExceptions, exemptionFor, exceptionSelector } from './exempt.ts';
import { deviceFacets, ungroupedFacets } from './facets.ts';
import { matchFleet, resolveFleet, toSide } from './resolve-fleet.ts';
import { createExplainer } from './select.ts';
import { severalNames } from './several-names.ts';
import { unclearSelectors } from './unclear-selectors.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { Sourced } from '../model/documents/source.ts';
import { once } from '../lib/compute-once.ts';
import { groupBy } from '../lib/group-by.ts';
import { compareTexts } from '../lib/text-order.ts';
import { collectClaims } from './claims.ts';
import type { DeviceFacets } from './clauses.ts';
import { discoveredRows } from './discovered.ts';
import { createMatcher } from './matcher.ts';
import { rank } from './precedence.ts';

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
  const diagnostics = once((): Desired['diagnostics'] => [
    ...conflicts.diagnostics(),
    ...onboarding.diagnostics,
    ...ended,
    ...endlessExceptions(documents.exceptions, now),
    ...findAbsences({ ...stage, facets, used: allUsed, now }),
    ...severalNames(documents, facets),
    ...unclearSelectors({ ...stage, facets, explain }),
  ]);
  return {
    wants,
    onboarding: onboarding.wants,
    /** Found on first use: most callers want the wants alone. */
    get diagnostics() {
      return diagnostics();
    },
  };
}

/** Matches devices while others are read: `desire` does not match them again. */
export function matchAhead(documents: Documents, devices: DeviceTable, now: Instant): void {
  const { holding } = currentExceptions(documents.exceptions, now);
  matchFleet({ documents, exceptions: holding, facets: deviceFacets(documents, devices) });
}

/** The desired onboarding, and the entries that selected a device. */
interface Onboarding {
  /** First devices by ID, then the entries that match no single device. */
  readonly wants: readonly OnboardingWant[];
  readonly used: ReadonlySet<Sourced<unknown>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The desired state from onboarding policies, by `select` or `devices`. A device that neither names
 * is never onboarded (semantics O1). Several claims on a device are ranked as for managed devices.
 */
function desiredOnboarding(input: {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly exceptions: readonly Sourced<Exception>[];
  readonly conflicts: Conflicts;
}): Onboarding {
  const { documents, snapshot, conflicts } = input;
  const policies = [...documents.onboarding.values()].toSorted((a, b) =>
    compareTexts(seedOf(a.value), seedOf(b.value)),
  );
  const discovered = snapshot.discovered.toSorted((a, b) => compareTexts(a.id, b.id));
  const facets = ungroupedFacets(documents, discoveredRows(discovered));
  const claims = collectClaims({ policies, discovered, facets, managed: snapshot.devices });
  const exempt = exemptDiscovered(input.exceptions, discovered, facets);
  const claimed = [...claims.byDevice].toSorted(([a], [b]) => compareTexts(a, b));
  const wants = claimed.flatMap(([deviceId, [first, ...rest]]) => {
    if (!first) return [];
    const { winner, losers, ties } = rank([first, ...rest]);
    for (const [one, other] of ties)
      conflicts.add([toSide(one), toSide(other)], { deviceId, count: 1 });
    const { policy, at, candidate } = winner;
    const exemption = exempt.of(deviceId);
    return [{ task: TASK_OF.onboarding, policy, at, exemption, losers, ...candidate }];
  });
  return {
    wants: [...withoutTwins(wants), ...claims.open],
    used: new Set([...claims.matching, ...exempt.used]),
    diagnostics: claims.diagnostics,
  };
}

/** Exceptions apply to discovered devices only if they name the task. */
function exemptDiscovered(
  exceptions: readonly Sourced<Exception>[],
  discovered: readonly DiscoveredDevice[],
  facets: DeviceFacets,
): { of(id: string): Exemption; readonly used: ReadonlySet<Sourced<unknown>> } {
  const relevant = exceptions.filter(({ value }) => value.tasks.includes(TASK_OF.onboarding));
  const match = createMatcher(relevant.map(exceptionSelector), facets);
  const used = new Set<Sourced<unknown>>();
  const byId = new Map<string, Exemption>();
  for (const [row, { id }] of discovered.entries()) {
    const matched = match(row);
    const [bearing, unclear] = [matched.sure, matched.unclear].map((indexes) =>
      indexes.flatMap((index) => relevant[index] ?? []),
    ) as [typeof relevant, typeof relevant];
    if (bearing.length + unclear.length === 0) continue;
    for (const entry of [...bearing, ...unclear]) used.add(entry);
    byId.set(id, exemptionFor(bearing, unclear, TASK_OF.onboarding));
  }
  return { used, of: (id) => byId.get(id) ?? {} };
}

/**
 * One camera that several sources report is discovered several times: with one vendor and serial number. None of those
 * that a selector matches is onboarded until a person has excluded the others (semantics O9): once one is managed, no
 * field shows that they are the same.
 */
function withoutTwins(wants: readonly OnboardingWant[]): readonly OnboardingWant[] {
  const open = wants.filter(isDiscovered).filter(({ exemption }) => !exemption.exclude);
  const twinsOf = groupBy(
    open,
    ({ device: { vendor = '', serial = '' } }) => `${serial} ${vendor}`,
  );
  return wants.map((want) => {
    if (!isDiscovered(want) || want.why === 'listed' || want.exemption.exclude) return want;
    const { device, why: _, ...rest } = want;
    const { vendor = '', serial = '' } = device;
    const devices = (twinsOf.get(`${serial} ${vendor}`) ?? []).map((twin) => twin.device);
    if (serial === '' || devices.length < 2 || !areOneDevice(devices)) return want;
    return { ...rest, found: 'several', entry: `serial ${serial}`, devices };
  });
}

/** A source lists a device once: a serial number that one source shows twice, such as `0`, identifies none. */
function areOneDevice(devices: readonly DiscoveredDevice[]): boolean {
  const sources = devices.flatMap((device) => (device.sources ?? []).map(({ id }) => id));
  return new Set(sources).size === sources.length;
}

function isDiscovered(want: OnboardingWant): want is OnboardingWant & { found: 'discovered' } {
  return want.found === 'discovered';
}
