import { canonical } from '../lib/canonical.ts';
import { text as isText, whole } from '../lib/shape.ts';
import { EMPTY_HEAD } from './chain.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';

/** Version of `head.json`. */
const VERSION = 1;

/**
 * A summary of a ledger for readers of its branch (protocol J8). It follows from the records. The one on the
 * branch of heads says what the ledger must have (protocol M12).
 */
export interface HeadFile extends LedgerHead {
  readonly epoch: number;
  /** Label of the lease holder; empty if there is none. */
  readonly holder: string;
  /** Records since the lease was taken; each one renews it. */
  readonly leaseN: number;
  /** How many appends ago the newest CHECKPOINT was; absent where there is none. A hint, which its reader checks. */
  readonly checkpoint?: number;
}

export const NO_HEAD_FILE: HeadFile = { ...EMPTY_HEAD, epoch: 0, holder: '', leaseN: 0 };

/** The head file after more records that end in `head`. */
export function headFileAfter(
  before: HeadFile,
  records: readonly LedgerRecord[],
  head: LedgerHead,
): HeadFile {
  let { epoch, holder, leaseN, checkpoint } = before;
  if (checkpoint !== undefined) checkpoint += 1;
  if (records[0]?.body.type === 'CHECKPOINT') checkpoint = 0;
  for (const { body, epoch: owner } of records) {
    if (body.type === 'LOCK') [epoch, holder, leaseN] = [owner, body.label, 0];
    else if (body.type === 'RELEASE' && owner === epoch) [holder, leaseN] = ['', 0];
    else if (holder !== '' && owner === epoch) leaseN += 1;
  }
  return { ...head, epoch, holder, leaseN, ...(checkpoint !== undefined && { checkpoint }) };
}

/** What `head.json` has besides the summary. */
interface Beside {
  /** The text of the CHECKPOINT of this append, here so that older programs find no other file. */
  readonly state?: string | undefined;
  /** The branch of heads was there before this append, or before one since which nobody went on without it (protocol M12). */
  readonly kept?: true | undefined;
}

/** The text of `head.json`. */
export function headText(
  { seq, hash, epoch, holder, leaseN, checkpoint }: HeadFile,
  { state, kept }: Beside = {},
): string {
  const file = { version: VERSION, seq, hash, epoch, holder, leaseN, checkpoint, state, kept };
  return `${canonical(file)}\n`;
}

/** What the text of `head.json` says; nothing where it is anything else. */
export function parseHeadFile(text = ''): Beside & {
  readonly head?: LedgerHead;
  readonly back?: number;
} {
  try {
    const file = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const { seq, hash, checkpoint, state, kept } = file;
    return {
      ...(whole(seq) && isText(hash) && /^[0-9a-f]{64}$/.test(hash) && { head: { seq, hash } }),
      ...(whole(checkpoint) && { back: checkpoint }),
      ...(isText(state) && { state }),
      ...(kept === true && { kept }),
    };
  } catch {
    return {};
  }
}
