import type { Json } from '../../lib/canonical.ts';
import { formatInstant, twoDigits } from '../../lib/time.ts';
import { listEntries } from '../../model/documents/entries.ts';
import { isOfIncident, listPolicies } from '../../model/documents/policies.ts';
import { meant, policyForm } from '../../model/documents/written-form.ts';
import { type Edge, formatWall, type MonthDay } from '../../model/documents/window.ts';
import type { Documents } from '../../model/documents/policy.ts';
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
function* entryForms({
  groups,
  exceptions,
  freezes,
  rollouts,
  service,
}: Documents): Generator<Form> {
  for (const [name, { value }] of groups)
    yield [`groups.${name}`, { redundancy: false, ...value, is: undefined }];
  for (const [name, { value }] of exceptions)
    if ('guardrail' in value && value.guardrail.startsWith('maxPercent'))
      yield [`exceptions.${name}`, { ...value, value: { percent: value.value } }];
  for (const [name, { value }] of freezes) {
    const { term, ...freeze } = value;
    const [from, to] = [term.from, term.to].map(writtenDate);
    yield [
      `freezes.${name}`,
      { ...freeze, ...(term.is === 'once' ? { from, to } : { annual: { from, to } }) },
    ];
  }
  for (const [name, { value }] of rollouts)
    if (!isOfIncident(name)) yield [`rollouts.${name}`, rolloutForm(value)];
  const { dialect, ledger, notifications = [], ...others } = service.value;
  const { store, ...places } = LEDGER_DEFAULTS;
  const place = { store, ...(ledger?.store === 'git' && places), ...ledger };
  yield ['service', { ...others, ledger: place, dialect: resolveDialect(dialect) }];
  yield ['service.notifications', notifications];
}

/** The start or the end of a freeze as documents have it. */
function writtenDate(date: Edge | MonthDay): string {
  if ('instant' in date) return formatInstant(date.instant);
  return 'wall' in date ? formatWall(date.wall) : `${twoDigits(date.month)}-${twoDigits(date.day)}`;
}

function* policyForms(documents: Documents, other: Documents): Generator<Form> {
  const { rollouts, rotations } = documents;
  for (const { value } of listPolicies(documents)) {
    const trial = rollouts.get(value.address)?.value;
    yield [value.address, { ...policyForm(value), ...(trial && trialForm(trial)) }];
  }
  for (const [name, { value }] of rotations) {
    if (value.verify || !other.rotations.get(name)?.value.verify) continue;
    const { verify } = rolloutOrDefault(rollouts, value.rollout).timeouts;
    yield [value.address, policyForm({ ...value, verify: { within: verify[value.task] } })];
  }
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

/** What a rollout means, for a name that has none on the other side. */
export const BUILT_IN_ROLLOUT = meant(rolloutForm(DEFAULT_ROLLOUT));
