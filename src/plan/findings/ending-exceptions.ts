import { ACKNOWLEDGED } from '../../model/plan/actor.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { Exception } from '../../model/documents/exception.ts';
import { locateValue, type Sourced } from '../../model/documents/source.ts';
import { compareTexts, listFirst } from '../../lib/text-order.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { Desired, Exemption, OnboardingWant, Wanted } from '../../model/plan/desired-state.ts';
import {
  toDecisionInput,
  toOnboardingInput,
  type DecisionInput,
} from '../decide/decision-input.ts';
import { decide } from '../decide/decide.ts';
import type { FindingInput, PlannerInput } from '../input.ts';

/**
 * Reports changes that will start, or need a person, because an exception ends, from its `notice` on (semantics
 * E5). Every exempted device and task is decided again with the state at that time. An exception whose
 * end changes nothing is reported too, because its author must renew or remove it.
 */
export function endingExceptions(
  input: PlannerInput,
  desired: Desired,
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  const { documents, now } = input;
  const ending = [...documents.exceptions.values()].filter(
    (entry) => END_MATTERS.has(entry.value.type) && isEnding(entry, now),
  );
  if (ending.length === 0) return [];
  const acting = new Map(ending.map((entry) => [entry as Sourced<Exception>, new Set<string>()]));
  for (const decisionInput of exempted(input, desired))
    for (const entry of endingIn(decisionInput.exemption, now).filter(acts(decisionInput)))
      acting.get(entry)?.add(decisionInput.case.device.id);
  return [...acting].map(([entry, devices]) =>
    warning('exceptionEnding', locateValue(entry, '/until'), {
      name: entry.name,
      until: formatInstant(entry.value.until),
      type: entry.value.type,
      ...(devices.size > 0 && exampleDevices(devices, devices.size)),
      ...(entry.value.type === 'acknowledge' && acknowledgedBy(entry.name, changes)),
    }),
  );
}

/** The devices of the changes that would need a person without an exception. */
function acknowledgedBy(name: string, changes: Iterable<Change>): Diagnostic['params'] {
  const covered = [...changes].filter(({ reason }) => reason.params?.[ACKNOWLEDGED] === name);
  const devices = new Set(covered.map(({ device }) => device.id));
  return devices.size === 0 ? {} : { devices: namesOf(devices), person: covered.length };
}

/**
 * Adds the changes that an ended exception causes in the plan to its finding, for the devices that
 * it selected.
 */
export function endedExceptions(
  input: FindingInput,
  found: readonly Diagnostic[],
  changes: Iterable<Change>,
): readonly Diagnostic[] {
  return found.map((diagnostic) => {
    const entry = input.documents.exceptions.get(String(diagnostic.params['name']));
    if (diagnostic.code !== 'exceptionEnded' || !entry || !holdsBack(entry.value))
      return diagnostic;
    const acting = freed(entry.value, input, changes);
    const more = acting.length > 0 && exampleDevices(new Set(acting), acting.length);
    return { ...diagnostic, params: { ...diagnostic.params, ...more } };
  });
}

/** The exemption that remains at `end`: without the exceptions that have ended by then. */
export function exemptionAfter(
  { acknowledged: _, ...exemption }: Exemption,
  end: Instant,
): Exemption {
  const left = Object.entries(exemption).filter(([, entry]) => entry.value.until > end);
  return Object.fromEntries(left);
}

/** The exceptions of an exemption that are within their notice and block something. */
export function endingIn(exemption: Exemption, now: Instant): readonly Sourced<Exception>[] {
  const { hold, exclude, pin, perhaps } = exemption;
  return [hold, exclude, pin, perhaps].flatMap((entry) =>
    entry && isEnding(entry, now) ? [entry] : [],
  );
}

function isEnding({ value }: Sourced<Exception>, now: Instant): boolean {
  return now < value.until && now >= value.until - value.notice;
}

/** Exceptions whose end starts something, or leaves it to a person. */
const END_MATTERS: ReadonlySet<Exception['type']> = new Set([
  'hold',
  'exclude',
  'pin',
  'acknowledge',
]);

/** Whether the exception blocks changes. The end of any other exception starts nothing. */
function holdsBack({ type }: Exception): boolean {
  return type === 'hold' || type === 'exclude' || type === 'pin';
}

function* exempted(input: PlannerInput, { wants, onboarding }: Desired): Generator<DecisionInput> {
  const isNear = ({ exemption }: Wanted | OnboardingWant): boolean =>
    endingIn(exemption, input.now).length > 0;
  for (const want of wants.where(isNear)) yield toDecisionInput(want, input);
  for (const want of onboarding)
    if (want.found === 'discovered' && isNear(want))
      yield toOnboardingInput(want, want.device, input);
}

/** Whether the end of an exception starts the change, decided with the state at that time. */
function acts(decisionInput: DecisionInput): (entry: Sourced<Exception>) => boolean {
  const now = decide(decisionInput);
  return ({ value }) => {
    const exemption = exemptionAfter(decisionInput.exemption, value.until);
    const { pin: _, ...unpinned } = decisionInput.case;
    const pin = exemption.pin?.value.version;
    const theCase = { ...unpinned, ...(pin !== undefined && { pin }) };
    const then = decide({ ...decisionInput, exemption, case: theCase });
    if (!isWanted(then) || then.reason.code === 'hold') return false;
    return !isWanted(now) || now.reason.code === 'hold' || now.target !== then.target;
  };
}

function freed(
  { select, tasks }: Exception,
  input: Parameters<typeof endedExceptions>[0],
  changes: Iterable<Change>,
): readonly string[] {
  const selects = select ? input.members(select) : () => true;
  const ids: string[] = [];
  for (const { task, device, action, reason } of changes) {
    const row = input.snapshot.devices.rowOf(device.id);
    const isFree = isWanted({ action }) && reason.code !== 'hold';
    if (isFree && tasks.includes(task) && row !== undefined && selects(row) !== false)
      ids.push(device.id);
  }
  return ids;
}

const NAMED = 10;

/** The number of devices, and the first few IDs. */
export function exampleDevices(ids: ReadonlySet<string>, count: number): Diagnostic['params'] {
  return { count, devices: namesOf(ids) };
}

function namesOf(ids: ReadonlySet<string>): string {
  return listFirst([...ids].sort(compareTexts), NAMED);
}
