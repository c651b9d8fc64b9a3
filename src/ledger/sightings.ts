import type { Sighting } from '../model/ledger/memory.ts';
import type { RecordBody } from '../model/ledger/record.ts';
import { sightingKey } from '../model/ledger/sightings.ts';
import { parseInstant, type Instant } from '../lib/time.ts';
import type { Layered } from './layered.ts';
import type { Parts } from './parts.ts';

/** The sightings of a ledger while records are folded in. */
export class SightingLog {
  readonly #from: Layered<Sighting>;
  readonly #changed = new Map<string, Sighting>();

  constructor({ sightings }: Pick<Parts, 'sightings'>) {
    this.#from = sightings;
  }

  /** Takes in a SEEN record; `recordedAt` stands for an instant of its own that cannot be read. */
  see(body: Extract<RecordBody, { readonly type: 'SEEN' }>, recordedAt: Instant): void {
    const { what, subject, value = '', seenAt } = body;
    const key = sightingKey(what, subject);
    const at = parseInstant(seenAt) ?? recordedAt;
    const before = this.#changed.get(key) ?? this.#from.get(key);
    const since = before?.value === value ? before.since : at;
    const times = before?.value === value ? before.times + 1 : 1;
    const firstAt = before?.firstAt ?? at;
    this.#changed.set(key, { value, firstAt, lastAt: at, since, times });
  }

  finish(): Layered<Sighting> {
    return this.#from.with(this.#changed);
  }
}
