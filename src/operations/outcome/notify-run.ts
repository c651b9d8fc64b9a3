import { randomUUID } from 'node:crypto';
import { urlProblem } from '../../config/rules/values.ts';
import { formatInstant } from '../../lib/time.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';
import type { Documents, Receiver, ServiceSettings } from '../../model/documents/policy.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { Journal } from '../../model/ports.ts';
import {
  openConditions,
  whyTold,
  type EndedRun,
  type WhyTold,
} from '../../model/report/conditions.ts';
import { postWebhook } from '../../notify/webhook.ts';
import type { NotifiedConditions } from '../../render/data/notification-json.ts';
import {
  notifierFailedWords,
  notifyWords,
  type NotDelivered,
} from '../../render/words/last-words.ts';
import { EXIT, exitOfThrown } from '../../shell/exit.ts';
import { isOldNews } from '../../shell/exit-of-run.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import { openJournalFor } from '../ledger.ts';
import type { SurveyParts } from '../survey.ts';
import type { ServiceTarget } from '../target.ts';

type Parts = Pick<SurveyParts, 'shell' | 'commit' | 'inMemory'> & {
  readonly documents: Pick<Documents, 'folder'> & {
    readonly service: { readonly value: ServiceSettings };
  };
  readonly target: ServiceTarget;
  readonly command: string;
  /** The ledger of the run; opened where there is none. */
  readonly journal?: Pick<Journal, 'declare' | 'memory'> | undefined;
};

/**
 * Tells the receivers of the documents what needs attention after a run, where that is something else than they were told
 * last (protocol J18). What goes wrong is printed, and changes neither the outcome nor the exit code of the run. Never
 * throws.
 */
export async function notifyRun(parts: Parts, ended: EndedRun): Promise<void> {
  const { notifications = [] } = parts.documents.service.value;
  if (notifications.length === 0 || parts.inMemory || isNoNews(ended)) return;
  const journal = parts.journal ?? (await openLedger(parts, notifications));
  const told = journal?.memory.told;
  const now = parts.shell.clock.now();
  const before = told?.open ?? [];
  const open = openConditions(ended, before);
  const due = notifications.flatMap((receiver): readonly Due[] => {
    const { remind } = receiver;
    if (remind === 'eachRun') return isNotifiable(ended) ? [{ receiver }] : [];
    const why = whyTold({ open, now }, told, remind);
    return why === undefined ? [] : [{ receiver, why }];
  });
  const sent = await Promise.all(
    due.map(async ({ receiver, why }) => {
      const conditions = why && { why, open, before, fingerprint: parts.target.fingerprint };
      return (await tell(parts, receiver, { ended, conditions })) || why === undefined;
    }),
  );
  // What was not delivered is told again by the next run.
  if (!due.some(({ why }) => why !== undefined) || sent.includes(false)) return;
  const since = formatInstant(told && open.join() === before.join() ? told.since : now);
  await journal?.declare(() => [{ type: 'FACTS', told: { open, since } }]).catch(() => undefined);
}

interface Due {
  readonly receiver: Receiver;
  /** Absent of one of version 0.2. */
  readonly why?: WhyTold;
}

/** The ledger that has what was told; undefined where it cannot be read, or nobody is told by it. */
async function openLedger(
  { shell, documents, target }: Parts,
  receivers: readonly Receiver[],
): Promise<Parts['journal']> {
  if (receivers.every(({ remind }) => remind === 'eachRun')) return undefined;
  // `service` alone may be valid: it says where the ledger is.
  const here = { shell, documents: documents as Documents, target };
  return openJournalFor(here).catch(() => undefined);
}

/** The errors that the receivers know of. */
const NOTIFIED = new WeakSet<object>();

/** Tells of a failure before the run had a plan. Never throws. */
export async function notifyFailure(parts: Parts, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) NOTIFIED.add(error);
  await notifyRun(parts, { exit: exitOfThrown(error), error });
}

/** Tells of a run that ended before it was one, unless `notifyFailure` has. Never throws. */
export async function notifyUnstarted(parts: Parts, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null && NOTIFIED.has(error)) return;
  await notifyFailure(parts, error);
}

