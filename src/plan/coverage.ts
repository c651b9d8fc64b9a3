import { ACKNOWLEDGED, findColumn, isDecided } from '../model/plan/actor.ts';
import { rowsIn } from '../model/plan/change-rows.ts';
import type { Memory } from '../model/ledger/memory.ts';
import { changeId, type Change, type Changes, type NoteClass } from '../model/plan/change.ts';
import { compareWithKnown, type Coverage, type ExceptedCount } from '../model/plan/coverage.ts';
import { policyAt } from '../model/documents/policies.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { compareTexts } from '../lib/text-order.ts';
import { formatInstant } from '../lib/time.ts';
import type { PlannerInput } from './input.ts';
import type { Notes } from './noted-devices.ts';

/** What a plan decided, for the count of what it covers. */
interface Decided {
  readonly changes: Changes;
  readonly notes: Pick<Notes, 'each'>;
  readonly classes: readonly NoteClass[];
  readonly due: Coverage['due'];
  /** The addresses of entries that select no device. */
  readonly unselecting: readonly string[];
}

/**
 * What a plan covers (semantics M30): the devices that its reading shows against those that the ledger
 * knows, the values that decide about the selected ones, and what needs a person.
 */
export function measureCoverage(
  input: Pick<PlannerInput, 'documents' | 'snapshot' | 'memory' | 'now' | 'part'>,
  { changes, notes, classes, due, unselecting }: Decided,
): Coverage {
  const { snapshot, memory, now, part } = input;
  const states = createStates(snapshot);
  notes.each((device, code) => states.add(device, code === 'notRead' ? UNREAD : 0));
  const excepted = createExcepted();
  const notOffered: Partial<Record<TaskType, number>> = {};
  // Devices that a policy names by their ID, and that the service does not manage.
  const person = classes
    .filter(({ reason }) => findColumn({ action: 'note', reason }) === 'person')
    .map(({ task, reason }) => changeId(task, String(reason.params?.['entry'])));
  const kinds: (KindCount | undefined)[] = [];
  const open = new Map(memory.open().map((each) => [changeId(each.task, each.device), each]));
  for (const row of rowsIn(changes)) {
    const kind = (kinds[row.kind] ??= countKind(row.like));
    if (open.size > 0) open.delete(changeId(kind.task, row.deviceId));
    states.add(row.deviceId, kind.state);
    if (kind.isPerson) person.push(changeId(kind.task, row.deviceId));
    if (kind.excepted) excepted.add(kind.excepted);
    if (kind.isNotOffered) notOffered[kind.task] = (notOffered[kind.task] ?? 0) + 1;
  }
  return {
    ...compareWithKnown(snapshot.devices, memory.coverage, now),
    ...states.counts(),
    ...findIdle(input, unselecting),
    ...countOnboarded(input),
    ...(!part && open.size > 0 && { open: countOpen([...open.values()]) }),
    person: person.sort(compareTexts),
    acknowledged: excepted.of('acknowledged'),
    excluded: excepted.of('excluded'),
    notOffered,
    ...(due && { due }),
  };
}

/** How many tasks are open that no change shows, as on a device that is not returned (semantics M31). */
function countOpen(open: ReturnType<Memory['open']>): NonNullable<Coverage['open']> {
  const inDoubt = open.filter(({ phase }) => phase === 'inDoubt').length;
  return { running: open.length - inDoubt, inDoubt };
}

/** The onboarded devices that the service shows, where the documents ask for nothing else (semantics M31). */
function countOnboarded({
  documents,
  memory,
  snapshot,
}: Pick<PlannerInput, 'documents' | 'memory' | 'snapshot'>): Pick<Coverage, 'onboarded'> {
  const { firmware, rotations, restarts, incidents } = documents;
  if ([firmware, rotations, restarts, incidents].some(({ size }) => size > 0)) return {};
  const done = [...memory.intents.values()].filter(
    ({ policy, verdict }) => verdict === 'done' && policyAt(documents, policy),
  );
  const ids = new Set(done.map(({ device, managedId = device }) => managedId));
  const onboarded = [...ids].filter((id) => snapshot.devices.rowOf(id) !== undefined).length;
  return onboarded > 0 ? { onboarded } : {};
}

