import { listEntries } from '../../model/documents/entries.ts';
import {
  POLICY_SECTIONS,
  type Documents,
  type EntriesByName,
} from '../../model/documents/policy.ts';
import { DEFAULT_ROLLOUT } from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { PlanBase } from '../../model/plan/plan.ts';
import { BUILT_IN_GUARDRAILS } from '../../guard/guard.ts';
import { BUILT_IN_BUDGETS } from '../../rollout/budgets/budgets.ts';
import { pick } from '../../lib/objects.ts';
import { formatDuration } from '../../lib/time.ts';

/** The fields of a policy, or of an incident, that limit what it starts, or when. */
const POLICY_LIMITS = [
  'after',
  'approval',
  'blockVendors',
  'cooldown',
  'correlatedOutage',
  'downgrade',
  'excludeMaintenanceMode',
  'leavesInService',
  'maxInFlight',
  'maxPerDay',
  'maxPerDevice',
  'maxPerSite',
  'offlineGrace',
  'onDuplicate',
  'rollout',
  'trial',
  'unknownAge',
  'verifyWithin',
  'windows',
] as const;
/** A group with redundancy is a budget of its own. */
type GroupLimits = { readonly [K in 'devices' | 'redundancy' | 'select']?: unknown };
type PolicyLimits = { readonly [K in (typeof POLICY_LIMITS)[number]]?: unknown };

/**
 * The limits in force and, at `.fromEnv`, the variables that documents read, as they are written, by their path.
 * @param rollouts names whose limits are those of the built-in rollout where no entry has them
 */
export function settingsOf(
  documents: Documents,
  rollouts: Iterable<string> = [],
): ReadonlyMap<string, string> {
  const { notifications = [], approval, dialect, needsYouAfter, pace } = documents.service.value;
  const found = new Map<string, string>();
  const walk = (value: unknown, at: string, isLimit = false): void => {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
    if (typeof value === 'object' && value !== null && !isList)
      for (const [key, member] of Object.entries(value)) walk(member, `${at}.${key}`, isLimit);
    else if (value !== undefined && (isLimit || at.endsWith('.fromEnv')))
      found.set(at.replace(/\.(?:percent|count|is)$/, ''), limitText(value, at));
  };
  for (const { address, of } of listEntries(documents)) {
    walk(of.value, address);
    walk(pick(of.value as PolicyLimits, ...POLICY_LIMITS), address, true);
  }
  for (const [n, { secret }] of notifications.entries())
    walk({ fromEnv: secret }, `service.notifications.${n}.secret`);
  walk({ approval, dialect, needsYouAfter, pace }, 'service', true);
  for (const [name, { value }] of documents.groups)
    if (value.redundancy === true)
      walk(pick(value as GroupLimits, 'devices', 'redundancy', 'select'), `groups.${name}`, true);
  const inForce = <T>(builtIn: Readonly<Record<string, T>>, written: EntriesByName<T>) => ({
    ...builtIn,
    ...Object.fromEntries([...written].map(([name, { value }]) => [name, value])),
  });
  walk(inForce(BUILT_IN_GUARDRAILS, documents.guardrails), 'guardrails', true);
  walk(inForce(BUILT_IN_BUDGETS, documents.budgets), 'budgets', true);
  const builtIn = Object.fromEntries([...rollouts].map((name) => [name, DEFAULT_ROLLOUT]));
  for (const [name, spec] of Object.entries(inForce(builtIn, documents.rollouts)))
    // What an incident has in place of a rollout is written in its own fields.
    if (!name.startsWith('incidents.')) walk(rolloutLimits(spec), `rollouts.${name}`, true);
  return found;
}

/** The limits of a rollout, with all waves as one text, since none says anything without those before it. */
function rolloutLimits({ waves, stopOn, ...limits }: RolloutSpec): object {
  const texts = waves.map(({ name, slice, soak }) => {
    const some = slice.is === 'size' ? slice.devices : JSON.stringify(slice);
    const extent = slice.is === 'percent' ? `${slice.percent}%` : some;
    return `${name} ${extent} (soak ${formatDuration(soak)})`;
  });
  const stops = stopOn.map(({ name, classes, max, percent, ...rule }) => {
    const share = percent === undefined ? `${max}` : `${percent}%`;
    const expert = Object.entries({ ...rule, class: classes.join(' ') }).map((each) =>
      each.join(' '),
    );
    const isSimple = name === rule.scope;
    return [isSimple ? `stopOn.${name}` : name, [share, ...(isSimple ? [] : expert)].join(', ')];
  });
  return { ...limits, waves: texts.join(', '), ...Object.fromEntries(stops) };
}

const PERCENTS = /\.(?:percent|maxPercent\w+|minReached|minSuccess)$/;
const DURATIONS =
  /\.(?:pollEvery|needsYouAfter|expires|timeout|timeouts\.[\w.]+|backoff\.(?:initial|max)|cooldown|within|per|offlineGrace|verifyWithin|ignoreOffline)$/;

function limitText(value: unknown, at: string): string {
  if (typeof value !== 'number') return [value].flat().join(', ');
  return DURATIONS.test(at) ? formatDuration(value) : `${value}${PERCENTS.test(at) ? '%' : ''}`;
}

/** The limits that a request changes, and the variables that it newly reads (semantics D8, G10). */
export function findSettings(
  before: { readonly documents: Documents } | undefined,
  after: Documents,
): Pick<PlanBase, 'settings'> {
  const names = [...(before?.documents.rollouts.keys() ?? []), ...after.rollouts.keys()];
  const [old, now] = [before && settingsOf(before.documents, names), settingsOf(after, names)];
  const addresses = [before?.documents, after].map(
    (each) => new Set(each && Array.from(listEntries(each), ({ address }) => address)),
  );
  // A policy that is new, or gone, is in the plan as a whole.
  const isCommon = (at: string): boolean => {
    const [section = '', name] = at.split('.');
    const isOfPolicy = section === 'incidents' || POLICY_SECTIONS.some((each) => each === section);
    return !isOfPolicy || addresses.every((each) => each.has(`${section}.${name}`));
  };
  const settings = [...new Set([...(old?.keys() ?? []), ...now.keys()])].sort().flatMap((at) => {
    const [was, is] = [old?.get(at), now.get(at)];
    if (was === is || (at.endsWith('.fromEnv') ? is === undefined : !old)) return [];
    if (!at.endsWith('.fromEnv') && !isCommon(at)) return [];
    return {
      at,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    };
  });
  return settings.length > 0 ? { settings } : {};
}
