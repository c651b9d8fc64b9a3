import { startDigest } from '../../lib/canonical.ts';
import type { Change } from '../../model/plan/change.ts';
import { WorldError } from '../../model/error.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { PLAN_VERSION } from '../../model/plan/plan.ts';
import { createColumns } from '../columns.ts';
import { readChange, readReason } from './written.ts';
import { CHANGES, digestEnd, tailLine } from './save.ts';
import { checkSums } from './sums.ts';
import { isChange, isPlanHead } from './plan-shape.ts';

/**
 * Reads a saved plan line by line, without keeping its changes as objects. Throws `planUnreadable`
 * if it is no plan of this version. Throws `planTampered` if it was edited or truncated: its digest
 * does not match, or its changes give another sum.
 */
export async function readPlan(lines: Lines): Promise<Plan> {
  return (await readSavedPlan(lines)).plan;
}

/**
 * Reads a saved plan together with the digest of its file. The digest covers every byte, including
 * those that the plan's ID does not cover.
 */
export async function readSavedPlan(lines: Lines): Promise<SavedPlan> {
  const reader = startReader();
  for await (const line of lines) reader.take(line);
  return reader.finish();
}

type Lines = AsyncIterable<string> | Iterable<string>;

/** A plan as its file contains it. */
export interface SavedPlan {
  readonly plan: Plan;
  readonly digest: string;
}

/** The first line: everything of a plan except its changes. */
type Head = Omit<Plan, 'changes'> & { readonly outcome?: unknown };

function startReader() {
  const digest = startDigest();
  const columns = createColumns();
  let head: Head | undefined;
  /** The previous line. It is a change unless it is the last line. */
  let held: string | undefined;
  let lines = 0;
  let broken: number | undefined;

  const settle = (line: string): void => {
    digest.add(`${line}\n`);
    const change = parseChange(line);
    if (change) columns.add(change);
    else broken ??= lines;
  };
  return {
    take(line: string): void {
      if (head === undefined) {
        head = parseHead(line);
        digest.add(`${line}\n`);
      } else {
        if (held !== undefined) settle(held);
        held = line;
      }
      lines++;
    },
    finish(): SavedPlan {
      if (head === undefined) throw new WorldError('planUnreadable', { line: 1 });
      const count = Math.max(0, lines - 2);
      digest.add(tailLine(count));
      const hex = digest.hex();
      const expected = `${tailLine(count)}${digestEnd(hex)}`;
      if (held !== expected) throw new WorldError('planTampered');
      if (broken !== undefined) throw new WorldError('planUnreadable', { line: broken });
      const { outcome, ...rest } = head;
      const plan = { ...rest, changes: columns.view() };
      checkSums(plan, outcome);
      return { plan, digest: hex };
    },
  };
}

function parseHead(line: string): Head {
  if (!line.startsWith('{"version":')) throw new WorldError('planUnreadable', { line: 1 });
  if (!line.endsWith(CHANGES)) throw new WorldError('planTampered');
  const head = withReadNotes(parse(`${line}]}`));
  if (isPlanHead(head)) return head;
  const version = (head as { readonly version?: unknown } | undefined)?.version;
  if (version === PLAN_VERSION || head === undefined) throw new WorldError('planTampered');
  throw new WorldError('planUnreadable', { why: `version ${String(version)}` });
}

function withReadNotes(head: unknown): unknown {
  if (typeof head !== 'object' || head === null || !('notes' in head)) return head;
  const { notes } = head;
  return Array.isArray(notes) ? { ...head, notes: notes.map(readReason) } : head;
}

function parseChange(line: string): Change | undefined {
  const change = readChange(parse(line.endsWith(',') ? line.slice(0, -1) : line));
  return isChange(change) ? { ...change, policy: change.at.policy } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
