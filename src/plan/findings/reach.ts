import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { TASK_TYPES } from '../../model/fleet/task.ts';
import { locateValue, type SourceLocation, type Sourced } from '../../model/documents/source.ts';
import { DAY, formatDuration, formatInstant, type Milliseconds } from '../../lib/time.ts';
import { once } from '../../lib/compute-once.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { ANYTIME } from '../../model/documents/window.ts';
import { proveStarts, startChances } from '../../calendar/satisfiable.ts';
import type { FrozenSpan } from '../../calendar/calendar.ts';
import type { StartSpan } from '../../calendar/starts.ts';
import { lintWindows, neverStarts } from '../../lint/windows.ts';
import type { Evaluation, Prepared } from '../decide/decision-input.ts';
import type { Resting } from '../decide/judging.ts';
import type { Timing } from '../decide/schedule.ts';
import { listChances, findTerm, type Term } from '../forecast/due-terms.ts';

/** Finds starts that windows and freezes make impossible, while every device is decided. */
export interface Reach {
  readonly observe: (evaluation: Evaluation) => void;
  /** Counts devices at rest: they have no term. */
  readonly rest: (resting: Resting) => void;
  /** One finding per policy and problem, with the number of devices and one example. */
  readonly findings: () => readonly Diagnostic[];
}

/**
 * The static proof (semantics W30) for the current devices. It finds policies (a) whose changes can
 * never start, (b) whose changes cannot start between the due instant of a device and its deadline
 * or expiry, and (c) whose changes can start only once in between. It also finds sites without a
 * time zone. Devices with the same windows, zones and freezes share their starts, so each device
 * costs one search among a few hundred starts.
 */
export function createReach(input: Prepared): Reach {
  const groups = new Map<Group['judged'], Group>();
  const tight = new Map<Sourced<Policy>, Tight>();
  const isFrozen = input.documents.freezes.size > 0;
  const { schedule, now } = input;
  const { devices } = input.snapshot;
  const isAnytime = ({ value }: Sourced<Policy>): boolean =>
    !isFrozen && value.windows.includes(ANYTIME);
  const groupOf = (
    policy: Sourced<Policy>,
    deviceId: string,
    timing: Timing | undefined,
  ): Group | undefined => {
    const judged = timing?.judged;
    // What is only unclear holds one device back, and refuses no plan.
    if (schedule?.mayBeFrozen(deviceId) === true) return undefined;
    if (!judged || isAnytime(policy)) return undefined;
    return getOrAdd(groups, judged, () => createGroup(policy, judged, deviceId));
  };
  const alike = once(() => schedule?.alike());
  return {
    observe(evaluation) {
      const { policy, timing, case: theCase } = evaluation;
      const group = groupOf(policy, theCase.device.id, timing);
      if (!group) return;
      count(group, theCase.device.id, 1);
      const term = evaluation.exemption.exclude ? undefined : findTerm(evaluation);
      const hits = getOrAdd(tight, policy, () => ({}));
      if (term && !group.problem) weigh(group, hits, term, theCase.device.id);
    },
    rest({ note: { task }, policy, rows }) {
      if (!schedule || isAnytime(policy)) return;
      const codes = alike();
      const counts = new Map<number, { readonly row: number; all: number }>();
      for (const row of rows) getOrAdd(counts, codes?.[row] ?? 0, () => ({ row, all: 0 })).all += 1;
      for (const { row, all } of counts.values()) {
        const device = devices.at(row);
        const timing = schedule.of({ task, policy: policy.value, device }, now);
        const group = groupOf(policy, device.id, timing);
        if (group) count(group, device.id, all);
      }
    },
    findings() {
      const written = lintWindows(input);
      const said = new Set(written.map(findingKey));
      const found = [
        ...[...groups.values()]
          .sort(byFirstDevice)
          .flatMap(({ problem, count, device }) =>
            problem ? [{ ...problem, params: { ...problem.params, count, device } }] : [],
          ),
        ...[...tight].flatMap(([policy, hits]) => [...tightOnes(policy, hits, input.documents)]),
      ];
      return [...written, ...merged(found).filter((each) => !isSaid(each, said))];
    },
  };
}

