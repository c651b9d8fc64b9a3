import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import { cutAddress, textWidth, wrap } from '../../sinks/width.ts';
import type { PolicyRow } from '../../view/review.ts';
import type { PlanView } from '../../view/view.ts';
import { grouped } from '../../words/phrase.ts';
import {
  followSentence,
  planSentence,
  policyCells,
  POLICY_COLUMNS,
  REFUSED_SENTENCE,
  tallyTexts,
  type PolicyColumn,
} from '../../words/review/review-words.ts';

/** How many policies are listed; the totals have all of them. */
const LISTED = 24;

/** What a reviewer reads first: one sentence, and a table with a line for each policy. */
export function* reviewLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  const refused = view.verdicts.some(({ passed }) => !passed);
  yield say``;
  for (const line of wrap(terminal(planSentence(view)), style.width))
    yield tint(style.paint, 'bold', line);
  const follow = followSentence(view.review);
  if (follow !== '') yield* wrap(terminal(follow), style.width);
  if (refused)
    for (const line of wrap(terminal(REFUSED_SENTENCE), style.width))
      yield tint(style.paint, 'red', line);
  const { policies, totals } = view.review;
  if (policies.length === 0) return;
  yield say``;
  const listed = policies.slice(0, LISTED);
  const more = policies.length - listed.length;
  const cells = listed.map((row) => rowCells(row, view));
  const tally: Readonly<Partial<Record<PolicyColumn, string>>> = tallyTexts(totals);
  const sums = COLUMNS.slice(1).map(({ name }) => terminal(tally[name] ?? ''));
  const columns = style.width - widthBeside([HEADER, ...cells, sums]);
  const names = listed.map(({ policy }) => cutAddress(terminal(policy), Math.max(12, columns)));
  const rest = terminal(more > 0 ? `and ${grouped(more)} more` : '');
  yield* table([...cells.map((row, n) => [names[n] ?? say``, ...row]), [rest, ...sums]], {
    width: style.width,
    header: [POLICY, ...HEADER],
    align: COLUMNS.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
    head: (line) => tint(style.paint, 'dim', line),
  });
}

/** A terminal has no place for the sites and for who requested it. */
const COLUMNS = POLICY_COLUMNS.filter(({ name }) => name !== 'sites' && name !== 'by');

const [POLICY = say``, ...HEADER] = COLUMNS.map(({ title }) => terminal(title.toUpperCase()));

/** The width of all columns but the first, with the spaces before them. */
function widthBeside(rows: readonly (readonly TerminalText[])[]): number {
  const widths = HEADER.map((_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column] ?? ''))),
  );
  return widths.reduce((sum, width) => sum + width + 2, 0);
}

function rowCells(row: PolicyRow, view: PlanView): readonly TerminalText[] {
  const texts: Readonly<Partial<Record<PolicyColumn, string>>> = policyCells(row, view);
  return COLUMNS.slice(1).map(({ name }) => terminal(texts[name] ?? ''));
}
