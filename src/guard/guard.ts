import { compareWithKnown, countDevices, type Sighted } from '../model/plan/coverage.ts';
import { isWanted, type Changes } from '../model/plan/change.ts';
import { kindsIn } from '../model/plan/change-rows.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Plan, GuardrailVerdict } from '../model/plan/plan.ts';
import type { Guardrail } from '../model/documents/policy.ts';
import type { SourceLocation } from '../model/documents/source.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { AllowanceInput } from './allowances.ts';
import { allowancesFor } from './allowances.ts';
import { guardrailAhead } from './ahead.ts';
import type { CountedChange, CountInput } from './counted.ts';
import { countedChanges, coveredByRollouts } from './counted.ts';
import { expectedVerdicts, followsIncident } from './expected.ts';
import { LIMIT_NAMES, LIMITS } from './limits.ts';
import { managedDevices, recountOf, type Recount } from './recount.ts';
import { followsLostTask, lostTaskVerdicts } from './tasks-lost.ts';

export type GuardInput = CountInput & AllowanceInput;

/**
 * Applies unless an entry named `default` replaces it. It is off in a fleet of at most `OFF_UP_TO`
 * devices.
 */
const PERCENT_OF_FLEET = 30;
const LEAST_DEVICES = 10;
const OFF_UP_TO = 20;

/**
 * The built-in guardrail against a shrinking fleet, unless an entry of this name replaces it
 * (semantics M32).
 */
const VISIBLE = 'visible';
const MOST_VANISHED = 20;
const PERCENT_VANISHED = 10;

/** The limits of the built-in guardrails, by their entry: any of those in a list. */
export const BUILT_IN_GUARDRAILS: Readonly<Record<string, object>> = {
  default: { maxPercentOfFleet: { builtIn: [{ percent: PERCENT_OF_FLEET }] } },
  [VISIBLE]: { maxVanished: { builtIn: [MOST_VANISHED, { percent: PERCENT_VANISHED }] } },
};

/**
 * Evaluates every limit of every guardrail entry and reports each, passed or not: all entries
 * apply, and no rule hides another. It counts the wanted changes that no running rollout covers yet
 * (semantics G2).
 */
export function judge(input: GuardInput): readonly GuardrailVerdict[] {
  return judgeCounted(input, countedChanges(input));
}

/**
 * The problems of a judged plan: `allow` exceptions without effect, and a later day on which it would
 * be refused. An exception may have its effect outside the part of a plan.
 */
export function guardFindings(
  plan: Plan,
  input: Omit<GuardInput, 'changes'>,
): readonly Diagnostic[] {
  const { changes, verdicts, part } = plan;
  const judged = { ...input, changes };
  return [...(part ? [] : idleAllowances(judged, verdicts)), ...laterRefusal(judged, verdicts)];
}

/** The warning about the first later day on which a plan would be refused, if any. */
function laterRefusal(
  input: GuardInput,
  verdicts: readonly GuardrailVerdict[],
): readonly Diagnostic[] {
  if (verdicts.some(({ passed }) => !passed)) return [];
  const ahead = guardrailAhead(input, (counted) => judgeCounted(input, counted));
  return ahead ? [ahead] : [];
}

function judgeCounted(
  input: GuardInput,
  counted: readonly CountedChange[],
): readonly GuardrailVerdict[] {
  const { snapshot, memory, now } = input;
  const sighted = compareWithKnown(snapshot.devices, memory.coverage, now);
  const usual = effectiveEntries(input, sighted).flatMap(({ name, at, limits }) =>
    LIMIT_NAMES.flatMap((limit) => {
      const written = limits[limit];
      if (written === undefined) return [];
      const allowances = allowancesFor(limit, input);
      const findings = LIMITS[limit].judge({
        ...input,
        limit: written,
        allowances,
        counted,
        sighted,
      });
      return findings.map((finding) => ({ guardrail: name, limit, ...finding, ...(at && { at }) }));
    }),
  );
  const visible = usual.find(({ limit }) => limit === 'maxVanished');
  return [...usual, ...lostTaskVerdicts(input, sighted, visible), ...expectedVerdicts(input)];
}

