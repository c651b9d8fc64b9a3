import { listEntries } from '../../model/documents/entries.ts';
import { isOfIncident, listPolicies } from '../../model/documents/policies.ts';
import type {
  Documents,
  EntriesByName,
  OnboardingPolicy,
  Section,
  ServiceSettings,
} from '../../model/documents/policy.ts';
import type { After } from '../../model/documents/values.ts';
import { DEFAULT_ROLLOUT } from '../../model/documents/rollout-defaults.ts';
import type { Exception } from '../../model/documents/exception.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { WEEKDAYS, type Span, type WindowSpec } from '../../model/documents/window.ts';
import { listDialectKeys } from '../../model/fleet/dialect-keys.ts';
import { DIALECT_ROWS, type DialectKey, resolveDialect } from '../../model/fleet/dialect.ts';
import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { PlanBase } from '../../model/plan/plan.ts';
import { deviceFacets } from '../../desired/facets.ts';
import { createMatcher } from '../../desired/matcher.ts';
import { type Selecting, selectorsIn } from '../../desired/selecting.ts';
import { matchesAny } from '../../lib/glob.ts';
import { BUILT_IN_GUARDRAILS } from '../../guard/guard.ts';
import { BUILT_IN_BUDGETS } from '../../rollout/budgets/budgets.ts';
import { formatDuration, formatInstant } from '../../lib/time.ts';
import { membersOf, verifiesWithin } from './meaning.ts';

/**
 * The limits in force and, at `.fromEnv`, the variables that documents read, as they are written, by their path.
 * @param other the documents that they are compared with: a rollout that only these have is the built-in one here
 */
export function settingsOf(documents: Documents, other = documents): ReadonlyMap<string, string> {
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
  for (const [address, limits] of limitsOf(documents, other)) walk(limits, address, true);
  // A group with redundancy is a budget of its own.
  for (const [name, { value }] of documents.groups)
    if (value.redundancy === true) walk({ ...value, is: undefined }, `groups.${name}`, true);
  const inForce = <T>(builtIn: Readonly<Record<string, T>>, written: EntriesByName<T>) => ({
    ...builtIn,
    ...Object.fromEntries([...written].map(([name, { value }]) => [name, value])),
  });
  walk(inForce(BUILT_IN_GUARDRAILS, documents.guardrails), 'guardrails', true);
  walk(inForce(BUILT_IN_BUDGETS, documents.budgets), 'budgets', true);
  const builtIn = Object.fromEntries(
    [...other.rollouts.keys()].map((name) => [name, DEFAULT_ROLLOUT]),
  );
  for (const [name, spec] of Object.entries(inForce(builtIn, documents.rollouts)))
    if (isOfIncident(name)) walk(trialLimits(spec), name, true);
    else walk(rolloutLimits(spec), `rollouts.${name}`, true);
  return found;
}

/** The service, and the entries of sections that are compared field by field, by address. */
function* limitsOf(documents: Documents, other: Documents): Generator<[string, object]> {
  yield ['service', serviceLimits(documents.service.value)];
  for (const [name, { value }] of documents.windows)
    yield [`windows.${name}`, unusual(windowLimits(value), other.windows.has(name))];
  for (const [name, { value }] of documents.sites) {
    const limits = { ...value, tags: value.tags.join(', ') || 'none' };
    yield [`sites.${name}`, unusual(limits, other.sites.has(name))];
  }
  for (const [name, { value }] of documents.exceptions)
    if (other.exceptions.has(name)) yield [`exceptions.${name}`, exceptionLimits(value)];
  for (const [name, { value }] of documents.freezes) {
    const { term: _term, select: _select, tasks, ...said } = value;
    if (other.freezes.has(name)) yield [`freezes.${name}`, { ...said, task: tasksText(tasks) }];
  }
}

function serviceLimits({ notifications = [], dialect, ledger, ...service }: ServiceSettings) {
  const places = ledger?.store === 'git' ? LEDGER_DEFAULTS : {};
  const dialects = DIALECT_ROWS.map((row) => [row.key, dialectText(row, dialect[row.key])]);
  return {
    ...service,
    notifications: {
      ...notifications.map(({ secret: fromEnv, ...each }) => ({ ...each, secret: { fromEnv } })),
    },
    ledger: { ...LEDGER, ...places, ...ledger },
    dialect: Object.fromEntries(dialects),
  };
}

/** The value of what is not written, by its path; undefined where there is none. */
function unwritten(documents: Documents, at: string): string | undefined {
  const [section = '', name = ''] = at.split('.');
  if (section === 'groups' && at.endsWith('.redundancy') && documents.groups.has(name))
    return 'false';
  const policy = documents.rotations.get(name)?.value;
  if (section !== 'rotations' || !policy || !at.endsWith('.verify.within')) return undefined;
  return formatDuration(verifiesWithin(documents, policy));
}

/**
 * All that a policy says by the names of documents, without its devices and its version, which its changes show. The
 * priority of an incident is its `since`.
 */
