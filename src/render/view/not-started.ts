import { groupBy } from '../../lib/group-by.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { isNotSent, type Ending, type Outcome } from '../../model/ledger/run-report.ts';
import { endingReasons } from './endings.ts';
import { findRunColumn } from './run-table.ts';
import { shareReason, type SharedReason } from './shared-reason.ts';

/** Who has to act before a change starts, in reading order. */
export const NOT_STARTED_COLUMNS = ['person', 'open', 'later', 'out', 'unchanged'] as const;
type NotStartedColumn = (typeof NOT_STARTED_COLUMNS)[number];

/** Changes of a run that were not sent for the same reason, of any policy. */
export interface NotStartedGroup extends SharedReason {
  readonly outcome: Outcome;
  readonly detail?: string;
  readonly endings: readonly Ending[];
  /** Largest first. */
  readonly policies: readonly { readonly policy: string; readonly count: number }[];
  /** How many sites the devices have; devices without a site do not count. */
  readonly sites: number;
}

/** The changes that a run did not send, by who has to act, then by reason, largest first. */
export function foldNotStarted(
  endings: Iterable<Ending>,
): ReadonlyMap<NotStartedColumn, readonly NotStartedGroup[]> {
  const columns = groupBy([...endings].filter(isNotSent), findRunColumn);
  return new Map(
    NOT_STARTED_COLUMNS.map((column) => [column, foldColumn(columns.get(column) ?? [])]),
  );
}

function foldColumn(endings: readonly Ending[]): readonly NotStartedGroup[] {
  const groups = groupBy(endings, ({ outcome, reason, detail }) =>
    JSON.stringify([outcome, reason?.code, reason?.why, detail]),
  );
  return [...groups.values()]
    .flatMap(foldReason)
    .sort((a, b) => b.endings.length - a.endings.length);
}

function foldReason(endings: readonly Ending[]): readonly NotStartedGroup[] {
  const [first] = endings;
  if (!first) return [];
  const { outcome, detail } = first;
  const policies = [...groupBy(endings, ({ change }) => change.at.policy)]
    .map(([policy, each]) => ({ policy, count: each.length }))
    .sort((a, b) => b.count - a.count || compareTexts(a.policy, b.policy));
  const sites = new Set(endings.map(({ change }) => change.device.site ?? ''));
  sites.delete('');
  const same = {
    outcome,
    ...(detail !== undefined && { detail }),
    ...shareReason(endingReasons(endings)),
  };
  return [{ ...same, endings, policies, sites: sites.size }];
}
