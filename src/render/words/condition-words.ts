import type { Condition, WhyTold } from '../../model/report/conditions.ts';

/** What a person reads of each condition. */
export const CONDITION_WORDS: Readonly<Record<Condition, string>> = {
  runFailed: 'The last run failed',
  guardrailRefused: 'A guardrail refused the plan',
  stopTripped: 'A stop rule has tripped',
  inDoubt: 'Outcomes are in doubt',
  quarantined: 'Devices are quarantined',
  overdue: 'Devices are past their deadline',
  ledgerUnfit: 'The ledger is unusable',
  fleetShrunk: 'Known devices are missing',
};

/** The heading of a message. */
export const WHY_WORDS: Readonly<Record<WhyTold, string>> = {
  changed: 'needs attention',
  cleared: 'nothing needs attention any more',
  reminder: 'still needs attention',
};
