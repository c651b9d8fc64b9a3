import { intentsMeant, refuseResolution, type Resolution } from '../../ledger/resolution.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { Journal } from '../../model/ports.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { formatInstant, parseDuration } from '../../lib/time.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { EXIT } from '../../shell/exit.ts';
import { takeLease } from '../../operations/take-lease.ts';
import { openJournalFor } from '../../operations/ledger.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import { resolvePerson } from '../process/person.ts';
import type { Shell } from '../../shell/shell.ts';
import { resolveTarget } from '../../operations/target.ts';

interface ResolveFlags {
  readonly intent: string;
  readonly as: 'done' | 'not-done';
  readonly reason: string;
  readonly by?: string;
  readonly fleet: string;
  readonly service?: string;
  readonly lockWait: string;
  readonly takeOver?: boolean;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform resolve INTENT`: a person records the outcome of an attempt in doubt. The record has a
 * name and a reason and closes the intent (protocol Q6). The command sends nothing to the service
 * and needs no credentials. Throws `intentUnknown`, `intentAtWork`, `intentClosed`.
 */
export async function resolveCommand(flags: ResolveFlags, shell: Shell): Promise<number> {
  const resolution: Resolution = flags.as === 'done' ? 'done' : 'notDone';
  const why = flags.reason.trim();
  if (why === '')
    throw new WorldError('usage', {
      message: '--reason is required: say how you know the outcome',
    });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const who = await resolvePerson(shell, flags);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const journal = await openJournalFor(shell, documents, target);
  meant(journal.memory, flags.intent, resolution);
  const waitMs = parseDuration(flags.lockWait) ?? 0;
  await takeLease(journal, { waitMs, takeOver: flags.takeOver === true }, shell);
  try {
    const intent = await settle(journal, flags.intent, { resolution, who, why });
    await printResolution(intent, { resolution, who, why, shell, format: flags.format });
  } finally {
    await journal.release();
  }
  const { leaveNotes } = await import('../../operations/leave-note.ts');
  await leaveNotes(shell, documents, { target, nonce: journal.nonce });
  return EXIT.done;
}

interface Said {
  readonly resolution: Resolution;
  readonly who: string;
  readonly why: string;
}

/**
 * Writes under the lease, on the exact head that was checked; an earlier run may have closed the
 * intent.
 */
async function settle(
  journal: Journal,
  said: string,
  { resolution, who, why }: Said,
): Promise<IntentState> {
  for (;;) {
    const intent = meant(journal.memory, said, resolution);
    const body: RecordBody = {
      type: 'SETTLED',
      intentId: intent.id,
      verdict: resolution,
      by: 'person',
      evidence: [],
      who,
      why,
    };
    if ((await journal.append([body])) === 'acknowledged') return intent;
  }
}

/** The single intent that the text names, if it may be closed with this outcome. */
function meant(memory: Memory, said: string, resolution: Resolution): IntentState {
  const [intent, ...others] = intentsMeant(memory, said);
  if (!intent || others.length > 0)
    throw new WorldError('intentUnknown', {
      intent: said,
      ...(others.length > 0 && { matches: others.length + 1 }),
    });
  const refusal = refuseResolution(intent, resolution);
  if (refusal === undefined) return intent;
  const { id, task, device, taskId = '', verdict = '', attemptedAt } = intent;
  const since = formatInstant(intent.settledAt ?? attemptedAt);
  const about = { intent: id, task, device, taskId, verdict, since };
  throw new WorldError(refusal === 'atWork' ? 'intentAtWork' : 'intentClosed', about);
}

async function printResolution(
  intent: IntentState,
  output: Said & { readonly shell: Shell; readonly format: 'text' | 'json' },
): Promise<void> {
  const { shell, format, ...said } = output;
  const { resolutionText, resolutionJson } =
    await import('../../render/text/ledger/resolution-text.ts');
  if (format === 'json') await printJson(shell.out, resolutionJson(intent, said));
  else print(shell.out, resolutionText(intent, said, textStyle(shell.out, shell.env)));
}
