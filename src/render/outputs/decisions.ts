import type { JsonObject } from '../../lib/canonical.ts';
import { pick } from '../../lib/objects.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Params } from '../../model/error.ts';
import { placeText, type GroundTerms, type LedgerPlace } from '../../model/ledger/ground.ts';
import type { IntentState, Lease } from '../../model/ledger/memory.ts';
import { policyOfScope } from '../../model/ledger/scopes.ts';
import type { PauseNote } from '../../model/plan/plan.ts';
import type { PauseResult } from '../../model/ledger/pauses.ts';
import {
  data,
  joined,
  own,
  phrase,
  say,
  sentence,
  told,
  type Block,
  type Fact,
  type Inlines,
} from '../tree.ts';
import {
  FOLLOWED_WORDS,
  LOSS_WORDS,
  PAUSED_REST_WORDS,
  REJECTION_WORDS,
  UNLOCKED_WORDS,
} from '../words/commands.ts';
import { errorWords } from '../words/errors.ts';
import { MOVE_WORDS } from '../words/ground-words.ts';
import { moment } from '../words/moment.ts';
import { RESOLUTION_WORDS } from '../words/outcomes.ts';
import { counted, fill } from '../words/phrase.ts';
import { PAUSE_WORDS } from '../words/record-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { some } from './naming.ts';
import { pauseBlocks, pauseParams } from './warnings.ts';

/** Who decided, and why. */
interface Author {
  readonly who: string;
  readonly why: string;
}

/** What a person has put on record: what it was, what is known about it, and the next step. */
function decisionBlocks(says: Inlines, facts: readonly Fact[], next: string): readonly Block[] {
  return [sentence(says), { is: 'facts', facts }, { is: 'next', text: own(next) }];
}

function byFact({ who, why }: Author): Fact {
  return { label: 'by', text: say`${who}: ${why}` };
}

type Held = Pick<Lease, 'label' | 'host' | 'pid' | 'takenAt' | 'epoch'>;

function holderText({ label, host, pid, takenAt }: Held): Inlines {
  return say`${label} on ${host}, process ${own(String(pid))}, since ${own(moment(takenAt))}.`;
}

/** The earlier run that ended without releasing the lock, which this run replaces. */
export function followedBlocks(lease: Held): readonly Block[] {
  return [sentence(say`${own(FOLLOWED_WORDS)} ${holderText(lease)}`)];
}

/** The result of `unlock`: whose lock was released, and in whose name; or that there was none. */
export function unlockedBlocks(lease: Held | undefined, author: Author): readonly Block[] {
  if (!lease) return [sentence(own(UNLOCKED_WORDS.none))];
  const says = say`${own(UNLOCKED_WORDS.says)} ${holderText(lease)}`;
  return decisionBlocks(says, [byFact(author)], UNLOCKED_WORDS.next);
}

/** The same as data. */
export function unlockedJson(lease: Held | undefined, author: Author): JsonObject {
  if (!lease) return { unlocked: false };
  const { label, host, pid, epoch } = lease;
  const held = { label, host, pid, epoch, since: formatInstant(lease.takenAt) };
  return { unlocked: true, held, ...author, next: UNLOCKED_WORDS.next };
}

/**
 * What a command says that goes on with what is left of a ledger (protocol J6), from the parameters
 * of `ledgerRolledBack`: what is missing, and what that means.
 */
export function lossBlocks(params: Params): readonly Block[] {
  const detail = lossText(params, 'detail');
  return [
    sentence(say`warning: ${lossText(params, 'summary')}`, 'wait'),
    ...(detail.length > 0 ? [sentence(detail)] : []),
  ];
}

/** The same, with the next step. */
export function lossMessage(params: Params): readonly Block[] {
  return [...lossBlocks(params), { is: 'next', text: lossText(params, 'next') }];
}

function lossText(params: Params, part: 'summary' | 'detail' | 'next'): Inlines {
  return told((sink) => errorWords('ledgerRolledBack', params, sink)[part] ?? '');
}

/** What a pause on such a ledger holds, and what is to be done after its repair. */
export const PAUSED_REST: readonly Block[] = [sentence(own(PAUSED_REST_WORDS))];

/** The words of who continues without which records, and of who says that none is lost. */
const RELEASES = { accepted: LOSS_WORDS, rejected: REJECTION_WORDS } as const;

interface Release extends Author {
  /** Numbers of the newest record, and of the newest that was seen before. */
  readonly found: number;
  readonly seen: number;
}

/** The result of `unlock --accept-loss`, or of `--reject-head`. */
export function releasedBlocks(
  how: keyof typeof RELEASES,
  { found, seen, ...author }: Release,
): readonly Block[] {
  const { says, more, next } = RELEASES[how];
  const words = fill(says, { found, seen }, String);
  return decisionBlocks(own(`${words} ${more}`), [byFact(author)], next);
}

