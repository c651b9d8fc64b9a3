import type { DiagnosticCode } from '../../../model/documents/diagnostic.ts';
import type { CodePhrases } from '../phrase.ts';

/** Findings about what is on record: the ledger, its approvals, and the facts of earlier runs. */
export const RECORD_FINDING_WORDS = {
  ledgerLost: {
    says: 'The ledger lacks records that were seen before[: it ends at record {found}, but record {seen} was seen]. `apply` refuses to start.',
    more: 'This plan may miss completed tasks, pauses and approvals.',
    next: 'Restore the newest copy of the ledger. If there is none, `fleetform unlock --accept-loss --reason WHY` continues without the missing records.',
  },
  clocksDiffer: {
    says: 'The clocks of this machine and the service differ[ by {seconds|second|seconds}]. `apply` refuses to start.',
    more: 'Windows, deadlines and proofs depend on both clocks.',
    next: 'Synchronize the clock of this machine (NTP).',
  },
  factsTooSlow: {
    says: '[The plan needs {count|device read|device reads}, and hourly applies make {perDay#} a day||One round of device reads takes too long], so values expire before they are read again.',
    more: 'Devices with expired values wait as "not read".',
    next: 'Raise `service.pace`, `--max-reads` or `--max-age`, or set the list field with the date under `service.dialect`.',
  },
  factsContradicted: {
    says: 'A read contradicts the stored [{kind} date||value][ of {device}].',
    more: 'If `fleetform apply` reads the same more than 10 minutes later, no stored [{kind} date||value of this kind] is believed any more[, and {count|device is|devices are} read again].',
    next: 'Check who may write to the store of device values.',
  },
  approvalLapsed: {
    says: 'The approved commit {commit=of the ledger} is no longer in the history of the default branch.',
    more: 'Its standing approvals have lapsed. Approved outcomes stay valid.',
    next: 'Approve the newest commit: `fleetform ci look`, then its gate.',
  },
  approvalStillPlan: {
    says: '`service.approval` is `commit`, but the ledger says `plan`[ since commit {commit}], and no gate has approved the change.',
    more: '`plan` still applies, so changes wait for approval.',
    next: 'Let the gate approve this commit. After that, a merged commit is the approval.',
  },
  approvalTooShort: {
    says: '[{policy}: the||The] approval expires before [{count|device is|devices are}||all devices are] done[, such as {device}].',
    more: '[It expires {expires}. ][Wave {wave} ends {end} at the earliest.||Its wave does not end within 400 days.]',
    next: 'Raise `expires` of `service.approval`, or approve the rest again when it has expired.',
  },
  nothingCanStart: {
    says: '`apply` cannot start any task[: each start needs {requests} requests, which take {seconds} s at {perSecond} a second; the limit is {limit} s].',
    more: '[The service does not honor a maintenance filter, so all {devices|device|devices} are read each time.]',
    next: '[Set the filter under `service.dialect` as {key}, or set||Set] `service.pace.requestsPerSecond` to [{enough} or more||a higher value] if the service allows it.',
  },
} as const satisfies Readonly<Partial<Record<DiagnosticCode, CodePhrases>>>;
