import type { Journal } from '../model/ports.ts';
import type { Milliseconds } from '../lib/time.ts';
import { styleOf, print } from '../cli/shell/output.ts';
import type { Shell } from '../cli/shell/shell.ts';

/** How a command that writes comes to the lease. */
export interface LeaseOptions {
  /** How long another run is waited for. */
  readonly waitMs: Milliseconds;
  readonly takeOver: boolean;
  readonly label: string;
}

/**
 * Takes the lease, and says on stderr whom this run follows where the last one did not give it back
 * (protocol U4). Throws `locked`.
 */
export async function takeLease(
  journal: Journal,
  options: LeaseOptions,
  shell: Shell,
): Promise<void> {
  const followed = await journal.take(options);
  if (!followed) return;
  const { followedText } = await import('../render/text/lease-text.ts');
  print(shell.err, followedText(followed, styleOf(shell.err, shell.env)));
}
