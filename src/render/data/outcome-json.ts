import type { JsonObject } from '../../lib/canonical.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { formatInstant } from '../../lib/time.ts';
import { stepAfter, type RunOptions } from '../outputs/run.ts';
import { tabulateRun } from '../view/run-table.ts';

/** How many policies an outcome lists; a comment shows no more. */
export const OUTCOME_ROWS = 200;

/** How many merged commits an outcome names. */
export const MAX_COMMITS = 50;

/**
 * What became of a run, for the comment on the merged pull request: counts by policy and the next
 * step. It names no device, site or secret, because another job reads it.
 */
export function outcomeJson(
  report: RunReport,
  {
    commit,
    commits,
    service,
    ...options
  }: Pick<RunOptions, 'now' | 'exit' | 'command'> & {
    readonly commit: string;
    /** The merged commits that the run applies first, this one included. */
    readonly commits: readonly string[];
    /** The fingerprint of the service and the organization. */
    readonly service: string;
  },
): JsonObject {
  return {
    format: 1,
    kind: 'outcome',
    service: service.slice(0, 16),
    commit,
    commits: [...commits],
    at: formatInstant(options.now),
    exit: options.exit,
    ...(report.ended === 'overtaken' && { overtaken: true }),
    policies: tabulateRun(report)
      .slice(0, OUTCOME_ROWS)
      .map((row) => ({ ...row })),
    next: stepAfter(report, options),
  };
}

/** The outcome of a run that ended before it had a plan: no policies, and what to do. */
export function unstartedJson({
  commit,
  service,
  now,
  exit,
  next,
}: {
  readonly commit: string;
  /** The fingerprint of the service and the organization. */
  readonly service: string;
  readonly now: number;
  readonly exit: number;
  readonly next: string;
}): JsonObject {
  return {
    format: 1,
    kind: 'outcome',
    service: service.slice(0, 16),
    commit,
    commits: [commit],
    at: formatInstant(now),
    exit,
    policies: [],
    next,
  };
}
