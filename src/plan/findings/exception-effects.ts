import { type Change, isWanted } from '../../model/plan/change.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { Exception } from '../../model/documents/exception.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { exampleDevices } from './ending-exceptions.ts';
import type { Planned, FindingInput } from '../input.ts';

type Outcome = Pick<Planned, 'diagnostics'> & {
  readonly plan: Pick<Planned['plan'], 'changes' | 'dates' | 'waves'>;
};

/**
 * Reports the effect of each exception on this plan (semantics E7), found by planning without it:
 * an approval of a wave or of a set of one, a raised budget, or a canary that is not required. If
 * the plan, with its dates, is the same without an exception, the exception is reported as having
 * no effect. Exceptions that block changes are not checked, because they matter later.
 */
export function exceptionEffects(
  input: FindingInput,
  planned: Outcome,
  planWithout: (documents: Documents) => Outcome,
): readonly Diagnostic[] {
  const { documents, now } = input;
  return [...documents.exceptions.values()]
    .filter(({ value }) => opens(value) && value.until > now)
    .flatMap((entry) => {
      const exceptions = new Map(documents.exceptions);
      exceptions.delete(entry.name);
      const opened = openedBy(entry, input, [planned, planWithout({ ...documents, exceptions })]);
      return [finding(entry, opened)];
    });
}

/**
 * Whether an exception allows changes in the plan. Guardrails judge a finished plan, so their
 * verdicts name the exceptions that raise them.
 */
function opens(exception: Exception): boolean {
  if (exception.type === 'allow') return exception.allow !== 'guardrail';
  return exception.type === 'expedite';
}

/**
 * The devices whose decision differs without the exception. If the plan would have an error without
 * it, these are all devices that it selects. If it approves a wave, they include the devices of
 * that wave. If no decision differs, these are the devices of policies whose dates move.
 */
function openedBy(
  { value }: Sourced<Exception>,
  { snapshot, members }: FindingInput,
  [planned, without]: readonly [Outcome, Outcome],
): ReadonlySet<string> {
  const { select, tasks } = value;
  const selects = select ? members(select) : () => true;
  const isRefused = countErrors(without) > countErrors(planned);
  const ahead = approvedWave(value, [planned, without]);
  const otherwise = new Map([...without.plan.changes].map((each) => [each.id, outcomeText(each)]));
  const [dates, others] = [datesOf(planned), datesOf(without)];
  const meant = [...planned.plan.changes].filter((change) => {
    const row = snapshot.devices.rowOf(change.device.id);
    const isMeant = row === undefined ? select === undefined : selects(row) === true;
    return isWanted(change) && isMeant && tasks.includes(change.task);
  });
  const isDecided = (change: Change): boolean =>
    isRefused || change.wave === ahead || otherwise.get(change.id) !== outcomeText(change);
  const moves = ({ policy }: Change): boolean => dates.get(policy) !== others.get(policy);
  const opened = meant.filter(meant.some(isDecided) ? isDecided : moves);
  return new Set(opened.map(({ device }) => device.id));
}

function datesOf({ plan }: Outcome): ReadonlyMap<string, string> {
  return new Map(plan.dates?.map((each) => [each.policy, JSON.stringify(each)]));
}

/** The wave that the exception approves before any of its changes may start. */
function approvedWave(
  exception: Exception,
  [planned, without]: readonly [Outcome, Outcome],
): string | false {
  if (exception.type !== 'allow' || exception.allow !== 'gate') return false;
  const wanting = ({ plan }: Outcome): number =>
    plan.waves.filter(({ approval }) => approval === `${exception.rollout}/${exception.wave}`)
      .length;
  return wanting(without) > wanting(planned) && exception.wave;
}

function countErrors({ diagnostics }: Outcome): number {
  return diagnostics.filter(({ severity }) => severity === 'error').length;
}

function outcomeText({ action, reason }: Change): string {
  return [action, reason.code, reason.why].join(' ');
}

function finding(entry: Sourced<Exception>, opened: ReadonlySet<string>): Diagnostic {
  const { name, value, at } = entry;
  if (opened.size === 0) return warning('exceptionWithoutEffect', at, { name });
  return warning('exceptionOpens', at, {
    name,
    problem: openedPart(value),
    ...waveParams(value),
    ...exampleDevices(opened, opened.size),
  });
}

function openedPart(exception: Exception): string {
  if (exception.type === 'allow') return exception.allow;
  return exception.type === 'expedite' && exception.skipCanary ? 'expediteCanary' : exception.type;
}

function waveParams(exception: Exception): Diagnostic['params'] {
  if (exception.type !== 'allow' || exception.allow !== 'gate') return {};
  return { wave: exception.wave, rollout: exception.rollout };
}
