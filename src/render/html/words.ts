import type { ChangeGroup } from '../../model/plan/change.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';

/** The English of the report that no other format uses, including that of its script. */

/**
 * The decision order (semantics K20): each step with its codes. A change in a plan has passed every
 * step before the one that gave its reason.
 */
export const DECISION_STEPS: readonly {
  readonly codes: readonly ReasonCode[];
  readonly passed: string;
}[] = [
  { codes: ['notSelected', 'unmanaged', 'notDiscovered'], passed: 'selected, and there' },
  { codes: ['unsupported', 'notComparable'], passed: 'the service can do it' },
  { codes: ['notRead'], passed: 'read, or known from an earlier run' },
  { codes: ['alreadyConverged'], passed: 'not yet as wanted' },
  { codes: ['blockedVendor'], passed: 'vendor not blocked' },
  { codes: ['hold', 'exclude', 'pinned'], passed: 'no exception against it' },
  { codes: ['incidentEnded'], passed: 'its incident not over' },
  { codes: ['frozenHard'], passed: 'no hard freeze' },
  { codes: ['siteWithoutZone'], passed: 'time zone known where it matters' },
  { codes: ['notDue'], passed: 'due' },
  { codes: ['inDoubt', 'quarantined'], passed: 'nothing in doubt, attempts left' },
  { codes: ['busy'], passed: 'nothing else going on' },
  { codes: ['offline', 'unknown'], passed: 'online, where that matters' },
  { codes: ['rolloutPaused', 'rolloutAborted', 'correlatedOutage'], passed: 'not stopped' },
  { codes: ['waveNotOpen', 'gatePending', 'approvalPending'], passed: 'wave open' },
  { codes: ['frozen'], passed: 'no freeze in the way' },
  { codes: ['windowClosed'], passed: 'window open' },
  { codes: ['pastCutoff'], passed: 'time enough in the window' },
  { codes: ['budgetExhausted'], passed: 'room in every budget' },
  { codes: ['apiBudget'], passed: 'requests left' },
  { codes: ['act'], passed: 'wanted now' },
];

/** Groups of a plan with a base, short enough for a button. */
export const GROUP_LABELS: Readonly<Record<ChangeGroup, string>> = {
  branch: 'Caused since the base',
  dropped: 'No longer wanted',
  pending: 'Pending already',
  clock: 'Due by the clock',
};

/** Why the start of a wave is unknown. */
export const HELD_WORDS = {
  gate: 'waits for its gate',
  paused: 'the rollout is paused',
  aborted: 'the rollout is aborted',
} as const;

export const COLUMN_LABELS = {
  device: 'Device',
  site: 'Site',
  task: 'Task',
  action: 'Action',
  reason: 'Why',
  edit: 'Before → after',
  when: 'Possible',
  make: 'Model',
  policy: 'Policy',
  wave: 'Wave',
} as const;
export type TableColumn = keyof typeof COLUMN_LABELS;

export const FILTER_LABELS = {
  action: 'Action',
  task: 'Task',
  site: 'Site',
  make: 'Model',
  policy: 'Policy',
  reason: 'Reason',
  wave: 'Wave',
  risk: 'Risk',
} as const;
export type FilterName = keyof typeof FILTER_LABELS;

export const ACTION_LABELS = { run: 'run', wait: 'wait', skip: 'skip', note: 'note' } as const;

/** The texts of the script. */
export const PAGE_WORDS = {
  all: 'All',
  none: '(none)',
  now: 'now',
  never: 'never by itself',
  open: 'not known',
  counted: '{shown} of {all} changes',
  printedAll: 'Printed: all {view} changes that the table shows, of {all} in the plan.',
  printedPart:
    'Printed: all {view} changes that the table shows, of {all} in the plan, in kinds with exact counts; ' +
    'then the first {shown} of them one by one. Filter the table to print others; ' +
    'fleetform show FILE --all lists every change.',
  kinds: ['Changes', 'Action', 'Task', 'Risk', 'Policy', 'Wave', 'Reason'],
  otherKinds: 'in {kinds} other kinds',
  empty: 'No change is like that. Clear a filter to see more.',
  reading: 'Reading the changes: {shown} of {all}',
  sortBy: 'Sort by',
  nothingWanted: 'as it is',
  since: 'since {moment} ({span})',
  from: 'possible from {moment} (in {span})',
  windowOpen: 'open now',
  windowOpens: 'opens {moment}',
  windowCloses: 'closes {moment}',
  field: 'Field',
  before: 'Before',
  after: 'After',
  passed: 'passed',
  decided: 'decided here',
  unasked: 'not asked any more',
  steps: 'Decision, step by step',
  details: {
    action: 'Action',
    device: 'Device',
    site: 'Site',
    make: 'Vendor, model',
    task: 'Task',
    cause: 'Cause',
    group: 'Requested by',
    why: 'Why',
    next: 'Next',
    risk: 'Risk',
    wave: 'Wave',
    window: 'Window',
    policy: 'Policy',
    at: 'Written at',
    commit: 'Commit',
    author: 'Author',
    subject: 'Subject',
    losers: 'Wins over',
  },
} as const;
