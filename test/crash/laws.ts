import { accept } from '../../src/ledger/acceptor.ts';
import { fold } from '../../src/ledger/fold.ts';
import { Bug } from '../../src/lib/bug.ts';
import type { Ending, RunReport } from '../../src/model/ledger/run-report.ts';
import { doneTwice, endsOf, unannounced, type DeviceEnd } from '../support/rehearsal-laws.ts';
import {
  createWorld,
  START,
  type Rehearsal,
  type RehearsalWorld,
} from '../support/rehearsal-world.ts';
import { isQuiet, type Heir, type Life } from './life.ts';

/** What must never be, whatever a process dies of. */
export const LAWS = ['duplicate', 'lost', 'open', 'unlawful'] as const;
export type Law = (typeof LAWS)[number];

export interface Violation {
  readonly law: Law;
  readonly what: string;
}

/** What a life came to. */
export interface Judged {
  readonly violations: readonly Violation[];
  /** Devices at which something is not done that undisturbed is, or open, and reported so. */
  readonly reported: number;
}

/** What the undisturbed life changes on each device, and to what; who came by somebody else's hand is nobody's wish. */
export type Wanted = ReadonlyMap<string, WantedEnd>;

interface WantedEnd {
  readonly changes: Partial<DeviceEnd>;
  /**
   * The version that the last documents wish for, where even the undisturbed life ends without it: who has it is
   * behind nobody.
   */
  readonly wish?: string;
}

export function wantedOf(rehearsal: Rehearsal, undisturbed: Life): Wanted {
  const { world } = createWorld(rehearsal.script).twin;
  const began = endsOf(world, START);
  const offered = new Set(world.state.discovered.map(({ device }) => device.id));
  const ours = [...endsOf(undisturbed.world.twin.world, START)].filter(
    ([id]) => began.has(id) || offered.has(id),
  );
  const wishes = wantsOf(undisturbed.last);
  return new Map(
    ours.map(([id, end]) => {
      const isChanged = ([key, value]: [string, unknown]): boolean =>
        key === 'device' || began.get(id)?.[key as keyof DeviceEnd] !== value;
      const wish = wishes.get(id);
      const changes = Object.fromEntries(Object.entries(end).filter(isChanged));
      return [id, { changes, ...(wish !== undefined && { wish }) }];
    }),
  );
}

/** Versions that a report says some devices ought to have, and have not. */
function wantsOf(report: RunReport | undefined): ReadonlyMap<string, string> {
  const missed = (report?.endings ?? []).filter(isNotDone).map(({ change }) => change);
  return new Map(
    missed.flatMap(({ device, after: { firmwareVersion } }) =>
      typeof firmwareVersion === 'string' ? [[device.id, firmwareVersion]] : [],
    ),
  );
}

/**
 * After a crash: nothing was done twice (I1); no POST was unannounced (I2) and the ledger is
 * one that may be; whatever the undisturbed life does to a device is done, or the last report says
 * that it is not; every intent is closed or reported; and from then on a run changes nothing (I18, I20).
 */
export function judge(life: Life, wanted: Wanted, heir: Heir): Judged {
  const { world, last } = life;
  const told = toldOf(last);
  const behind = behindIn(world, wanted);
  const open = openOf(world);
  const violations: Violation[] = [
    ...as('duplicate', doneTwice(world.twin.world)),
    ...as(
      'lost',
      behind.filter((id) => !told.has(id)),
    ),
    ...as(
      'open',
      open.filter((id) => !openIn(last).has(id)),
    ),
    ...as('open', isQuiet(life.tail) ? [] : life.tail),
    ...as(
      'unlawful',
      accept(world.store.records).violations.map((found) => JSON.stringify(found)),
    ),
    ...as('unlawful', unannounced(life.effects)),
    ...as('unlawful', life.failures.filter((one) => one instanceof Bug).map(String)),
    ...as('unlawful', inheritance(life, heir)),
    ...as('unlawful', last ? [] : ['the last run has no report']),
  ];
  return { violations, reported: new Set([...behind, ...open]).size };
}

/** Nothing is left to be done, and nothing is open. */
export function isDone(world: RehearsalWorld, wanted: Wanted): boolean {
  return openOf(world).length === 0 && behindIn(world, wanted).length === 0;
}

function openOf({ store }: RehearsalWorld): readonly string[] {
  return fold(store.records)
    .open()
    .map(({ device }) => device);
}

function behindIn({ twin }: RehearsalWorld, wanted: Wanted): readonly string[] {
  const ends = endsOf(twin.world, START);
  return [...wanted].filter(([id, one]) => isBehind(ends.get(id), one)).map(([id]) => id);
}

function isBehind(end: DeviceEnd | undefined, { changes, wish }: WantedEnd): boolean {
  const differing = Object.entries(changes).filter(
    ([key, value]) => end?.[key as keyof DeviceEnd] !== value,
  );
  const isAsWished = wish !== undefined && end?.firmwareVersion === wish;
  return differing.some(([key]) => key !== 'firmwareVersion' || !isAsWished);
}

function as(law: Law, what: readonly string[]): readonly Violation[] {
  return what.map((one) => ({ law, what: one }));
}

/**
 * On its own machine a dead process is followed at once; from another nobody may before its lease
 * stood still for twice its life, nor later than half a minute after (protocol U3).
 */
function inheritance({ inherited }: Life, heir: Heir): readonly string[] {
  if (!inherited) return [];
  const { lease, at, takenAt } = inherited;
  const waited = takenAt - at;
  const least = heir === 'same host' ? 0 : 2 * lease.ttl;
  return waited >= least && waited <= least + 30_000 ? [] : [`lease taken after ${waited} ms`];
}

/** Reasons to skip that claim that nothing is wanted. */
const CLAIMS_DONE = new Set(['alreadyConverged', 'notDue', 'notSelected']);

/** Devices that a report does not claim to be done. */
function toldOf(report: RunReport | undefined): ReadonlySet<string> {
  const endings = (report?.endings ?? []).filter(isNotDone);
  return new Set([...endings.map(({ change }) => change.device.id), ...openIn(report)]);
}

function isNotDone({ outcome, reason }: Ending): boolean {
  if (outcome === 'skipped') return reason !== undefined && !CLAIMS_DONE.has(reason.code);
  return outcome !== 'verified';
}

/** Devices that a report says are in doubt, or running on. */
function openIn(report: RunReport | undefined): ReadonlySet<string> {
  const endings = (report?.endings ?? []).filter(({ outcome }) =>
    ['inDoubt', 'timedOut', 'atWork'].includes(outcome),
  );
  return new Set([
    ...endings.map(({ change }) => change.device.id),
    ...(report?.leftOpen ?? []).map(({ device }) => device),
  ]);
}
