import { randomUUID } from 'node:crypto';
import { WorldError } from '../../model/error.ts';
import type { NotificationSettings, ServiceSettings } from '../../model/documents/policy.ts';
import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { RunReport } from '../../model/ledger/run-report.ts';
import { notifierFailedWords, notifyWords } from '../../render/words/last-words.ts';
import { EXIT, exitOfThrown } from '../../shell/exit.ts';
import { isOldNews } from '../../shell/exit-of-run.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import type { SurveyParts } from '../survey.ts';
import type { ServiceTarget } from '../target.ts';
import { postWebhook } from '../../notify/webhook.ts';

type Parts = Pick<SurveyParts, 'shell' | 'commit' | 'inMemory'> & {
  readonly documents: {
    readonly service: { readonly value: Pick<ServiceSettings, 'notifications'> };
  };
  readonly target: ServiceTarget;
  readonly command: string;
};

export interface EndedRun {
  readonly exit: number;
  readonly report?: RunReport;
  readonly error?: unknown;
}

/**
 * Tells the webhook of the documents about a run that changed or failed something. What goes wrong
 * is printed, and changes neither the outcome nor the exit code of the run. Never throws.
 */
export async function notifyRun(parts: Parts, ended: EndedRun): Promise<void> {
  const { notifications } = parts.documents.service.value;
  if (!notifications || parts.inMemory || !isNotifiable(ended)) return;
  const { shell } = parts;
  try {
    const failure = await deliver(parts, notifications, ended);
    if (failure)
      printMessages(shell, [notifyWords(readHost(notifications.url), failure, shell.env)]);
  } catch (error) {
    printMessages(shell, [notifierFailedWords(readHost(notifications.url), error, shell.env)]);
  }
}

/** The errors that the webhook knows of. */
const NOTIFIED = new WeakSet<object>();

/** Tells of a failure before the run had a plan. Never throws. */
export async function notifyFailure(parts: Parts, error: unknown): Promise<void> {
  if (typeof error === 'object' && error !== null) NOTIFIED.add(error);
  await notifyRun(parts, { exit: exitOfThrown(error), error });
}

export interface UnstartedParts {
  readonly shell: SurveyParts['shell'];
  /** The entry `service`, which may be all that is valid. */
  readonly settings: ServiceSettings;
  readonly target: ServiceTarget;
  readonly commit: SurveyParts['commit'];
  readonly command: string;
}

/** Tells of a run that ended before it was one, unless `notifyFailure` has. Never throws. */
export async function notifyUnstarted(
  { settings, ...rest }: UnstartedParts,
  error: unknown,
): Promise<void> {
  if (typeof error === 'object' && error !== null && NOTIFIED.has(error)) return;
  const documents = { service: { value: settings } };
  await notifyFailure({ ...rest, documents }, error);
}

/**
 * A run that only found what an earlier one left is no news, and neither is waiting for another, or
 * changes that need a person as in the last record (semantics M34).
 */
function isNotifiable({ report, exit, error }: EndedRun): boolean {
  if (error instanceof WorldError && error.code === 'stopped') return false;
  if (report && (report.attempts > 0 || (report.closedBeside ?? []).length > 0)) return true;
  if (report && exit === EXIT.failed && isOldNews(report)) return false;
  const quiet: readonly number[] = [EXIT.done, EXIT.workLeft, EXIT.locked, EXIT.inDoubt];
  return !quiet.includes(exit);
}

async function deliver(parts: Parts, { url, secret: name }: NotificationSettings, ended: EndedRun) {
  const { shell } = parts;
  const secret = shell.env[name];
  if (secret === undefined || secret === '') return { why: 'secret', name } as const;
  const { notificationText } = await import('../../render/data/notification-json.ts');
  const id = randomUUID();
  const body = notificationText(describeRun(parts, ended, id), ended.report);
  const line = await shell.openTransport();
  try {
    const { transport } = line;
    const message = { url, secret, body, event: 'run', id };
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

function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
