import { Bug } from '../lib/bug.ts';
import { digest, sha256, withLineFeeds } from '../lib/canonical.ts';
import { posix } from 'node:path';
import { isObject } from '../lib/objects.ts';
import type { DocumentFile, Documents, EntriesByName, Section } from '../model/documents/policy.ts';
import { DEFAULT_NAME, DEFAULT_ROLLOUT } from '../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../model/documents/rollout.ts';
import { placeOnly, type SourceLocation, type Sourced } from '../model/documents/source.ts';
import { placeIn, type AuthoredEntry, type AuthoredFleet } from './authored.ts';
import { pointerSegment } from './locate.ts';
import { exception, freeze, group, service, window } from './meaning/entries.ts';
import { firmware, incident, onboarding, restart, rotation } from './meaning/policies.ts';
import { meant } from './meaning/read.ts';
import { incidentRollout, rollout, usualChecks } from './meaning/rollouts.ts';

/**
 * What valid documents mean: defaults filled in (semantics D4), durations in milliseconds, single
 * values as lists, and the location of every value. Built-in budgets, guardrails and rollouts are
 * not entries; the modules that count them add them.
 */
export function toDocuments(
  fleet: AuthoredFleet,
  files: readonly DocumentFile[],
  folders?: readonly string[],
): Omit<Documents, 'warnings'> {
  const [settings] = fleet.of('service');
  if (!settings) throw new Bug('documents without a service passed every rule');
  const entries = <S extends Section, T>(
    section: S,
    read: (entry: AuthoredEntry<S>) => T,
  ): EntriesByName<T> =>
    new Map(fleet.of(section).map((entry) => [entry.name, sourced(entry, read(entry))]));
  const checks = usualChecks(settings);
  const rollouts = new Map([
    ...entries('rollouts', (entry) => rollout(entry, checks)),
    ...trials(fleet),
  ]);
  // The dialect adds a check to the built-in rollout.
  if (!rollouts.has(DEFAULT_NAME) && checks.includes('recording')) {
    const value = { ...DEFAULT_ROLLOUT, gate: { ...DEFAULT_ROLLOUT.gate, checks } };
    const at = placeIn(settings, '/dialect');
    rollouts.set(DEFAULT_NAME, { name: DEFAULT_NAME, value, at, places: new Map() });
  }
  return {
    files,
    digest: documentsDigest(files, folders),
    ...(folders && { folders }),
    service: sourced(settings, service(settings)),
    sites: entries('sites', ({ value }) => meant('site', value)),
    groups: entries('groups', group),
    windows: entries('windows', window),
    freezes: entries('freezes', freeze),
    rollouts,
    budgets: entries('budgets', ({ value }) => meant('budget', value)),
    firmware: entries('firmware', firmware),
    rotations: entries('rotations', rotation),
    onboarding: entries('onboarding', onboarding),
    restarts: entries('restarts', restart),
    incidents: entries('incidents', incident),
    exceptions: entries('exceptions', exception),
    guardrails: entries('guardrails', ({ value }) => meant('guardrail', value)),
  };
}

/**
 * The digest of documents. Paths in it start beside the fleet folder, wherever that is: those of a fleet are the same in a
 * clone and in a copy without a repository, and on a machine with other line ends, which say nothing in YAML.
 */
function documentsDigest(
  files: readonly DocumentFile[],
  [own = '']: readonly string[] = [],
): string {
  const above = posix.dirname(`/${own}`);
  return digest(
    files.map(({ path, text }) => ({
      path: posix.relative(above, `/${path}`),
      sha256: sha256(withLineFeeds(text)),
    })),
  );
}

/** The rollout of each incident, under its address: a trial, then all others. */
function trials(fleet: AuthoredFleet): EntriesByName<RolloutSpec> {
  const budgetOfFleet = fleet.of('budgets').find(({ name }) => name === FLEET_BUDGET);
  const inFlight = budgetOfFleet?.value.maxInFlight ?? FLEET_IN_FLIGHT;
  return new Map(
    fleet.of('incidents').map((entry) => {
      const at = placeOnly(placeIn(entry, '', 'key'));
      const value = incidentRollout(entry, inFlight);
      return [entry.address, { name: entry.address, value, at, places: new Map() }];
    }),
  );
}

/** The built-in budget of the fleet, or an entry of this name. */
const FLEET_BUDGET = 'default-fleet';
const FLEET_IN_FLIGHT = 50;

function sourced<T>(entry: AuthoredEntry, value: T): Sourced<T> {
  const at = placeOnly(placeIn(entry, '', 'key'));
  return { name: entry.name, value, at, places: placesIn(entry) };
}

function placesIn(entry: AuthoredEntry): ReadonlyMap<string, SourceLocation> {
  const places = new Map<string, SourceLocation>([['', placeOnly(placeIn(entry, '', 'key'))]]);
  const add = (value: unknown, below: string): void => {
    const members = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
    for (const [key, member] of members) {
      const pointer = `${below}/${pointerSegment(key)}`;
      places.set(pointer, placeOnly(placeIn(entry, pointer)));
      add(member, pointer);
    }
  };
  add(entry.value, '');
  return places;
}
