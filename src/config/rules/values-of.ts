import { isObject } from '../../lib/objects.ts';
import { SECTIONS } from '../../model/documents/policy.ts';
import { ENTRY_OF } from '../../model/documents/sections.gen.ts';
import type { Authored, AuthoredEntry, AuthoredFleet } from '../authored.ts';
import { fieldOf, type Field, type ReadAs } from '../meaning/read.ts';

/** A value as it is written, and its pointer inside the entry. */
interface Written<T> {
  readonly entry: AuthoredEntry;
  readonly value: T;
  readonly below: string;
}

/** Every value of one definition of the schemas in the sound entries, such as each span or instant. */
export function* valuesOf<D extends ReadAs>(
  fleet: AuthoredFleet,
  definition: D,
): Generator<Written<Authored[D]>> {
  for (const section of SECTIONS)
    for (const entry of fleet.of(section))
      for (const { value, below } of find(fieldOf(ENTRY_OF[section]), entry.value, ''))
        yield { entry, value: value as Authored[D], below };

  function* find(
    field: Field,
    value: unknown,
    below: string,
  ): Generator<Omit<Written<unknown>, 'entry'>> {
    if (field.is === definition && value !== undefined) yield { value, below };
    const { items, members } = field;
    if (items && Array.isArray(value))
      for (const [index, item] of value.entries()) yield* find(items, item, `${below}/${index}`);
    if (members && isObject(value))
      for (const name of Object.keys(value))
        if (members[name]) yield* find(members[name], value[name], `${below}/${name}`);
  }
}

/** Every selector of devices, with its `not`. */
export function* selectorsIn(fleet: AuthoredFleet): Generator<Written<Authored['selector']>> {
  for (const { entry, value, below } of valuesOf(fleet, 'selector')) {
    yield { entry, value, below };
    if (value.not) yield { entry, value: value.not, below: `${below}/not` };
  }
}
