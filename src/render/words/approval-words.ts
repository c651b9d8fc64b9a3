import { momentText } from './moment.ts';
import { counted, grouped } from './phrase.ts';

/** The first line of a plan whose request changes what an approval is, by its value before. */
export const APPROVAL_CHANGES: Readonly<Record<'commit' | 'plan', string>> = {
  commit:
    'This request changes `service.approval` from commit to plan, and is judged by commit until it is merged. From then on each change waits for the gate.',
  plan: 'This request changes `service.approval` from plan to commit, and is judged by plan: what it wants waits for the gate, and so does everything until a gate approves it.',
};

/** What `withdraw` took back, and what comes next. */
export function withdrawnWords({
  scope,
  count,
  preapproved,
}: {
  readonly scope: string;
  readonly count: number;
  readonly preapproved: boolean;
}): { readonly says: string; readonly next: string } {
  const says =
    count === 0
      ? `No approved outcome of ${scope} is left to take back.`
      : `Withdrew ${counted(count, 'approved outcome')} of ${scope}. Nothing more of it starts; what is in flight finishes.`;
  const next = preapproved
    ? `its standing approval goes on: \`fleetform pause ${scope} --reason R\` holds it`
    : 'what is still wanted waits for a new approval: `fleetform ci look`, then its gate';
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
  /** Against the plan of the request; absent where there is none. */
  readonly reviewed?: { readonly same: number; readonly added: number; readonly removed: number };
  readonly needed: boolean;
}

/** The lines below the plan of a look. */
export function proposalWords(found: ProposalFound): readonly string[] {
  const { pulls, since, awaiting, wanted, withdrawn, reviewed, planId, needed } = found;
  const from = since === undefined ? '' : ` since commit ${since.slice(0, 12)} was approved`;
  return [
    `Plan ${planId}: ${grouped(awaiting)} of ${counted(wanted, 'outcome')} await approval.`,
    ...(pulls.length > 0 ? [`Merged${from}: ${pulls.join(', ')}.`] : []),
    ...(reviewed
      ? [
          `Against the plan of the request: ${grouped(reviewed.same)} as reviewed, ${grouped(reviewed.added)} new since, ${grouped(reviewed.removed)} gone.`,
        ]
      : []),
    ...(withdrawn > 0
      ? [`Withdrew ${counted(withdrawn, 'approved outcome')} that the documents no longer want.`]
      : []),
    `Kept for the gate: ${found.shown}.`,
    needed
      ? 'next: approve this run at its gate (environment fleet-approve); the gate approves only what was shown here.'
      : 'next: nothing to approve.',
  ];
}

/** What a gate has approved. */
export function approvedWords(found: {
  readonly approved: number;
  readonly shown: number;
  readonly approvers: readonly string[];
  readonly expires: number;
}): readonly string[] {
  const { approved, shown, approvers, expires } = found;
  const who = approvers.length === 0 ? 'not known to the forge' : approvers.join(', ');
  const left = shown - approved;
  return [
    `Approved ${counted(approved, 'outcome')} until ${momentText(new Date(expires).toISOString())}; approvers: ${who}.`,
    ...(left > 0
      ? [
          `${counted(left, 'outcome')} that were shown are no longer wanted as they were, and are not approved.`,
        ]
      : []),
    'next: scheduled runs start what is approved; `fleetform withdraw PLANID --reason R` takes it back.',
  ];
}

/** Why `ci look --work` lets the next job start, or not. */
export const WORK_WORDS: Readonly<
  Record<'start' | 'flight' | 'withdrawn' | 'facts' | 'none' | 'unknown', string>
> = {
  start: 'Something may start within the hour.',
  flight: 'Tasks are in flight, in doubt or not settled yet.',
  withdrawn: 'Approved outcomes that nothing wants any more have to be withdrawn.',
  facts: 'What is known of single devices is due to be read again.',
  unknown: 'There are no credentials here: the next job looks for itself.',
  none: 'There is no work: the next job is not started.',
};