function policyLimits(policy: Readonly<Record<string, unknown>>): object {
  const { select: _select, devices: _devices, version: _version, due, ...said } = policy;
  const { incident, priority, heldFor, status, probe, escalateAfter, ...others } = said;
  const { excludeMaintenanceMode, verifyWithin, after, ...same } = others;
  const { is, before, percent, ...dates } = Object(due) as typeof policy;
  return {
    ...same,
    after: (after as OnboardingPolicy['after'] | readonly After[] | undefined)?.map(afterText),
    ...dates,
    ...Object(incident ?? { priority }),
    ...(is === 'never' && { maxAge: is }),
    renewBefore: before ?? { percent },
    when: { status, probe, for: heldFor, excludeMaintenanceMode },
    escalate: { after: escalateAfter },
    verify: { within: verifyWithin },
  };
}

const LEDGER = { store: 'directory' } as const;

type DialectRow = (typeof DIALECT_ROWS)[number];

/** The value of a key of the dialect: the built-in one where none is written, and what an empty one means. */
function dialectText({ default: usual, empty }: DialectRow, written: unknown = usual): unknown {
  if (typeof written === 'object') return written;
  const notes = [written === usual ? 'default' : [], written === '' ? (empty ?? []) : []].flat();
  return `${written === '' ? '""' : written}${notes.length > 0 ? ` (${notes.join(': ')})` : ''}`;
}

/** What both sides have is compared as a whole; of an entry that one has, what is usual says nothing. */
function unusual(limits: object, isOfBoth: boolean): object {
  const said = Object.entries(limits).filter(([, text]) => isOfBoth || !USUAL.has(text));
  return Object.fromEntries(said);
}

const USUAL = new Set<unknown>(['site', 'none', 'auto', 'all']);

function windowLimits({ tasks, allow, deny, ...limits }: WindowSpec) {
  const [open, shut] = [allow, deny].map((spans) => spans.map(spanText).join('; ') || 'none');
  return { ...limits, allow: open, deny: shut, task: tasksText(tasks) };
}

function tasksText(tasks: readonly TaskType[]): string {
  return tasks.length === TASK_TYPES.length ? 'all' : tasks.join(', ');
}

/** `tue, wed, thu 01:00 to 05:00`. */
function spanText(span: Span): string {
  if (span.is === 'cron') return `${span.cron} for ${formatDuration(span.duration)}`;
  if (span.is === 'always') return span.is;
  const [from, to] = [span.from, span.to === 0 ? 24 * 60 : span.to].map((minutes) =>
    [minutes / 60, minutes % 60].map((part) => `${Math.floor(part)}`.padStart(2, '0')).join(':'),
  );
  const days = span.days.length === WEEKDAYS.length ? 'every day' : span.days.join(', ');
  return `${days} ${from} to ${to}`;
}

function exceptionLimits({ select: _select, tasks, ...said }: Exception): object {
  const isShare = 'guardrail' in said && said.guardrail.startsWith('maxPercent');
  return { ...said, task: tasksText(tasks), ...(isShare && { value: `${said.value}%` }) };
}

function afterText(first: string | After): string {
  if (typeof first === 'string') return first;
  const { policy, per, ignoreOffline: most } = first;
  return `${policy} per ${per}${most === undefined ? '' : ` without what is offline for ${formatDuration(most)}`}`;
}

/** A selector in words. */
function selectorText(keys: object, of = ''): string {
  const texts = Object.entries(keys).map(([key, value]: [string, unknown]) => {
    const name = of !== '' && key === 'name' ? of : `${of} ${key}`.trim();
    if (Array.isArray(value)) return `${name} is ${value.join(' or ')}`;
    return key === 'not'
      ? `not (${selectorText(Object(value))})`
      : selectorText(Object(value), key);
  });
  return texts.join(' and ');
}

/** Only the trial and the most in flight of an incident can be written. */
function trialLimits({ waves: [first], maxInFlight }: RolloutSpec): object {
  return { trial: first?.slice.is === 'size' ? first.slice.devices : undefined, maxInFlight };
}

function sliceText(slice: RolloutSpec['waves'][number]['slice']): string {
  if (slice.is === 'select') return `where ${selectorText(slice.select)}`;
  return slice.is === 'size' ? `${slice.devices}` : `${slice.percent}%`;
}