/** Devices of one policy that share their windows, zones and freezes. */
interface Group {
  readonly policy: Sourced<Policy>;
  readonly judged: NonNullable<Timing['judged']>;
  readonly starts: readonly StartSpan[];
  /** What freezes take from these starts. */
  readonly frozen: readonly FrozenSpan[];
  /** The first of them. */
  device: string;
  /** Why none of them can start; its devices are counted when all are known. */
  readonly problem: Diagnostic | undefined;
  count: number;
}

/** Devices of one policy for which windows leave too little, whatever their group: one number suits all. */
interface Tight {
  /** Too late for an age or a deadline, inside the guard, or for the expiry. */
  none?: Hit;
  guarded?: Hit;
  expired?: Hit;
  single?: Hit & { readonly open: StartSpan['open'] };
}

/** Devices with the same problem, and the device among them that falls due first. */
interface Hit extends Term {
  readonly count: number;
  readonly device: string;
  /** How much earlier all of them would have to fall due; absent where no start is before. */
  readonly earlier?: Milliseconds;
  /** The freeze without which the first of them could start in time. */
  readonly freeze?: string | undefined;
}

function createGroup(policy: Sourced<Policy>, judged: Group['judged'], device: string): Group {
  const { calendar, query } = judged;
  const starts = calendar.starts(query, calendar.span);
  const frozen = calendar.frozenStarts(query, calendar.span);
  return { policy, judged, starts, frozen, device, problem: findProblem(policy, judged), count: 0 };
}

function count(group: Group, device: string, more: number): void {
  group.count += more;
  if (compareTexts(device, group.device) < 0) group.device = device;
}

/** In the order of the devices. */
function byFirstDevice(a: Group, b: Group): number {
  const rankOf = ({ policy }: Group): number => TASK_TYPES.indexOf(policy.value.task);
  return compareTexts(a.device, b.device) || rankOf(a) - rankOf(b);
}

function weigh(group: Group, hits: Tight, term: Term, device: string): void {
  const found = listChances(term, group.starts, group.judged);
  const [only, second] = found ?? [];
  // A window that has always been open, such as `anytime` before a freeze, is not a single window
  // that a run can miss.
  if (!found || second || only?.open === -Infinity) return;
  if (only) {
    hits.single = earlierHit(hits.single, { ...term, device, open: only.open });
    return;
  }
  const last = group.starts.findLast(({ open }) => open <= term.due);
  const earlier = last && Number.isFinite(last.open) ? term.due - last.open : undefined;
  const isInTime = startsBeforeExpiry(group, term);
  const end = isInTime ? term.before : (term.expiresAt ?? term.before);
  const freeze = group.frozen.find(({ open, close }) => open < end && close > term.due)?.freeze;
  const hit = { ...term, device, freeze, ...(earlier !== undefined && { earlier }) };
  if (isInTime) hits.none = earlierHit(hits.none, hit);
  else if (startsInsideGuard(group, term)) hits.guarded = earlierHit(hits.guarded, hit);
  else hits.expired = earlierHit(hits.expired, hit);
}

/** Whether windows allow a start before the credential expires, if it does. */
function startsBeforeExpiry({ starts }: Group, { due, expiresAt }: Term): boolean {
  return (
    expiresAt === undefined || startChances(starts, { due, before: expiresAt, most: 1 }).length > 0
  );
}

/** Whether its guard lets it start before it expires, whatever windows and soft freezes say (semantics M26). */
function startsInsideGuard(
  { policy, judged }: Group,
  { due, expiresAt = Infinity }: Term,
): boolean {
  const { value } = policy;
  if (value.section !== 'rotations' || value.expiryGuard === undefined) return false;
  const from = Math.max(due, expiresAt - value.expiryGuard);
  const { calendar, query } = judged;
  return from < expiresAt && calendar.afterHardFreezes(query, from) < expiresAt;
}

function earlierHit<H extends Hit>(before: H | undefined, hit: Omit<H, 'count'>): H {
  const first = before === undefined || hit.due < before.due ? hit : before;
  const earlier = Math.max(before?.earlier ?? 0, hit.earlier ?? 0);
  return { ...first, count: (before?.count ?? 0) + 1, ...(earlier > 0 && { earlier }) } as H;
}

