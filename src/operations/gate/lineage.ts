import type { IsEnded, PlanApproval } from '../../model/ledger/approval.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { UnwantedOutcome } from '../../model/plan/approval-rules.ts';
import type { Instant } from '../../lib/time.ts';
import type { Here } from '../here.ts';
import { plannerInput, planProvenance, type DecideParts, type Recorded } from '../plan.ts';
import { documentsAt, cloneOf, foldersOf } from '../repository.ts';
import { tipOf, type FoundBranch } from './default-branch.ts';
import { plan } from '../../plan/plan.ts';

/** So many commits that change the documents are planned; more end the approvals before them. */
const MOST_COMMITS = 50;

/** The approvals that ended by documents merged since, and their outcomes that no other approval has. */
export interface EndedApprovals {
  readonly isEnded: IsEnded;
  readonly unwanted: readonly UnwantedOutcome[];
}

interface LineageParts {
  readonly parts: DecideParts & Here;
  readonly memory: Memory;
  readonly recorded: Recorded;
  readonly now: Instant;
}

/**
 * Finds the approvals that ended between their commit and the newest one of the default branch: at the first
 * later commit of the first-parent line whose documents do not require the outcome, whether a run saw it or not
 * (protocol M10). Documents are planned on this reading, from the newest commit that a PLAN names. Documents
 * that cannot be read require nothing, and a line that cannot be read ends every approval.
 * @returns undefined where none ended
 */
export async function findEnded(
  { parts, memory, recorded, now }: LineageParts,
  branch: FoundBranch,
): Promise<EndedApprovals | undefined> {
  const live = (memory.approvals?.plans ?? []).filter(({ expires }) => now < expires);
  if (live.length === 0) return undefined;
  const endings = new Endings(memory, live);
  /** The approvals that each commit is later than. */
  const later = new Map<string, PlanApproval[]>();
  const isUnclear = typeof branch === 'object' && 'unclear' in branch;
  for (const approval of live) {
    const since = [approval.commit, ...checkedSince(memory, approval)];
    const line = isUnclear ? undefined : await lineSince(parts, tipOf(branch), since);
    if (!line || line.length > MOST_COMMITS) endings.endAll(approval);
    else for (const commit of line) later.set(commit, [...(later.get(commit) ?? []), approval]);
  }
  for (const [commit, approvals] of later) {
    const { documents } = await documentsAt(parts, commit);
    if (!documents) for (const approval of approvals) endings.endAll(approval);
    else if (documents.digest !== parts.documents.digest)
      endings.end(
        approvals,
        await unwantedBy({ parts: { ...parts, documents }, memory, recorded, now }, approvals),
      );
  }
  return endings.found();
}

/** The newest commit that was checked after an approval: that of the last PLAN of a run of merged documents. */
function checkedSince({ checked }: Memory, { seq }: PlanApproval): readonly string[] {
  return checked && checked.seq > seq ? [checked.commit] : [];
}

/**
 * The commits of the first-parent line up to a commit, without those that others contain, that change the
 * documents, in each folder that the fleet had on that line; undefined where the clone does not show them.
 */
async function lineSince(
  here: Here,
  tip: string,
  since: readonly string[],
): Promise<readonly string[] | undefined> {
  const { git, name } = cloneOf(here);
  const without = since.map((commit) => `^${commit}`);
  const changing = async (folders: readonly string[]): Promise<readonly string[] | undefined> => {
    const line = ['--first-parent', tip, ...without, '--', ...folders];
    const { out, exit } = await git('rev-list', ...line);
    return exit === 0 ? out.split('\n').filter((commit) => commit !== '') : undefined;
  };
  // What a fleet includes changes with its own documents alone.
  const own = await changing([name]);
  if (!own || own.length > MOST_COMMITS) return own;
  return changing(await foldersOf(here, [tip, ...since, ...own]));
}

/** The outcomes of some approvals that documents do not require. */
async function unwantedBy(
  { parts, memory, recorded, now }: LineageParts,
  approvals: readonly PlanApproval[],
): Promise<readonly UnwantedOutcome[]> {
  const judged = new Set(approvals.map(({ seq }) => seq));
  const { part: _part, approved: _approved, base: _base, ...whole } = parts;
  const input = {
    ...plannerInput(whole, memory, recorded.snapshot, now),
    inputs: planProvenance(whole, memory, recorded),
    approvals: {
      isEnded: (_id: string, _outcome: string, { seq }: PlanApproval) => !judged.has(seq),
    },
  };
  return plan(input).unwanted ?? [];
}

/** Collects which approvals of which outcomes have ended. */
class Endings {
  readonly #memory: Memory;
  readonly #live: readonly PlanApproval[];
  /** `seq` of the approvals that ended, by change and outcome. */
  readonly #ended = new Map<string, Set<number>>();
  /** `seq` of the approvals that ended as a whole. */
  readonly #whole = new Set<number>();

  constructor(memory: Memory, live: readonly PlanApproval[]) {
    this.#memory = memory;
    this.#live = live;
  }

  endAll({ seq }: PlanApproval): void {
    this.#whole.add(seq);
  }

  /** Ends what approvals say of outcomes that are not required. */
  end(approvals: readonly PlanApproval[], unwanted: readonly UnwantedOutcome[]): void {
    const seqs = new Set(approvals.map(({ seq }) => seq));
    const isOther: IsEnded = (_id, _outcome, { seq }) => !seqs.has(seq);
    for (const { id, planId } of unwanted)
      for (const [outcome, approval] of this.#memory.approvals?.of(id, undefined, isOther) ?? []) {
        if (approval.planId !== planId) continue;
        const key = keyOf(id, outcome);
        this.#ended.set(key, new Set([...(this.#ended.get(key) ?? []), ...seqs]));
      }
  }

  found(): EndedApprovals | undefined {
    if (this.#ended.size + this.#whole.size === 0) return undefined;
    const isEnded: IsEnded = (id, outcome, { seq }) =>
      this.#whole.has(seq) || this.#ended.get(keyOf(id, outcome))?.has(seq) === true;
    return { isEnded, unwanted: this.#unwanted(isEnded) };
  }

  /** A record that takes back an outcome of a plan ends each approval by it: only where none is left. */
  #unwanted(isEnded: IsEnded): readonly UnwantedOutcome[] {
    const { approvals } = this.#memory;
    const plans = new Set(this.#live.map(({ planId }) => planId));
    return [...(approvals?.ids() ?? [])].flatMap((id) => {
      const before = planIdsIn(approvals?.of(id) ?? NONE);
      const after = planIdsIn(approvals?.of(id, undefined, isEnded) ?? NONE);
      const gone = [...before].filter((planId) => plans.has(planId) && !after.has(planId));
      return gone.map((planId) => ({ id, planId }));
    });
  }
}

const NONE: ReadonlyMap<string, PlanApproval> = new Map();

function planIdsIn(outcomes: ReadonlyMap<string, PlanApproval>): ReadonlySet<string> {
  return new Set([...outcomes.values()].map(({ planId }) => planId));
}

function keyOf(id: string, outcome: string): string {
  return `${id} ${outcome}`;
}