/** The limits of a rollout, with all waves as one text, since none says anything without those before it. */
function rolloutLimits({ waves, stopOn, ...limits }: RolloutSpec): object {
  const texts = waves.map(({ name, slice, soak, stratify }) => {
    const by = slice.is === 'size' && stratify.length > 0 ? ` by ${stratify.join('/')}` : '';
    return `${name} ${sliceText(slice)}${by} (soak ${formatDuration(soak)})`;
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
  /\.(?:pollEvery|needsYouAfter|expires|timeout|timeouts\.[\w.]+|backoff\.(?:initial|max)|cooldown|cutoff|notice|remind|within|per|for|offlineGrace|ignoreOffline|maxAge|headStart|spread|renewBefore|expiryGuard|expectWithin|deferral|deadline|maxLength)$/;

function limitText(value: unknown, at: string): string {
  if (Array.isArray(value)) return membersOf(value as string[], at).join(', ') || 'none';
  if (typeof value !== 'number') return String(value) || 'none';
  if (/^(?:incidents|exceptions)\..*\.(?:since|until)$/.test(at)) return formatInstant(value);
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

/**
 * How many devices each of these had and has, of those whose devices are others, also by a tag or a group. The reading is
 * in the dialect of the request: what another one said of a site or a source is not in it.
 */
function findMembers(before: Documents, after: Documents, snapshot: Snapshot): readonly Setting[] {
  const now = membersIn(after, snapshot);
  const unread = unreadBy(before, after);
  return [...membersIn(before, snapshot)].flatMap(([address, was]) => {
    const is = now.get(address) ?? was;
    if (now.has(address) && unread.has(address))
      return { at: `${address}.devices`, before: UNTOLD, after: `${is.length}` };
    if (is.length === was.length && is.every((row, index) => row === was[index])) return [];
    const known = new Set(was);
    const common = is.filter((row) => known.has(row)).length;
    const [left, joined] = [was.length - common, is.length - common];
    const both = left > 0 && joined > 0 ? ` (+${joined} -${left})` : '';
    return { at: `${address}.devices`, before: `${was.length}`, after: `${is.length}${both}` };
  });
}

const UNTOLD = 'cannot be told in the new dialect';

/** The addresses of what selected by a site or a source, of which another dialect says the names elsewhere. */
function unreadBy(before: Documents, after: Documents): ReadonlySet<string> {
  const [old, now] = [before, after].map(({ service }) => resolveDialect(service.value.dialect));
  const isOther = (key: DialectKey): boolean => old?.[key] !== now?.[key];
  const fields = (['site', 'source'] as const).filter((key) =>
    listDialectKeys(`${key}s`).some(isOther),
  );
  const all = fields.length > 0 ? selectorsIn(before) : [];
  const keysIn = ({ select }: Selecting) => [select, select.not ?? {}];
  const isDirect = (each: Selecting): boolean =>
    keysIn(each).some((keys) => fields.some((key) => keys[key] !== undefined));
  const groups = all.filter((each) => each.section === 'groups' && isDirect(each));
  const isBehind = (each: Selecting): boolean =>
    keysIn(each).some(({ group = [] }) =>
      groups.some(({ entry }) => matchesAny(group, entry.name)),
    );
  return new Set(
    all.filter((each) => isDirect(each) || isBehind(each)).map((each) => each.address),
  );
}

/**
 * Whether a setting is of a policy that is new, or gone, of which the plan speaks as a whole; or of a group of
 * which only one side has redundancy, which says it all.
 */
function isOfOneSide(at: string, ...sides: readonly Documents[]): boolean {
  const [section, name = ''] = at.split('.');
  const entries = sides.map((side) => side[section as 'groups']);
  const isOfOne = section !== 'service' && new Set(entries.map((each) => each.has(name))).size > 1;
  if (section !== 'groups') return isOfOne && WHOLE.has(section as Section);
  const kept = entries.map((each) => each.get(name)?.value.redundancy);
  return !isOfOne && !at.endsWith('.redundancy') && new Set(kept).size > 1;
}

const WHOLE = new Set<Section>(['firmware', 'rotations', 'onboarding', 'restarts', 'incidents']);

/** The limits that a request changes, the variables that it newly reads, and who leaves or joins what protects (semantics D8, G10). */
export function findSettings(
  before: { readonly documents: Documents } | undefined,
  after: Documents,
  snapshot?: Snapshot,
): Pick<PlanBase, 'settings'> {
  const old = before && settingsOf(before.documents, after);
  const now = settingsOf(after, before?.documents);
  const moved = before && snapshot ? findMembers(before.documents, after, snapshot) : [];
  const all = [after, ...(before ? [before.documents] : [])].flatMap(listPolicies);
  const usersOf = (at: string) => {
    const name = /^windows\.(.*)\.\w+$/.exec(at)?.[1] ?? '';
    const users = all.filter(({ value }) => value.windows.includes(name));
    const policies = [...new Set(users.map(({ value }) => value.address))].sort();
    return policies.length > 0 ? { policies } : {};
  };
  const changed = [...new Set([...(old?.keys() ?? []), ...now.keys()])].sort().flatMap((at) => {
    const was = old?.get(at) ?? (before && unwritten(before.documents, at));
    const is = now.get(at) ?? unwritten(after, at);
    const isVariable = at.endsWith('.fromEnv');
    if (was === is || (isVariable ? is === undefined : !before)) return [];
    if (!isVariable && before && isOfOneSide(at, before.documents, after)) return [];
    return {
      at,
      ...(was !== undefined && { before: was }),
      ...(is !== undefined && { after: is }),
      ...usersOf(at),
    };
  });
  const settings = [...changed, ...moved];
  return settings.length > 0 ? { settings } : {};
}
