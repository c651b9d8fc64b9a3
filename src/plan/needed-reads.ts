import { desire } from '../desired/desire.ts';
import { namedAfter } from '../model/documents/policies.ts';
import type { Documents } from '../model/documents/policy.ts';
import { shortId } from '../lib/canonical.ts';
import { changeId } from '../model/plan/change.ts';
import type { Want, Wanted } from '../model/plan/desired-state.ts';
import { tableNeeds } from '../model/fleet/need.ts';
import type { DeviceRead, Need } from '../model/fleet/snapshot.ts';
import { KINDS } from '../kinds/index.ts';
import type { Case, Kind } from '../kinds/kind.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';
import { askedOf, prepare, toCase, withoutFacts } from './decide/decision-input.ts';
import type { Evaluation, Prepared } from './decide/decision-input.ts';
import { judge, runSteps, toEvaluation } from './decide/decide.ts';
import { shareAlike } from './decide/alike.ts';
import { endingIn, exemptionAfter } from './findings/ending-exceptions.ts';
import type { PlannerInput } from './input.ts';
import { partMembership } from './part/membership.ts';

/** A change that is due within this time needs a fresh read, not one of an earlier run (semantics N11). */
const DUE_HORIZON: Milliseconds = 86_400_000;

/** A single read that a policy needs. */
export interface WantedRead extends Need {
  /** The address of the policy. */
  readonly policy: string;
  /**
   * From when on something is due by what is known now, where that is within the horizon: then the known
   * value has to be fresh. Undefined: it says only "not before". Found when it is asked for, since it is
   * asked of what is known and not fresh alone.
   */
  due(): Instant | undefined;
  /** The desired state of the device, whatever it shows: policy, exceptions and windows, as a text. */
  readonly outcome: string;
  /** It is outside the part that is planned: what is known of it is used, and nothing is read. */
  readonly outside?: boolean;
  /** A known value decides that there is nothing to do: it is used, and neither read nor renewed. */
  readonly settled?: boolean;
  /** The documents themselves ask for the task: a value that could not be read is read again by each run. */
  readonly again?: boolean;
  /** Only one of two commits that are compared wants it so; absent: both do, or nothing is compared. */
  readonly differs?: boolean;
}

/**
 * The per-device reads that the decisions need before any was made, each with its policy and with what the known
 * value of it makes due soon; several may share a key. Outside a part nothing is read (semantics N36). The snapshot
 * of the input shows what is known; nothing of it is taken for a read.
 */
export function wantedReads(input: PlannerInput): readonly WantedRead[] {
  const unread = withoutFacts(input);
  const known = prepare(input);
  const dueOf = findDue(known, input.approved);
  const outcomeText = outcomes(input.documents);
  const isOutside = findOutside(input);
  const { needAt } = tableNeeds(input.snapshot.devices, input.dialect);
  const wanted: WantedRead[] = [];
  const readsOf = usedReads(unread, known);
  for (const want of desire(unread).wants)
    for (const { read, use } of readsOf(want)) {
      const { deviceId, key } = needAt(read, want.row);
      wanted.push({
        read,
        deviceId,
        key,
        policy: want.wanted.policy.value.address,
        outcome: outcomeText(want),
        outside: isOutside(want),
        settled: use === 'settled',
        again: use === 'again',
        due: () => dueOf(want),
      });
    }
  return wanted;
}

/** A read that a decision needs before any is made, and what a known value of it is good for. */
interface UsedRead {
  readonly read: DeviceRead;
  readonly use: 'open' | 'settled' | 'again';
}

/**
 * The reads of each desired state, once for devices that nothing tells apart.
 * @param known what earlier runs read, where that may decide about a read that is left to the last look
 */
function usedReads(unread: Prepared, known?: Prepared): (want: Want) => readonly UsedRead[] {
  const find = (want: Want): readonly UsedRead[] => {
    const kind = KINDS[want.wanted.task];
    return withAndWithoutPin(want, unread).flatMap((theCase): readonly UsedRead[] => {
      const settled = known && isSettledByKnown(kind, theCase, want, known);
      // What the documents themselves require is read by the last look alone.
      if (!settled && kind.readsLate?.(theCase) === true) return [];
      if (!settled) return kind.reads(theCase).map((read) => ({ read, use: 'open' }));
      return kind.reads(theCase).map((read) => ({ read, use: settledAs(read, theCase, known) }));
    });
  };
  const shared = shareAlike({ snapshot: unread.snapshot }, find);
  return (want) => shared(want) ?? find(want);
}

