import type { Instant } from '../../lib/time.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { addRows, foldRows, runColumns, type RunRow, type RunCounts } from '../view/run-table.ts';
import { outcomeTitle } from '../words/review/outcome.ts';
import { cellText, foldedName, RUN_TITLES, TABLE_TITLES } from '../words/review/review-words.ts';
import { cutTo, own } from '../print/markdown.ts';

/** How many policies the table lists; the totals have all of them. */
const POLICIES = 20;

/** The lines around an outcome in a comment, so that the next run replaces it. */
const FIRST = '<!-- fleetform outcome -->';
const LAST = '<!-- end of outcome -->';

interface OutcomeText {
  readonly commit: string;
  readonly at: Instant;
  readonly exit: number;
  readonly policies: readonly RunRow[];
  readonly next: string;
  /** The page of the run. */
  readonly run?: string | undefined;
}

/** What became of a merged pull request: one sentence, a line for each policy, the next step. */
export function outcomeMarkdown(outcome: OutcomeText): MarkdownText {
  const { policies, next } = outcome;
  const sums = addRows(policies);
  const columns = runColumns(sums);
  const { listed, more, unchanged } = foldRows(policies, POLICIES);
  const cells = (counts: RunCounts): string =>
    columns.map((column) => cellText(counts[column])).join(' | ');
  const titles = [TABLE_TITLES.policy, ...columns.map((column) => RUN_TITLES[column])];
  const rowOf = (kind: 'more' | 'unchanged', rows: readonly RunRow[]): readonly MarkdownText[] =>
    rows.length > 0 ? [own(`| ${foldedName(kind, rows.length)} | ${cells(addRows(rows))} |`)] : [];
  const table = [
    own(`| ${titles.join(' | ')} |`),
    own(`| :-- |${columns.map(() => ' --: |').join('')}`),
    ...listed.map((row) => own(`| ${markdown(cutTo(row.policy, 60))} | ${cells(row)} |`)),
    ...rowOf('more', more),
    ...rowOf('unchanged', unchanged),
    own(`|  | ${cells(sums)} |`),
    own(''),
  ];
  const lines = [
    own(FIRST),
    own(`### ${outcomeTitle({ ...outcome, sums })}`),
    own(''),
    ...(policies.length > 0 ? table : []),
    mark`**Next:** ${markdown(cutTo(next, 1_000))}`,
    own(''),
    own(LAST),
  ];
  return own(lines.join('\n'));
}

/** The first line of the issue about runs that failed, which identifies the issue. */
export function runIssueMarker({ service }: { readonly service: string }): string {
  return `<!-- fleetform run ${service} -->`;
}

/** The last run as the text of that issue. */
export function runIssueMarkdown(outcome: OutcomeText & { readonly service: string }): string {
  const link = outcome.run === undefined ? '' : `\n[Log of that run](${outcome.run})\n`;
  return `${runIssueMarker(outcome)}\n${outcomeMarkdown(outcome)}\n${link}`;
}

/**
 * The text of a comment with this outcome below its first lines, instead of an earlier one. Where
 * both do not fit, the plan goes: its run has kept it.
 */
export function withOutcome(body: string, outcome: MarkdownText, limit: number): string {
  const [head = '', ...lines] = withoutOutcome(body).split(/\r?\n/);
  const isBelow = lines.findIndex((line) => !line.startsWith('<!-- '));
  const at = isBelow < 0 ? lines.length : isBelow;
  const first = [head, ...lines.slice(0, at), outcome];
  const whole = [...first, '', ...lines.slice(at)].join('\n');
  return whole.length <= limit ? whole : `${first.join('\n')}\n`;
}

/** Whether a comment has an outcome already. */
export function hasOutcome(body: string): boolean {
  return body.split(/\r?\n/).includes(FIRST);
}

function withoutOutcome(body: string): string {
  const lines = body.split(/\r?\n/);
  const [from, to] = [lines.indexOf(FIRST), lines.indexOf(LAST)];
  if (from < 0 || to < from) return body;
  const rest = lines.slice(to + 1);
  return [...lines.slice(0, from), ...(rest[0] === '' ? rest.slice(1) : rest)].join('\n');
}
