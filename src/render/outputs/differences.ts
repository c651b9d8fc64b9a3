import { structuredPatch } from 'diff';
import type { Values } from '../../model/plan/change.ts';
import { shownQuote, type QuotedText } from '../../model/documents/quoted.ts';
import { data, own, say, sentence, type Block, type CodeLine, type Entry } from '../tree.ts';
import { momentText } from '../words/moment.ts';

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
): readonly CodeLine[] | undefined {
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

const TITLES = {
  added: 'new document',
  removed: 'removed document',
  changed: 'changed document',
} as const;

/** Changed documents as unified diffs: the last commit against the work tree. */
export function documentBlocks(changes: readonly DocumentChange[]): readonly Block[] {
  return changes.filter(({ before, after }) => before !== after).map(documentSection);
}

/**
 * Values before and after, field by field, as a diff without line numbers. A field without a
 * target stays unchanged.
 */
export function valueEdits(before: Values, after: Values): NonNullable<Entry['edits']> {
  const wanted = { ...before, ...after };
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  const here = fields.filter((field) => field in before);
  const lines = textDiff(fieldLines(here, before), fieldLines(fields, wanted), fields.length) ?? [];
  if (lines.length === 0)
    return here.map((field) => ({ kind: 'same', text: [data(fieldLine(field, before))] }));
  return lines.flatMap(({ kind = 'hunk', text }) =>
    kind === 'hunk' ? [] : [{ kind, text: [data(text)] }],
  );
}

function documentSection({ path, before, after }: DocumentChange): Block {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const lines = textDiff(shownQuote(before ?? ''), shownQuote(after ?? ''));
  const blocks: readonly Block[] = lines
    ? [{ is: 'code', lines, isCut: true, most: MOST_LINES, noun: 'line' }]
    : [sentence(own('too many differences to show; run git diff'))];
  return { is: 'section', id: 'document', title: say`${own(TITLES[kind])} ${path}`, blocks };
}

function diffLine(line: string): CodeLine | undefined {
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