/** Policies that have lost all of their devices, as by another spelling of a vendor (semantics M30). */
function findIdle(
  { memory, part }: Pick<PlannerInput, 'memory' | 'part'>,
  unselecting: readonly string[],
): Pick<Coverage, 'idle'> {
  if (part || unselecting.length === 0) return {};
  const known = new Set(Array.from(memory.intents.values(), ({ policy }) => policy));
  const idle = unselecting.filter((address) => LASTING.test(address) && known.has(address));
  return idle.length > 0 ? { idle } : {};
}

/** Of an onboarding or an incident nothing is left once it is done. */
const LASTING = /^(?:firmware|rotations|restarts)\./;

/** What each change of one kind counts as. */
interface KindCount extends Pick<Change, 'task'> {
  readonly state: number;
  readonly isPerson: boolean;
  readonly isNotOffered: boolean;
  readonly excepted?: Excepted;
}

function countKind(change: Change): KindCount {
  const { task, reason } = change;
  const column = findColumn(change);
  const excepted = findException(change);
  const unreadable = reason.why === 'valueUnknown' ? UNREADABLE : 0;
  return {
    task,
    state: (column === 'done' ? 0 : OPEN) | unreadable,
    isPerson: column === 'person' && !isDecided(reason),
    isNotOffered: column === 'out' && reason.why === 'taskUnavailable' && !excepted,
    ...(excepted && { excepted }),
  };
}

interface Excepted {
  readonly is: 'acknowledged' | 'excluded';
  readonly exception: string;
  readonly until: string;
}

function findException({ reason: { code, params = {} } }: Change): Excepted | undefined {
  if (params[ACKNOWLEDGED] !== undefined)
    return {
      is: 'acknowledged',
      exception: String(params[ACKNOWLEDGED]),
      until: String(params['acknowledgedUntil']),
    };
  if (code !== 'exclude') return undefined;
  return {
    is: 'excluded',
    exception: String(params['exception']),
    until: String(params['until']),
  };
}

function createExcepted() {
  const counts = new Map<string, Excepted & { count: number }>();
  return {
    add(one: Excepted): void {
      const key = `${one.is} ${one.exception}`;
      const known = counts.get(key) ?? { ...one, count: 0 };
      known.count += 1;
      counts.set(key, known);
    },
    of: (is: Excepted['is']): readonly ExceptedCount[] =>
      [...counts.values()]
        .filter((each) => each.is === is)
        .map(({ exception, count, until }) => ({ exception, count, until }))
        .sort((a, b) => compareTexts(a.until, b.until) || compareTexts(a.exception, b.exception)),
  };
}

/** What is known of a selected device: it does not match in all, a value is not read, or not understood. */
const SELECTED = 1;
const OPEN = 2;
const UNREAD = 4;
const UNREADABLE = 8;

function createStates({ devices, facts }: PlannerInput['snapshot']) {
  const managed = new Uint8Array(devices.length);
  const others = new Map<string, number>();
  return {
    add(device: number | string, state: number): void {
      const row = typeof device === 'number' ? device : devices.rowOf(device);
      if (row !== undefined) managed[row] = (managed[row] ?? 0) | SELECTED | state;
      else others.set(String(device), (others.get(String(device)) ?? 0) | SELECTED | state);
    },
    counts() {
      const counts = { selected: 0, matching: 0, read: 0, believed: 0, unread: 0, unreadable: 0 };
      let [oldest, matchingBelieved] = [Infinity, 0];
      const count = (state: number, knownAt: Readonly<Record<string, number>> | undefined) => {
        counts.selected += 1;
        const isMatching = (state & (OPEN | UNREAD)) === 0;
        if (isMatching) counts.matching += 1;
        if (isMatching && knownAt) matchingBelieved += 1;
        if ((state & UNREADABLE) !== 0) counts.unreadable += 1;
        else if ((state & UNREAD) !== 0) counts.unread += 1;
        else if (knownAt) counts.believed += 1;
        else counts.read += 1;
        if (knownAt) oldest = Math.min(oldest, ...Object.values(knownAt));
      };
      managed.forEach((state, row) => {
        if (state !== 0) count(state, facts(devices.idAt(row)).knownAt);
      });
      for (const state of others.values()) count(state, undefined);
      return {
        ...counts,
        ...(matchingBelieved !== counts.believed && { matchingBelieved }),
        ...(oldest < Infinity && { oldest: formatInstant(oldest) }),
      };
    },
  };
}
