import type { JsonObject } from '../../lib/canonical.ts';
import { groupBy } from '../../lib/group-by.ts';
import { shownQuote, type QuotedText } from '../../model/documents/quoted.ts';
import {
  DECIDED_FIELDS,
  type AdoptDifference,
  type AdoptNotice,
  type Adoption,
} from '../../model/report/adoption.ts';
import { list, own, say, sentence, type Block, type CodeBlock, type Item } from '../tree.ts';
import {
  IMPORT_WORDS,
  adoptNoticeWords,
  leftOutWords,
  withoutZones,
} from '../words/documents/import-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { countsText } from '../words/review/all-clear.ts';
import { compareEntryParts } from './entry-parts.ts';

/** So many findings of one kind are printed; JSON has all. */
const MOST_ALIKE = 20;

/** So many fields or items of one entry are printed. */
const MOST_PARTS = 10;

/**
 * What an import wrote or would write, what differs, what it left out, and what the next plan does.
 * @param options `all` lists every difference, and not the first ones alone
 */
export function importBlocks(
  adoption: Adoption,
  folder: string,
  { all }: { readonly all: boolean },
): readonly Block[] {
  const { devices, columns, entries, files, notices } = adoption;
  const lines = files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  const policies = entries.firmware + entries.rotations + entries.onboarding;
  const isIdle = adoption.next.run + adoption.next.wait + columns.running + columns.person === 0;
  const plan = isIdle ? IMPORT_WORDS.noChanges(columns.later) : countsText(columns).join(', ');
  const leftOut = leftOutWords(notices);
  return [
    ...fileBlocks(adoption),
    ...differenceBlocks(adoption.differences, all),
    ...noticeBlocks(adoption, folder),
    sentence(own(IMPORT_WORDS.summary({ policies, devices, lines }, plan))),
    ...(leftOut === undefined ? [] : [sentence(own(leftOut))]),
    ...stepBlocks(adoption, folder),
  ];
}

function fileBlocks({ files, isWritten }: Adoption): readonly Block[] {
  if (files.length === 0) return [];
  const done = isWritten ? IMPORT_WORDS.written : IMPORT_WORDS.notWritten;
  const title = own(`${done}: ${counted(files.length, 'file')}`);
  const items = files.map(({ path }) => say`${path}`);
  return [{ is: 'section', id: 'files', title, blocks: [list(items)] }];
}

function differenceBlocks(differences: readonly AdoptDifference[], all: boolean): readonly Block[] {
  if (differences.length === 0) return [];
  const counts = [...groupBy(differences, ({ section }) => section)].map(([section, mine]) => {
    const kinds = [...groupBy(mine, ({ before, after }) => titleOf(before, after))].map(
      ([title, alike]) => `${grouped(alike.length)} ${title}`,
    );
    return own(`${section}: ${kinds.join(', ')}`);
  });
  const shown = all ? differences : differences.slice(0, MOST_ALIKE);
  const more = differences.length - shown.length;
  const title = own(IMPORT_WORDS.differ(differences.length));
  return [
    { is: 'section', id: 'differences', title, blocks: [list(counts)] },
    ...shown.map((difference) => differenceSection(difference, all)),
    ...(more > 0 ? [sentence(own(IMPORT_WORDS.moreDiffer(more)))] : []),
  ];
}

function titleOf(before: unknown, after: unknown): string {
  const { added, removed, changed } = IMPORT_WORDS.titles;
  return before === undefined ? added : after === undefined ? removed : changed;
}

/** Of an entry on both sides the parts that differ; of one on a single side its lines, which a person copies. */
function differenceSection(difference: AdoptDifference, all: boolean): Block {
  const { section, name, at, before, after } = difference;
  const place = at ? say` (${`${at.file}:${at.line}`})` : [];
  const title = say`${`${section}.${name}`}: ${own(titleOf(before, after))}${place}`;
  const { removed, added } =
    before !== undefined && after !== undefined
      ? compareEntryParts(before, after, DECIDED_FIELDS[section])
      : { removed: wholeLines(before), added: wholeLines(after) };
  const blocks = [lineBlock(removed, 'removed', all), lineBlock(added, 'added', all)].flat();
  return { is: 'section', id: 'difference', title, blocks };
}

