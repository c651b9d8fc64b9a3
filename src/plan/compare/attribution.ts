import type { Change, Changes } from '../../model/plan/change.ts';
import type { DroppedClass, Plan } from '../../model/plan/plan.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { droppedClassKey, outcomeText, unmentioned } from './counterfactual.ts';
import {
  type BothTexts,
  type FileEdit,
  type EditsByPlace,
  type DocumentText,
  editPlaces,
  filesWithout,
  listEdits,
} from './document-edits.ts';

/** The documents of both sides of a comparison, and a function that plans with others. */
export interface Attribution extends BothTexts {
  /** The name of the base: a branch or a commit. */
  readonly base: string;
  /** The maximum of plans. */
  readonly budget: number;
  /** Undefined where no plan can be made of these documents. */
  readonly planWith: (files: readonly DocumentText[]) => Iterable<Change> | undefined;
}

/**
 * A compared plan with lines: each change that the branch causes or drops, and each removed one,
 * gets the changed lines that cause it. They are found by planning again without some of the edits:
 * half of them is reverted, then the other half, and each half that matters to a change is divided
 * again. If no half alone matters, or the budget is used up, all of them together are the cause. A
 * removed line has its location in the base. `was`: the changes of the base.
 */
export function attributed(plan: Plan, earlier: Iterable<Change>, attribution: Attribution): Plan {
  const outcomes = new Map<string, string>();
  for (const change of plan.changes)
    if (change.group === 'branch' || change.group === 'dropped')
      outcomes.set(change.id, outcomeText(change));
  const dropped = new Map<string, string>();
  for (const change of unmentioned(earlier, plan.changes))
    dropped.set(change.id, droppedClassKey(change));
  const affected = new Set([...outcomes.keys(), ...dropped.keys()]);
  const edits = listEdits(attribution);
  if (affected.size === 0 || edits.length === 0) return plan;
  const lines = new Map<string, readonly SourceLocation[]>();
  search({ ...attribution, outcomes, lines, left: attribution.budget }, edits, {
    affected,
    isCertain: true,
  });
  return {
    ...plan,
    changes: withLines(plan.changes, lines),
    ...(plan.base && {
      base: { ...plan.base, gone: withDroppedLines(plan.base.gone, dropped, lines) },
    }),
  };
}

type Lines = ReadonlyMap<string, readonly SourceLocation[]>;

function withLines(changes: Changes, lines: Lines): Changes {
  return {
    length: changes.length,
    *[Symbol.iterator]() {
      for (const change of changes) {
        const found = lines.get(change.id);
        yield found ? { ...change, lines: found } : change;
      }
    },
  };
}

/** A class of removed changes has the lines of all its changes. */
function withDroppedLines(
  classes: readonly DroppedClass[],
  keys: ReadonlyMap<string, string>,
  lines: Lines,
): readonly DroppedClass[] {
  const found = new Map<string, Map<string, SourceLocation>>();
  for (const [id, key] of keys) {
    const places = found.get(key) ?? new Map<string, SourceLocation>();
    for (const place of lines.get(id) ?? NONE) places.set(`${place.file}:${place.line}`, place);
    found.set(key, places);
  }
  return classes.map((theClass) => {
    const places = [...(found.get(droppedClassKey(theClass))?.values() ?? [])].slice(0, MOST_LINES);
    return places.length > 0 ? { ...theClass, lines: places } : theClass;
  });
}

interface Search extends Attribution {
  /** For changes of the plan; removed changes have none. */
  readonly outcomes: ReadonlyMap<string, string>;
  readonly lines: Map<string, readonly SourceLocation[]>;
  left: number;
}

/**
 * Sets the lines of changes that these edits matter to; returns the changes with lines.
 * `isCertain`: all edits together are known to matter, so they are the result where no part of them
 * matters.
 */
function search(
  state: Search,
  places: EditsByPlace,
  { affected, isCertain }: { readonly affected: ReadonlySet<string>; readonly isCertain: boolean },
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const half of halve(places)) {
    if (state.left === 0) break;
    const others = affectedBy(state, half.flat(), affected);
    if (others?.size === 0) continue;
    const next = { affected: others ?? affected, isCertain: others !== undefined };
    for (const id of search(state, half, next)) found.add(id);
  }
  const open = [...affected].filter((id) => !found.has(id));
  if (!isCertain || open.length === 0) return found;
  name(state, places.flat(), open);
  return affected;
}

/**
 * Edits of one location are divided last, because an entry that was added with its section belongs
 * to it.
 */
function halve(places: EditsByPlace): readonly EditsByPlace[] {
  const [only, ...more] = places;
  const parts = only && more.length === 0 ? only.map((edit) => [edit]) : places;
  const middle = Math.ceil(parts.length / 2);
  return parts.length > 1 ? [parts.slice(0, middle), parts.slice(middle)] : [];
}

/** Which of these changes differ without the edits; undefined where no plan can be made then. */
function affectedBy(
  state: Search,
  edits: readonly FileEdit[],
  affected: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  state.left -= 1;
  const planned = state.planWith(filesWithout(state, edits));
  if (planned === undefined) return undefined;
  const others = new Set(affected);
  const absent = new Set([...affected].filter((id) => !state.outcomes.has(id)));
  for (const change of planned) {
    absent.delete(change.id);
    if (state.outcomes.get(change.id) === outcomeText(change)) others.delete(change.id);
  }
  for (const id of absent) others.delete(id);
  return others;
}

/** The maximum of lines for one change, because a saved plan has each change on one line. */
const MOST_LINES = 100;

/** Changes with the same lines share one list of them. */
function name({ lines, base }: Search, edits: readonly FileEdit[], ids: readonly string[]): void {
  const places = edits.flatMap((edit) => editPlaces(edit, base)).slice(0, MOST_LINES);
  const joined = new Map<readonly SourceLocation[], readonly SourceLocation[]>();
  for (const id of ids) {
    const known = lines.get(id) ?? NONE;
    const both = joined.get(known) ?? [...known, ...places];
    joined.set(known, both);
    lines.set(id, both);
  }
}

const NONE: readonly SourceLocation[] = [];