/** The same as data. */
export function releasedJson(
  how: keyof typeof RELEASES,
  { who, why, found, seen }: Release,
): JsonObject {
  return { [how]: true, found, seen, who, why, next: RELEASES[how].next };
}

/** What `pause` has put on record at a service. */
interface Paused extends PauseResult {
  readonly service: { readonly organization: string; readonly baseUrl: string };
}

/** The result of `pause`. */
export function pausedBlocks(paused: Paused): readonly Block[] {
  const { pauses, before, inFlight, begun, service } = paused;
  const ids = joined(inFlight.map(data), ', ');
  const waves = some(begun.map(data), { most: 3, noun: '' });
  const atWork = say`${own(`${counted(inFlight.length, 'device')} ${PAUSE_WORDS.atWork}`)} ${ids}`;
  return [
    ...pauseBlocks(pauses),
    ...before.map((pause) => sentence(phrase(PAUSE_WORDS.before, pauseParams(pause)))),
    {
      is: 'facts',
      facts: [
        { label: 'service', text: say`${service.organization} at ${service.baseUrl}` },
        { label: 'devices', text: inFlight.length === 0 ? own(PAUSE_WORDS.idle) : atWork },
        ...(begun.length > 0
          ? [{ label: 'waves', text: say`${own(PAUSE_WORDS.waves)} ${waves}` }]
          : []),
      ],
    },
    { is: 'next', text: phrase(PAUSE_WORDS.next, nextParams(pauses)) },
  ];
}

/** The same as data. */
export function pausedJson({ pauses, inFlight, service }: Paused): JsonObject {
  const { organization, baseUrl } = service;
  return {
    service: { organization, baseUrl },
    paused: pauses.map((pause) => ({ ...pause })),
    inFlight: [...inFlight],
    next: fill(PAUSE_WORDS.next, nextParams(pauses), String),
  };
}

function nextParams([pause]: readonly PauseNote[]): Params {
  const scope = pause?.scope ?? '';
  return { ...(pause && pick(pause, 'site', 'ticket')), scope, policy: policyOfScope(scope) };
}

/** The outcome that a person recorded for an intent. */
interface Resolution extends Author {
  readonly resolution: keyof typeof RESOLUTION_WORDS;
}

type Intent = Pick<IntentState, 'id' | 'task' | 'device' | 'policy'>;

/** The confirmation of the records, one by one, their meaning, and the next step. */
export function resolvedBlocks(
  intents: readonly Intent[],
  { resolution, ...author }: Resolution,
): readonly Block[] {
  const { says, next } = RESOLUTION_WORDS[resolution];
  const facts = intents.map(({ id, task, device, policy }, n) => ({
    label: n === 0 ? 'tasks' : '',
    text: say`${own(TASK_WORDS[task])} on ${device}, ${policy}, ID ${id}`,
  }));
  const what = own(`Resolved: ${counted(intents.length, 'task')} ${says}.`);
  return decisionBlocks(what, [...facts, byFact(author)], next);
}

/** The same as data. */
export function resolvedJson(
  intents: readonly Intent[],
  { resolution, who, why }: Resolution,
): JsonObject {
  const { next } = RESOLUTION_WORDS[resolution];
  const tasks = intents.map(({ id, ...about }) => ({
    intentId: id,
    ...pick(about, 'task', 'device', 'policy'),
  }));
  const only = tasks.length === 1 ? tasks[0] : {};
  return { ...only, tasks, verdict: resolution, by: 'person', who, why, next };
}

/** A move of the ledger or the service before it is recorded. */
interface Move {
  readonly from: Ground;
  readonly to: Ground;
  /** How many records are brought along; absent where the ledger stays. */
  readonly copies: number | undefined;
  /** How many records are there already, of an interrupted move or from before. */
  readonly present: number;
  /** Other ledgers that end with it. */
  readonly closes: readonly LedgerPlace[];
}

type Ground = Pick<GroundTerms, 'service' | 'ledger' | 'approval' | 'gate'>;

/** Both grounds, line by line; what changes has an arrow. */
export function moveBlocks({ from, to, copies, present, closes }: Move): readonly Block[] {
  const after = groundTexts(to);
  const facts = Object.entries(groundTexts(from)).map(([label, old]) => {
    const wanted = after[label] ?? '';
    return { label, text: old === wanted ? [data(old)] : say`${old} -> ${wanted}` };
  });
  return [
    { is: 'facts', facts },
    ...(copies === undefined ? [] : [sentence(own(MOVE_WORDS.copies(copies, present)))]),
    ...closes.map((place) => sentence(phrase(MOVE_WORDS.closes, { place: placeText(place) }))),
  ];
}

function groundTexts({
  service,
  ledger,
  approval,
  gate,
}: Ground): Readonly<Record<string, string>> {
  const { origin, organization } = service;
  return { service: `${origin} (${organization})`, ledger: placeText(ledger), approval, gate };
}
