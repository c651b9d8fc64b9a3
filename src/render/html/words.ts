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
  { codes: ['notSelected', 'unmanaged', 'notDiscovered'], passed: 'selected and managed' },
  { codes: ['unsupported', 'notComparable'], passed: 'supported by the service' },
  { codes: ['notRead'], passed: 'read, now or in an earlier run' },
  { codes: ['alreadyConverged'], passed: 'not up to date' },
  { codes: ['blockedVendor'], passed: 'vendor not blocked' },
  { codes: ['hold', 'exclude', 'pinned'], passed: 'no exception against it' },
  { codes: ['incidentEnded'], passed: 'incident still open' },
  { codes: ['frozenHard'], passed: 'no hard freeze' },
  { codes: ['siteWithoutZone'], passed: 'time zone known where needed' },
  { codes: ['notDue'], passed: 'due' },
  { codes: ['inDoubt', 'quarantined'], passed: 'nothing in doubt, attempts left' },
  { codes: ['busy'], passed: 'device not busy' },
  { codes: ['offline', 'unknown'], passed: 'online where needed' },
  { codes: ['rolloutPaused', 'rolloutAborted', 'correlatedOutage'], passed: 'not stopped' },
  { codes: ['waveNotOpen', 'gatePending', 'approvalPending'], passed: 'wave open' },
  { codes: ['frozen'], passed: 'no freeze' },
  { codes: ['windowClosed'], passed: 'window open' },
  { codes: ['pastCutoff'], passed: 'before the cutoff' },
  { codes: ['budgetExhausted'], passed: 'capacity in every budget' },
  { codes: ['apiBudget'], passed: 'requests left' },
  { codes: ['act'], passed: 'due now' },
];

/** Groups of a plan with a base, short enough for a button. */
export const GROUP_LABELS: Readonly<Record<ChangeGroup, string>> = {
  branch: 'Caused by this change',
  dropped: 'No longer due',
  pending: 'Already pending',
  clock: 'Due by schedule',
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
  reason: 'Reason',
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
  never: 'not automatically',
  open: 'unknown',
  counted: '{shown} of {all} rows',
  printedAll: 'Printed: all {view} rows of the table, of {all} in the plan.',
  printedPart:
    'Printed: all {view} rows of the table, of {all} in the plan, in groups with exact counts; ' +
    'then the first {shown} of them. Filter the table to print others; ' +
    'fleetform show FILE --all lists every change.',
  kinds: ['Changes', 'Action', 'Task', 'Risk', 'Policy', 'Wave', 'Reason'],
  otherKinds: 'in {kinds} other groups',
  empty: 'No changes match. Clear a filter to see more.',
  reading: 'Reading the changes: {shown} of {all}',
  nothingWanted: 'unchanged',
  since: 'since {moment} ({span})',
  from: 'possible from {moment} (in {span})',
  windowOpen: 'open now',
  windowOpens: 'opens {moment}',
  windowCloses: 'closes {moment}',
  field: 'Field',
  before: 'Before',
  after: 'After',
  passed: 'passed',
  decided: 'decided by this check',
  unasked: 'not evaluated',
  steps: 'Decision, step by step',
  details: {
    action: 'Action',
    device: 'Device',
    site: 'Site',
    make: 'Vendor, model',
    task: 'Task',
    cause: 'Cause',
    group: 'Requested by',
    why: 'Reason',
    next: 'Next',
    risk: 'Risk',
    wave: 'Wave',
    window: 'Window',
    policy: 'Policy',
    at: 'Defined at',
    commit: 'Commit',
    author: 'Author',
    subject: 'Subject',
    losers: 'Wins over',
  },
} as const;
