import type { Memory, Sighting } from './memory.ts';

/**
 * The key of everything seen of one subject. The vocabulary of SEEN in rollouts, with the subject of
 * each (`ROLLOUT` is the address of a policy, `#` and the `seq` of its ROLLOUT record):
 *
 * - `gateSample`, `ROLLOUT/WAVE@INSTANT`: one look at the gate's checks during the soak that began at
 *   that instant (milliseconds); its value is `good`, `bad` or `unknown`
 * - `wavePassed`, `ROLLOUT/WAVE`: the wave is closed from then on, whatever becomes of its devices
 * - `deviceDown`, `ROLLOUT/DEVICE`: value `down` where a device that could be reached before our
 *   action is not online at the end of its soak, or for 30 minutes; `up` when it is back
 * - `timedOut`, `ATTEMPT/DEVICE`: its device task did not end in time (apply knows each step's start)
 */
export function sightingKey(what: string, subject: string): string {
  return `${what}/${subject}`;
}

/** What was seen of a subject, if anything was. */
export function sightingOf(
  { sightings }: Pick<Memory, 'sightings'>,
  what: string,
  subject: string,
): Sighting | undefined {
  return sightings?.get(sightingKey(what, subject));
}
