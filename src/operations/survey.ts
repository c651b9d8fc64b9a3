import type { Memory } from '../model/ledger/memory.ts';
import type { FactNotices, Snapshot } from '../model/fleet/snapshot.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { UnwantedOutcome } from '../model/plan/approval-rules.ts';
import type { FleetPart, PlanPart } from '../model/plan/part.ts';
import { type PartFlags, isPart, requireOverlap, resolvePart } from '../plan/part/resolve-part.ts';
import type { Instant } from '../lib/time.ts';
import type { ReadingChoice } from '../facts/read-choice.ts';
import type { Connection } from './connect.ts';
import { type FactBook, type HeldFacts, type InMemory, openFactBook } from './facts/fact-book.ts';
import type { ReadingLimits } from './facts/reading-limits.ts';
import {
  baseParts,
  decidePlan,
  plannerInput,
  planProvenance,
  type DecideParts,
  type PlannedSurvey,
  type Recorded,
  recordedOf,
} from './plan.ts';
import { readStatus } from './status.ts';
import type { Shell } from '../shell/shell.ts';
import { newestApproved } from './gate/newest-approved.ts';
import { readDefaultBranch, isNewestCommit } from './gate/default-branch.ts';
import { findEnded } from './gate/lineage.ts';
import { readLiveFleet } from '../live/read-fleet.ts';
import { matchAhead } from '../desired/desire.ts';
import { wantedReads, joinSides } from '../plan/needed-reads.ts';
import { knownDevices } from '../plan/known-devices.ts';
import { readsBefore, readsWhole, startsNone } from '../plan/admit/batch.ts';

/** The inputs of a survey, besides the connection. */
export interface SurveyParts extends DecideParts, Pick<Connection, 'client'> {
  readonly shell: Shell;
  /** The instant to plan for; now if absent. The fleet is read as it is. */
  readonly at?: Instant;
  /** Whether there is time to repeat reads that an inconsistent reading left open. */
  readonly patient?: boolean;
  /**
   * Resolves the part of the fleet to plan, from the lists. Throws `partUnknown` before single devices
   * are read.
   */
  readonly resolvePart?: ResolvePart;
  /**
   * Throws if the lists alone show that the plan cannot succeed, before single devices are read.
   */
  readonly check?: (rows: Snapshot) => void;
  /**
   * Saves the snapshot before anything is decided on it. Returns the digest of the file, if one was
   * written.
   */
  readonly keep?: (snapshot: Snapshot) => Promise<string | undefined>;
  /** How single devices are read; absent: as by a command that only reads. */
  readonly limits?: ReadingLimits;
  /** The known values of single devices, shared by several surveys of one command. */
  readonly book?: FactBook;
  /** Set in a rehearsal: what its runs record, in place of the ledger and the stores of facts. */
  readonly inMemory?: InMemory;
  /** The lists as an earlier reading has them, with newer rows; absent: they are read. */
  readonly lists?: Snapshot | undefined;
  /** Only the reads of this device are made, however many they are. */
  readonly only?: (rows: Snapshot) => string;
}

/**
 * Resolves a part from the lists; every reading of a run gets the part of the first one. Throws
 * `partOutsidePlan` where it has nothing in common with the part of the approved plan.
 */
export type ResolvePart = (
  rows: Snapshot,
  sides: readonly Documents[],
  approved?: PlanPart,
) => FleetPart | undefined;

/** Resolves the part that these flags name, once; undefined where they name none. */
export function partResolver(flags: PartFlags): ResolvePart | undefined {
  if (!isPart(flags)) return undefined;
  let resolved: FleetPart | undefined;
  return (rows, sides, approved) => {
    resolved ??= resolvePart(flags, sides, rows);
    if (approved && resolved) requireOverlap(approved, resolved, rows);
    return resolved;
  };
}

function partFor(
  { resolvePart, approved }: Pick<SurveyParts, 'resolvePart' | 'approved'>,
  sides: readonly Pick<DecideParts, 'documents'>[],
  rows: Snapshot,
): Pick<DecideParts, 'part'> {
  const part = resolvePart?.(
    rows,
    sides.map(({ documents }) => documents),
    approved?.part,
  );
  return part ? { part } : {};
}

/**
 * Reads the fleet, makes the further reads that the planner requests, and plans. This is the only
 * place where reading and deciding meet; every command that plans on a fresh reading calls it.
 */
