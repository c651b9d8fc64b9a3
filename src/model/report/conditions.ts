import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { WorldError } from '../error.ts';
import type { ToldConditions } from '../ledger/memory.ts';
import type { RunReport } from '../ledger/run-report.ts';
import { countFailed } from '../ledger/run-table.ts';

/** What a receiver of notifications is told. */
export const CONDITIONS = [
  'runFailed',
  'guardrailRefused',
  'stopTripped',
  'inDoubt',
  'quarantined',
  'overdue',
  'ledgerUnfit',
  'fleetShrunk',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** A run that is over: what it reported, or the error that it ended with. */
export interface EndedRun {
  readonly exit: number;
  readonly report?: RunReport;
  readonly error?: unknown;
}

/** Those that every run can judge; `inDoubt` one that has a report. */
const OF_RUN: ReadonlySet<string> = new Set(['runFailed', 'ledgerUnfit']);

/**
 * The conditions at the end of a run, each alone or with its policy or scope (`stopTripped firmware.axis`), in order.
 * Those that it could not judge, such as those of a fleet that it did not read, or read a part of, stay as they were
 * told before.
 */
export function openConditions(ended: EndedRun, before: readonly string[]): readonly string[] {
  const { report } = ended;
  const { surveyed } = report ?? {};
  const isWhole = surveyed && !surveyed.isTorn && surveyed.isPart !== true;
  const isJudged = (one: string): boolean => {
    const condition = conditionIn(one);
    return (
      isWhole === true || OF_RUN.has(condition) || (report && condition === 'inDoubt') === true
    );
  };
  const now = [...found(ended), ...before.filter((one) => !isJudged(one))];
  const inOrder = [...new Set(now)].sort(compareTexts);
  return [...groupBy(inOrder, conditionIn).values()].flatMap((alike) => alike.slice(0, MOST));
}

/** So many of each condition are kept on record, so that none hides another. */
const MOST = 12;

/** The condition of a text that may also have a policy or a scope. */
export function conditionIn(one: string): string {
  return one.split(' ', 1)[0] ?? '';
}

function found({ exit, report, error = report?.failure }: EndedRun): readonly string[] {
  const code = error instanceof WorldError ? error.code : '';
  const isLedger = code.startsWith('ledger') || code === 'storeFailed';
  const hasFailed = error !== undefined || exit === 1 || (report && countFailed(report) > 0);
  return [
    ...(isLedger ? ['ledgerUnfit'] : hasFailed ? ['runFailed'] : []),
    ...(report ? foundIn(report) : []),
  ];
}

function* foundIn(report: RunReport): Generator<string> {
  for (const { limit } of report.refused ?? [])
    yield limit === 'maxVanished' ? 'fleetShrunk' : 'guardrailRefused';
  for (const { scope } of report.stops ?? []) yield `stopTripped ${scope}`;
  const changes = report.endings.map(({ change: { policy }, ...rest }) => ({ policy, ...rest }));
  for (const { outcome, policy, ...rest } of [...changes, ...(report.leftOpen ?? [])]) {
    if (outcome === 'inDoubt') yield `inDoubt ${policy}`;
    if ('reason' in rest && rest.reason?.code === 'quarantined') yield `quarantined ${policy}`;
  }
  for (const policy of report.surveyed?.overdue ?? []) yield `overdue ${policy}`;
}

/** Why a receiver gets a message: the conditions are others, none is left, or they still are as they were. */
export type WhyTold = 'changed' | 'cleared' | 'reminder';

/** Why a receiver with this interval of reminders is told now; undefined where it is not. */
export function whyTold(
  { open, now }: { readonly open: readonly string[]; readonly now: number },
  told: ToldConditions | undefined,
  remind: number,
): WhyTold | undefined {
  const before = told?.open ?? [];
  if (open.join('\n') !== before.join('\n')) return open.length === 0 ? 'cleared' : 'changed';
  if (!told || open.length === 0) return undefined;
  const reminders = (at: number): number => Math.floor((at - told.since) / remind);
  return reminders(now) > reminders(told.at) ? 'reminder' : undefined;
}