/** Ends of a run that another one goes on from. */
const QUIET: ReadonlySet<WorldCode> = new Set(['stopped', 'locked', 'documentsNotNewest']);

function isNoNews({ error, report }: EndedRun): boolean {
  const { ended } = report ?? {};
  if (ended === 'interrupted' || ended === 'overtaken' || ended === 'locked') return true;
  return error instanceof WorldError && QUIET.has(error.code);
}

/**
 * Of version 0.2: a run that only found what an earlier one left is no news, and neither are changes that need a person
 * as in the last record (semantics M34).
 */
function isNotifiable({ report, exit }: EndedRun): boolean {
  if (report && (report.attempts > 0 || (report.closedBeside ?? []).length > 0)) return true;
  if (report && exit === EXIT.failed && isOldNews(report)) return false;
  const quiet: readonly number[] = [EXIT.done, EXIT.workLeft, EXIT.locked, EXIT.inDoubt];
  return !quiet.includes(exit);
}

interface Told {
  readonly ended: EndedRun;
  /** Absent of a receiver of version 0.2. */
  readonly conditions?: (NotifiedConditions & { readonly why: WhyTold }) | undefined;
}

/** @returns whether the receiver has taken the message */
async function tell(parts: Parts, receiver: Receiver, told: Told): Promise<boolean> {
  const { shell } = parts;
  const name = receiverName(receiver);
  try {
    const failure = await deliver(parts, receiver, told);
    if (failure) printMessages(shell, [notifyWords(name, failure, shell.env)]);
    return failure === undefined;
  } catch (error) {
    printMessages(shell, [notifierFailedWords(name, error, shell.env)]);
    return false;
  }
}

/** What stands for a receiver: never a URL from a variable, which is a secret. */
function receiverName({ kind, url }: Receiver): string {
  if (typeof url !== 'string') return `the ${kind} receiver of ${url.fromEnv}`;
  return URL.canParse(url) ? new URL(url).host : url;
}

async function deliver(
  parts: Parts,
  { kind, url: written, secret: key }: Receiver,
  { ended, conditions }: Told,
): Promise<NotDelivered | undefined> {
  const { shell } = parts;
  const read = ({ fromEnv }: NonNullable<Receiver['secret']>): string => shell.env[fromEnv] ?? '';
  const url = typeof written === 'string' ? written : read(written);
  const secret = key && read(key);
  if (url === '' || secret === '') {
    const unset = url === '' ? written : key;
    return { why: 'secret', name: typeof unset === 'object' ? unset.fromEnv : '' };
  }
  if (urlProblem(url.replace(/\?.*$/, '')) !== undefined) return { why: 'url' };
  const id = randomUUID();
  const run = { ...describeRun(parts, ended, id), ...(conditions && { conditions }) };
  const { notificationText } = await import('../../render/data/notification-json.ts');
  const { slackText } = await import('../../render/data/notification-json.ts');
  const body = (kind === 'slack' ? slackText : notificationText)(run, ended.report);
  const line = await shell.openTransport();
  try {
    const event = conditions ? 'conditions' : 'run';
    const message = { url, body, event, id, ...(secret !== undefined && { secret }) };
    const { transport } = line;
    return await postWebhook(message, {
      transport,
      clock: shell.clock,
      signal: deliverySignal(shell),
    });
  } finally {
    await line.close();
  }
}

function describeRun({ shell, target, commit, command }: Parts, ended: EndedRun, id: string) {
  const { baseUrl, organization } = target;
  return {
    id,
    now: shell.clock.now(),
    exit: ended.exit,
    command,
    service: baseUrl,
    organization,
    by: shell.identity.label,
    commit: commit?.commit,
    error: errorCode(ended.error ?? ended.report?.failure),
  };
}

function errorCode(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  if (error instanceof WorldError) return error.code;
  return error instanceof InvalidDocuments ? 'documentsInvalid' : 'bug';
}

/** A stopped run still reports it; the next signal ends that. */
export function deliverySignal({ stop }: Pick<Shell, 'stop'>): AbortSignal {
  return stop.requested === 'no' ? stop.draining : stop.signal;
}
