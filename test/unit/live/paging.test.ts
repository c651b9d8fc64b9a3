import { describe, expect, it } from 'vitest';
import { OVERLAP, pages } from '../../../src/api/pages.ts';
import { readPasses, type RowCollector } from '../../../src/live/list-passes.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { Service } from '../../../src/model/ports.ts';
import type { Confidence } from '../../../src/model/fleet/snapshot.ts';
import { chance } from '../../support/rehearsal-chance.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

/** So many schedules of what changes in a list while it is read by offset (protocol Y1, Y2). */
const SCHEDULES = 10_000;

/** A list without an order that lasts: between two pages rows come, go and trade places. */
class Churn {
  readonly rows: string[];
  /** Rows that were there from the first page on and never left. */
  readonly #lasting: Set<string>;
  readonly #random: () => number;
  readonly #changes: number;
  #left: number;
  #born = 0;

  constructor(seed: number) {
    this.#random = chance(seed);
    const size = 12 + this.#below(24);
    this.rows = Array.from({ length: size }, (_, row) => `d${row}`);
    this.#lasting = new Set(this.rows);
    this.#changes = 1 + this.#below(16);
    this.#left = this.#changes;
  }

  get lasting(): ReadonlySet<string> {
    return this.#lasting;
  }

  /** A window of the list as it is now; then, perhaps, it changes. */
  page(offset: number, limit: number): readonly string[] {
    const window = this.rows.slice(offset, offset + limit);
    if (this.#left > 0 && this.#random() < 0.8) {
      this.#left -= 1;
      this.#change();
    }
    return window;
  }

  #change(): void {
    const [kind, at] = [this.#below(3), this.#below(this.rows.length)];
    if (kind === 0) this.rows.splice(at, 0, `new${(this.#born += 1)}`);
    else if (kind === 1) for (const gone of this.rows.splice(at, 1)) this.#lasting.delete(gone);
    else this.rows.splice(this.#below(this.rows.length), 0, ...this.rows.splice(at, 1));
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n);
  }
}

/** The loop that everybody writes first. */
function plainLoop(list: Churn, limit: number): ReadonlySet<string> {
  const seen = new Set<string>();
  for (let offset = 0; ; offset += limit) {
    const page = list.page(offset, limit);
    for (const row of page) seen.add(row);
    if (page.length < limit) return seen;
  }
}

interface Read {
  readonly seen: ReadonlySet<string>;
  readonly confidence: Confidence;
}

/** The rules Y1 and Y2, by the very code of the client and of the snapshot. */
async function byTheRule(list: Churn, limit: number, absenceCounts = true): Promise<Read> {
  const service = {
    list: () =>
      pages<{ readonly id: string }>({
        limit,
        fetch: async (offset, most) => {
          const total = list.rows.length;
          const keys = list.page(offset, most);
          return { rows: keys.map((id) => ({ id })), keys, total };
        },
      }),
  } as unknown as Service;
  const { collected, confidence } = await readPasses({
    service,
    clock: createVirtualClock(0),
    random: () => 0.5,
    collection: 'devices',
    absenceCounts,
    keeper: keepIds,
  });
  return { seen: new Set([...collected.rows()].map(({ id }) => id)), confidence };
}

function keepIds(): RowCollector<Device> {
  const byId = new Map<string, Device>();
  return {
    add: (row) => void byId.set(row.id, row),
    addPage: (rows) => {
      for (const row of rows) byId.set(row.id, row);
    },
    has: (id) => byId.has(id),
    get size() {
      return byId.size;
    },
    rows: () => byId.values(),
  };
}

const isMissing = (lasting: ReadonlySet<string>, seen: ReadonlySet<string>): boolean =>
  [...lasting].some((id) => !seen.has(id));

describe('a list that changes while it is read', () => {
  it(`in ${SCHEDULES} schedules two equal passes never miss a device that was there throughout`, async () => {
    const missed: number[] = [];
    const counts = new Map<Confidence, number>();
    let plainlyMissed = 0;
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const limit = OVERLAP + 2 + (seed % 4);
      const plain = new Churn(seed);
      if (isMissing(plain.lasting, plainLoop(plain, limit))) plainlyMissed += 1;
      const list = new Churn(seed);
      const { seen, confidence } = await byTheRule(list, limit);
      counts.set(confidence, (counts.get(confidence) ?? 0) + 1);
      if (confidence !== 'torn' && isMissing(list.lasting, seen)) missed.push(seed);
    }
    expect(missed).toEqual([]);
    // The schedules are hard: the plain loop misses devices in many, and most lists come to rest.
    expect(plainlyMissed).toBeGreaterThan(SCHEDULES / 20);
    expect(counts.get('two equal passes')).toBeGreaterThan(SCHEDULES * 0.8);
    expect(counts.get('torn') ?? 0).toBeLessThan(SCHEDULES / 20);
  });

  it('one clean pass misses none of these either, since overlap and total are both checked', async () => {
    let missed = 0;
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const list = new Churn(seed);
      const { seen, confidence } = await byTheRule(list, OVERLAP + 2 + (seed % 4), false);
      if (confidence !== 'torn' && isMissing(list.lasting, seen)) missed += 1;
    }
    expect(missed).toBe(0);
  });
});
