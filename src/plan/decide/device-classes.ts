import type { DeviceTable, Facts, DeviceRead } from '../../model/fleet/snapshot.ts';
import type { Exemption, Want } from '../../model/plan/desired-state.ts';
import type { Judgement } from '../../kinds/kind.ts';
import { KINDS } from '../../kinds/index.ts';
import { numberPairs, numberValues } from '../../lib/pair-numbers.ts';
import {
  type DecisionInput,
  type Evaluation,
  type Prepared,
  type RuleResult,
  toDecisionInput,
} from './decision-input.ts';
import { addTiming, evaluate } from './decide.ts';
import { mayEndLater } from './timing.ts';
import { STEPS_BY_CLASS } from './steps.ts';

/*
 * The fast corner of the planner.
 *
 * A fleet has many devices and few kinds of devices. Whatever is decided about firmware before rollouts, budgets
 * and the status of a device is a function of its policy, vendor, model, type, version, sites, traits, unreadable
 * fields, and the versions that the service approves for it. Devices that are equal in all of these are a class.
 * The first device of a class is evaluated by the same functions as any device, and the others take its judgement
 * and its windows.
 *
 * Most devices need nothing: they are up to date, or cannot be changed. Where the first steps of the
 * decision order say so (`settled`), since they read nothing but what a class shares, a device of it never becomes
 * an object. A note is counted, and the row of a change is copied in the columns of the plan with the ID, the name
 * and the wave of the device (`drafts-of-classes.ts`). A device that a freeze with an end holds back is not settled,
 * since its wave or a pause may hold it longer (`mayEndLater`); nor is one that waits for a window or a wave. Such
 * devices are decided alike where they have one class and one place (`device-places.ts`). Any other device
 * has a decision of its own, with the judgement of its class.
 *
 * A device that its kind judges by dates is judged by itself. Where nothing of it is due yet, all that follows is
 * the same for its policy and its windows, but for the instants of its judgement: it joins the class of such
 * devices (`quietClassOf`), which are counted and weighed by those instants alone.
 *
 * A device has no class, and is decided in the plain form, where
 * - its kind judges by dates or by the ID (`Kind.judgesClassBy` is absent) and finds it due: rotations, restarts,
 *   onboarding;
 * - the ledger has an intent of its task: what was tried before decides;
 * - an exception names it, or a freeze that selects devices, or may (semantics M20), or its policy may;
 * - changes are approved by plan: an approval names a device.
 *
 * Observers of every evaluation of a plan get such a device by its ID (`EvaluationObserver.alike`), or
 * needs none of it: incidents look at rotations, withdrawals at approvals, and guardrails at changes and at
 * devices that are not read (`judgeCounting`, the same for a class).
 *
 * The plain form is the law. `test/unit/plan/decide/device-classes.test.ts` plans random fleets and every scenario
 * twice, with classes and with `withoutClasses`, and requires the same bytes.
 *
 * Another layout was a second form of each kind over columns of its own fields (`quiet(columns, policy, now)`). It
 * would save the judgement of each device, a tenth of what a plan cost for it, at the price of a second judge for each
 * kind to keep equal.
 */

/** Devices that are judged alike. */
export interface DeviceClass {
  /** The first device of the class, evaluated before rollouts are known. */
  readonly first: Evaluation;
  /** Whether the first steps decide about each of them, be it without the instant from which it is possible. */
  readonly isDecided: boolean;
  /** The whole decision about each of them, where the first steps make it. */
  readonly settled?: RuleResult;
}

/** The classes of one reading. */
export interface DeviceClasses {
  /** The class of a desired state; undefined where the device is decided alone. */
  classOf(want: Want): DeviceClass | undefined;
  /**
   * The class of a device that was judged by itself and of which nothing is due yet: its devices share the decision
   * but for the instants of their judgements. Undefined where something else decides.
   */
  quietClassOf(
    want: Want,
    decisionInput: DecisionInput,
    judgement: Judgement,
  ): DeviceClass | undefined;
}

/** Every device alone: the plain form. */
export function withoutClasses(): DeviceClasses {
  return { classOf: () => undefined, quietClassOf: () => undefined };
}

