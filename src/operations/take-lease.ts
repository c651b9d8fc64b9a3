import type { Journal } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { printMessages } from '../shell/messages.ts';
import { textStyle } from '../shell/output.ts';
import type { Shell } from '../shell/shell.ts';
import { findAuthor } from './intervene/author.ts';

/** How a command that writes gets the lease. */
export interface LeaseOptions {
  /** How long to wait for another run. */
  readonly waitMs: Milliseconds;
  readonly takeOver: boolean;
}

/**
 * Takes the lease. If the last run did not release it, prints on stderr which run this one replaces
 * (protocol U4). Throws `locked`, also where
 * a request to stop ends the wait.
 */
export async function takeLease(
  journal: Journal,
  options: LeaseOptions,
  shell: Shell,
): Promise<void> {
  const label = await findAuthor(shell);
  const followed = await journal.take({ ...options, label, signal: shell.stop.draining });
  if (!followed) return;
  const { followedText } = await import('../render/text/ledger/lease-text.ts');
  printMessages(shell, followedText(followed, textStyle(shell.err, shell.env)));
}
