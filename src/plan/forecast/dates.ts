import { listAndCount } from '../../lib/text-order.ts';
import type { FrozenDates, PlanDates, UndatedChanges } from '../../model/plan/plan.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { groupBy } from '../../lib/group-by.ts';
import { formatInstant } from '../../lib/time.ts';
import { spanText } from '../explain/hours.ts';
import { causesOf, needsPerson, type Cause } from './causes.ts';
import type { Placed, Runner } from './course.ts';
import type { FrozenWave } from './stages.ts';

/** The changes of a plan, with their courses, and what keeps them. */
export interface Foretold {
  readonly changes: readonly Placed[];
  readonly runners: readonly Runner[];
  readonly causes: ReadonlyMap<number, Cause>;
  readonly freezes: Documents['freezes'];
  /** Policies of which something is not read yet. */
  readonly unread: ReadonlySet<string>;
}

/** The start and the end of each policy and of its waves, or what keeps it from them (semantics N86). */
export function listDates({
  changes,
  runners,
  causes,
  freezes,
  unread,
}: Foretold): readonly PlanDates[] {
  const byPolicy = groupBy(runners, ({ like }) => like.policy);
  return [...groupBy(changes, ({ like }) => like.policy)].flatMap(([policy, mine]): PlanDates[] => {
    const timed = byPolicy.get(policy) ?? [];
    const isUnknown =
      unread.has(policy) ||
      mine.some(({ like, column }) => like.reason.code === 'inDoubt' && column === 'running');
    const found = timed.flatMap(({ index }) => causes.get(index) ?? []);
    const dated = timed.filter(({ index }) => causes.get(index)?.isOwn !== true);
    const ofPerson = causesOf(mine);
    const isBudget = ({ reason }: Cause) => reason.code === 'budgetExhausted';
    const shared = found.filter(({ isOwn }) => !isOwn);
    const own = dated.length === 0 ? found : [];
    const left = dated.length === 0 && !isUnknown ? ofPerson : [];
    const unshared = [...own, ...left].toSorted((a, b) => b.of.length - a.of.length);
    const [cause, ...others] = [...shared, ...ofPerson.filter(isBudget), ...unshared];
    const [late] = found
      .filter(({ isOwn, reason }) => isOwn && reason.code !== 'notDue')
      .sort((a, b) => Number(a.reason.next === 'never') - Number(b.reason.next === 'never'));
    if (timed.length === 0 && !isUnknown && !cause) return [];
    const frozen = listFreezes(timed, freezes);
    return [
      {
        policy,
        ...spanOf(dated, isUnknown || cause !== undefined),
        ...(cause && { blocked: describe(cause, others) }),
        ...(!cause && late && { undated: describe(late, found) }),
        ...(frozen.length > 0 && { frozen }),
        waves: [...groupBy(timed, ({ like: { wave = '' } }) => wave)].map(([name, some]) =>
          toWave(name, some, causes),
        ),
      },
    ];
  });
}

/** A wave, with the start of those that wait for it: neither what runs nor what passes earlier waves says that. */
function toWave(
  name: string,
  runners: readonly Runner[],
  causes: ReadonlyMap<number, Cause>,
): PlanDates['waves'][number] {
  const bound = runners.filter(
    ({ column, passesWaves }) => column !== 'running' && (column !== 'now' || !passesWaves),
  );
  const started = bound.some(({ startedAt }) => startedAt !== undefined) ? bound : runners;
  const dated = runners.filter(({ index }) => causes.get(index)?.isOwn !== true);
  return {
    name,
    changes: runners.filter((each) => mayStart(each, causes)).length,
    ...spanOf(dated),
    ...startOf(started),
  };
}

/** Whether a change starts now or later: it does not run, and no person has to let it go on. */
function mayStart(runner: Runner, causes: ReadonlyMap<number, Cause>): boolean {
  return runner.column !== 'running' && !needsPerson(runner, causes.get(runner.index));
}

