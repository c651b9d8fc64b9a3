import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Forge, FoundRequest, RequestSubject } from '../../../forge/forge-port.ts';
import { WorldError } from '../../../model/error.ts';
import type { FleetRow } from '../../../render/outputs/fleets-comment.ts';
import type { PlanView } from '../../../render/view/view.ts';
import { print } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

/** The common prefix of all markers. */
export const PLAN_MARKERS = '<!-- fleetform plan ';

/** The marker of a comment that says what a request changes and has no plan. */
const WITHOUT_PLAN = `${PLAN_MARKERS}- -->`;

/** The marker of a comment with a row for each of several plans. */
const FLEETS_MARKER = `${PLAN_MARKERS}fleets -->`;

/** How many plans of a request have a comment each; more are rows of one. */
const MOST_COMMENTS = 5;

/**
 * Keeps one comment with each plan on the pull request of the event, or one with a row for each of more than five. The
 * files are data from a job that ran the code of the pull request, so what the request changes of the
 * ground and of that code is compared here, and comes first (protocol M5). If a file is missing or refused,
 * or anything else fails, the command replaces an older plan in the comments by that message, also
 * in a comment about another service; what it posted itself stays. If the pull request has newer
 * commits, it posts nothing. Throws `requestUnclear` where the plan may belong to another request.
 */
export async function postPlans(
  files: readonly string[],
  fleet: string,
  shell: Shell,
): Promise<void> {
  const { findTarget } = await import('../../../operations/gate/requests.ts');
  const { withJob } = await import('../../../operations/job.ts');
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  await withJob(shell, async (forge) => {
    const { subject } = forge;
    if (!subject) return print(shell.out, [jobNotice(JOB_WORDS.notAPull, forge.kind)]);
    const { open, refusal } = await findTarget(forge, subject);
    const [request] = open;
    if (!request) return print(shell.out, [jobNotice(JOB_WORDS.overtaken, forge.kind)]);
    const { readRequestChange } = await import('../../../operations/gate/request-change.ts');
    const { requestChangeWords } = await import('../../../render/words/job-words.ts');
    const head = forge.subject?.head.commit ?? '';
    const base = await forge.mergeBase(request.base, head).catch((error: unknown) => {
      if (error instanceof WorldError) return undefined;
      throw error;
    });
    const above = requestChangeWords(await readRequestChange(shell, fleet, { base, head }));
    const posting = { forge, subject, request, above };
    if (!refusal) return postAll(posting, files, shell);
    for (const each of open)
      await withdraw({ ...posting, request: each }, { error: refusal, posted: new Set() });
    throw refusal;
  });
}

/** Where a plan is posted, and what stands above it. */
interface Posting {
  readonly forge: Forge;
  readonly subject: RequestSubject;
  readonly request: FoundRequest;
  /** What the request changes besides the plan; empty where that is nothing. */
  readonly above: string;
}

/** A plan that is refused withdraws the older ones, and holds up no other plan of this commit. */
async function postAll(posting: Posting, all: readonly string[], shell: Shell): Promise<void> {
  const { readArtifact } = await import('../../../operations/artifact.ts');
  const { requireOwnBase } = await import('../../../operations/gate/requests.ts');
  const { failedRow, plannedRow } = await import('../../../render/outputs/fleets-comment.ts');
  const { buildPlanView: viewOf } = await import('../../../render/view/view.ts');
  const files = all.filter((file) => existsSync(resolve(shell.cwd, file)));
  const areRows = files.length > MOST_COMMENTS;
  const rows: FleetRow[] = [];
  const posted = new Set<string>();
  let failure: unknown;
  for (const file of files) {
    // The folder is that of the job of one fleet: a matrix names its artifact like this.
    const name = basename(dirname(file))
      .replace(/^fleetform-plan-/, '')
      .slice(0, 64);
    try {
      const plan = await readArtifact(shell, file);
      if (!plan) continue;
      await requireOwnBase(posting.forge, posting.request, plan.base?.commit);
      if (areRows) rows.push(plannedRow(name, viewOf(plan)));
      else posted.add(await post(posting, viewOf(plan)));
    } catch (error) {
      failure ??= error;
      rows.push(failedRow(name, error));
    }
  }
  try {
    if (areRows) posted.add(await postRows(posting, rows));
  } catch (error) {
    failure ??= error;
  }
  if (failure !== undefined) {
    // The error thrown below reports the cause, even if the comment cannot be reached any more.
    await withdraw(posting, { error: failure, posted }).catch(() => undefined);
    throw failure;
  }
  if (posted.size > 0) return;
  const { jobNotice, JOB_WORDS } = await import('../../../render/words/job-words.ts');
  print(shell.out, [jobNotice(JOB_WORDS.noPlanFile, posting.forge.kind)]);
  await withdraw(posting, { posted });
}

