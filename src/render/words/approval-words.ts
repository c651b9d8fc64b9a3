import { moment } from './moment.ts';
import { counted, grouped } from './phrase.ts';

/** The first line of a plan whose request changes what an approval is, by its value before. */
export const APPROVAL_CHANGES: Readonly<Record<'commit' | 'plan', string>> = {
  commit:
    'This request changes `service.approval` from `commit` to `plan`. Until it is merged, `commit` applies. After that, each change waits for the gate.',
  plan: 'This request changes `service.approval` from `plan` to `commit`. Until a gate approves it, `plan` applies and every change waits for the gate.',
};

/** What `show` says of a saved plan: what is verified, and what only an approval protects. */
export const UNPROTECTED_WORDS =
  'Verified: digest, ID, counts, groups, waves, guardrail results and service. Not verified: names, sites and times, because an edited file can have a new digest. `apply FILE --approved ID:DIGEST`, with ID and digest from a trusted place, refuses such a file.';

/**
 * What `withdraw` took back, and what comes next.
 * @param taken the number of outcomes of a plan; of a policy, whose outcomes a ledger cannot tell from
 * others, whether there was any
 */
export function withdrawnWords({
  scope,
  taken,
  preapproved,
  approval,
}: {
  readonly scope: string;
  readonly taken: number | boolean;
  readonly preapproved: boolean;
  /** What an approval is in these documents. */
  readonly approval: 'commit' | 'plan';
}): { readonly says: string; readonly next: string } {
  const says =
    taken === 0 || taken === false
      ? `There is no approved outcome of ${scope} to withdraw.`
      : `Withdrew ${taken === true ? 'every approved outcome' : counted(taken, 'approved outcome')} of ${scope}. It starts no further task; running tasks finish.`;
  if (approval === 'commit') {
    const policy = typeof taken === 'number' ? 'POLICY' : scope;
    const next = `with \`approval: commit\` the merged commit is the approval; \`fleetform pause ${policy} --reason R\` stops its changes`;
    return { says, next };
  }
  const next = preapproved
    ? `its standing approval stays valid; \`fleetform pause ${scope} --reason R\` stops it`
    : 'changes that are still due wait for a new approval: `fleetform ci look`, then its gate';
  return { says, next };
}

/** What a look has found, for the people who decide at the gate. */
export interface ProposalFound {
  readonly planId: string;
  /** The file for the gate, and its digest. */
  readonly shown: string;
  readonly pulls: readonly string[];
  /** The newest approved commit; absent where there is none. */
  readonly since?: string;
  /** Outcomes that wait for an approval, and all that are wanted. */
  readonly awaiting: number;
  readonly wanted: number;
  /** Approved outcomes that the documents no longer want, taken back just now. */
  readonly withdrawn: number;
  /** Against the plans of the requests; absent without `--reviewed`. */
  readonly reviewed?: ReviewedComparison;
  readonly needed: boolean;
}

/** What is wanted now, against the plans of the requests that were merged since the last approval. */
export interface ReviewedComparison {
  readonly requests: readonly (
    | {
        readonly pull: string;
        readonly is: 'compared';
        /** Outcomes of now that its plan had, had not, and those that it had beside them. */
        readonly same: number;
        readonly added: number;
        readonly removed: number;
        /** What that plan had not read, and so could not have. */
        readonly notRead: number;
      }
    | { readonly pull: string; readonly is: 'missing' | 'refused' }
  )[];
  /** Outcomes that none of these plans had. */
  readonly unseen: number;
}

/** What a run withdrew: for what the documents are now, were at a commit since, or changed too often to tell (protocol M10). */
export function withdrawnUnwanted(outcomes: number): string {
  return `Withdrew ${counted(outcomes, 'approved outcome')}: the documents do not require that now, did not at a commit since, or changed in more than 50 commits.`;
}

/** The lines below the plan of a look. */
export function proposalWords(found: ProposalFound): readonly string[] {
  const { pulls, since, awaiting, wanted, withdrawn, reviewed, planId, needed } = found;
  const from = since === undefined ? '' : ` since commit ${since.slice(0, 12)} was approved`;
  return [
    `Plan ${planId}: ${grouped(awaiting)} of ${counted(wanted, 'outcome')} await approval.`,
    ...(pulls.length > 0 ? [`Merged${from}: ${pulls.join(', ')}.`] : []),
    ...(reviewed ? reviewedLines(reviewed) : []),
    ...(withdrawn > 0 ? [withdrawnUnwanted(withdrawn)] : []),
    `Saved for the gate: ${found.shown}.`,
    needed
      ? `next: approve this run at its gate (environment fleet-approve); the gate approves only ${awaiting > 0 ? 'what is shown here' : 'the documents of this commit'}.`
      : 'next: nothing to approve.',
  ];
}

