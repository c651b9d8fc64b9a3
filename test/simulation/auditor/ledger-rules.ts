import {
  isOpen,
  type AttemptFile,
  type Body,
  type CaseFile,
  type IntentFile,
  type Standing,
  type Written,
} from './case-file.ts';
import { didNothing } from './task-rules.ts';
import { onLock, onRefusedTwice, onSign } from './run-rules.ts';
import { onLift, onRollout } from './trip-rules.ts';
import { onLoss, onNothing, onVerdict } from './truth-rules.ts';
import type { Wishes } from '../wishes.ts';

/** I4, I5, I12, I14, I15, I17: what the raw records show, written from docs/protocol.md. */
export function onRecord(file: CaseFile, written: Written): void {
  const { body } = written.record;
  onSign(file, written);
  switch (body.type) {
    case 'LOCK':
      return onLock(file, body, written);
    case 'ATTEMPT':
      return onAttempt(file, body, written);
    case 'RESULT':
      return onResult(file, body, written);
    case 'SETTLED':
      return onSettled(file, body);
    case 'ANOMALY':
      if (body.what === 'taskLost') for (const id of body.ids) lose(file, id);
      return;
    case 'STOP':
      file.stops.set(body.scope, written.by.wishes);
      return;
    case 'LIFT':
      file.stops.delete(body.scope);
      return onLift(file, body);
    case 'ROLLOUT':
      return onRollout(file, body);
    default:
  }
}

function onAttempt(file: CaseFile, body: Body<'ATTEMPT'>, { record, by }: Written): void {
  const unanswered = by.attempt && !by.attempt.result;
  if (unanswered) file.violate('I14', `${body.attemptId} follows ${by.attempt?.body.attemptId}`);
  onRefusedTwice(file, by);
  const now = file.scene.clock.now();
  const attempt: AttemptFile = {
    body,
    seq: record.seq,
    process: by.id,
    at: now,
    posts: 0,
    tasks: [],
  };
  for (const one of body.intents) {
    for (const other of file.byDevice.get(one.device) ?? [])
      if (isOpen(other))
        file.violate('I5', `${one.device}: ${other.task} is open, ${body.task} begins`);
    const intent = file.intents.get(one.id) ?? newIntent(file, body.task, one);
    if (!mayFollow(intent))
      file.violate('I4', `${body.task}/${one.device}: ATTEMPT after ${intent.standing}`);
    if (!mayRepeat(intent))
      file.violate('I15', `${body.task}/${one.device}: again after ${intent.standing}`);
    if (isStopped(file, one, by.wishes))
      file.violate('I17', `${body.task}/${one.device}: ${one.policy} is stopped`);
    noteGeneration(file, body.task, one);
    intent.standing = 'open';
    intent.attemptId = body.attemptId;
    intent.attempts.push(attempt);
  }
  onHead(file, attempt, record.seq);
  by.attempt = attempt;
  file.attempts.set(body.attemptId, attempt);
}

/** I12: nobody else wrote between the reads that it rests on and itself. */
function onHead({ landed, processes, violate }: CaseFile, attempt: AttemptFile, seq: number): void {
  const by = processes.get(attempt.process);
  const reads = attempt.body.intents.map(
    ({ device }) => by?.reads.get(device)?.sentAt ?? -Infinity,
  );
  const since = Math.min(...reads);
  for (let at = seq - 2; at >= 0; at -= 1) {
    const other = landed[at];
    if (!other || other.at <= since) return;
    if (other.by !== attempt.process)
      violate('I12', `${attempt.body.attemptId}: record ${at + 1} of another came in between`);
  }
}

function newIntent(
  file: CaseFile,
  task: string,
  { id, device, target, policy }: Body<'ATTEMPT'>['intents'][number],
): IntentFile {
  const standing: Standing = 'none';
  const intent = {
    id,
    task,
    device,
    target,
    policy,
    standing,
    attemptId: '',
    settledAt: 0,
    attempts: [],
  };
  file.intents.set(id, intent);
  const others = file.byDevice.get(device) ?? [];
  others.push(intent);
  file.byDevice.set(device, others);
  return intent;
}

/** A generation that was lowered in git does nothing (semantics R7). */
function noteGeneration(
  { generations, violate }: CaseFile,
  task: string,
  { device, generation }: Body<'ATTEMPT'>['intents'][number],
): void {
  if (!task.startsWith('rotate')) return;
  const key = `${task}/${device}`;
  const highest = generations.get(key) ?? 1;
  if (generation < highest) violate('I1', `${key}: generation ${generation} after ${highest}`);
  generations.set(key, Math.max(highest, generation));
}

const AGAIN: readonly Standing[] = ['none', 'rejected', 'failed', 'notDone'];

function mayFollow({ standing }: IntentFile): boolean {
  return AGAIN.includes(standing);
}