/** Opens the classes of a plan. The evaluations of one input and of another are not alike. */
export function openDeviceClasses(input: Prepared): DeviceClasses {
  const { documents, memory, snapshot, schedule, approvals } = input;
  const isByPlan = approvals !== undefined || documents.service.value.approval.is === 'plan';
  if (isByPlan || memory.approvals) return withoutClasses();
  const { values: ids, codes } = snapshot.devices.text.id;
  const valueNumber = numberValues();
  const pairNumber = numberPairs();
  const likenessOf = likeness(snapshot.devices);
  const classes: (DeviceClass | undefined)[] = [];
  const quietClasses: (DeviceClass | 'none' | undefined)[] = [];
  return {
    classOf(want) {
      const { row, task, policy, exemption, unclear } = want;
      const read = KINDS[task].judgesClassBy;
      if (read === undefined || unclear || hasException(exemption)) return undefined;
      const id = ids[codes[row] ?? 0] ?? '';
      if (memory.intentsOf(id, task).length > 0 || schedule?.isFrozenApart(id) === true)
        return undefined;
      let number = pairNumber(valueNumber(policy), likenessOf(row));
      for (const value of readValues(snapshot.facts(id), read))
        number = pairNumber(number, valueNumber(value));
      return (classes[number] ??= openClass(evaluate(toDecisionInput(want, input), memory)));
    },
    quietClassOf(want, decisionInput, judgement) {
      if (judgement.is !== 'notDue' || !isQuiet(judgement) || !isPlain(want)) return undefined;
      const judged = addTiming(decisionInput, judgement);
      const alike = pairNumber(valueNumber(want.policy), valueNumber(judged.timing));
      const number = pairNumber(alike, valueNumber(judgement.reason.why));
      const known = (quietClasses[number] ??= openQuiet(evaluate(decisionInput, memory, judged)));
      return known === 'none' ? undefined : known;
    },
  };
}

type NotDue = Judgement & { readonly is: 'notDue' };

/** Whether a device complies, and says no more of why than an instant. */
function isQuiet({ within, reason }: NotDue): boolean {
  return within && reason.params === undefined;
}

/** Whether no exception concerns the device, and no incident ended without it: incidents count their devices. */
function isPlain({ exemption, leftBy }: Want): boolean {
  return leftBy === undefined && !hasException(exemption);
}

/** The class of the first device of which nothing is due; none where a step before decides. */
function openQuiet(first: Evaluation): DeviceClass | 'none' {
  if (STEPS_BY_CLASS.some(({ check }) => check(first))) return 'none';
  const { reason } = first.judgement as NotDue;
  return { first, isDecided: true, settled: { action: 'note', reason } };
}

function openClass(first: Evaluation): DeviceClass {
  for (const { check } of STEPS_BY_CLASS) {
    const settled = check(first);
    if (settled) return { first, isDecided: true, ...(!mayEndLater(settled) && { settled }) };
  }
  return { first, isDecided: false };
}

function hasException(exemption: Exemption): boolean {
  const { hold, exclude, pin, expedite, perhaps, acknowledged } = exemption;
  return (hold ?? exclude ?? pin ?? expedite ?? perhaps ?? acknowledged) !== undefined;
}

/** The parts of one read that a decision may use: its value, its owner, and its instant. */
function readValues(facts: Facts, read: DeviceRead): readonly unknown[] {
  return [facts[read], facts.sampled, facts.knownAt?.[read]];
}

/** A number for each row; rows with one number are equal in all that `Kind.judgesClassBy` names. */
function likeness(devices: DeviceTable): (row: number) => number {
  const known = LIKENESS.get(devices);
  if (known) return known;
  const { text, sites, traits, unreadable } = devices;
  const { vendor, model, deviceType, firmwareVersion } = text;
  const columns = [model, deviceType, firmwareVersion, sites, traits, unreadable];
  const pairNumber = numberPairs();
  const numbers = new Uint32Array(devices.length);
  const find = (row: number): number => {
    let number = vendor.codes[row] ?? 0;
    for (const { codes } of columns) number = pairNumber(number, codes[row] ?? 0);
    return number;
  };
  const likenessOf = (row: number): number => (numbers[row] ||= find(row));
  LIKENESS.set(devices, likenessOf);
  return likenessOf;
}

/** The reads of a plan and the plan itself look at the same rows. */
const LIKENESS = new WeakMap<DeviceTable, (row: number) => number>();
