import { columnsText } from '../../words/review/all-clear.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { shownQuote, type QuotedText } from '../../../model/documents/quoted.ts';
import {
  DECIDED_FIELDS,
  type AdoptDifference,
  type AdoptedSection,
  type Adoption,
} from '../../../model/report/adoption.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { IMPORT_WORDS, adoptNoticeWords } from '../../words/documents/import-words.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { diffText } from '../before-after.ts';
import { compareEntryParts } from './entry-parts.ts';

/** So many findings of one kind are printed; JSON has all. */
const MOST_ALIKE = 20;

/** So many fields or items of one entry are printed. */
const MOST_PARTS = 10;

/** `all`: every difference, and not the first ones alone. */
type ImportStyle = TextStyle & { readonly all?: boolean };

/** Wider than any line of a document that a person reads. */
const UNCUT = 1_000;

/** What an import wrote or would write, what differs, what it left out, and what the next plan does. */
export function* importText(
  adoption: Adoption,
  folder: string,
  style: ImportStyle,
): Generator<TerminalText> {
  const { organization, devices, sites } = adoption;
  const fleet = `${counted(devices, 'device')} on ${counted(sites, 'site')}`;
  yield tint(style.paint, 'bold', terminal(`Import of ${organization}: ${fleet}`));
  yield* fileLines(adoption);
  yield* differenceLines(adoption.differences, style);
  yield* noticeLines(adoption, folder, style);
  yield say``;
  yield* nextLines(adoption, folder, style);
}

/** Each section with its files; a large one is in several. */
function* fileLines({ files, isWritten, entries }: Adoption): Generator<TerminalText> {
  if (files.length === 0) return;
  const done = isWritten ? IMPORT_WORDS.written : IMPORT_WORDS.notWritten;
  yield terminal(`${done}: ${counted(files.length, 'file')}`);
  const sections = groupBy(files, ({ path }) => /(\w+)(?:-[\w-]+)?\.yaml$/.exec(path)?.[1] ?? path);
  for (const [section, own] of sections) {
    const count = Object.hasOwn(entries, section) ? entries[section as AdoptedSection] : undefined;
    const about = [
      ...(own.length > 1 ? [counted(own.length, 'file')] : []),
      ...(count === undefined ? [] : [`${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`]),
    ].join(', ');
    const [first, last] = [own[0]?.path ?? '', own.at(-1)?.path ?? ''];
    const names = first === last ? first : `${first} to ${last}`;
    yield terminal(`  ${names}${about === '' ? '' : `  ${about}`}`);
  }
}

function* differenceLines(
  differences: readonly AdoptDifference[],
  style: ImportStyle,
): Generator<TerminalText> {
  if (differences.length === 0) return;
  yield say``;
  for (const line of wrap(terminal(IMPORT_WORDS.differ(differences.length)), style.width))
    yield tint(style.paint, 'bold', line);
  for (const [section, own] of groupBy(differences, (each) => each.section)) {
    const kinds = [...groupBy(own, classify)].map(([kind, all]) =>
      IMPORT_WORDS.counts[kind](all.length),
    );
    yield terminal(`  ${section}: ${kinds.join(', ')}`);
  }
  yield say``;
  const shown = style.all ? differences : differences.slice(0, MOST_ALIKE);
  for (const difference of shown) yield* differenceText(difference, style);
  const more = differences.length - shown.length;
  if (more > 0) yield* wrap(terminal(IMPORT_WORDS.moreDiffer(more)), style.width);
}

function classify({ before, after }: AdoptDifference): keyof typeof IMPORT_WORDS.counts {
  return before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
}

/** Of an entry on both sides the parts that differ; of one on a single side its lines, which a person copies. */
function* differenceText(difference: AdoptDifference, style: ImportStyle): Generator<TerminalText> {
  const { section, name, at, before, after } = difference;
  const kind = classify(difference);
  const place = at ? ` (${at.file}:${at.line})` : '';
  const title = `${section}.${name}: ${IMPORT_WORDS.titles[kind]}${place}`;
  yield tint(style.paint, 'bold', terminal(title));
  if (before === undefined || after === undefined) {
    yield* signed(wholeLines(before ?? after), before === undefined ? 'added' : 'removed', style);
    return;
  }
  const { removed, added } = compareEntryParts(before, after, DECIDED_FIELDS[section]);
  yield* signed(removed, 'removed', style);
  yield* signed(added, 'added', style);
}

function wholeLines(text: QuotedText | undefined): readonly string[] {
  const lines = shownQuote(text ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '');
}

/** Lines with the sign of their side; of many the first, unless all are wanted. */
function* signed(
  lines: readonly string[],
  kind: 'added' | 'removed',
  style: ImportStyle,
): Generator<TerminalText> {
  const shown = style.all || lines.length <= MOST_PARTS + 1 ? lines : lines.slice(0, MOST_PARTS);
  // Cut lines would hide the end of an entry, which is where versions are.
  yield* diffText(
    shown.map((text) => ({ kind, text })),
    { ...style, width: UNCUT },
  );
  const more = lines.length - shown.length;
  if (more > 0) yield terminal(IMPORT_WORDS.moreParts(more, kind));
}

function* noticeLines(
  { notices }: Adoption,
  folder: string,
  style: TextStyle,
): Generator<TerminalText> {
  if (notices.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(IMPORT_WORDS.findings));
  const seen = new Map<string, number>();
  for (const notice of notices) {
    const count = (seen.get(notice.code) ?? 0) + 1;
    seen.set(notice.code, count);
    if (count > MOST_ALIKE) continue;
    const { says, next } = adoptNoticeWords(notice, folder);
    yield* wrap(say`  ${terminal(says)}`, style.width, 4);
    const isLast = notices.filter(({ code }) => code === notice.code).length === count;
    const isRepeated = notice.code === 'siteWithoutZone' && !isLast && count < MOST_ALIKE;
    if (next !== undefined && !isRepeated)
      yield* wrap(say`    next: ${terminal(next)}`, style.width, 6);
  }
  for (const [, count] of seen)
    if (count > MOST_ALIKE) yield terminal(`  ... and ${count - MOST_ALIKE} more alike`);
}

function* nextLines(
  { columns, differences, isWritten, files }: Adoption,
  folder: string,
  style: TextStyle,
): Generator<TerminalText> {
  yield* wrap(terminal(IMPORT_WORDS.plan(columnsText(columns))), style.width);
  const step = isWritten
    ? IMPORT_WORDS.afterWriting(folder)
    : differences.length > 0
      ? IMPORT_WORDS.afterDiffering
      : files.length > 0
        ? IMPORT_WORDS.afterTrying
        : IMPORT_WORDS.same;
  yield* wrap(terminal(step), style.width, 6);
}
