import { Bug } from '../lib/bug.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { approvedOutcomes } from '../model/ledger/approval.ts';
import { MemoryDraft } from './draft.ts';
import { EMPTY_PARTS, type MemoryParts } from './memory-parts.ts';

const NOTHING: ReadonlySet<string> = new Set();
const NO_INTENTS: readonly IntentState[] = [];

/**
 * The memory of a whole ledger. It is always computed from the records and never stored as truth.
 */
export function fold(records: Iterable<LedgerRecord>): Memory {
  return foldMore(EMPTY_MEMORY, records);
}

/**
 * Folds more records onto a memory and returns a new memory. The cost depends on the new records
 * only.
 */
export function foldMore(memory: Memory, records: Iterable<LedgerRecord>): Memory {
  const draft = continueDraft(memory);
  for (const record of records) draft.apply(record);
  return new Folded(draft.finish());
}

/** A draft that continues from a memory that `fold` made. */
export function continueDraft(memory: Memory): MemoryDraft {
  if (!(memory instanceof Folded)) throw new Bug('memory was not made by fold');
  return new MemoryDraft(memory.parts);
}

class Folded implements Memory {
  #open: readonly IntentState[] | undefined;
  readonly parts: MemoryParts;
  readonly ledgerId: Memory['ledgerId'];
  readonly fingerprint: Memory['fingerprint'];
  readonly format: Memory['format'];
  readonly head: Memory['head'];
  readonly epoch: Memory['epoch'];
  readonly lease?: NonNullable<Memory['lease']>;
  readonly intents: Memory['intents'];
  readonly unanswered: Memory['unanswered'];
  readonly accepted: Memory['accepted'];
  readonly moved?: NonNullable<Memory['moved']>;
  readonly stops?: NonNullable<Memory['stops']>;
  readonly lifts?: NonNullable<Memory['lifts']>;
  readonly pauses?: NonNullable<Memory['pauses']>;
  readonly resumedAt?: NonNullable<Memory['resumedAt']>;
  readonly approvals?: NonNullable<Memory['approvals']>;
  readonly rollouts?: NonNullable<Memory['rollouts']>;
  readonly sightings?: NonNullable<Memory['sightings']>;
  readonly checked?: NonNullable<Memory['checked']>;
  readonly ground?: NonNullable<Memory['ground']>;
  readonly coverage?: NonNullable<Memory['coverage']>;
  readonly facts?: NonNullable<Memory['facts']>;
  readonly distrusted?: NonNullable<Memory['distrusted']>;
  readonly renamed?: NonNullable<Memory['renamed']>;

  constructor(parts: MemoryParts) {
    this.parts = parts;
    this.ledgerId = parts.ledgerId;
    this.fingerprint = parts.fingerprint;
    this.format = parts.format;
    this.head = parts.head;
    this.epoch = parts.epoch;
    this.intents = parts.intents;
    this.unanswered = parts.unanswered;
    this.accepted = parts.accepted;
    if (parts.moved.size > 0) this.moved = parts.moved;
    if (parts.lease !== undefined) this.lease = parts.lease;
    if (parts.stops.size > 0) this.stops = parts.stops;
    if (parts.lifts.size > 0) this.lifts = parts.lifts;
    if (parts.pauses.size > 0) this.pauses = parts.pauses;
    if (parts.resumedAt.size > 0) this.resumedAt = parts.resumedAt;
    if (parts.approvals.plans.length > 0)
      this.approvals = approvedOutcomes({ ...parts.approvals, ground: parts.ground });
    if (parts.rollouts.size > 0) this.rollouts = parts.rollouts;
    if (parts.sightings.size > 0) this.sightings = parts.sightings;
    Object.assign(this, knownOf(parts));
  }

  intentsOf(device: string, task?: TaskType): readonly IntentState[] {
    const ids = this.parts.byDevice.get(device);
    if (ids === undefined) return NO_INTENTS;
    const intents = this.#all(ids);
    return task === undefined ? intents : intents.filter((intent) => intent.task === task);
  }

  open(): readonly IntentState[] {
    return (this.#open ??= this.#all(this.parts.open));
  }

  generationOf(device: string, task: TaskType): number {
    const generations = this.intentsOf(device, task).map((intent) => intent.generation);
    return Math.max(1, ...generations);
  }

  covered(policy: string, targetDigest: string): ReadonlySet<string> {
    const running = this.parts.rollouts.get(policy);
    if (running?.targetDigest !== targetDigest) return NOTHING;
    return running.weighed ?? running.devices;
  }

  weighedInParts(policy: string, targetDigest: string): ReadonlySet<string> {
    const running = this.parts.rollouts.get(policy);
    if (running?.targetDigest !== targetDigest || !running.weighedInParts) return NOTHING;
    return new Set(running.weighedInParts.keys());
  }

  #all(ids: Iterable<string>): readonly IntentState[] {
    const found: IntentState[] = [];
    for (const id of ids) {
      const intent = this.parts.intents.get(id);
      if (intent !== undefined) found.push(intent);
    }
    return found;
  }
}

/** What readings and grounds add up to, without what there is none of. */
function knownOf(parts: MemoryParts): Partial<Memory> {
  const { checked, ground, coverage, facts, distrusted, renamed } = parts;
  return {
    ...(checked && { checked }),
    ...(ground && { ground }),
    ...(coverage.length > 0 && { coverage }),
    ...(facts.size > 0 && { facts }),
    ...(distrusted.size > 0 && { distrusted }),
    ...(renamed.size > 0 && { renamed }),
  };
}

/** The memory of an empty ledger. */
export const EMPTY_MEMORY: Memory = new Folded(EMPTY_PARTS);
