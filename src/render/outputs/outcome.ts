import type { Instant } from '../../lib/time.ts';
import { printMarkdown } from '../print/markdown.ts';
import { data, own, type Block } from '../tree.ts';
import { addRows, type RunRow } from '../view/run-table.ts';
import { outcomeTitle } from '../words/review/outcome.ts';
import { runTable } from './policy-table.ts';

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
function outcomeBlocks(outcome: OutcomeText): readonly Block[] {
  const { policies, next } = outcome;
  return [
    { is: 'title', text: own(outcomeTitle({ ...outcome, sums: addRows(policies) })) },
    ...(policies.length > 0 ? [runTable(policies)] : []),
    { is: 'next', text: [data(next)] },
  ];
}

/** The same as the lines of a comment. */
export function outcomeMarkdown(outcome: OutcomeText): string {
  return [FIRST, ...printMarkdown(outcomeBlocks(outcome)), LAST].join('\n');
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
export function withOutcome(body: string, outcome: string, limit: number): string {
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