/** From when on a desired state is due by what is known, found once: reads are chosen more than once. Undefined: not soon. */
function findDue(
  known: Prepared,
  approved: PlannerInput['approved'],
): (want: Want) => Instant | undefined {
  const asApproved = new Set(Array.from(approved?.changes ?? [], ({ id }) => id));
  const found = new Map<Want, Instant>();
  const find = (want: Want): Instant => {
    const id = changeId(want.wanted.task, known.snapshot.devices.idAt(want.row));
    if (asApproved.has(id)) return known.now;
    // Most devices of a rotation are not due: their windows are not computed.
    const asked = askedOf(want.wanted, known);
    const theCase = toCase(want, known);
    const judgement = asked.kind.judge(theCase);
    if (judgement.is === 'notDue') {
      const { next } = judgement.reason;
      return typeof next === 'number' && next <= known.now + DUE_HORIZON ? next : Infinity;
    }
    if (judgement.is !== 'due') return Infinity;
    const isSoon = maySoonRun(toEvaluation(asked, judge(asked, theCase, judgement)));
    return isSoon ? (judgement.since ?? known.now) : Infinity;
  };
  return (want) => {
    const due = getOrAdd(found, want, () => find(want));
    return due < Infinity ? due : undefined;
  };
}

/** Whether a read that is left to the last look need not wait for it: what is known decides (semantics N56). */
function isSettledByKnown(kind: Kind, theCase: Case, want: Want, known: Prepared): boolean {
  if (kind.readsLate?.(theCase) !== true) return false;
  return kind.readsLate(toCase(want, known)) !== true;
}

/** What is known decides; of a value that could not be read, only until it is read again. */
function settledAs(
  read: DeviceRead,
  { device }: Case,
  { snapshot }: Pick<Prepared, 'snapshot'>,
): 'settled' | 'again' {
  const value = snapshot.facts(device.id)[read];
  return typeof value === 'string' && value !== 'none' ? 'again' : 'settled';
}

/**
 * The reads of two commits that are compared: those come first whose decision can differ between them (semantics
 * N27). One commit alone compares nothing.
 */
export function joinSides(sides: readonly (readonly WantedRead[])[]): readonly WantedRead[] {
  const [head = [], base] = sides;
  if (!base) return head;
  const keyOf = ({ read, deviceId, outcome }: WantedRead): string =>
    `${read} ${deviceId} ${outcome}`;
  const [inHead, inBase] = [new Set(head.map(keyOf)), new Set(base.map(keyOf))];
  return [...head, ...base].map((need) => {
    const key = keyOf(need);
    return { ...need, due: () => need.due(), differs: !(inHead.has(key) && inBase.has(key)) };
  });
}

/** Whether a desired state is outside the part that is planned, and none of the part may come after it (semantics K29). */
function findOutside({ part, snapshot, documents }: PlannerInput): (want: Want) => boolean {
  if (!part) return () => false;
  const named = namedAfter(documents);
  const members = partMembership(part, snapshot);
  return ({ wanted: { policy }, row }) =>
    !named.has(policy.value.address) &&
    !members.has(policy.value.address, snapshot.devices.idAt(row));
}

/** The desired state of a device as a text; devices of one policy with the same exceptions share it. */
function outcomes({ windows }: Documents): (want: Want) => string {
  const texts = new WeakMap<object, string>();
  const joined = new WeakMap<object, WeakMap<object, string>>();
  const textOf = (value: object, make: () => unknown): string => {
    return getOrAdd(texts, value, () => shortId(JSON.stringify(make())));
  };
  const join = ({ policy, exemption }: Wanted): string => {
    const wanted = textOf(policy.value, () => [
      policy.value,
      policy.value.windows.map((name) => windows.get(name)?.value),
    ]);
    const passed = textOf(exemption, () => {
      const { acknowledged: _, ...passing } = exemption;
      return Object.entries(passing).map(([type, exception]) => [type, exception.value]);
    });
    return `${wanted} ${passed}`;
  };
  return ({ wanted: want }) => {
    const ofPolicy = getOrAdd(joined, want.policy.value, () => new WeakMap<object, string>());
    return getOrAdd(ofPolicy, want.exemption, () => join(want));
  };
}

/** Whether a change that is due by what is known may run within the horizon. */
function maySoonRun(evaluation: Evaluation): boolean {
  const { action, reason } = runSteps(evaluation);
  if (action === 'skip' || action === 'note') return false;
  const { now } = evaluation.case;
  const isLater = typeof reason.next === 'number' && reason.next > now + DUE_HORIZON;
  // A date alone makes a credential due; a version is only where to go once a window opens.
  return !isLater || evaluation.kind.initialCause !== 'config';
}

/** The cases of a desired state; where its pin is about to end, also that without the pin. */
function withAndWithoutPin(want: Want, input: PlannerInput): readonly Case[] {
  const theCase = toCase(want, input);
  const { pin } = want.wanted.exemption;
  if (!pin || !endingIn(want.wanted.exemption, input.now).includes(pin)) return [theCase];
  const exemption = exemptionAfter(want.wanted.exemption, pin.value.until);
  return [theCase, toCase({ ...want, wanted: { ...want.wanted, exemption } }, input)];
}
