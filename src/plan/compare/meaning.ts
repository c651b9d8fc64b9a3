import { canonical, type Json } from '../../lib/canonical.ts';
import { isObject } from '../../lib/objects.ts';
import { listEntries } from '../../model/documents/entries.ts';
import { isOfIncident, listPolicies } from '../../model/documents/policies.ts';
import type { Documents, DueRule, Policy } from '../../model/documents/policy.ts';
import {
  DEFAULT_NAME,
  DEFAULT_ROLLOUT,
  rolloutOrDefault,
} from '../../model/documents/rollout-defaults.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { BUILT_IN_GUARDRAILS } from '../../guard/guard.ts';
import { BUILT_IN_BUDGETS } from '../../rollout/budgets/budgets.ts';

/**
 * What each entry means, by its address: plain values under the names that documents have for them, with defaults, without
 * places, and sets in one order. Built-in entries are there; `service.notifications` is one of its own.
 * @param other the documents that they are compared with: the default of a `verify.within` that only these have is there
 */
export function meaningsOf(documents: Documents, other: Documents): ReadonlyMap<string, Json> {
  const forms = new Map([
    ...builtInForms(),
    ...[...listEntries(documents)].map(({ address, of }): Form => [address, of.value]),
    ...entryForms(documents),
    ...policyForms(documents, other),
  ]);
  return new Map([...forms].map(([address, value]) => [address, meant(value)]));
}

type Form = readonly [address: string, value: unknown];

function* builtInForms(): Generator<Form> {
  for (const [name, limits] of Object.entries(BUILT_IN_GUARDRAILS))
    yield [`guardrails.${name}`, limits];
  for (const [name, budget] of Object.entries(BUILT_IN_BUDGETS)) yield [`budgets.${name}`, budget];
  yield [`rollouts.${DEFAULT_NAME}`, rolloutForm(DEFAULT_ROLLOUT)];
}

/** The entries of which documents say something by another name. */
function* entryForms({ groups, exceptions, rollouts, service }: Documents): Generator<Form> {
  for (const [name, { value }] of groups)
    yield [`groups.${name}`, { redundancy: false, ...value, is: undefined }];
  for (const [name, { value }] of exceptions)
    if ('guardrail' in value && value.guardrail.startsWith('maxPercent'))
      yield [`exceptions.${name}`, { ...value, value: { percent: value.value } }];
  for (const [name, { value }] of rollouts)
    if (!isOfIncident(name)) yield [`rollouts.${name}`, rolloutForm(value)];
  const { dialect, ledger, notifications = [], ...others } = service.value;
  const { store, ...places } = LEDGER_DEFAULTS;
  const place = { store, ...(ledger?.store === 'git' && places), ...ledger };
  yield ['service', { ...others, ledger: place, dialect: resolveDialect(dialect) }];
  yield ['service.notifications', notifications];
}

function* policyForms(documents: Documents, other: Documents): Generator<Form> {
  const { rollouts, rotations } = documents;
  for (const { value } of listPolicies(documents)) {
    const trial = rollouts.get(value.address)?.value;
    yield [value.address, { ...policyForm(value), ...(trial && trialForm(trial)) }];
  }
  for (const [name, { value }] of rotations) {
    const said = other.rotations.get(name)?.value.verifyWithin;
    if (said === undefined || value.verifyWithin !== undefined) continue;
    const { verify } = rolloutOrDefault(rollouts, value.rollout).timeouts;
    yield [value.address, policyForm({ ...value, verifyWithin: verify[value.task] })];
  }
}

/** What a policy means, under the names that documents have for its fields. */
export function policyMeaning(policy: Policy): Json {
  return meant(policyForm(policy));
}

/** The priority of an incident is its `since`. */
function policyForm(policy: Policy): object {
  if (policy.section !== 'rotations') return policy;
  const { due, incident, priority, ...said } = policy;
  return { ...said, ...(incident ?? { priority }), ...dueForm(due) };
}

function dueForm(due: DueRule): object {
  if (due.is === 'never') return { maxAge: due.is };
  if (due.is === 'maxAge') return { ...due, is: undefined };
  const renewBefore = due.is === 'renewBefore' ? due.before : { percent: due.percent };
  return { renewBefore, spread: due.spread };
}

/** A rule of the expert form has more than its limit. */
function rolloutForm({ stopOn, ...rollout }: RolloutSpec): object {
  const rules = stopOn.map(({ name, classes, max, percent, ...rule }) => {
    const limit = percent === undefined ? max : { percent };
    if (name === rule.scope) return [`stopOn.${name}`, limit];
    return [name, [limit, { ...rule, class: classes }]];
  });
  return { ...rollout, ...Object.fromEntries(rules) };
}

/** Only the trial and the most in flight of an incident can be written. */
function trialForm({ waves: [first], maxInFlight }: RolloutSpec): object {
  return { trial: first?.slice.is === 'size' ? first.slice.devices : undefined, maxInFlight };
}

/** The names of documents, where ours are others. */
const NAMES: Readonly<Record<string, string>> = {
  tasks: 'task',
  verifyWithin: 'verify.within',
  status: 'when.status',
  probe: 'when.probe',
  heldFor: 'when.for',
  excludeMaintenanceMode: 'when.excludeMaintenanceMode',
  escalateAfter: 'escalate.after',
};

/** Lists whose order says something; every other list is a set. */
const ORDERED = /^\.(?:order|renamedFrom|waves|stopOn|payload|dialect)|\.days$/;

function meant(value: unknown, at = ''): Json {
  if (Array.isArray(value)) {
    const members = value.map((each) => meant(each, at));
    if (at === '' || ORDERED.test(at)) return members;
    const byText = new Map(members.map((each) => [canonical(each), each]));
    return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  }
  if (!isObject(value)) return value as Json;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isPlace = name === 'at' && Object(member).line !== undefined;
    const key = at === '' ? (NAMES[name] ?? name) : name;
    return member === undefined || isPlace ? [] : [[key, meant(member, `${at}.${key}`)] as const];
  });
  return Object.fromEntries(members);
}

/** What a rollout means, for a name that has none on the other side. */
export const BUILT_IN_ROLLOUT = meant(rolloutForm(DEFAULT_ROLLOUT));

/** The values in a meaning by their paths, such as `.when.for`. A list is one, but where it may hold variables. */
export function* leavesOf(value: Json, at = ''): Generator<readonly [path: string, value: Json]> {
  const isFree = /^$|^\.(?:payload|dialect)\b/.test(at);
  if (Array.isArray(value) ? !isFree || (at !== '' && !value.some(isObject)) : !isObject(value))
    yield [at, value];
  else
    for (const [key, member] of Object.entries(Object(value)) as [string, Json][])
      if (!isFree && (key === 'percent' || key === 'builtIn')) yield [at, { [key]: member }];
      else
        yield* leavesOf(member, !isFree && (key === 'count' || key === 'is') ? at : `${at}.${key}`);
}
