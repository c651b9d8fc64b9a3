import { Bug } from '../lib/bug.ts';
import { digest } from '../lib/canonical.ts';
import type { WrittenDialect } from '../model/fleet/dialect.ts';
import type {
  ApprovalSettings,
  NotificationSettings,
  DocumentFile,
  Documents,
  EntriesByName,
  Section,
  ServiceSettings,
} from '../model/documents/policy.ts';
import { DEFAULT_NAME } from '../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../model/documents/rollout.ts';
import type { SourceLocation, Sourced } from '../model/documents/source.ts';
import {
  placeIn,
  type AuthoredEntry,
  type AuthoredFleet,
  type AuthoredValues,
} from './authored.ts';
import { DEFAULTS } from './defaults.ts';
import { incident, incidentRollout } from './normalize/incidents.ts';
import { exception } from './normalize/exceptions.ts';
import { budget, group, guardrail, site } from './normalize/limits.ts';
import { firmware, onboarding, restart, rotation } from './normalize/policies.ts';
import { builtIn, rollout, usualChecks } from './normalize/rollouts.ts';
import { freeze, window } from './normalize/windows.ts';
import { pointerSegment } from './locate.ts';
import { ms } from './normalize/values.ts';
import { isObject } from '../lib/objects.ts';
import { placeOnly } from '../model/documents/source.ts';

/**
 * Normalizes valid documents: defaults filled in (semantics D4), durations in milliseconds, single
 * values as lists, and the location of every value. Built-in budgets, guardrails and rollouts are
 * not entries; the modules that count them add them.
 */
export function normalize(
  fleet: AuthoredFleet,
  files: readonly DocumentFile[],
): Omit<Documents, 'warnings'> {
  const [service] = fleet.of('service');
  if (!service) throw new Bug('documents without a service passed every rule');
  return {
    files,
    digest: digest(files.map(({ path, sha256 }) => ({ path, sha256 }))),
    service: sourced(service, settings(service.value)),
    sites: entries(fleet, 'sites', site),
    groups: entries(fleet, 'groups', group),
    windows: entries(fleet, 'windows', window),
    freezes: entries(fleet, 'freezes', freeze),
    rollouts: rollouts(fleet, service),
    budgets: entries(fleet, 'budgets', budget),
    firmware: entries(fleet, 'firmware', firmware),
    rotations: entries(fleet, 'rotations', rotation),
    onboarding: entries(fleet, 'onboarding', onboarding),
    restarts: entries(fleet, 'restarts', restart),
    incidents: entries(fleet, 'incidents', (entry) => incident(entry)),
    exceptions: entries(fleet, 'exceptions', exception),
    guardrails: entries(fleet, 'guardrails', guardrail),
  };
}

/** The authored rollouts, plus the default one if the dialect adds a check to it. */
function rollouts(
  fleet: AuthoredFleet,
  service: AuthoredEntry<'service'>,
): EntriesByName<RolloutSpec> {
  const checks = usualChecks(service);
  const own = entries(fleet, 'rollouts', (entry) => rollout(entry, checks));
  const written = new Map([...own, ...trials(fleet)]);
  if (written.has(DEFAULT_NAME) || !checks.includes('recording')) return written;
  const at = placeIn(service, '/dialect');
  const usual = { name: DEFAULT_NAME, value: builtIn(checks), at, places: new Map() };
  return new Map([...written, [DEFAULT_NAME, usual]]);
}

/** The rollout of each incident, under its address: a trial, then all others. */
function trials(fleet: AuthoredFleet): EntriesByName<RolloutSpec> {
  const inFlight = fleet.of('budgets').find(({ name }) => name === FLEET_BUDGET)?.value.maxInFlight;
  return new Map(
    fleet.of('incidents').map((entry) => {
      const at = placeOnly(placeIn(entry, '', 'key'));
      const value = incidentRollout(entry, inFlight ?? DEFAULTS.fleetInFlight);
      return [entry.address, { name: entry.address, value, at, places: new Map() }];
    }),
  );
}

/** The built-in budget of the fleet, or an entry of this name. */
const FLEET_BUDGET = 'default-fleet';

function entries<S extends Section, T>(
  fleet: AuthoredFleet,
  section: S,
  normal: (entry: AuthoredEntry<S>) => T,
): EntriesByName<T> {
  const all = fleet
    .of(section)
    .map((entry) => [entry.name, sourced(entry, normal(entry))] as const);
  return new Map(all);
}

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

function settings(written: AuthoredValues['service']): ServiceSettings {
  const { pace = {}, ledger, approval, notifications, dialect = {} } = written;
  return {
    baseUrl: written.baseUrl,
    organization: written.organization,
    pace: {
      requestsPerSecond: pace.requestsPerSecond ?? DEFAULTS.requestsPerSecond,
      tokenRequestsPerMinute: pace.tokenRequestsPerMinute ?? DEFAULTS.tokenRequestsPerMinute,
      pollEvery: ms(pace.pollEvery ?? DEFAULTS.pollEvery),
    },
    ...(ledger && { ledger: { ...ledger, store: ledger.store ?? 'directory' } }),
    approval: approvalSettings(approval),
    ...(notifications && { notifications: webhookSettings(notifications) }),
    needsYouAfter: ms(written.needsYouAfter ?? DEFAULTS.needsYouAfter),
    dialect: { ...dialect } as WrittenDialect,
  };
}

function webhookSettings({
  webhook,
}: NonNullable<AuthoredValues['service']['notifications']>): NotificationSettings {
  return { url: webhook.url, secret: webhook.secret.fromEnv };
}

function approvalSettings(written: AuthoredValues['service']['approval']): ApprovalSettings {
  if (written === undefined || written === 'commit') return { is: 'commit' };
  const expires = typeof written === 'object' && 'expires' in written ? written.expires : undefined;
  return { is: 'plan', expires: ms(expires ?? DEFAULTS.approvalExpires) };
}
