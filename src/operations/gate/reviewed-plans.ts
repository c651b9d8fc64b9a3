import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ReviewedPlan } from '../../forge/forge-port.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { WorldError } from '../../model/error.ts';
import type { ChangeOutcome } from '../../model/ledger/approval.ts';
import { isWanted, type Change } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanPart } from '../../model/plan/part.ts';
import type { ReviewedComparison } from '../../render/words/approval-words.ts';
import type { Shell } from '../../shell/shell.ts';
import { loadWithTarget } from '../documents.ts';
import { folderHere } from '../here.ts';
import { isQueued, runsIn, withJob } from '../job.ts';
import { readMemory } from '../ledger.ts';
import { readCommit } from '../repository.ts';
import { newestApproved } from './newest-approved.ts';
import { commitsToApprove } from './requests.ts';
import { readArtifact } from '../artifact.ts';
import { isAsApproved } from '../../plan/approved-fields.ts';
import { wantedOutcomes } from '../../plan/compare/wanted-outcomes.ts';

/** The saved plan of a request, as the jobs of `init` name it. */
export const PLAN_FILE = 'fleetform-plan.json';

/** The plans of the requests that no gate has seen yet; in a merge queue that of the request which it tries. */
export async function findPlans(
  shell: Shell,
  { fleet, artifact }: { readonly fleet: string; readonly artifact: string },
): Promise<readonly ReviewedPlan[]> {
  const commits = isQueued(shell.env) ? undefined : await commitsToReview(fleet, shell);
  return withJob(shell, (forge) =>
    runsIn(forge).reviewedPlans({ artifact, file: PLAN_FILE, commits }),
  );
}

/** The number in the name of a request, such as `#7` or `!7`. */
export function requestNumber(name: string): string | undefined {
  return /^[#!](\d+)$/.exec(name)?.[1];
}

/** The commits of the default branch that no gate has seen yet, oldest first. */
async function commitsToReview(fleet: string, shell: Shell): Promise<readonly string[]> {
  const head = await readCommit(folderHere(shell, fleet));
  if (!head) return [];
  const here = await loadWithTarget(shell, { fleet });
  const newest = await newestApproved(here, await readMemory(here));
  const from = newest?.is === 'known' ? newest.approval.commit : undefined;
  const commits = await commitsToApprove(here, { from, to: head.commit });
  return commits.map(({ commit }) => commit);
}

/**
 * In a merge queue (semantics N87): requires each change that the queued request causes to be as a plan of it has it, which people could
 * review. Without a base every change counts as caused. Throws `changesNotReviewed`, and as `readArtifact` does.
 * @param folder where the plans are: `FOLDER/NUMBER/fleetform-plan.json`
 */
export async function requireReviewed(shell: Shell, folder: string, plan: Plan): Promise<void> {
  const caused = [...plan.changes].filter(
    (change) => isWanted(change) && (change.group ?? 'branch') === 'branch',
  );
  const left = new Map(caused.map((change) => [change.id, change]));
  const full = resolve(shell.cwd, folder);
  let isMissing = true;
  for (const number of left.size > 0 && existsSync(full) ? readdirSync(full) : []) {
    const reviewed = await readArtifact(shell, join(folder, number, PLAN_FILE));
    if (reviewed?.inputs.service.fingerprint !== plan.inputs.service.fingerprint) continue;
    isMissing = false;
    for (const shown of reviewed.changes) {
      const change = left.get(shown.id);
      if (change && isWanted(shown) && isAsApproved(shown, change)) left.delete(shown.id);
    }
  }
  const [first] = left.values();
  if (!first) return;
  const device = first.device.name ?? first.device.id;
  const why = isMissing && { why: 'noPlan' };
  throw new WorldError('changesNotReviewed', { changes: left.size, first: device, ...why });
}

/** What is compared with the plans of requests: outcomes of now, of a part where the look is of one. */
interface WantedNow {
  readonly changes: readonly ChangeOutcome[];
  readonly part?: PlanPart | undefined;
}

/**
 * What the plan of each request had and had not, of what is wanted now: `FOLDER/NUMBER/fleetform-plan.json`.
 * A file that is missing or refused is said to be: it is advice for people, and never a source of
 * approval (semantics N74).
 * @param pulls as they are written, such as `#7`; a commit without a request has no plan
 */
export async function compareReviewed(
  shell: Shell,
  folder: string,
  { pulls, ...wanted }: WantedNow & { readonly pulls: readonly string[] },
): Promise<ReviewedComparison> {
  const seen = new Set<string>();
  const requests: ReviewedComparison['requests'][number][] = [];
  for (const pull of pulls) {
    const number = requestNumber(pull);
    const found =
      number === undefined
        ? 'missing'
        : await outcomesIn(shell, join(folder, number, PLAN_FILE), wanted);
    if (typeof found === 'string') requests.push({ pull, is: found });
    else {
      for (const one of found.outcomes) seen.add(one);
      const counts = counted(wanted.changes, found.outcomes);
      requests.push({ pull, is: 'compared', ...counts, notRead: found.notRead });
    }
  }
  return { requests, unseen: wanted.changes.filter((one) => !seen.has(one.join(' '))).length };
}

/**
 * What a plan wants, as texts, and how much it had not read: a plan with `--base` reads what its branch
 * can change first (semantics N27), so that what waits elsewhere may be new to a later look.
 */
async function outcomesIn(
  shell: Shell,
  file: string,
  { part }: WantedNow,
): Promise<{ outcomes: ReadonlySet<string>; notRead: number } | 'missing' | 'refused'> {
  try {
    const plan = await readArtifact(shell, file);
    if (!plan) return 'missing';
    const mine = part ? [...plan.changes].filter((change) => isIn(part, change)) : plan.changes;
    const outcomes = new Set(wantedOutcomes(mine).map((one) => one.join(' ')));
    return {
      outcomes,
      notRead: sumCounts(plan.notes.filter(({ reason }) => reason.code === 'notRead')),
    };
  } catch (error) {
    if (error instanceof WorldError) return 'refused';
    throw error;
  }
}

function isIn(
  { policies, sites, devices, names }: PlanPart,
  { policy, device }: Pick<Change, 'policy' | 'device'>,
): boolean {
  if (policies?.includes(policy) === false || devices?.includes(device.id) === false) return false;
  return sites?.some((id) => names[id] === device.site) ?? true;
}

function counted(changes: readonly ChangeOutcome[], before: ReadonlySet<string>) {
  const same = changes.filter((one) => before.has(one.join(' '))).length;
  return { same, added: changes.length - same, removed: before.size - same };
}
