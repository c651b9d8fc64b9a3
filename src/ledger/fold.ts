import { Bug } from '../lib/bug.ts';
import type { IntentState, Memory, MemoryState } from '../model/ledger/memory.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { approvedOutcomes } from '../model/ledger/approval.ts';
import {
  approvedText,
  falseCheckpoint,
  isTrueCheckpoint,
  readCheckpoint,
  writeCheckpoint,
  type CheckpointText,
} from './checkpoint.ts';
import { MemoryDraft } from './draft.ts';
import { EMPTY_PARTS, type MemoryParts } from './memory-parts.ts';

/** So many records a reader folds beside the state of a checkpoint, or more where that state is large. */
const MOST_SINCE = 500;
const INTENTS_PER_RECORD = 20;

const NOTHING: ReadonlySet<string> = new Set();
const NO_INTENTS: readonly IntentState[] = [];

/**
 * The memory of a whole ledger. It is always computed from the records and never stored as truth. Whoever reads all
 * found no text to start from, as after a move: the next is due at once.
 */
export function fold(records: Iterable<LedgerRecord>): Memory {
  const { parts } = foldedBy(foldMore(EMPTY_MEMORY, records));
  return toMemory({ ...parts, checkpointAt: 0 });
}

/**
 * Folds more records onto a memory and returns a new memory. The cost depends on the new records
 * only, but for a CHECKPOINT, which is compared with all of the state before it. Throws `ledgerBroken` where it
 * says anything else (protocol J21).
 * @param made the CHECKPOINT that `dueCheckpoint` has just made of this memory
 * @param look looks at each record and at the state before it
 */
export function foldMore(
  memory: Memory,
  records: Iterable<LedgerRecord>,
  made?: RecordBody,
  look?: (record: LedgerRecord, before: MemoryDraft) => void,
): Memory {
  let draft = continueDraft(memory);
  for (const record of records) {
    look?.(record, draft);
    if (record.body.type === 'CHECKPOINT' && record.body !== made) {
      const parts = draft.finish();
      if (!isTrueCheckpoint(record.body, parts)) throw falseCheckpoint(record);
      draft = new MemoryDraft(parts);
    }
    draft.apply(record);
  }
  return toMemory(draft.finish());
}

/**
 * The memory of records that begin with a CHECKPOINT, from the text beside it. Undefined where the text is of another
 * version, so that all records must be read. Throws `ledgerBroken` where it is not the text of the record.
 * @param approving where whoever wrote it may not approve: every APPROVED, WITHDRAWN and GROUND before it, which it
 * has to agree with (protocol J20)
 */
export function foldFrom(
  text: string,
  records: readonly LedgerRecord[],
  approving?: readonly LedgerRecord[],
): Memory | undefined {
  const [first, ...rest] = records;
  const parts = first && readCheckpoint(text, first);
  if (!parts) return undefined;
  const approved = new MemoryDraft(EMPTY_PARTS);
  for (const record of approving ?? []) approved.apply(record);
  if (approving && approvedText(approved.finish()) !== approvedText(parts))
    throw falseCheckpoint(first);
  const draft = new MemoryDraft(parts);
  draft.apply(first);
  return foldMore(toMemory(draft.finish()), rest);
}

/** The next checkpoint of a ledger, once enough records came since the last; its amortized cost is small. */
export function dueCheckpoint(memory: Memory): CheckpointText | undefined {
  const { parts } = foldedBy(memory);
  const due = Math.max(MOST_SINCE, parts.intents.size / INTENTS_PER_RECORD);
  return parts.head.seq - parts.checkpointAt < due ? undefined : writeCheckpoint(parts);
}

/** A draft that continues from a memory that `fold` made. */
export function continueDraft(memory: Memory): MemoryDraft {
  return new MemoryDraft(foldedBy(memory).parts);
}

function foldedBy(memory: Memory): Folded {
  if (!(memory instanceof Folded)) throw new Bug('memory was not made by fold');
  return memory;
}

/** What is asked of a memory; its state is beside it, as `toMemory` adds it. */
class Folded implements Omit<Memory, keyof MemoryState | 'approvals'> {
  #open: readonly IntentState[] | undefined;
  readonly parts: MemoryParts;

  constructor(parts: MemoryParts) {
    this.parts = parts;
  }

  intentsOf(device: string, task?: TaskType): readonly IntentState[] {
    const intents = this.parts.byDevice.get(device) ?? NO_INTENTS;
    return task === undefined ? intents : intents.filter((intent) => intent.task === task);
  }

  open(): readonly IntentState[] {
    const { intents, open } = this.parts;
    return (this.#open ??= [...open].flatMap((id) => intents.get(id) ?? []));
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
}

function toMemory(parts: MemoryParts): Memory {
  const {
    approvals,
    byDevice: _,
    open: _ids,
    attemptEpochs: _epochs,
    isPart: _part,
    checkpointAt: _checkpoint,
    ...state
  } = parts;
  const { ground } = state;
  const approved = approvals.plans.length > 0 && {
    approvals: approvedOutcomes({ ...approvals, ground }),
  };
  return Object.assign(new Folded(parts), state, approved);
}

export const EMPTY_MEMORY = toMemory(EMPTY_PARTS);
