import { WorldError } from '../../model/error.ts';
import type { AuditCheck, CheckName, EvidenceLevel } from '../../model/ledger/audit.ts';
import type { PersonPause } from '../../model/ledger/pauses.ts';
import type { ActiveStop } from '../../model/ledger/memory.ts';
import { isOfIncident } from '../../model/documents/policies.ts';
import { policyOfScope, siteOfScope } from '../../model/ledger/scopes.ts';
import type { Site } from '../../model/fleet/device.ts';
import type { ApprovedBy } from '../../model/ledger/record.ts';
import { TASKS, type Credential, type TaskType } from '../../model/fleet/task.ts';
import { type Phrase, counted, fill, wordOr } from './phrase.ts';
import { type TerminalText, terminal } from '../sinks/sinks.ts';
import { CORRUPT_AT, errorWords } from './errors.ts';
import { momentText } from './moment.ts';

/** What a plan on a saved snapshot cannot know. */
export function missingReadsWords(changes: number): string {
  return `The snapshot lacks reads that these documents need: it leaves ${counted(changes, 'change')} undecided. A plan without \`--snapshot\` reads them.`;
}

/**
 * How a plan was approved. Documents that no commit has are approved by the person at the command line; where a gate
 * approves outcomes, each device of an attempt names its approval.
 */
export function approvalWords(
  means: ApprovedBy,
  { inCommit, byGate }: { readonly inCommit: boolean; readonly byGate: boolean },
): string {
  if (means !== 'commit') return wordOr(APPROVED_WORDS, means);
  if (byGate) return 'each outcome approved as below';
  return inCommit ? APPROVED_WORDS.commit : 'approved with --yes';
}

/** Who passed a gate, after what they approved: ` by Ada, Ben`; a forge may not show it. */
export function approversWords(approvers: readonly string[]): string {
  return approvers.length === 0 ? ', approvers unknown' : ` by ${approvers.join(', ')}`;
}

const APPROVED_WORDS: Readonly<Record<ApprovedBy, string>> = {
  file: 'approved as a saved plan',
  terminal: 'approved on a terminal',
  commit: 'approved by the commit (--yes)',
};

/** The purpose of a rotation, by what it replaces. */
const GOAL_WORDS: Readonly<Record<Credential, Phrase>> = {
  password: 'a new password[, instead of that of {of}||, instead of that in {beside}||]',
  certificate: 'a new certificate[, instead of {of}||, instead of that in {beside}||]',
};

export const LEVEL_WORDS: Readonly<Record<EvidenceLevel, string>> = {
  readBack: 'read back',
  resultOnly: 'result only',
  person: 'confirmed by a person',
};

export const AUDIT_WORDS = {
  empty: 'The ledger is empty: nothing has been applied yet.',
  ids: 'The ledger has no device names, so devices appear by ID. `--format json` has full digests.',
  nothing: 'No matching record.',
  running: 'not finished',
  noCommit: 'outside a repository',
  unended: 'did not end normally',
  atWork: 'running',
  beside: ', not of this plan',
  unsummed: 'not recorded: the run did not end normally',
  unsummedEnded: 'not recorded',
} as const;

/** Texts of a note on an applied commit, besides verdicts. */
export const NOTE_WORDS = {
  outcomes: 'shows the outcome of each device.',
  decision: 'A decision was recorded. `fleetform audit` shows it.',
  later: 'Its open changes were finished by run',
  unsummed: 'The outcomes of its other changes are not recorded: the run did not end normally.',
  rejected: 'rejected',
  notSent: 'not sent',
  inDoubt: 'in doubt',
  running: 'not finished',
} as const;

/** @param isDirty whether the run applied documents that are not those of the commit */
export function notedWords(commit: string, isDirty: boolean, why: string | undefined): string {
  const short = commit.slice(0, 12);
  const aside = isDirty ? ', which lacks the uncommitted changes of the documents' : '';
  if (why === undefined) return `Noted on commit ${short}${aside}: git log --notes=fleetform`;
  return `No note on commit ${short}: ${why}. ${ASIDE}`;
}

