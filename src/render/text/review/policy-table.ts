import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { cutAddresses } from '../../sinks/addresses.ts';
import { textWidth } from '../../sinks/width.ts';
import { wrap } from '../../sinks/wrap.ts';
import { passedSentence } from '../../words/passed-words.ts';
import { foldPolicies } from '../../view/folded-policies.ts';
import { isRefused, type PlanView } from '../../view/view.ts';
import { planSentence } from '../../words/review/all-clear.ts';
import {
  followSentence,
  policyCells,
  policyColumns,
  REFUSED_SENTENCE,
  sumRows,
  tallyTexts,
  type PolicyColumn,
} from '../../words/review/review-words.ts';

/** How many policies are listed; the totals have all of them. */
const LISTED = 24;

/** What everyone reads first: one sentence, and what may follow it or refuses the plan. */
export function* sentenceLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  for (const line of wrap(terminal(planSentence(view)), style.width))
    yield tint(style.paint, 'bold', line);
  const follow = followSentence(view);
  if (follow !== '') yield* wrap(terminal(follow), style.width);
  const passed = passedSentence(view.classes, terminal);
  if (passed !== '')
    for (const line of wrap(passed as TerminalText, style.width))
      yield tint(style.paint, 'yellow', line);
  if (isRefused(view))
    for (const line of wrap(terminal(REFUSED_SENTENCE), style.width))
      yield tint(style.paint, 'red', line);
}

/** A table with a line for each policy. */
export function* reviewLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  if (view.review.policies.length === 0) return;
  yield say``;
  yield* policyTable(view, style);
}

/** A terminal has no place for the sites and for who requested it. */
const LEFT_OUT: readonly PolicyColumn[] = ['sites', 'by'];

/**
 * The table of policies. Titles of two words take two lines where that leaves more of the names, which
 * are the only column to be cut.
 */
function policyTable(view: PlanView, style: TextStyle): readonly TerminalText[] {
  const { policies, totals } = view.review;
  const columns = policyColumns(view.review).filter(({ name }) => !LEFT_OUT.includes(name));
  const titles = columns.map(({ title }) => title.toUpperCase());
  const cells = (texts: Readonly<Partial<Record<PolicyColumn, string>>>): readonly TerminalText[] =>
    columns.slice(1).map(({ name }) => terminal(texts[name] ?? ''));
  const list = foldPolicies(policies, LISTED);
  const rows = list.listed.map((row) => cells(policyCells(row, view)));
  const sums = sumRows(list, totals).map(({ name, tally }) => ({
    name: terminal(name),
    row: cells(tallyTexts(tally)),
  }));
  const beside = (headers: readonly Header[]): number =>
    measureColumns([...headers.map((row) => row.slice(1)), ...rows, ...sums.map(({ row }) => row)]);
  const addresses = list.listed.map(({ policy }) => terminal(policy));
  const longest = Math.max(...addresses.map(textWidth));
  const fits = longest + beside([titles.map(terminal)]) <= style.width;
  const headers = fits ? [titles.map(terminal)] : splitTitles(titles);
  const names = cutAddresses(addresses, Math.max(12, style.width - beside(headers)));
  const [above, header = above] = headers;
  return table(
    [
      ...rows.map((row, n) => [names[n] ?? say``, ...row]),
      ...sums.map(({ name, row }) => [name, ...row]),
    ],
    {
      width: style.width,
      ...(header && { header }),
      ...(above && above !== header && { above }),
      align: columns.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
      head: (line) => tint(style.paint, 'dim', line),
    },
  );
}

type Header = readonly TerminalText[];

/** The words of titles on two lines; the second has those of one word. */
function splitTitles(titles: readonly string[]): readonly [Header, Header] {
  const words = titles.map((title) => title.split(' '));
  return [
    words.map((each) => terminal(each.slice(0, -1).join(' '))),
    words.map((each) => terminal(each.at(-1) ?? '')),
  ];
}

/** The width of columns, with the spaces before each. */
function measureColumns(rows: readonly Header[]): number {
  const [header = []] = rows;
  const widths = header.map((_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + 2, 0);
}