function reviewedLines({ requests, unseen }: ReviewedComparison): readonly string[] {
  const named = (state: 'missing' | 'refused'): string =>
    requests.flatMap((one) => (one.is === state ? [one.pull] : [])).join(', ');
  const compared = requests.flatMap((one) => (one.is === 'compared' ? [one] : []));
  const [missing, refused] = [named('missing'), named('refused')];
  return [
    ...compared.map(
      ({ pull, same, added, removed, notRead }) =>
        `Compared with the plan of ${pull}: ${grouped(same)} as reviewed, ${grouped(added)} new since, ${grouped(removed)} gone.${notRead > 0 ? ` It had not read ${grouped(notRead)} yet; they may be among the new.` : ''}`,
    ),
    ...(compared.length > 1 ? [`In none of these plans: ${counted(unseen, 'outcome')}.`] : []),
    ...(missing === '' ? [] : [`No plan is available to compare with for ${missing}.`]),
    ...(refused === '' ? [] : [`Not compared, because the plan file is invalid: ${refused}.`]),
  ];
}

/** What `ci look --find-reviewed` has found, by the name of the request. */
export const REVIEWED_WORDS: Readonly<
  Record<'found' | 'noPlan' | 'noRequest' | 'noForge', (request?: string) => string>
> = {
  found: (request) => `The plan of ${request} is available to compare with.`,
  noPlan: (request) => `The runs no longer have a plan of ${request} to compare with.`,
  noRequest: () => 'No merged request contains these commits, so there is no plan to compare with.',
  noForge: () => 'The forge does not list merged requests, so there is no plan to compare with.',
};

/** What a gate has approved, or that there was nothing to approve. */
export function approvedWords(found: {
  readonly planId: string;
  readonly commit: string;
  readonly approved: number;
  /** How many of them were approved already. */
  readonly renewed: number;
  readonly isRecorded: boolean;
  /** How many of those shown were withdrawn since. */
  readonly withdrawn: number;
  readonly shown: number;
  readonly approvers: readonly string[];
  readonly expires: number;
}): readonly string[] {
  const { planId, approved, renewed, withdrawn, shown, approvers, expires } = found;
  if (shown === 0)
    return [
      `There is nothing to approve: plan ${found.planId} of commit ${found.commit.slice(0, 12)} has no outcome.`,
      found.isRecorded
        ? 'The approval is recorded for the documents of this commit, which standing approvals follow.'
        : 'Its documents are approved already, so there is no new record.',
      'next: `fleetform ci look` shows what the next commit proposes.',
    ];
  const left = shown - approved - withdrawn;
  return [
    `Approved ${counted(approved, 'outcome')} until ${moment(expires)}; approvers: ${approvers.join(', ')}.`,
    ...(renewed > 0
      ? [
          `${grouped(renewed)} of them ${renewed === 1 ? 'was' : 'were'} approved before: the later end applies.`,
        ]
      : []),
    ...(withdrawn > 0
      ? [`Not approved: ${counted(withdrawn, 'outcome')} withdrawn after the proposal.`]
      : []),
    ...(left > 0 ? [`Not approved: ${counted(left, 'outcome')} changed after the proposal.`] : []),
    `next: scheduled runs start what is approved. To withdraw the approval, run \`fleetform withdraw ${planId} --reason R\`.`,
  ];
}

/** Why `ci look --work` lets the next job start, or not. */
export const WORK_WORDS: Readonly<
  Record<
    | 'start'
    | 'refused'
    | 'flight'
    | 'withdrawn'
    | 'facts'
    | 'coverage'
    | 'none'
    | 'unknown'
    | 'failed',
    string
  >
> = {
  start: 'Changes can start within the hour.',
  refused: 'A guardrail refuses the plan: no change can start. The next job reports it.',
  flight: 'Tasks are running, in doubt or not finished.',
  withdrawn: 'Approved outcomes that are no longer due must be withdrawn.',
  facts: 'Stored device values are due to be read again.',
  coverage: 'The fleet, or what needs you, is not as in the last record.',
  unknown: 'This job has no credentials: the next job checks.',
  failed: 'So this job knows of no work: the next job checks, and reports the same.',
  none: 'Nothing to do: the next job does not start.',
};
