import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { PlanPart } from '../../model/plan/part.ts';
import type { Instant } from '../../lib/time.ts';
import { data, joined, own, say, told, type Fact, type Inline, type Inlines } from '../tree.ts';
import type { PlanView, RequestedAt } from '../view/view.ts';
import { dayText, type PageTime } from '../words/moment.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { counted, grouped, findWord } from '../words/phrase.ts';
import { reasonWords } from '../words/reasons.ts';

/** How many changed lines and commits are named; the others are counted. */
const LINES_NAMED = 4;
const BY = { most: 2, noun: 'commit', between: '; ' };

/** The changed lines behind changes, and the commits of those lines or of the entry, each on a line. */
export function requestedLines(requested: RequestedAt, view: PlanView): readonly Fact[] {
  const lines = (requested.lines ?? []).map(({ file, line }) => [data(`${file}:${line}`)]);
  return [
    ...(lines.length > 0
      ? [{ label: 'lines', text: some(lines, { most: LINES_NAMED, noun: 'line' }) }]
      : []),
    ...originFacts(view.originsOf(requested)),
  ];
}

/** Who wrote something, newest first. */
export function originFacts(origins: readonly LineOrigin[]): readonly Fact[] {
  return origins.length > 0 ? [{ label: 'by', text: some(origins.map(originText), BY) }] : [];
}

/**
 * `a, b and 3 more lines`: the first few, and how many others; without a noun `a, b, 3 more`. `count` is of
 * all, where some are left out already.
 */
export function some(
  parts: readonly (Inline | Inlines)[],
  {
    most,
    noun,
    count = parts.length,
    between = ', ',
  }: {
    readonly most: number;
    readonly noun: string;
    readonly count?: number;
    readonly between?: string;
  },
): Inlines {
  const named = parts.slice(0, most);
  const more = count - named.length;
  const rest =
    more > 0
      ? own(
          noun === '' ? `${between}${grouped(more)} more` : ` and ${counted(more, `more ${noun}`)}`,
        )
      : [];
  return [...joined(named, between), ...rest];
}

/** `1a2b3c4d5e6f Ada Lovelace 3 Nov 2026: Move the P32 cameras`, or why the author is unknown. */
export function originText(origin: LineOrigin): Inlines {
  if (origin.is === 'notCommitted') return own('not committed yet');
  if (origin.is === 'cutOff')
    return own('a commit that this shallow clone lacks; fetch the full history');
  const { commit, author, subject, at } = origin;
  return say`${commit.slice(0, 12)} ${author} ${own(dayText(at))}: ${subject}`;
}

/** A device by its name and ID; by its ID alone if it has no name. */
export function deviceText({ id, name }: { readonly id: string; readonly name?: string }): Inlines {
  return name === undefined || name === id ? [data(id)] : say`${name} (${id})`;
}

export function locatedText(device: {
  readonly id: string;
  readonly name?: string;
  readonly site?: string | undefined;
}): Inlines {
  return device.site === undefined
    ? deviceText(device)
    : say`${deviceText(device)} at ${device.site}`;
}

/** The first `most` policies with their counts, and how many more; a single one without a count. */
export function policiesText(
  policies: readonly { readonly policy: string; readonly count: number }[],
  most: number,
): Inlines {
  const named = policies.map(({ policy, count }) =>
    policies.length === 1 ? [data(policy)] : say`${policy} ${count}`,
  );
  return some(named, { most, noun: '' });
}

interface ReasonStyle extends PageTime {
  /** Several that began at different times share it. */
  readonly sinceDiffers?: boolean;
  /** When the last of several may continue. */
  readonly lastNext?: Instant | undefined;
}

/** A reason with its start, its first words alone, and how to continue. */
export function reasonParts(
  reason: Reason,
  { sinceDiffers = false, ...options }: ReasonStyle,
): Readonly<Record<'why' | 'summary' | 'next', Inlines>> {
  const first = sinceDiffers ? ', the first ' : ' ';
  const write = (part: 'why' | 'summary' | 'next'): Inlines =>
    told((sink) => {
      const { detail, ...words } = reasonWords(reason, { ...options, sink });
      if (part !== 'why') return words[part];
      return detail === undefined ? words.summary : `${words.summary}${first}${detail}`;
    });
  return { why: write('why'), summary: write('summary'), next: write('next') };
}

/** The English of a code; a code that this version does not know is shown as it is. */
export function wordText(words: Readonly<Record<string, string>>, code: string): Inlines {
  const word = findWord(words, code);
  return word === undefined ? [data(code)] : own(word);
}

/** The part of the fleet that an output is of, and what it leaves out. */
export function partText(part: PlanPart): Inlines {
  const what = told((sink) => partWords(part, sink));
  return say`Only a part of the fleet: ${what}. ${own(outsideWords(part))}`;
}
