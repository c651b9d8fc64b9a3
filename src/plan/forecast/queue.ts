import type { Instant } from '../../lib/time.ts';
import { addTo, getOrAdd } from '../../lib/maps.ts';
import type { BudgetSet } from '../../rollout/budgets/division.ts';

/** What waits in a queue. */
export interface Queued {
  /** The rank of what starts next of it: all get capacity in this order. It changes only while it waits for nothing. */
  rank: number;
  /** What budgets know of it besides its sets: equal ones meet the same limit of a set. */
  readonly variant: number;
}

/** What a lane waits for that a cap refuses without an instant: any step of the course. */
export const ANY = Symbol('any step');

/** The lanes of a course that something has happened to since they were looked at. */
export interface Queue<Lane extends Queued> {
  look(lane: Lane): void;
  /** Looks at a lane again at an instant. */
  wake(lane: Lane, at: Instant): void;
  /** Looks at a lane again once this has headroom, or has moved on. */
  await(lane: Lane, what: unknown): void;
  free(whats: readonly unknown[]): void;
  /**
   * The lanes that are due, in their order, until one cannot go on, which stays due; false in that case.
   * @param visit is told the rank of the lane that comes next: what is behind that has another turn
   */
  each(at: Instant, visit: (lane: Lane, next: number) => 'done' | 'later' | 'stopped'): boolean;
  /** The next instant at which a lane is due. */
  next(): Instant;
}

/** Lanes that wait for one thing, in their order. Where the first of them is refused again, so are all behind it. */
interface Waiting<Lane> {
  readonly lanes: Lane[];
  readonly variant: number;
  readonly isShared: boolean;
}

/** Every lane is due at first. */
export function openQueue<Lane extends Queued>(lanes: Iterable<Lane>): Queue<Lane> {
  const looks = new Set(lanes);
  const clock = new Map<Instant, Lane[]>();
  const waiting = new Map<unknown, Set<Waiting<Lane>>>();
  const waitsIn = new Map<Lane, Waiting<Lane>>();
  const freed = new Set<Waiting<Lane>>();
  const listsOf = (what: unknown): Set<Waiting<Lane>> => {
    return getOrAdd(waiting, what, () => new Set());
  };
  const leave = (lane: Lane): void => {
    const list = waitsIn.get(lane)?.lanes ?? [];
    waitsIn.delete(lane);
    const place = firstFrom(list, lane.rank);
    if (list[place] === lane) list.splice(place, 1);
  };
  const wakeUntil = (at: Instant): void => {
    for (const [instant, woken] of clock) {
      if (instant > at) continue;
      clock.delete(instant);
      for (const lane of woken) looks.add(lane);
    }
  };
  const turnAt = (at: Instant): Lane[] => {
    wakeUntil(at);
    const turn = [...looks].sort((a, b) => a.rank - b.rank);
    looks.clear();
    for (const { lanes: waits } of freed) enterTurn(turn, waits[0], 0);
    return turn;
  };
  /** Who comes after a rank in what was freed. */
  const behindIn = (was: Waiting<Lane> | undefined, rank: number): Lane | undefined =>
    was && freed.has(was) ? was.lanes[firstFrom(was.lanes, rank)] : undefined;
  return {
    look: (lane) => void looks.add(lane),
    wake: (lane, at) => addTo(clock, at, lane),
    await(lane, what) {
      const { variant } = lane;
      const known = [...listsOf(what)].find((one) => one.variant === variant);
      const list = known ?? { lanes: [], variant, isShared: isFull(what) };
      listsOf(what).add(list);
      // Devices that may belong to a set count there, and in a set of their own.
      if (isSet(what) && what.open) listsOf(what.open).add(list);
      list.lanes.splice(firstFrom(list.lanes, lane.rank), 0, lane);
      waitsIn.set(lane, list);
    },
    free(whats) {
      for (const what of whats) for (const list of waiting.get(what) ?? []) freed.add(list);
    },
    each(at, visit) {
      const turn = turnAt(at);
      for (let place = 0; place < turn.length; place += 1) {
        const lane = turn[place];
        if (!lane) continue;
        const { rank } = lane;
        const was = waitsIn.get(lane);
        leave(lane);
        const behind = behindIn(was, rank);
        const visited = visit(lane, Math.min(rankOf(turn[place + 1]), rankOf(behind)));
        // Who comes after a lane that waited, unless what it waited for is full again.
        if (was?.isShared === true && waitsIn.get(lane) === was) freed.delete(was);
        else enterTurn(turn, behind, place + 1);
        if (visited === 'later') enterTurn(turn, lane, place + 1);
        for (const other of looks)
          if (other.rank > rank && looks.delete(other)) enterTurn(turn, other, place + 1);
        if (visited !== 'stopped') continue;
        for (const left of turn.slice(place)) looks.add(left);
        return false;
      }
      freed.clear();
      return true;
    },
    next: () => Math.min(...clock.keys()),
  };
}

const rankOf = (lane: Queued | undefined): number => lane?.rank ?? Infinity;

/** Enters a lane among those whose turn comes, once, at this place or behind it. */
function enterTurn<Lane extends Queued>(turn: Lane[], lane: Lane | undefined, from: number): void {
  if (!lane) return;
  const place = firstFrom(turn, lane.rank, from);
  if (turn[place] !== lane) turn.splice(place, 0, lane);
}

/** Whether this is a set of devices that a budget counts. */
export function isSet(what: unknown): what is BudgetSet {
  return typeof what === 'object' && what !== null && 'members' in what;
}

/** Whether what refuses one refuses all: a set that shares its devices with no other, or a policy. */
function isFull(what: unknown): boolean {
  return typeof what === 'string' || (isSet(what) && what.open === undefined);
}

/** The place of the first lane from this rank on; those before `from` are in no order. */
function firstFrom(lanes: readonly Queued[], rank: number, from = 0): number {
  let [low, high] = [from, lanes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rankOf(lanes[middle]) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
