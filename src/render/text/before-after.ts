import { structuredPatch } from 'diff';
import type { Values } from '../../model/plan/change.ts';
import { shownQuote, type QuotedText } from '../../model/documents/quoted.ts';
import { momentText } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import { tint, type Colour } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { cut } from '../sinks/width.ts';

/** A line of a text diff. `hunk` starts a group of lines with its line numbers. */
interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'hunk';
  readonly text: string;
}

/**
 * A diff with more edited lines is unreadable and takes seconds; unlike a time limit, a count is
 * the same on every machine.
 */
const MAX_EDITS = 2_000;

/** The most lines of one document; git shows the rest. */
const MOST_LINES = 40;

/** A document before and after; absent if it does not exist on that side. */
interface DocumentChange {
  readonly path: string;
  readonly before?: QuotedText;
  readonly after?: QuotedText;
}

/** The lines that change one text into the other, with context; undefined if too many differ. */
export function textDiff(
  before: string,
  after: string,
  context = 3,
): readonly DiffLine[] | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context,
    maxEditLength: MAX_EDITS,
  });
  return patch?.hunks.flatMap((hunk) => [
    {
      kind: 'hunk' as const,
      text: `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`,
    },
    ...hunk.lines.flatMap((line) => diffLine(line) ?? []),
  ]);
}

/** Start and length in git's format: an empty side starts before its first line. */
function range(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

/** What a change is called: on one side alone, or on both. */
interface ChangeTitles {
  readonly added: string;
  readonly removed: string;
  readonly changed: string;
}

const DOCUMENTS: ChangeTitles = {
  added: 'new document',
  removed: 'removed document',
  changed: 'changed document',
};

/** Changed documents as unified diffs, for instance the last commit against the work tree. */
export function changedDocuments(
  changes: readonly DocumentChange[],
  style: TextStyle,
  titles: ChangeTitles = DOCUMENTS,
): readonly TerminalText[] {
  return changes
    .filter((change) => change.before !== change.after)
    .flatMap((change) => documentLines(change, style, titles));
}

/**
 * Current and target values, field by field, as a diff without line numbers. A field without a
 * target stays unchanged.
 */
export function valuesDiff(before: Values, after: Values): readonly DiffLine[] {
  const wanted = { ...before, ...after };
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const here = fields.filter((field) => field in before);
  const lines = textDiff(fieldLines(here, before), fieldLines(fields, wanted), fields.length);
  if (lines === undefined || lines.length === 0) {
    return here.map((field) => ({ kind: 'same', text: fieldLine(field, before) }));
  }
  return lines.filter((line) => line.kind !== 'hunk');
}

const COLOUR_OF = {
  removed: 'red',
  added: 'green',
  hunk: 'cyan',
  same: 'dim',
} as const satisfies Record<DiffLine['kind'], Colour>;
const SIGN_OF = { removed: '- ', added: '+ ', same: '  ', hunk: '' } as const;

/** Diff lines for a terminal, each cut to the width. */
export function diffText(
  lines: readonly DiffLine[],
  style: TextStyle,
  indent = 0,
): readonly TerminalText[] {
  return lines.map(({ kind, text }) => {
    const line = say`${terminal(' '.repeat(indent) + SIGN_OF[kind])}${terminal(text)}`;
    return tint(style.paint, COLOUR_OF[kind], cut(line, style.width));
  });
}

function documentLines(
  change: DocumentChange,
  style: TextStyle,
  titles: ChangeTitles,
): readonly TerminalText[] {
  const { path, before, after } = change;
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const title = say`${terminal(titles[kind])} ${terminal(path)}`;
  const lines = textDiff(shownQuote(before ?? ''), shownQuote(after ?? ''));
  const bold = tint(style.paint, 'bold', cut(title, style.width));
  if (lines !== undefined) {
    const shown = diffText(lines.slice(0, MOST_LINES + 1), style);
    if (lines.length <= MOST_LINES + 1) return [bold, ...shown];
    const more = lines.length - MOST_LINES;
    return [bold, ...shown.slice(0, MOST_LINES), terminal(`  ... and ${grouped(more)} more lines`)];
  }
  return [bold, say`  too many differences to show; run git diff`];
}

function diffLine(line: string): DiffLine | undefined {
  const text = line.slice(1).replaceAll('\t', '  ').replace(/\r$/, '');
  if (line.startsWith('-')) return { kind: 'removed', text };
  if (line.startsWith('+')) return { kind: 'added', text };
  return line.startsWith(' ') ? { kind: 'same', text } : undefined;
}

function fieldLines(fields: readonly string[], values: Values): string {
  return fields.map((field) => `${fieldLine(field, values)}\n`).join('');
}

/** One line per field: a line break inside a value is escaped. */
function fieldLine(field: string, values: Values): string {
  const value = momentText(String(values[field] ?? 'unknown'));
  return `${field}: ${value.replaceAll('\n', '\\n')}`;
}