function wholeLines(text: QuotedText | undefined): readonly string[] {
  const lines = shownQuote(text ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '');
}

/** Lines of one side, uncut: the end of an entry is where versions are. Of many the first, unless all are wanted. */
function lineBlock(
  lines: readonly string[],
  kind: 'added' | 'removed',
  all: boolean,
): readonly CodeBlock[] {
  if (lines.length === 0) return [];
  const isWhole = all || lines.length <= MOST_PARTS + 1;
  const noun = kind === 'added' ? '+ line' : '- line';
  const block: CodeBlock = { is: 'code', lines: lines.map((text) => ({ kind, text })) };
  return [isWhole ? block : { ...block, most: MOST_PARTS, noun }];
}

function noticeBlocks({ notices }: Adoption, folder: string): readonly Block[] {
  const listed = notices.filter((notice) => !isInSentence(notice));
  if (listed.length === 0) return [];
  const groups = [...groupBy(listed, ({ code }) => code).values()];
  const items = groups.flatMap((alike): readonly Item[] => {
    const zones = alike.filter((notice) => notice.code === 'siteWithoutZone');
    if (zones.length > 0) return [wordsItem(withoutZones(zones, folder))];
    const shown = alike.slice(0, MOST_ALIKE);
    const more = alike.length - shown.length;
    return [
      ...shown.map((notice) => wordsItem(adoptNoticeWords(notice, folder))),
      ...(more > 0 ? [{ text: own(`... and ${grouped(more)} more alike`) }] : []),
    ];
  });
  const title = own(IMPORT_WORDS.findings);
  return [{ is: 'section', id: 'notes', title, blocks: [{ is: 'list', items }] }];
}

function wordsItem({ says, next }: ReturnType<typeof adoptNoticeWords>): Item {
  return { text: own(says), ...(next !== undefined && { next: own(next) }) };
}

/** Whether the sentence of what is left out has it. */
function isInSentence(notice: AdoptNotice): boolean {
  return notice.code === 'leftOut' || (notice.code === 'notOnboarded' && !notice.isListed);
}

function stepBlocks({ differences, isWritten, files }: Adoption, folder: string): readonly Block[] {
  if (isWritten) return [{ is: 'next', text: own(IMPORT_WORDS.afterWriting(folder)) }];
  if (differences.length > 0) return [{ is: 'next', text: own(IMPORT_WORDS.afterDiffering) }];
  return files.length > 0
    ? [{ is: 'next', text: own(IMPORT_WORDS.afterTrying) }]
    : [sentence(own(IMPORT_WORDS.same))];
}

/** An import with its documents, differences and findings; each finding also in words. */
export function importJson(adoption: Adoption, folder: string): JsonObject {
  const { organization, devices, sites, files, isWritten, differences, notices } = adoption;
  const { entries, next } = adoption;
  return {
    organization,
    devices,
    sites,
    files: files.map((file) => ({ ...file })),
    isWritten,
    entries: { ...entries },
    differences: differences.map(({ section, name, at, before, after }) => ({
      section,
      name,
      ...(at && { at: { ...at } }),
      ...(before !== undefined && { before: shownQuote(before) }),
      ...(after !== undefined && { after: shownQuote(after) }),
    })),
    findings: notices.map((notice) => {
      const { code, ...params } = notice;
      const { says, next: step } = adoptNoticeWords(notice, folder);
      return {
        code,
        params: { ...params } as JsonObject,
        says,
        ...(step !== undefined && { next: step }),
      };
    }),
    next: { ...next },
  };
}