/** When the first of these starts, and the last has ended; without an end where one has none. */
function spanOf(runners: readonly Runner[], isUnknown = false): Pick<PlanDates, 'starts' | 'ends'> {
  let last = -Infinity;
  for (const { endedAt = Infinity } of runners) last = Math.max(last, endedAt);
  return {
    ...startOf(runners),
    ...(Number.isFinite(last) && !isUnknown && { ends: formatInstant(last) }),
  };
}

function startOf(runners: readonly Runner[]): Pick<PlanDates, 'starts'> {
  let first = Infinity;
  for (const { startedAt = Infinity } of runners) first = Math.min(first, startedAt);
  return first < Infinity ? { starts: formatInstant(first) } : {};
}

/** The freezes that make changes end later than they would, in each zone; what has no end has no date to move. */
function listFreezes(
  runners: readonly Runner[],
  freezes: Documents['freezes'],
): readonly FrozenDates[] {
  const counts = new Map<string, number>();
  for (const runner of runners) {
    const { endedAt, frozen = [], stages } = runner;
    if (endedAt === undefined) continue;
    const waves = [...(stages?.frozen.values() ?? [])].filter((each) => isBehind(runner, each));
    const spans = [...waves.flatMap((each) => each.frozen), ...frozen];
    for (const { freeze, zone, of } of new Map(spans.map((one) => [one.freeze, one])).values()) {
      const key = JSON.stringify([
        freeze,
        { ...(zone !== undefined && { zone }), ...spanText(of) },
      ]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].sort().flatMap(([key, changes]) => {
    const [freeze, span] = JSON.parse(key);
    const entry = freezes.get(freeze);
    if (!entry) return [];
    const { hard, reason, owner, ticket } = entry.value;
    const { file, line, column } = entry.at;
    return [{ freeze, hard, reason, owner, ticket, at: { file, line, column }, changes, ...span }];
  });
}

/** Whether a change that was due starts only after freezes have kept an earlier wave. */
function isBehind(runner: Runner, { wave, until }: FrozenWave): boolean {
  const { change, startedAt = -Infinity, wave: own, passesWaves } = runner;
  const hasOwnDay = Number(change.next) > until;
  return own > wave && !passesWaves && !hasOwnDay && startedAt >= until;
}

/** How many devices are named. */
const NAMED = 3;

/** A cause, and where else a budget is full as well. */
function describe(cause: Cause, others: readonly Cause[] = []): UndatedChanges {
  const { reason, of, key, awaits } = cause;
  if (awaits) return describeOrder(cause, [cause, ...others]);
  const elsewhere = [...new Map(others.map((each) => [each.key, each])).values()]
    .filter((each) => isFull({ reason }) && isFull(each) && each.key !== key)
    .map((each) => ({ ...siteOf(each.of), params: each.reason.params ?? {} }));
  return {
    count: of.length,
    devices: of.slice(0, NAMED).map(({ deviceId }) => deviceId),
    ...siteOf(of),
    reason,
    ...(elsewhere.length > 0 && { elsewhere }),
  };
}

/** What waits for the devices of another policy: where, and for which. */
function describeOrder({ reason, key }: Cause, others: readonly Cause[]): UndatedChanges {
  const alike = others.filter((each) => each.key === key);
  const waited = new Set(alike.flatMap(({ awaits = [] }) => awaits));
  const devices = [...waited].flatMap((each) => [...each.devices.keys()]).filter(Boolean);
  const sites = [...new Set(alike.flatMap(({ of }) => of.map(({ site }) => site)))].filter(Boolean);
  const site = listAndCount(sites, NAMED);
  const named = devices.slice(0, NAMED);
  return { count: devices.length, devices: named, ...(site && { site }), reason };
}

/** Whether devices use up a budget that are down. */
function isFull({ reason: { why } }: Pick<Cause, 'reason'>): boolean {
  return why === 'downAlready';
}

function siteOf([first]: Cause['of']): Pick<UndatedChanges, 'site'> {
  return first?.site ? { site: first.site } : {};
}
