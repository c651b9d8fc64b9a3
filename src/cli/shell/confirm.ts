import { WorldError } from '../../model/error.ts';
import type { Shell } from './shell.ts';

/**
 * Asks once whether to go on. True only for a written-out `yes`, so that a stray key starts nothing. Without a
 * terminal it throws `confirmationMissing`: silence is not consent.
 */
export async function confirm(shell: Shell, question: string): Promise<boolean> {
  if (!shell.ask) throw new WorldError('confirmationMissing');
  const answer = await shell.ask(question);
  return answer.trim().toLowerCase() === 'yes';
}
