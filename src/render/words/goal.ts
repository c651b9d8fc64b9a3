import type { TaskType } from '../../model/fleet/task.ts';
import { momentOf } from './moment.ts';
import { fill } from './phrase.ts';
import { GOAL_WORDS } from './record-words.ts';

/** Long enough to be a digest, which nobody reads to its end. */
const DIGEST = /^[0-9a-f]{32,}$/i;
const SHOWN = 12;

/** What nothing is known of before a rotation. */
const NOTHING = ['', 'none'];

/**
 * What an intent was to bring about: the version of an upgrade; the target of a rotation is what it
 * replaces, by its fingerprint or by when it was last changed. Raw, for a sink.
 */
export function goalText(
  task: TaskType,
  { target, towards }: { readonly target: string; readonly towards?: string },
): string {
  const words = GOAL_WORDS[task];
  if (words === undefined) return towards === undefined ? target : `${target} towards ${towards}`;
  const of = DIGEST.test(target) ? `${target.slice(0, SHOWN)}…` : momentOf(target);
  return fill(words, NOTHING.includes(target) ? {} : { of }, String);
}
