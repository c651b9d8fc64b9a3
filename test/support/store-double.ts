import { EMPTY_HEAD, headAfter } from '../../src/ledger/chain.ts';
import { WorldError } from '../../src/model/error.ts';
import type { Clock, LedgerStore, Random } from '../../src/model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../../src/model/ledger/record.ts';
import type { Milliseconds } from '../../src/lib/time.ts';

/**
 * How one append goes wrong: without a clear answer or by an error, and whether it is there all the
 * same.
 */
export type Trouble = 'unknown' | 'unknownLanded' | 'fails' | 'failsLanded';

/** A ledger in memory whose next appends can be made to go wrong. */
export class StoreDouble implements LedgerStore {
  readonly place = 'memory';
  records: LedgerRecord[] = [];
  troubles: Trouble[] = [];
  probes = 0;
  appends = 0;
  /** Runs ahead of the next append: what somebody else does just then. */
  meanwhile: (() => void) | undefined;

  get head(): LedgerHead {
    return headAfter(this.records, EMPTY_HEAD);
  }

  async read(afterSeq: number) {
    return { records: this.records.filter(({ seq }) => seq > afterSeq), head: this.head };
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead) {
    const { meanwhile } = this;
    this.meanwhile = undefined;
    meanwhile?.();
    this.appends += 1;
    const trouble = this.troubles.shift();
    const isOn = onHead.seq === this.head.seq && onHead.hash === this.head.hash;
    if (trouble !== 'unknown' && trouble !== 'fails' && isOn) this.records.push(...records);
    if (trouble?.startsWith('fails')) throw new WorldError('storeFailed', { cause: 'ENOSPC' });
    if (trouble !== undefined) return 'unknown';
    return isOn ? 'acknowledged' : 'lost';
  }

  async probe(): Promise<void> {
    this.probes += 1;
  }
}

/** A clock that moves only when pushed or slept on. */
export class ClockDouble implements Clock {
  #elapsed: Milliseconds = 0;
  /** Runs after every sleep: what happens in the world meanwhile. */
  onSleep: () => void | Promise<void> = () => undefined;

  push(ms: Milliseconds): void {
    this.#elapsed += ms;
  }

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#elapsed;
  }

  monotonic(): Milliseconds {
    return this.#elapsed;
  }

  async sleep(ms: Milliseconds): Promise<void> {
    this.push(ms);
    await this.onSleep();
  }
}

/** Chance that is the same every time, and different for every seed. */
export function chance(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
