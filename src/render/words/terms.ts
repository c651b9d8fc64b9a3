import { passedBy, type Passable, type Passer } from '../../model/documents/passes.ts';
import type { ReadProblem, DeviceRead } from '../../model/fleet/snapshot.ts';
import type { LineOrigin } from '../../model/documents/origin.ts';
import type { VerdictLimit } from '../../model/documents/guardrail.ts';
import type { Params } from '../../model/error.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Cause, ChangeGroup, Risk } from '../../model/plan/change.ts';
import type { Behind, GuardrailVerdict, PlanBase, PolicyShare } from '../../model/plan/plan.ts';
import type { Governed, Why } from '../../model/report/output.gen.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';
import { type Phrase, grouped, nameTitle, findWord } from './phrase.ts';
import { dayText } from './moment.ts';

/** The place of the deciding step in the order of a decision: `, step 12 of 28`; empty if it is the only one. */
export function stepPlace(step: number, steps: number): string {
  return steps > 1 ? `, step ${step} of ${steps}` : '';
}

/** The rank of an incident among policies, in place of a priority. */
export const INCIDENT_RANK = 'incident: before all policies';

/** Who requested a change, in a plan with a base. */
export const GROUP_WORDS: Readonly<Record<ChangeGroup, string>> = {
  branch: 'caused by this change',
  dropped: 'no longer due',
  pending: 'already pending',
  clock: 'due by schedule',
};

const LACKS = '{base} has {lacks|commit|commits} that this branch lacks';
const ALONE =
  ' The plan is for the branch alone, compared with {left}. Merge or rebase, then plan again.';

/**
 * The subject of a plan whose branch lacks commits of the base. `{base}` is its name, `{left}` the
 * merge base.
 */
export const BEHIND_WORDS: Readonly<Record<Behind['is'], Phrase>> = {
  merged: `${LACKS}. The plan is for the merge of both.`,
  conflict: `${LACKS} and that conflict with it in {files}.${ALONE}`,
  gitTooOld: `${LACKS}, and merging them needs Git 2.38.${ALONE}`,
  failed: `${LACKS}, and Git cannot merge them.${ALONE}`,
  unrelated:
    'This clone has no common commit of this branch and {base}, so the plan may attribute changes of {base} to the branch. Fetch the full history, then plan again.',
};

/** Two sides that git can merge, and whose documents are not valid together. */
export const INVALID_TOGETHER: Phrase = `${LACKS}. Git can merge them, but the merged documents are invalid. Merge or rebase, then fix them.`;

/** The parameters of `BEHIND_WORDS`; undefined if the branch has all of its base. */
export function behindParams({ ref, commit, behind }: PlanBase): Params | undefined {
  if (!behind) return undefined;
  const { lacks, files = [] } = behind;
  const named = files.slice(0, FILES_NAMED).join(', ');
  const more = files.length > FILES_NAMED ? `, … (${files.length} files)` : '';
  return { base: ref, lacks, left: commit.slice(0, 12), files: named + more };
}

const FILES_NAMED = 5;

export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  config: 'policy',
  drift: 'drift',
  clock: 'schedule',
  onboarding: 'new device',
  detection: 'detected',
  retry: 'retry',
};

/** `1a2b3c4d5e6f Ada Lovelace 3 Nov 2026: Move the P32 cameras`, or why the author is unknown. */
export function originWords(origin: LineOrigin): TerminalText {
  if (origin.is === 'notCommitted') return say`not committed yet`;
  if (origin.is === 'cutOff')
    return say`a commit that this shallow clone lacks; fetch the full history`;
  const { commit, author, subject, at } = origin;
  const [id, day] = [commit.slice(0, 12), dayText(at)];
  return say`${terminal(id)} ${terminal(author)} ${terminal(day)}: ${terminal(subject)}`;
}

export const GOVERNING_WORDS: Readonly<Record<Governed['how'], string>> = {
  wins: 'wins',
  exempts: 'overrides the policy',
  uses: 'used by the winning policy',
  loses: 'another policy wins',
  member: 'member',
};

export const RISK_WORDS: Readonly<Record<Risk, string>> = {
  low: 'low risk',
  medium: 'medium risk',
  high: 'high risk',
};

/** Where its name does not say it: `upgradeFirmware` reads as "Upgrade firmware". */
const TASK_SAID: Readonly<Partial<Record<TaskType, string>>> = {
  rotateSslCertificate: 'Rotate SSL certificate',
  restartDevice: 'Restart',
  onboardDevice: 'Onboard',
};

export const TASK_WORDS = Object.fromEntries(
  TASK_TYPES.map((task) => [task, TASK_SAID[task] ?? nameTitle(task)]),
) as Readonly<Record<TaskType, string>>;

/** What counts most, what most of it waits for, and what is counted beside the changes. */
const COUNTED =
  '[: {policies}][; {waiting|waits|wait} {reason}][; {unlisted} of them not listed: due or started within a day, not read, or of an earlier part]';

/** What a limit counts, and how to allow a plan that exceeds it on purpose. */
const LIMIT_WORDS: Readonly<Record<VerdictLimit, Phrase>> = {
  expect: '{number|device|devices} of {of=the incident} remaining; the limit is {allowed}',
  maxPercentOfFleet: `{count} of {of=all} devices of the fleet; the limit is {allowed}${COUNTED}`,
  maxChanges: `{number|change|changes}; the limit is {allowed}${COUNTED}`,
  maxPercentOfSite: `{count} of {of=all} devices of {scope=one site}; the limit is {allowed}${COUNTED}`,
  maxSitesAtOnce: `{number|site|sites} at once; the limit is {allowed}${COUNTED}`,
  maxVanished:
    '{count} of {of} known devices are missing from their sites[: {shrunk}]; the limit is {allowed}',
  tasksLost: 'the service offers no {offer} for {lacking} of {of} devices; it offered {before}',
};