/** What a note is to its run: the ledger may lack outcomes for reasons of its own. */
const ASIDE = 'This does not affect the run or its ledger.';

/**
 * No note was written, because what it would say cannot be read: the ledger is away, or lacks
 * records.
 */
export function unnotedWords(cause: unknown): TerminalText {
  const why = cause instanceof WorldError ? errorWords(cause.code, cause.params).summary : '';
  const text = why === '' ? String(cause) : why.replace(/\.$/, '');
  return terminal(`No note on the commit: ${text}. ${ASIDE}`);
}

/** The notice that data of a shared ledger come from the clone. */
export function staleLedgerWords({ place, cause }: { place: string; cause: string }): string {
  const from = `This is the local copy of ${terminal(place)}`;
  return cause === '' ? `${from}.` : `${from}; cannot connect to the remote: ${terminal(cause)}`;
}

export const CHECK_WORDS: Readonly<Record<CheckName, string>> = {
  chain: 'the chain of records',
  protocol: 'the protocol',
  checkpoints: 'checkpoints',
  notes: 'the notes on commits',
  documents: 'the documents',
  snapshot: 'the snapshot',
  plan: 'the plan',
  attempts: 'the tasks',
  approvals: 'the approvals',
  sums: 'the sums of the runs',
};

export const RESULT_WORDS: Readonly<Record<AuditCheck['result'], string>> = {
  proved: 'proved',
  unproved: 'not proved',
  broken: 'BROKEN',
};

/** The findings by code; a broken or missing part comes with its consequence. */
export const FINDING_WORDS: Readonly<Record<string, Phrase>> = {
  chainWhole:
    '{records|record|records}, each with the hash of the previous one, up to record {head}',
  chainBroken: `it is corrupt${CORRUPT_AT}`,
  rolledBack:
    '[record {found} is the last, but record {seen} was seen before: history is missing' +
    '||what remembers its end is gone or cannot be read: history may be missing]',
  otherPast:
    '[record {seen} is not the one||the records are not those] that this machine, or a note, has seen',
  remoteNotAsked:
    'these are the local records of {place=it}[; record {seen} is missing]' +
    '[; cannot connect to the remote: {cause}]',
  noLedger: 'there is no ledger to read',
  foreign: 'it is the ledger of another service or organization',
  allowed: 'every record follows the protocol',
  checkpointsTrue:
    '{checkpoints|checkpoint says|checkpoints say} what the records before add up to',
  checkpointFalse:
    'the checkpoint in record {seq} is not what the records before it add up to: whoever started from it was deceived',
  forbidden: 'record {seq} breaks {rule}: {subject}',
  notesAgree: '{notes|note matches|notes match} the ledger',
  noNotes: 'there are none here; run `git fetch origin refs/notes/fleetform:refs/notes/fleetform`',
  noteEdited: 'the note on {commit} was changed',
  noteElsewhere: 'the note on {commit} names record {seq}, which this ledger does not have',
  noteMissing: 'the note on {commit} is missing',
  noteAhead: 'the note on {commit} names record {seq}, but the records here end earlier',
  noteStale: 'the note on {commit} is older than the outcome of run {epoch}',
  documentsSame: 'as planned, at {commits|commit|commits}',
  documentsKept: 'as planned, at {kept}; commit {commit} no longer exists, as after a squash',
  documentsOther: 'at {commit} they differ from those of the plan',
  commitGone: 'commit {commit} is not in the repository: its history was rewritten',
  commitNotHere: 'commit {commit} is not in this clone; fetch it',
  notCommitted: 'the plan of run {epoch} used uncommitted documents',
  outside: 'the plan of run {epoch} was created outside a repository',
  documentsUnusable: 'at {commit} they are invalid',
  noBasis: 'run {epoch} did not record the inputs of its plan',
  snapshotNamed: 'the file matches the ledger[, run {epoch}]',
  snapshotOfPlan: 'the file matches the plan; no run of it is recorded',
  snapshotUnknown:
    'this is another snapshot: no run in the ledger, and no plan given here, is based on it',
  snapshotUnreadable: 'the file was edited or cut[ ({why})]',
  snapshotMissing: 'pass --snapshot FILE to compute the plan again',
  planSame:
    'computed again from documents, snapshot and ledger: identical byte for byte[, run {epoch}]',
  planSameDecided:
    'computed again: same decisions; authors are unknown, because commit {commit} no longer exists',
  planDigestSame: 'computed again: same digest as in the ledger, run {epoch}',
  planOther: 'computed again from documents, snapshot and ledger: different[, run {epoch}]',
  planOtherVersion: '{tool} created it; this version computes a different one',
  planTampered: 'the file was edited or cut',
  planNotNamed: 'the file is not the approved one, run {epoch}',
  planUnapplied: 'no run of it is recorded',
  planSameAlone:
    'computed again: same decisions; the comparison with {commit} was not, because that commit is not here',
  planLacksDocuments:
    'its documents[ (commit {commit})] are in no commit here[; `{get}` gets them, as long as the forge keeps them]',
  planLacksApproved:
    'the documents that were approved last (commit {commit}) are in no commit here[; `{get}` gets them, as long as the forge keeps them]',
  planLacksSnapshot:
    'the snapshot is another one: pass the file that `--save-snapshot` wrote at {at}',
  ledgerElsewhere: 'it refers to record {seq} of another ledger',
  attemptsCovered: '{attempts|task|tasks} on devices in the plan[, run {epoch}]',
  attemptUncovered: 'task {attempt} changed {device}, which is not in the plan',
  attemptsPlanned: '{attempts|task belongs|tasks belong} to a recorded plan',
  attemptsApproved: '{devices|device was|devices were} approved when sent',
  attemptUnapproved: 'device {device} of task {attempt} was not approved when it was sent',
  attemptUnplanned: 'task {attempt} belongs to no recorded plan',
  sumsSame: '{runs|run accounts|runs account} for every change of its plan exactly once',
  sumsOther: 'run {epoch} accounts for {counted|change|changes} of a plan of {planned}',
  sumsElsewhere: 'run {epoch} accounts for a different plan than it recorded',
};

