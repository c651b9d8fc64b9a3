import { WorldError } from '../../model/error.ts';
import type { Shell } from '../../shell/shell.ts';

/**
 * Asks once for confirmation. Returns true only for a complete `yes`, so that a stray key starts
 * nothing. Throws `confirmationMissing` without a terminal: silence is not consent.
 */
export async function confirm(shell: Shell, question: string): Promise<boolean> {
  if (!shell.ask) throw new WorldError('confirmationMissing');
  const answer = await shell.ask(question);
  return answer.trim().toLowerCase() === 'yes';
}