/** Exceptions that raise a limit without effect: every verdict would be the same without them. */
function idleAllowances(
  input: GuardInput,
  verdicts: readonly GuardrailVerdict[],
): readonly Diagnostic[] {
  const { exceptions } = input.documents;
  const raising = [...exceptions.values()].filter(
    ({ value }) => value.type === 'allow' && value.allow === 'guardrail' && value.until > input.now,
  );
  return raising.flatMap(({ name, at }): readonly Diagnostic[] => {
    const without = new Map(exceptions);
    without.delete(name);
    const judged = judge({ ...input, documents: { ...input.documents, exceptions: without } });
    if (JSON.stringify(judged) !== JSON.stringify(verdicts)) return [];
    return [{ code: 'exceptionWithoutEffect', severity: 'warning', at, params: { name } }];
  });
}

/** A plan with the verdicts of its guardrails, and a mark on each change that they do not count. */
export function withVerdicts(plan: Plan, input: Omit<GuardInput, 'changes'>): Plan {
  const verdicts = judge({ ...input, changes: plan.changes });
  const coveredBy = coveredByRollouts(input.documents, input.memory);
  return { ...plan, changes: marked(plan.changes, coveredBy), verdicts };
}

function marked(changes: Changes, coveredBy: ReturnType<typeof coveredByRollouts>): Changes {
  const isAnyCovered = kindsIn(changes).some(({ change }) => coveredBy(change.policy).size > 0);
  if (!isAnyCovered) return changes;
  return {
    length: changes.length,
    *[Symbol.iterator]() {
      for (const change of changes) {
        const isCovered = isWanted(change) && coveredBy(change.policy).has(change.device.id);
        yield isCovered ? { ...change, covered: true } : change;
      }
    },
  };
}

/**
 * Whether the verdicts of a plan follow from its changes, and each verdict from its own numbers.
 */
export function areVerdictsRight(plan: Plan): boolean {
  const recount = recountOf(plan);
  if (managedDevices(recount.counted).size > recount.shown) return false;
  // An entry named `default` is always in force, because it is built in if the documents have none.
  if (!plan.verdicts.some(({ guardrail }) => guardrail === 'default')) return false;
  const judged = plan.verdicts.map(({ guardrail, limit, scope }) =>
    JSON.stringify([guardrail, limit, scope]),
  );
  if (new Set(judged).size < judged.length) return false;
  return plan.verdicts.every((verdict) => isVerdictRight(verdict, recount));
}

function isVerdictRight(verdict: GuardrailVerdict, plan: Recount): boolean {
  const { limit, number, allowed, passed } = verdict;
  if (limit === 'expect') return followsIncident(verdict, plan);
  if (limit === 'tasksLost') return followsLostTask(verdict, plan);
  const known = Object.hasOwn(LIMITS, limit) ? LIMITS[limit] : undefined;
  // The limit belongs to another version of fleetform. At least its numbers must agree.
  return known ? known.follows(verdict, plan) : passed === number <= allowed;
}

interface Entry {
  readonly name: string;
  readonly limits: Guardrail;
  readonly at?: SourceLocation;
}

/**
 * The effective entries by name: the authored ones, and the built-in ones that these do not
 * replace.
 */
function effectiveEntries(input: GuardInput, { known }: Sighted): readonly Entry[] {
  const { guardrails } = input.documents;
  const written = [...guardrails.values()].map(({ name, value, at }): Entry => ({
    name,
    limits: value,
    at,
  }));
  const builtIn = builtIns(input.snapshot.devices.length, known).filter(
    ({ name }) => !guardrails.has(name),
  );
  return [...builtIn, ...written].sort((a, b) => compareTexts(a.name, b.name));
}

/** A built-in guardrail that is off allows the whole fleet; one that is on never refuses ten devices (semantics G1). */
function builtIns(devices: number, known: Sighted['known']): readonly Entry[] {
  const least = Math.floor((LEAST_DEVICES * 100) / devices);
  const maxPercentOfFleet = devices <= OFF_UP_TO ? 100 : Math.max(PERCENT_OF_FLEET, least);
  const fleet = { name: 'default', limits: { maxPercentOfFleet } };
  if (!known) return [fleet];
  const share = Math.floor((countDevices(known) * PERCENT_VANISHED) / 100);
  const maxVanished = Math.max(1, Math.min(MOST_VANISHED, share));
  return [fleet, { name: VISIBLE, limits: { maxVanished } }];
}
