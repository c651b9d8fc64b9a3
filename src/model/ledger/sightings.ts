import type { Memory, ObservedFact } from './memory.ts';
import type { ObservedKind } from './record.ts';

/** The subject of what is seen of one member of a whole: a device of a rollout, or of an attempt. */
export function memberSubject(whole: string, member: string): string {
  return `${whole}/${member}`;
}

/** The key of everything seen of one subject. */
export function sightingKey(what: ObservedKind, subject: string): string {
  return `${what}/${subject}`;
}

/** What was seen of a subject, if anything was. */
export function sightingOf(
  { sightings }: Pick<Memory, 'sightings'>,
  what: ObservedKind,
  subject: string,
): ObservedFact | undefined {
  return sightings?.get(sightingKey(what, subject));
}

/** Everything that was seen of one sort, with its subject. */
export function* sightingsOf(
  { sightings }: Pick<Memory, 'sightings'>,
  what: ObservedKind,
): Iterable<readonly [string, ObservedFact]> {
  const prefix = sightingKey(what, '');
  for (const [key, sighting] of sightings ?? [])
    if (key.startsWith(prefix)) yield [key.slice(prefix.length), sighting];
}
