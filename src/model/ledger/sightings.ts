import type { Memory, ObservedFact } from './memory.ts';
import type { ObservedKind } from './record.ts';

/** The subject of facts about one member: a device of a rollout, or of an attempt. */
export function memberSubject(whole: string, member: string): string {
  return `${whole}/${member}`;
}

export function sightingKey(what: ObservedKind, subject: string): string {
  return `${what}/${subject}`;
}

/** What was observed, and about which subject, of a key. */
export function splitSightingKey(key: string): {
  readonly what: ObservedKind;
  readonly subject: string;
} {
  const end = key.indexOf('/');
  return { what: key.slice(0, end) as ObservedKind, subject: key.slice(end + 1) };
}

export function findSighting(
  { sightings }: Partial<Pick<Memory, 'sightings'>>,
  what: ObservedKind,
  subject: string,
): ObservedFact | undefined {
  return sightings?.get(sightingKey(what, subject));
}

/**
 * What is to be recorded so that these subjects have the first value, and no others have it: those get the second.
 */
export function* sightingsToAdd(
  memory: Pick<Memory, 'sightings'>,
  what: ObservedKind,
  subjects: ReadonlySet<string>,
  [present, past]: readonly [string, string],
): Generator<{ what: ObservedKind; subject: string; value: string }> {
  for (const subject of subjects)
    if (findSighting(memory, what, subject)?.value !== present)
      yield { what, subject, value: present };
  for (const [subject, { value }] of listSightings(memory, what))
    if (value === present && !subjects.has(subject)) yield { what, subject, value: past };
}

export function* listSightings(
  { sightings }: Partial<Pick<Memory, 'sightings'>>,
  what: ObservedKind,
): Iterable<readonly [string, ObservedFact]> {
  const prefix = sightingKey(what, '');
  for (const [key, sighting] of sightings ?? [])
    if (key.startsWith(prefix)) yield [key.slice(prefix.length), sighting];
}
