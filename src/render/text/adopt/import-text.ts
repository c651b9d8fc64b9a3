import { columnsText } from '../../words/review/review-words.ts';
import type { AdoptDifference, AdoptedSection, Adoption } from '../../../model/report/adoption.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { IMPORT_WORDS, adoptNoticeWords } from '../../words/documents/import-words.ts';
import { counted } from '../../words/phrase.ts';
import { changedDocuments } from '../before-after.ts';

/** So many findings of one kind are printed; JSON has all. */
const MOST_ALIKE = 20;

/** Wider than any line of a document that a person reads. */
const UNCUT = 1_000;

/** What an import wrote or would write, what differs, what it left out, and what the next plan does. */
export function* importText(
  adoption: Adoption,
  folder: string,
  style: TextStyle,
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

function* fileLines({ files, isWritten, entries }: Adoption): Generator<TerminalText> {
  if (files.length === 0) return;
  const done = isWritten ? IMPORT_WORDS.written : IMPORT_WORDS.notWritten;
  yield terminal(`${done}: ${counted(files.length, 'file')}`);
  for (const { path } of files) {
    const section = /(\w+)(?:-[\w-]+)?\.yaml$/.exec(path)?.[1] as AdoptedSection | undefined;
    const count = section && Object.hasOwn(entries, section) ? entries[section] : undefined;
    const about = count === undefined ? '' : `  ${count === 1 ? '1 entry' : `${count} entries`}`;
    yield say`  ${terminal(path)}${terminal(about)}`;
  }
}

function* differenceLines(
  differences: readonly AdoptDifference[],
  style: TextStyle,
): Generator<TerminalText> {
  if (differences.length === 0) return;
  yield say``;
  for (const line of wrap(terminal(IMPORT_WORDS.differ(differences.length)), style.width))
    yield tint(style.paint, 'bold', line);
  const changes = differences.map(({ section, name, at, before, after }) => ({
    path: `${section}.${name}${at ? ` (${at.file}:${at.line})` : ''}`,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  }));
  // Cut lines would hide the end of an entry, which is where versions are.
  yield* changedDocuments(changes, { ...style, width: UNCUT }, IMPORT_WORDS.titles);
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