/** A restart that failed is never tried again as the same intent; a password may be. */
function mayRepeat({ task, standing }: IntentFile): boolean {
  return task !== 'restartDevice' || standing !== 'failed';
}

function isStopped(
  { stops }: CaseFile,
  { policy, sites, model }: Body<'ATTEMPT'>['intents'][number],
  wishes: Wishes,
): boolean {
  const scopes = ['fleet', policy, ...sites.map((site) => `${policy}/site=${site}`)];
  if (model !== undefined) scopes.push(`${policy}/model=${model}`);
  return scopes.some((scope) => {
    const then = stops.get(scope);
    return then !== undefined && wordsOf(then, policy) === wordsOf(wishes, policy);
  });
}

/** What the documents say of a policy and its rollout: a commit that changes it ends a stop. */
function wordsOf(wishes: Wishes, policy: string): string {
  const [section = '', name = ''] = policy.split('.');
  const entries = (wishes as unknown as Record<string, Record<string, unknown>>)[section];
  return JSON.stringify([entries?.[name], wishes.rollouts]);
}

function onResult(file: CaseFile, body: Body<'RESULT'>, { by }: Written): void {
  const attempt = file.attempts.get(body.attemptId);
  if (!attempt) return file.violate('I4', `RESULT of ${body.attemptId}, which was never made`);
  attempt.result = body;
  if (by.id === attempt.process) attempt.isTold = true;
  if (by.id === attempt.process) by.refusals = body.row === 'P05' ? by.refusals + 1 : 0;
  onNothing(file, attempt);
  let taken = false;
  for (const { id } of attempt.body.intents) {
    const intent = file.intents.get(id);
    if (!intent || intent.attemptId !== body.attemptId) continue;
    const isLate = intent.standing === 'doubt' && body.outcome !== 'accepted';
    if (intent.standing !== 'open' && intent.standing !== 'doubt') continue;
    if (isLate && by.id !== attempt.process)
      file.violate('I4', `${body.attemptId}: ${body.outcome} by another than who sent it`);
    intent.standing = standingAfter(body);
    intent.settledAt = file.scene.clock.now();
    taken = true;
  }
  if (!taken) file.violate('I4', `${body.attemptId}: RESULT ${body.outcome} where nothing is open`);
}

function standingAfter({ outcome, row, status }: Body<'RESULT'>): Standing {
  if (outcome === 'accepted') return 'running';
  if (outcome === 'inDoubt') return 'doubt';
  const saysNothing = outcome === 'notSent' || row === 'P05' || row === 'P07' || status === 403;
  return saysNothing ? 'none' : 'rejected';
}

/** From which standings a settlement may close an intent. */
const SETTLES: Readonly<Record<string, readonly Standing[]>> = {
  done: ['running', 'doubt', 'unverified', 'failed', 'rejected'],
  unverified: ['running'],
  failed: ['running'],
  rolledBack: ['running'],
  aborted: ['running'],
  notDone: ['doubt', 'unverified', 'failed', 'rejected'],
  unknown: ['doubt'],
};

function onSettled(file: CaseFile, body: Body<'SETTLED'>): void {
  const { intentId, verdict, by } = body;
  const intent = file.intents.get(intentId);
  if (!intent) return file.violate('I4', `SETTLED of ${intentId}, which was never attempted`);
  const { standing, task, device } = intent;
  const isAllowed = SETTLES[verdict]?.includes(standing) ?? false;
  const isGuess = verdict === 'notDone' && by === 'evidence' && !mayGuess(file, intent);
  const isKnowable = verdict !== 'unknown' || task === 'restartDevice';
  if (!isAllowed || !isKnowable || isGuess)
    file.violate('I4', `${task}/${device}: SETTLED ${verdict} by ${by} from ${standing}`);
  onVerdict(file, body, intent);
  intent.standing = verdict;
  intent.settledAt = file.scene.clock.now();
}

/**
 * Silence settles only where the owner of the service has said how late a lost task may show itself,
 * never for a password or a restart, and never while the task does run (protocol Q4).
 */
function mayGuess(file: CaseFile, { task, device, attempts }: IntentFile): boolean {
  const { scene, violate } = file;
  const [given] = attempts.at(-1)?.tasks ?? [];
  const truly = given?.deviceTasks.find(({ deviceId }) => deviceId === device);
  if (truly && !didNothing(file, truly))
    violate('I1', `${task}/${device}: settled as not done, and it is ${truly.status}`);
  const isReadable = task !== 'rotatePassword' && task !== 'restartDevice';
  return isReadable && scene.has.has('settlesNegative');
}

function lose(file: CaseFile, id: string): void {
  const { intents, scene } = file;
  const intent = intents.get(id);
  if (intent?.standing !== 'running') return;
  onLoss(file, intent);
  intent.standing = 'doubt';
  intent.settledAt = scene.clock.now();
}