/** Keeps one comment with a row for each plan, and none beside it that is stale; returns its marker. */
async function postRows(posting: Posting, rows: readonly FleetRow[]): Promise<string> {
  const { fleetsMarkdown } = await import('../../../render/outputs/fleets-comment.ts');
  const services = rows.flatMap(({ service = [] }) => service);
  const head = `<!-- of ${services.join(' ')} -->\n`;
  await keep(posting, FLEETS_MARKER, { head, services }, (limit) => fleetsMarkdown(rows, limit));
  return FLEETS_MARKER;
}

/** Whether a comment is about a service: the only one of its marker, or one of a row. */
export function isAbout(body: string, service: string): boolean {
  const [marker = '', , services = ''] = body.split(/\r?\n/);
  return `${marker} ${marker === FLEETS_MARKER ? services : ''}`.includes(` ${service} `);
}

/**
 * Keeps the comment with this marker and takes away those that it replaces: about these services, or of an older commit
 * and of the other form.
 */
async function keep(
  { forge, request: { number }, subject: { head }, above }: Posting,
  marker: string,
  { head: first, services }: { readonly head: string; readonly services: readonly string[] },
  textOf: (limit: number) => string,
): Promise<void> {
  const { keepComment, removeComments, supersede } =
    await import('../../../forge/sticky-comment.ts');
  const { forkWords, otherServiceWords, reportLinkWords } =
    await import('../../../render/words/job-words.ts');
  const fork = head.isFork ? `${forkWords(head.repository)}\n` : '';
  // It separates a comment of this commit from one of an older commit.
  const line = `<!-- commit ${head.commit.replaceAll(/[^0-9a-f]/g, '')} -->`;
  const top = `${marker}\n${line}\n${first}${above}${fork}`;
  const isRows = marker === FLEETS_MARKER;
  const { report } = forge;
  const artifact = report?.artifact.replace(/^fleetform-report$/, isRows ? '$&-NAME' : '$&') ?? '';
  const link = report ? `${reportLinkWords({ ...report, artifact })}\n` : '';
  const body = top + textOf(forge.maxLength - top.length - link.length) + link;
  await keepComment(forge, { number, marker, body });
  const isCurrent = (other: string): boolean => other.split(/\r?\n/)[1]?.trim() === line;
  await removeComments(forge, { number, markers: PLAN_MARKERS }, (other) => {
    if (other.startsWith(WITHOUT_PLAN)) return true;
    if (other.startsWith(FLEETS_MARKER) === isRows) return false;
    return !isCurrent(other) || services.some((service) => isAbout(other, service));
  });
  const at = { number, markers: PLAN_MARKERS, keeps: isCurrent };
  await supersede(forge, at, otherServiceWords(head.commit));
}

/** @returns the marker of its comment */
async function post(posting: Posting, view: PlanView): Promise<string> {
  const { commentMarker: markerOf, planMarkdown } = await import('../../../render/outputs/plan.ts');
  const marker = markerOf(view);
  const services = [view.inputs.service.fingerprint.slice(0, 16)];
  await keep(posting, marker, { head: '', services }, (limit) =>
    planMarkdown(view, { limit: limit + marker.length + 1 }).slice(marker.length + 1),
  );
  return marker;
}

/**
 * Replaces each plan that was not posted now, so that a reviewer cannot approve an outdated one. What the
 * request changes is said without a plan, too.
 */
async function withdraw(
  { forge, request: { number }, subject: { head, conclusion }, above }: Posting,
  { error, posted }: { readonly error?: unknown; readonly posted: ReadonlySet<string> },
): Promise<void> {
  const { keepComment, supersede } = await import('../../../forge/sticky-comment.ts');
  const { failedPlanWords, noPlanWords, refusedPlanWords } =
    await import('../../../render/words/job-words.ts');
  const { commit } = head;
  const reason =
    error instanceof WorldError
      ? refusedPlanWords(commit, error)
      : failedPlanWords(commit, forge.kind);
  const why = error === undefined ? noPlanWords(commit, conclusion, forge.kind) : reason;
  const below = `${above}${why}`;
  const keeps = (body: string): boolean => posted.has(body.split(/\r?\n/)[0] ?? '');
  const replaced = await supersede(forge, { number, markers: PLAN_MARKERS, keeps }, below);
  if (above === '' || replaced + posted.size > 0) return;
  const body = `${WITHOUT_PLAN}\n${below}`;
  await keepComment(forge, { number, marker: WITHOUT_PLAN, body });
}