export const VERIFY_WORDS = {
  whole: 'Verified.',
  parts: 'Verified, except for the missing parts above.',
  otherSnapshot:
    'Not verified: the snapshot is another one. Pass the one that the plan was based on. No other check failed.',
  broken:
    'Verification failed: see BROKEN above. Find out who can write to the ledger, and restore a copy.',
} as const;

/** The result of `pause`, after the pause itself. */
export const PAUSE_WORDS = {
  idle: 'No task in this scope is running. A run in progress starts no more of them.',
  atWork: 'with a running task, which finishes; no other task starts:',
  waves:
    'Later waves wait at every site for devices of this one in earlier waves, such as a canary:',
  before:
    'It was paused already, since {since}[, until {until},] by {who}: {why}[ ({ticket})]. One `unpause` ends both.',
  next: '`fleetform unpause [{policy} --site "{site}"||{scope}] --reason R[ --ticket {ticket}]` ends it; `fleetform status` shows it',
} as const;

/** One thing that holds a scope, as `unpause` lists and lifts it. */
type Held =
  | ({ readonly what: 'stop'; readonly orphaned?: true } & Pick<
      ActiveStop,
      'scope' | 'rule' | 'action'
    >)
  | { readonly what: 'rollout'; readonly scope: string }
  | ({ readonly what: 'pause' } & Pick<PersonPause, 'scope' | 'who' | 'ticket'>);

/** What holds a scope, in a list; a site by its name, where that is known. */
function heldText(held: Held, sites: Sites): string {
  const site = sites.find(({ id }) => id === siteOfScope(held.scope))?.name;
  const scope = site === undefined ? held.scope : `${policyOfScope(held.scope)} at ${site}`;
  if (held.what === 'stop') return `${scope} (rule ${held.rule})`;
  if (held.what === 'rollout') return `${scope} (unfinished rollout, no policy has this name)`;
  const under = held.ticket === undefined ? '' : `, ${held.ticket}`;
  return `${scope} (paused by ${held.who}${under})`;
}

