import { startDigest } from '../../lib/canonical.ts';
import { jsonValue } from '../../lib/json-text.ts';
import { type Change, changeId } from '../../model/plan/change.ts';
import { WorldError } from '../../model/error.ts';
import { type Plan, PLAN_VERSION } from '../../model/plan/plan.ts';
import { createColumns } from '../columns.ts';
import { readChange, readInstant, readReason } from '../../model/plan/written.ts';
import * as checks from './plan-checks.gen.ts';
import { CHANGES, digestEnd, tailLine } from './save.ts';
import { checkSums } from './sums.ts';

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
type Head = Omit<Plan, 'changes'> & { readonly outcome?: unknown; readonly policies?: unknown };

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
      const { outcome, policies, ...rest } = head;
      const plan = { ...rest, changes: columns.view() };
      checkSums(plan, { outcome, policies });
      return { plan, digest: hex };
    },
  };
}

/** Generated from the schema of plans: the first line of a saved plan, and a change of it. */
const { head: isHead, change: isChange } = checks as unknown as Readonly<
  Record<'head' | 'change', (value: unknown) => boolean>
>;

function parseHead(line: string): Head {
  if (!line.startsWith('{"version":')) throw new WorldError('planUnreadable', { line: 1 });
  if (!line.endsWith(CHANGES)) throw new WorldError('planTampered');
  const head = jsonValue(`${line}]}`) as (Head & { readonly changes: unknown }) | undefined;
  if (head !== undefined && head.version !== PLAN_VERSION)
    throw new WorldError('planUnreadable', { why: `version ${String(head.version)}` });
  const { changes: _, ...rest } = head ?? {};
  if (!isHead(rest)) throw new WorldError('planTampered');
  const read = rest as Head;
  for (const instant of [read.evaluatedAt, read.expiresAt]) readInstant(instant);
  const dates = read.dates?.map(({ blocked, undated, ...row }) => ({
    ...row,
    ...(blocked && { blocked: readReason(blocked) }),
    ...(undated && { undated: readReason(undated) }),
  }));
  return { ...read, notes: read.notes.map(readReason), ...(dates && { dates }) };
}

function parseChange(line: string): Change | undefined {
  const value = jsonValue(line.endsWith(',') ? line.slice(0, -1) : line);
  if (!isChange(value)) return undefined;
  const change = readChange(value as Change);
  return change.id === changeId(change.task, change.device.id) ? change : undefined;
}
