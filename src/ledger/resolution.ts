import type { IntentState, Memory } from '../model/ledger/memory.ts';
import { isOpen, nextStatus, intentStatus } from './transitions.ts';

/** The outcomes that a person may record for an intent in doubt. */
export const RESOLUTIONS = ['done', 'notDone'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Shortest prefix of an intent ID that names an intent; a shorter one is a typing error. */
const SHORTEST = 6;

/**
 * The intents that a text names: the one with this ID, else those whose ID starts with it, else the
 * latest one of a change (`rotatePassword/dev-7`). Only a single match may be resolved.
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
 * Why a person may not record this outcome; undefined where the transition table allows it
 * (protocol J13). `atWork`: the service still shows the task, so `notDone` cannot be confirmed. An attempt without a result
 * is in doubt once the lease is ours: its run is gone (protocol P12).
 */
export function refuseResolution(
  intent: IntentState,
  resolution: Resolution,
): 'atWork' | 'closed' | undefined {
  const { task, phase } = intent;
  const status = phase === 'open' ? 'inDoubt' : intentStatus(intent);
  const to = nextStatus(status, `settled ${resolution}`, { task, by: 'person' });
  if (to !== undefined) return undefined;
  return isOpen(intent) ? 'atWork' : 'closed';
}