type Sites = readonly Pick<Site, 'id' | 'name'>[];

/** Everything that is paused, for `unpause` without a scope (protocol N65). */
export function heldWords(held: readonly Held[], sites: Sites): readonly TerminalText[] {
  if (held.length === 0) return [terminal('Nothing is paused.')];
  const lines = held.map((one) => `  ${heldText(one, sites)}`);
  return ['Paused (pass a SCOPE to unpause it):', ...lines].map((line) => terminal(line));
}

/** How `unpause` lifts what it has listed. */
export const LIFT_HINT = 'next: `fleetform unpause SCOPE [--site SITE] --reason R [--ticket T]`';

interface LiftWords {
  readonly lifted: readonly Held[];
  /** What still holds. */
  readonly held: readonly Held[];
  readonly sites: Sites;
}

/** What `unpause SCOPE` lifted and under which ticket, and what still holds. */
export function liftedWords(
  { lifted, held, sites }: LiftWords,
  ticket?: string,
): readonly TerminalText[] {
  const textOf = (one: Held): string => heldText(one, sites);
  if (lifted.length === 0) return [terminal('Nothing is paused.')];
  const isAborted = (one: Held): boolean =>
    one.what === 'stop' && one.action === 'abort' && one.orphaned !== true;
  const aborted = held.filter(isAborted).map(textOf);
  const paused = held.filter((one) => !isAborted(one)).map(textOf);
  const tripped = lifted.some(({ what }) => what === 'stop')
    ? ' Its failures stay on record and do not count again.'
    : '';
  const retried = lifted.some(({ scope }) => isOfIncident(scope))
    ? " An incident tries a device once a day: `fleetform plan --only 'incidents.*'` says when those that failed may start."
    : '';
  return [
    `Unpaused${ticket === undefined ? '' : ` under ${ticket}`}: ${lifted.map(textOf).join(', ')}.${tripped}${retried}`,
    ...(paused.length > 0 ? [`Still paused: ${paused.join(', ')}.`] : []),
    ...(aborted.length > 0
      ? [`Aborted: ${aborted.join(', ')}; set another version or generation to start again.`]
      : []),
  ].map((line) => terminal(line));
}

/** The next step after a lift, if the fleet could not be read to compute it. */
export const UNREAD_NEXT_WORDS = 'run `fleetform status`; the fleet cannot be read now';

/** A text that is long enough to be a digest, also with colons as of a certificate; it is shortened. */
const DIGEST = /^[0-9a-f]{2}(?::?[0-9a-f]{2}){15,}$/i;
const SHOWN = 12;

/** Values that mean that nothing was known before a rotation. */
const NOTHING = ['', 'none'];

/** The credential that a rotation replaced, by fingerprint or last change, without the instant of R8; none if unknown. */
export function replacedText(task: TaskType, target: string): string | undefined {
  const shown = target.replace(/ \d\S+Z$/, '');
  if (!TASKS[task].credential || NOTHING.includes(shown)) return undefined;
  return DIGEST.test(shown) ? `${shown.slice(0, SHOWN).replace(/:$/, '')}…` : momentText(shown);
}

/**
 * The goal of an intent: the version of an upgrade; for a rotation the credential that it replaces. Raw, for a sink.
 * @param isShared of several devices, beside each of which stands what it had
 */
export function goalText(
  task: TaskType,
  { target, towards }: { readonly target: string; readonly towards?: string },
  isShared = false,
): string {
  const { credential } = TASKS[task];
  if (!credential) return towards === undefined ? target : `${target} towards ${towards}`;
  const of = replacedText(task, target);
  if (of === undefined) return fill(GOAL_WORDS[credential], {}, String);
  return fill(GOAL_WORDS[credential], isShared ? { beside: 'parentheses' } : { of }, String);
}
