import { listEntries } from '../../model/documents/entries.ts';
import { isOfIncident, listPolicies } from '../../model/documents/policies.ts';
import type { Documents, EntriesByName } from '../../model/documents/policy.ts';
import { DEFAULT_ROLLOUT } from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { PlanBase } from '../../model/plan/plan.ts';
import { deviceFacets } from '../../desired/facets.ts';
import { createMatcher } from '../../desired/matcher.ts';
import { selectorsIn } from '../../desired/selecting.ts';
import { BUILT_IN_GUARDRAILS } from '../../guard/guard.ts';
import { BUILT_IN_BUDGETS } from '../../rollout/budgets/budgets.ts';
import { formatDuration, formatInstant } from '../../lib/time.ts';

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
  for (const { address, of } of listEntries(documents)) walk(of.value, address);
  for (const { value } of listPolicies(documents))
    walk(policyLimits({ ...value }), value.address, true);
  for (const [n, { secret }] of notifications.entries())
    walk({ fromEnv: secret }, `service.notifications.${n}.secret`);
  walk({ approval, dialect, needsYouAfter, pace }, 'service', true);
  // A group with redundancy is a budget of its own.
  for (const [name, { value }] of documents.groups)
    if (value.redundancy === true) walk({ ...value, is: undefined }, `groups.${name}`, true);
  const inForce = <T>(builtIn: Readonly<Record<string, T>>, written: EntriesByName<T>) => ({
    ...builtIn,
    ...Object.fromEntries([...written].map(([name, { value }]) => [name, value])),
  });
  walk(inForce(BUILT_IN_GUARDRAILS, documents.guardrails), 'guardrails', true);
  walk(inForce(BUILT_IN_BUDGETS, documents.budgets), 'budgets', true);
  const builtIn = Object.fromEntries([...rollouts].map((name) => [name, DEFAULT_ROLLOUT]));
  for (const [name, spec] of Object.entries(inForce(builtIn, documents.rollouts)))
    walk(rolloutLimits(spec), isOfIncident(name) ? name : `rollouts.${name}`, true);
  return found;
}

/**
 * All that a policy says by the names of documents, without its devices and its version, which its changes show. The
 * priority of an incident is its `since`.
 */
function policyLimits(policy: Readonly<Record<string, unknown>>): object {
  const { select: _select, devices: _devices, version: _version, due, ...said } = policy;
  const { incident, priority, heldFor, status, probe, escalateAfter, ...others } = said;
  const { excludeMaintenanceMode, verifyWithin, ...same } = others;
  const { is, before, percent, ...dates } = Object(due) as typeof policy;
  return {
    ...same,
    ...dates,
    ...Object(incident ?? { priority }),
    ...(is === 'never' && { maxAge: is }),
    renewBefore: before ?? { percent },
    when: { status, probe, for: heldFor, excludeMaintenanceMode },
    escalate: { after: escalateAfter },
    verify: { within: verifyWithin },
  };
}

/** The limits of a rollout, with all waves as one text, since none says anything without those before it. */
function rolloutLimits({ waves, stopOn, ...limits }: RolloutSpec): object {
  const texts = waves.map(({ name, slice, soak, stratify }) => {
    const some = slice.is === 'size' ? slice.devices : JSON.stringify(slice);
    const extent = slice.is === 'percent' ? `${slice.percent}%` : some;
    const by = slice.is === 'size' && stratify.length > 0 ? ` by ${stratify.join('/')}` : '';
    return `${name} ${extent}${by} (soak ${formatDuration(soak)})`;
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
  /\.(?:pollEvery|needsYouAfter|expires|timeout|timeouts\.[\w.]+|backoff\.(?:initial|max)|cooldown|within|per|for|offlineGrace|ignoreOffline|maxAge|headStart|spread|renewBefore|expiryGuard|expectWithin|deferral|deadline)$/;

function limitText(value: unknown, at: string): string {
  if (typeof value !== 'number') return [value].flat().join(', ') || 'none';
  if (/^incidents\..*\.(?:since|until)$/.test(at)) return formatInstant(value);
  return DURATIONS.test(at) ? formatDuration(value) : `${value}${PERCENTS.test(at) ? '%' : ''}`;
}

type Setting = NonNullable<PlanBase['settings']>[number];

/** The rows of the devices, unclear ones included, of what protects devices or lets them pass, by address. */
function membersIn(documents: Documents, { devices }: Snapshot): ReadonlyMap<string, number[]> {
  const entries = selectorsIn(documents).filter(({ section, entry: { name } }) => {
    const isKept = section === 'groups' && documents.groups.get(name)?.value.redundancy === true;
    return isKept || ['budgets', 'freezes', 'exceptions'].includes(section);
  });
  const selectors = entries.map(({ select }) => select);
  const match = createMatcher(selectors, deviceFacets(documents, devices));
  const rows = entries.map((): number[] => []);
  for (let row = 0; row < devices.length; row++)
    for (const found of Object.values(match(row))) for (const at of found) rows[at]?.push(row);
  return new Map(entries.map(({ address }, index) => [address, rows[index] ?? []]));
}

/** How many devices each of these had and has, of those whose devices are others, also by a tag or a group. */
function findMembers(before: Documents, after: Documents, snapshot: Snapshot): readonly Setting[] {
  const now = membersIn(after, snapshot);
  return [...membersIn(before, snapshot)].flatMap(([address, was]) => {
    const is = now.get(address) ?? was;
    if (is.length === was.length && is.every((row, index) => row === was[index])) return [];
    const known = new Set(was);
    const common = is.filter((row) => known.has(row)).length;
    const [left, joined] = [was.length - common, is.length - common];
    const both = left > 0 && joined > 0 ? ` (+${joined} -${left})` : '';
    return { at: `${address}.devices`, before: `${was.length}`, after: `${is.length}${both}` };
  });
}

/** The limits that a request changes, the variables that it newly reads, and who leaves or joins what protects (semantics D8, G10). */
export function findSettings(
  before: { readonly documents: Documents } | undefined,
  after: Documents,
  snapshot?: Snapshot,
): Pick<PlanBase, 'settings'> {
  const names = [...(before?.documents.rollouts.keys() ?? []), ...after.rollouts.keys()];
  const [old, now] = [before && settingsOf(before.documents, names), settingsOf(after, names)];
  const moved = before && snapshot ? findMembers(before.documents, after, snapshot) : [];
  const changed = [...new Set([...(old?.keys() ?? []), ...now.keys()])].sort().flatMap((at) => {
    const [was, is] = [old?.get(at), now.get(at)];
    if (was === is || (at.endsWith('.fromEnv') ? is === undefined : !old)) return [];
    // A policy that is new, or gone, is in the plan as a whole; each has windows.
    const windows = `${at.split('.', 2).join('.')}.windows`;
    if (!at.endsWith('.fromEnv') && old?.has(windows) !== now.has(windows)) return [];
    return {
      at,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
    };
  });
  const settings = [...changed, ...moved];
  return settings.length > 0 ? { settings } : {};
}
