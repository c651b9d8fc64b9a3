import { LABEL_FIELDS } from '../../model/fleet/device.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import { nameTitle } from '../words/phrase.ts';
import type { TableHead } from './format.ts';

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
  { codes: ['inDoubt', 'quarantined'], passed: 'nothing in doubt, retries left' },
  { codes: ['busy'], passed: 'device not busy' },
  { codes: ['offline', 'unknown'], passed: 'online where needed' },
  { codes: ['rolloutPaused', 'rolloutAborted', 'correlatedOutage'], passed: 'not stopped' },
  { codes: ['orderPending'], passed: 'what comes first is done' },
  { codes: ['waveNotOpen', 'gatePending', 'approvalPending'], passed: 'wave open' },
  { codes: ['frozen'], passed: 'no freeze' },
  { codes: ['windowClosed'], passed: 'window open' },
  { codes: ['pastCutoff'], passed: 'before the cutoff' },
  { codes: ['budgetExhausted'], passed: 'capacity in every budget' },
  { codes: ['apiBudget'], passed: 'requests left' },
  { codes: ['act'], passed: 'due now' },
];

/** What people recognize a device by, beside the vendor and model that one column has. */
export const FURTHER_LABELS = LABEL_FIELDS.filter(
  (field) => field !== 'vendor' && field !== 'model',
);

/** What a table says that is the same for each plan: its lists, its details, and how it is printed. */
export const PLAN_TABLE = {
  filters: [
    ['state', 'State'],
    ['task', 'Task'],
    ['site', 'Site'],
    ['make', 'Model'],
    ['policy', 'Policy'],
    ['reason', 'Reason'],
    ['wave', 'Wave'],
    ['risk', 'Risk'],
  ],
  chips: 'group',
  searched: [
    'site',
    'make',
    ...FURTHER_LABELS,
    'wave',
    'policy',
    'at',
    'commit',
    'author',
    'subject',
    'says',
    'edit',
  ],
  details: {
    address: 'change',
    id: ['type'],
    title: 'task',
    facts: [
      { label: 'State', of: ['state'] },
      { label: 'Reason', of: ['says', 'since'], isProse: true },
      { label: 'Next', of: ['todo', 'next'], isProse: true },
      { label: 'Device', of: ['device'] },
      { label: 'Site', of: ['site'] },
      { label: 'Vendor, model', of: ['make'] },
      ...FURTHER_LABELS.map((field) => ({ label: nameTitle(field), of: [field] })),
      { label: 'Risk', of: ['risk'] },
      { label: 'Cause', of: ['cause'] },
      { label: 'Requested by', of: ['group'] },
      { label: 'Wave', of: ['wave'] },
      { label: 'Window', of: ['window'] },
      { label: 'Policy', of: ['policy'] },
      { label: 'Defined at', of: ['at'] },
      { label: 'Commit', of: ['commit'] },
      { label: 'Author', of: ['author'] },
      { label: 'Subject', of: ['subject'] },
      { label: 'Wins over', of: ['losers'] },
    ],
  },
  paper: {
    most: 400,
    whole: 'Printed: all {view} rows of the table, of {all} in the plan.',
    cut:
      'Printed: all {view} rows of the table, of {all} in the plan, in groups with exact counts; ' +
      'then the first {shown} of them. Filter the table to print others; ' +
      'fleetform show FILE --all lists every change.',
    groups: [
      ['state', 'State'],
      ['task', 'Task'],
      ['risk', 'Risk'],
      ['policy', 'Policy'],
      ['wave', 'Wave'],
      ['reason', 'Reason'],
    ],
    others: 'in {groups} other groups',
  },
  counted: '{shown} of {all} rows',
} as const satisfies Partial<TableHead>;

/** The texts of the script. */
export const PAGE_WORDS = {
  all: 'All',
  none: '(none)',
  count: 'Rows',
  reading: 'Reading the rows: {shown} of {all}',
  nothingWanted: 'unchanged',
  field: 'Field',
  before: 'Before',
  after: 'After',
  passed: 'passed',
  decided: 'decided by this check',
  unasked: 'not evaluated',
  steps: 'Decision, step by step',
} as const;
