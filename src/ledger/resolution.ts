import type { IntentState, Memory } from '../model/ledger/memory.ts';
import { isOpen, nextStatus, intentStatus } from './transitions.ts';

/** What a person may say of an intent that nobody else can judge. */
export const RESOLUTIONS = ['done', 'notDone'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** As few letters of an intent id as name one; fewer are a slip of the hand. */
const SHORTEST = 6;

/**
 * The intents that a person means: the one with this id, else those whose id begins so, else the last
 * one of a change (`rotatePassword/dev-7`). None or several: nothing may be resolved.
 */
export function intentsMeant({ intents }: Memory, said: string): readonly IntentState[] {
  const exact = intents.get(said);
  if (exact) return [exact];
  const all = [...intents.values()];
  const ofChange = all.filter(({ task, device }) => `${task}/${device}` === said).at(-1);
  if (ofChange) return [ofChange];
  return said.length < SHORTEST ? [] : all.filter(({ id }) => id.startsWith(said));
}

/**
 * Why a person may not close an intent so; undefined where the table of transitions allows it
 * (protocol J13). `atWork`: the service still shows its task, so nobody can say that it was not
 * done.
 */
export function refuseResolution(
  intent: IntentState,
  resolution: Resolution,
): 'atWork' | 'closed' | undefined {
  const { task } = intent;
  const to = nextStatus(intentStatus(intent), `settled ${resolution}`, { task, by: 'person' });
  if (to !== undefined) return undefined;
  return isOpen(intent) ? 'atWork' : 'closed';
}
