import type { Block } from '../../render/tree.ts';
import { printBlocks, printJson } from '../../shell/output.ts';
import { usage } from '../../model/error.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { resolvePerson } from '../process/person.ts';
import type { LedgerHere } from '../../operations/here.ts';
import type { openUnchecked } from '../../operations/ledger.ts';

/**
 * A person releases the lock of another run, with name and reason on record. It raises the epoch, so
 * that run makes no further attempt even if it is alive, which makes it an emergency stop too (protocol
 * U5). The command sends nothing to the service. Throws `locked` if a third run has taken the lock
 * meanwhile. `--accept-loss` also ends the refusal of a ledger that lacks records, and `--reject-head`
 * that of one which a false note or head contradicts.
 */
export const unlock = command({
  name: 'unlock',
  summary: "Release another run's lock (emergency stop)",
  more: 'That run starts no further task. `recover` finishes what it started.',
  examples: ['unlock --reason "runner lost"', 'unlock --accept-loss --reason "disk lost, no copy"'],
  acts: true,
  flags: {
    reason: flag.reason('Reason to release the lock', { must: true }),
    acceptLoss: flag.on('Continue a ledger that lacks records seen before'),
    rejectHead: flag.on('Record that a note or a kept head is false'),
    by: flag.by,
    ...flag.LEDGER,
    format: flag.format,
  },
  async run(flags, shell) {
    const { acceptLoss, rejectHead, reason: why } = flags;
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { findAuthor } = await import('../../operations/intervene/author.ts');
    const here = await loadWithTarget(shell, flags);
    const who = await resolvePerson(shell, flags);
    const author = { label: await findAuthor(shell), who, why };
    if (acceptLoss && rejectHead) throw usage('records are lost, or a head is false: not both');
    const release = acceptLoss ? accept : rejectHead ? reject : releaseLock;
    const [json, blocks] = await release({ ...here, author });
    if (flags.format === 'json') await printJson(shell.out, json);
    else await printBlocks(shell, blocks);
  },
});

interface Parts extends LedgerHere {
  readonly author: { readonly label: string; readonly who: string; readonly why: string };
}

/** What was done, as JSON and as blocks. */
type Released = readonly [object, readonly Block[]];

async function releaseLock({ author, ...here }: Parts): Promise<Released> {
  const { openJournalFor } = await import('../../operations/ledger.ts');
  const held = await (await openJournalFor(here)).unlock(author);
  const { unlockedBlocks, unlockedJson } = await import('../../render/outputs/decisions.ts');
  return [unlockedJson(held, author), unlockedBlocks(held, author)];
}

/**
 * A person goes on without the records that the ledger lacks, on record (protocol J6). Each missing
 * head is named, so that another loss is refused again. Throws `usage` where nothing is missing.
 */
async function accept({ author, ...here }: Parts): Promise<Released> {
  const { openUnchecked } = await import('../../operations/ledger.ts');
  const opened = await openUnchecked(here);
  if (opened.missing.length === 0)
    throw usage('The ledger lacks no record that was seen before. Leave out --accept-loss');
  return unlocked('accepted', opened, author);
}

/**
 * A person says on record that heads which notes or the branch of heads name are false: no record is lost
 * (protocol M12). Throws `usage` where nothing else is missing, and where this machine has seen the records.
 */
async function reject({ author, ...here }: Parts): Promise<Released> {
  const { openUnchecked } = await import('../../operations/ledger.ts');
  const opened = await openUnchecked(here);
  const { missing } = opened;
  const seen = missing.find(({ mayBeFalse }) => !mayBeFalse);
  if (seen)
    throw usage(
      `This machine has seen record ${seen.seq}: it was lost. Restore it, or use --accept-loss`,
    );
  if (missing.length === 0) throw usage('No head is missing. Leave out --reject-head');
  return unlocked('rejected', opened, author);
}

/** Records the heads that are missing as lost, or as false. */
async function unlocked(
  how: 'accepted' | 'rejected',
  { journal, missing }: Awaited<ReturnType<typeof openUnchecked>>,
  author: Parts['author'],
): Promise<Released> {
  const heads = missing.map(({ seq, hash }) => ({ seq, hash }));
  await journal.unlock({ ...author, [how === 'accepted' ? 'lost' : 'rejected']: heads });
  const { releasedBlocks, releasedJson } = await import('../../render/outputs/decisions.ts');
  const done = { ...author, found: journal.memory.head.seq, seen: missing[0]?.seq ?? 0 };
  return [releasedJson(how, done), releasedBlocks(how, done)];
}