function findProblem(policy: Sourced<Policy>, judged: Group['judged']): Diagnostic | undefined {
  const { calendar, query, at, state, zoneless, together } = judged;
  if (state.withoutZone) {
    const params = { ...(zoneless !== undefined && { site: zoneless }), ...state.withoutZone };
    const place = locateValue(policy, '/windows');
    return { code: 'siteWithoutZone', severity: 'warning', at: place, params };
  }
  const never = neverStarts(policy, proveStarts(calendar, query, at));
  if (never?.code !== 'cutoffTooLong') return never;
  const { autoCutoff, lead = 0 } = query;
  const duration = formatDuration(lead + autoCutoff);
  const needed = lead > 0 ? { hops: together, room: duration } : { cutoff: duration };
  return { ...never, params: { ...never.params, ...needed } };
}

/** Only what passes its expiry refuses its policy (semantics R6): anything else starts later, and is said. */
function* tightOnes(
  policy: Sourced<Policy>,
  { none, guarded, expired, single }: Tight,
  { freezes }: Documents,
): Generator<Diagnostic> {
  const at = placeIn(policy);
  const frozenBy = (name = ''): Diagnostic['params'] => {
    const freeze = freezes.get(name);
    return freeze ? { freeze: name, freezeAt: `${freeze.at.file}:${freeze.at.line}` } : {};
  };
  const paramsOf = (hit: Hit): Diagnostic['params'] => ({
    policy: policy.value.address,
    count: hit.count,
    device: hit.device,
    from: formatInstant(hit.due),
    to: formatInstant(hit.before),
    ...frozenBy(hit.freeze),
    ...waysOn(policy.value, hit),
  });
  if (expired) {
    const params = { ...paramsOf(expired), to: formatInstant(expired.expiresAt ?? expired.before) };
    yield { code: 'unreachableBeforeExpiry', severity: 'error', at, params };
  }
  if (guarded) {
    const { value } = policy;
    const guard = (value.section === 'rotations' && value.expiryGuard) || 0;
    const params = { ...paramsOf(guarded), guarded: formatDuration(guard) };
    yield { code: 'unreachableBeforeExpiry', severity: 'warning', at, params };
  }
  if (none)
    yield { code: 'unreachableBeforeDeadline', severity: 'warning', at, params: paramsOf(none) };
  if (single) {
    const params = { ...paramsOf(single), open: formatInstant(single.open) };
    yield { code: 'singleChance', severity: 'warning', at, params };
  }
}

/** How much earlier the policy would have to start, as its author would write it; empty where that is not known. */
function waysOn(policy: Policy, { earlier }: Hit): Diagnostic['params'] {
  if (policy.section !== 'rotations' || earlier === undefined) return {};
  const { due } = policy;
  if (due.is === 'renewBefore')
    return { start: `renewBefore: ${formatDuration(wholeDays(due.before + earlier))}` };
  if (due.is !== 'maxAge') return {};
  const headStart = wholeDays(due.headStart + earlier);
  return headStart < due.maxAge ? { start: `headStart: ${formatDuration(headStart)}` } : {};
}

function wholeDays(time: Milliseconds): Milliseconds {
  return Math.ceil(time / DAY) * DAY;
}

/** The location of the time limit in a policy. */
function placeIn(policy: Sourced<Policy>): SourceLocation {
  if (policy.value.section === 'firmware') return locateValue(policy, '/deadline');
  const keys = ['/headStart', '/maxAge', '/renewBefore'];
  return locateValue(policy, keys.find((key) => policy.places.has(key)) ?? '/windows');
}

/**
 * Whether the problem is already reported. A maximum age that is exceeded before anything may start
 * is reported once for the whole policy.
 */
function isSaid(found: Diagnostic, said: ReadonlySet<string>): boolean {
  if (said.has(findingKey(found))) return true;
  const { code } = found;
  const isTight = code === 'unreachableBeforeDeadline' || code === 'singleChance';
  return isTight && said.has(findingKey({ ...found, code: 'maxAgeTooShort' }));
}

/** Merges the same problem of all groups of a policy or site into one. */
function merged(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const byKey = new Map<string, Diagnostic>();
  for (const each of found) {
    const key = `${findingKey(each)} ${each.severity} ${each.params['hops'] ?? ''}`;
    const before = byKey.get(key);
    const count = Number(before?.params['count'] ?? 0) + Number(each.params['count']);
    const { at, ...rest } = before ?? each;
    byKey.set(key, { ...rest, ...(at && { at }), params: { ...rest.params, count } });
  }
  return [...byKey.values()];
}

function findingKey({ code, params }: Diagnostic): string {
  return JSON.stringify([code, code === 'siteWithoutZone' ? params['site'] : params['policy']]);
}
