import { WorldError } from '../../model/error.ts';
import { loadDocuments } from '../../operations/documents.ts';
import { findAuthor } from '../../operations/intervene/author.ts';
import { EXIT } from '../../shell/exit.ts';
import { openJournalFor, openUnchecked } from '../../operations/ledger.ts';
import { textStyle, print, printJson } from '../../shell/output.ts';
import { resolvePerson } from '../process/person.ts';
import type { Shell } from '../../shell/shell.ts';
import { resolveTarget, type ServiceTarget } from '../../operations/target.ts';
import type { Documents } from '../../model/documents/policy.ts';

interface UnlockFlags {
  readonly reason: string;
  readonly by?: string;
  readonly acceptLoss?: boolean;
  readonly rejectHead?: boolean;
  readonly fleet: string;
  readonly service?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform unlock`: a person releases the lock of another run, with name and reason on record. It
 * raises the epoch, so that run makes no further attempt even if it is alive, which makes it an
 * emergency stop too (protocol U5). The command sends nothing to the service. Throws `locked` if a
 * third run has taken the lock meanwhile. `--accept-loss` also ends the refusal of a ledger that
 * lacks records, and `--reject-head` that of one which a false note or head contradicts.
 */
export async function unlockCommand(flags: UnlockFlags, shell: Shell): Promise<number> {
  const why = flags.reason.trim();
  if (why === '')
    throw new WorldError('usage', { message: '--reason is required: say why that run may end' });
  const { documents } = await loadDocuments(shell, flags.fleet);
  const who = await resolvePerson(shell, flags);
  const target = resolveTarget(documents.service.value, flags.service, shell.env);
  const author = { label: await findAuthor(shell), who, why };
  if (flags.acceptLoss === true && flags.rejectHead === true)
    throw new WorldError('usage', { message: 'records are lost, or a head is false: not both' });
  if (flags.acceptLoss === true) return acceptLoss(flags, shell, { documents, target, author });
  if (flags.rejectHead === true) return rejectHead(flags, shell, { documents, target, author });
  const journal = await openJournalFor(shell, documents, target);
  const held = await journal.unlock(author);
  const { unlockedText, unlockedJson } = await import('../../render/text/ledger/lease-text.ts');
  if (flags.format === 'json') await printJson(shell.out, unlockedJson(held, author));
  else print(shell.out, unlockedText(held, author, textStyle(shell.out, shell.env)));
  return EXIT.done;
}

interface Acceptance {
  readonly documents: Documents;
  readonly target: ServiceTarget;
  readonly author: { readonly label: string; readonly who: string; readonly why: string };
}

/**
 * A person goes on without the records that the ledger lacks, on record (protocol J6). Each missing
 * head is named, so that another loss is refused again. Throws `usage` where nothing is missing.
 */
async function acceptLoss(
  flags: UnlockFlags,
  shell: Shell,
  { documents, target, author }: Acceptance,
): Promise<number> {
  const { journal, missing } = await openUnchecked(shell, documents, target);
  if (missing.length === 0)
    throw new WorldError('usage', {
      message: 'The ledger lacks no record that was seen before. Leave out --accept-loss',
    });
  const lost = missing.map(({ seq, hash }) => ({ seq, hash }));
  await journal.unlock({ ...author, lost });
  const { acceptedText, acceptedJson } = await import('../../render/text/ledger/lost-text.ts');
  const accepted = { ...author, found: journal.memory.head.seq, seen: missing[0]?.seq ?? 0 };
  if (flags.format === 'json') await printJson(shell.out, acceptedJson(accepted));
  else print(shell.out, acceptedText(accepted, textStyle(shell.out, shell.env)));
  return EXIT.done;
}

/**
 * A person says on record that heads which notes or the branch of heads name are false: no record is lost
 * (protocol M12). Throws `usage` where nothing else is missing, and where this machine has seen the records.
 */
async function rejectHead(
  flags: UnlockFlags,
  shell: Shell,
  { documents, target, author }: Acceptance,
): Promise<number> {
  const { journal, missing } = await openUnchecked(shell, documents, target);
  const seen = missing.find(({ mayBeFalse }) => !mayBeFalse);
  if (seen)
    throw new WorldError('usage', {
      message: `This machine has seen record ${seen.seq}: it was lost. Restore it, or use --accept-loss`,
    });
  if (missing.length === 0)
    throw new WorldError('usage', { message: 'No head is missing. Leave out --reject-head' });
  await journal.unlock({
    ...author,
    rejected: missing.map(({ seq, hash }) => ({ seq, hash })),
  });
  const { rejectedText, rejectedJson } = await import('../../render/text/ledger/lost-text.ts');
  const rejected = { ...author, found: journal.memory.head.seq, seen: missing[0]?.seq ?? 0 };
  if (flags.format === 'json') await printJson(shell.out, rejectedJson(rejected));
  else print(shell.out, rejectedText(rejected, textStyle(shell.out, shell.env)));
  return EXIT.done;
}
