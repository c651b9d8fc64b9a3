import type { JsonObject } from '../../lib/canonical.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { runRowJson } from '../data/run-rows.ts';
import { printMarkdown } from '../print/markdown.ts';
import { data, own, type Block } from '../tree.ts';
import { addRows, tabulateRun, type RunRow } from '../../model/ledger/run-table.ts';
import { outcomeTitle } from '../words/review/outcome.ts';
import { policyTable } from './policy-table.ts';
import { stepAfter, type RunOptions } from './run.ts';

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
    ...(policies.length > 0 ? [policyTable({ rows: policies })] : []),
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

/** How many merged commits an outcome names. */
export const MAX_COMMITS = 50;

interface RunOfCommit extends Pick<RunOptions, 'now' | 'exit' | 'command'> {
  readonly commit: string;
  /** The fingerprint of the service and the organization. */
  readonly service: string;
}

/**
 * What became of a run, for the comment on the merged pull request: counts by policy and the next
 * step. It names no device, site or secret, because another job reads it.
 */
export function outcomeJson(
  report: RunReport,
  {
    commits,
    ...options
  }: RunOfCommit & {
    /** The merged commits that the run applies first, this one included. */
    readonly commits: readonly string[];
  },
): JsonObject {
  return {
    ...outcomeHead(options, commits),
    ...(report.ended === 'overtaken' && { overtaken: true }),
    policies: tabulateRun(report).map(runRowJson),
    next: stepAfter(report, options),
  };
}

/** The outcome of a run that ended before it had a plan: no policies, and what to do. */
export function unstartedJson({
  next,
  ...run
}: Omit<RunOfCommit, 'command'> & { readonly next: string }): JsonObject {
  return { ...outcomeHead(run, [run.commit]), policies: [], next };
}

function outcomeHead(
  { commit, service, now, exit }: Omit<RunOfCommit, 'command'>,
  commits: readonly string[],
): JsonObject {
  return {
    format: 1,
    kind: 'outcome',
    service: service.slice(0, 16),
    commit,
    commits: [...commits],
    at: formatInstant(now),
    exit,
  };
}