export async function survey(parts: SurveyParts, memory: Memory): Promise<PlannedSurvey> {
  const { reading, most, notices } = await readWithFacts(parts, memory);
  const { organization } = parts.target;
  const snapshot = {
    ...reading,
    organization,
    maxReads: most,
    ...(notices && { notices }),
  };
  const file = await parts.keep?.(snapshot);
  const recorded = parts.inMemory ? { snapshot, digest: '' } : recordedOf(snapshot, file);
  const before = baseParts(parts);
  const part = partFor(parts, before ? [parts, before] : [parts], snapshot);
  const at = now(parts);
  const judged = parts.inMemory ? {} : await judgeApprovals(parts, memory, { recorded, at });
  const { unwanted: ended = [], ...rules } = judged;
  const planned = await decidePlan({ ...parts, ...part, ...rules }, memory, recorded, at);
  // Whoever measures a run at its end needs no dates of each device.
  const { courseOf: _dates, ...measured } = planned;
  const status = () => readStatus(parts, measured);
  parts.shell.measure?.({ fleet: async () => ({ ...measured, status: await status() }) });
  const unwanted = [...(planned.unwanted ?? []), ...ended];
  if (unwanted.length === 0) return planned;
  const once = new Map(unwanted.map((each) => [`${each.id} ${each.planId}`, each]));
  return ofNewestCommit(parts, { ...planned, unwanted: [...once.values()] });
}

/** What the default branch says of the approvals of a ledger; git is asked only where it has some. */
interface JudgedApprovals extends Pick<DecideParts, 'newest' | 'isEnded'> {
  readonly unwanted?: readonly UnwantedOutcome[];
}

/**
 * The newest approved commit (semantics N73), and the approvals that ended between their commit and the newest
 * one (protocol M10).
 */
export async function judgeApprovals(
  parts: DecideParts & Pick<SurveyParts, 'shell'>,
  memory: Memory,
  { recorded, at }: { readonly recorded: Recorded; readonly at: Instant },
): Promise<JudgedApprovals> {
  if (!memory.approvals) return {};
  const branch = await readDefaultBranch(parts);
  const newest = await newestApproved(parts, memory, branch);
  const ended = await findEnded({ parts, memory, recorded, now: at }, branch);
  return { ...(newest && { newest }), ...ended };
}

/**
 * The reading with what is known of single devices. A book of one survey ends here: what it holds of the needed reads
 * is no part of the plan.
 */
async function readWithFacts(parts: SurveyParts, memory: Memory) {
  const book = parts.book ?? (await openFactBook(parts, memory, parts.limits));
  let notices: FactNotices | undefined;
  const reading = await read(parts, memory, book).finally(async () => {
    notices = await book.surveyed();
    if (!parts.book) await book.keep();
  });
  return { reading, most: book.most, notices };
}

/**
 * Only the newest commit of the default branch decides what is no longer required: another branch, an
 * older checkout and changed files withdraw nothing.
 */
async function ofNewestCommit(parts: SurveyParts, planned: PlannedSurvey): Promise<PlannedSurvey> {
  const { commit } = parts;
  const isNewest = commit && !commit.dirty && isNewestCommit(parts, commit.commit);
  if (await isNewest) return planned;
  const { unwanted: _unwanted, ...rest } = planned;
  return rest;
}

async function read(parts: SurveyParts, memory: Memory, book: FactBook): Promise<Snapshot> {
  const { shell, dialect, onProgress, documents } = parts;
  const { pace } = documents.service.value;
  const before = baseParts(parts);
  const sides = before ? [parts, before] : [parts];
  const limited = (rows: Snapshot): Pick<DecideParts, 'part'> => partFor(parts, sides, rows);
  let choose: ReturnType<HeldFacts['choose']> | undefined;
  return readLiveFleet({
    service: book.service,
    clock: shell.clock,
    random: shell.random,
    onProgress,
    // What selects a device is found while the next pages are awaited.
    onRows: (devices) => {
      for (const side of sides) matchAhead(side.documents, devices, now(parts));
    },
    lists: parts.lists,
    onboards: sides.some((side) => side.documents.onboarding.size > 0),
    known: knownDevices(documents, memory),
    patient: parts.patient === true,
    perSecond: pace.requestsPerSecond,
    restsOnFilter: (devices) => {
      const reads = readsBefore({ dialect, devices, unfiltered: true });
      return !readsWhole({ dialect }) && startsNone(reads, pace);
    },
    needs: (rows) => {
      const part = limited(rows);
      parts.check?.(rows);
      const held = book.hold(rows, memory);
      const wanted = sides.map((side) => {
        const inputs = planProvenance(side, memory, { snapshot: rows, digest: '' });
        const input = plannerInput({ ...side, ...part }, memory, held.known, now(parts));
        return wantedReads({ ...input, inputs });
      });
      choose = held.choose(joinSides(wanted), parts.only?.(rows));
      return wanted.flat();
    },
    choose: (answered) => choose?.(answered) ?? NOTHING,
  });
}

function now({ at, shell }: SurveyParts): Instant {
  return at ?? shell.clock.now();
}

/** No read was needed, so none is made. */
const NOTHING: ReadingChoice = { read: [], due: 0, open: [], again: [], facts: (_, read) => read };