const WAY_OUT: Phrase =
  'select fewer devices, or add an `allow` exception for {limit} with a ticket (`fleetform explain exceptions.allow`)[; the {inParts} of other parts count until a plan of the whole fleet passes]';

/** The next step where selecting fewer devices would not help. */
const OTHER_WAY_OUT: Readonly<Partial<Record<VerdictLimit, Phrase>>> = {
  expect: 'check `select`; if all of them are intended, raise `expect`',
  maxVanished:
    'check what the user may read; if the devices were moved to other sites or are gone, allow `maxVanished` with a reason and an end',
  tasksLost:
    "check the user's rights; if the task is gone, allow `maxVanished` with a reason and an end",
};

export const READ_WORDS: Readonly<Record<DeviceRead, string>> = {
  targetFirmware: 'the firmware that the service approves',
  passwords: 'when the password changed',
  certificates: 'the certificate in use',
};

export const DEVICE_STATE_WORDS: Readonly<Record<Why['standing'], string>> = {
  managed: 'a managed device',
  discovered: 'discovered, not managed yet',
  unknown: 'not returned by the service, or not visible to this user',
};

const UNKNOWN_LIMIT: Phrase = `{limit}: {count}[ of {of}][ at {scope}]; the limit is {allowed}${COUNTED}`;

/** What is wrong and the way out of it, for the sink of each format: phrases, and their parameters. */
export interface Sentences {
  readonly said: Phrase;
  readonly way: Phrase;
  readonly params: Params;
}

/** The sentences of a verdict; the caller passes the parameters through its own sink. */
export function limitSentences(verdict: GuardrailVerdict): Sentences {
  const { limit, number, of: total, scope, allowed, passed, waits } = verdict;
  const { policies = [], unlisted = 0, inParts = 0 } = verdict;
  return {
    said: findWord(LIMIT_WORDS, limit) ?? UNKNOWN_LIMIT,
    way: findWord(OTHER_WAY_OUT, limit) ?? WAY_OUT,
    params: {
      number,
      count: grouped(number),
      allowed: grouped(allowed),
      limit,
      ...(total !== undefined && { of: grouped(total) }),
      ...(scope !== undefined && { scope }),
      ...lostParams(verdict),
      ...(policies.length > 0 && { policies: policies.map(shareText).join(', ') }),
      ...(!passed && unlisted > 0 && { unlisted: grouped(unlisted) }),
      // Only where the whole can pass beside that sum.
      ...(inParts > 0 && inParts <= allowed && { inParts: grouped(inParts) }),
      ...(waits && { waiting: waits.number, reason: WAIT_REASONS[waits.reason] ?? waits.reason }),
    },
  };
}

/** What the service no longer offers, and for how many devices; or the sites that lack devices. */
function lostParams({
  number,
  scope = '',
  of: total = 0,
  before,
  sites = [],
}: GuardrailVerdict): Params {
  const shrunk = sites.map(({ site, before, now }) => `site ${site} has ${now} of ${before}`);
  if (before === undefined) return { shrunk: shrunk.join(', ') };
  const offer = findWord(OFFER_WORDS, scope) ?? scope;
  return { offer, lacking: grouped(total - before + number), before: grouped(before) };
}

export const OFFER_WORDS: Readonly<Record<string, string>> = {
  upgradeFirmware: 'upgrade',
  restartDevice: 'restart',
  rotatePassword: 'password rotation',
  rotateSslCertificate: 'certificate rotation',
};

/** What can be passed, as the documents and this page call it. */
const PASSABLE_WORDS: Readonly<Record<Passable, string>> = {
  spread: 'spread',
  deferral: 'deferral',
  offlineGrace: 'offlineGrace',
  firmwareSoak: 'the soak of firmware on the device',
  credentialGap: 'the cool-down between password and certificate',
  waveSoak: 'the soak between waves',
  softFreeze: 'soft freezes',
  window: 'windows',
  cutoff: 'cutoffs',
};

/** All that an exception or an incident passes, as a list in words (semantics N58). */
export function passedText(passer: Passer): string {
  const words = passedBy(passer).map((what) => PASSABLE_WORDS[what]);
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}

/** `rotations.passwords 1,214 (raised generation)` */
function shareText({ policy, number, why }: PolicyShare): string {
  const because = why === 'generationRaised' ? ' (raised generation)' : '';
  return `${policy} ${grouped(number)}${because}`;
}

/** What most of a refused plan waits for. */
const WAIT_REASONS: Readonly<Partial<Record<string, string>>> = {
  windowClosed: 'for a window',
  pastCutoff: 'for a window',
  frozen: 'for the end of a freeze',
  frozenHard: 'for the end of a freeze',
  hold: 'for the end of an exception',
  orderPending: 'for the devices of another policy',
  waveNotOpen: 'for an earlier wave',
  gatePending: 'for the gate of a wave',
  approvalPending: 'for an approval',
  budgetExhausted: 'for a budget',
  notDue: 'for their due date',
  offline: 'until they are online',
};

const READ_PROBLEM_WORDS: Readonly<Record<ReadProblem, string>> = {
  notFound: 'the service does not return it',
  forbidden: 'this user may not read it',
  unreadable: 'the response is unreadable',
  failed: 'the service answered with an error',
  notRead: 'it was not read',
};

/** Why a value of a row or of a read is unusable. */
export const VALUE_PROBLEM_WORDS: Readonly<Record<string, string>> = {
  ...READ_PROBLEM_WORDS,
  unusable: 'it cannot be part of a URL',
};
