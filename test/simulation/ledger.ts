import { headAfter, EMPTY_HEAD } from '../../src/ledger/chain.ts';
import type { LedgerHead, LedgerRecord } from '../../src/model/ledger/record.ts';
import type { Chance } from './chance.ts';

/** How one append goes: how long it takes, and how it fails if it does. */
export interface AppendWeather {
  delayMs(): number;
  /** `unknown`: no clear answer. `fails`: an error. `Landed`: it is there all the same. */
  trouble(): 'unknown' | 'unknownLanded' | 'fails' | 'failsLanded' | undefined;
}

export type Appended = 'acknowledged' | 'lost' | 'unknown' | 'failed';

/** The one ledger of a world, in memory: append by compare-and-swap on the head. */
export class Ledger {
  readonly records: LedgerRecord[] = [];
  head: LedgerHead = EMPTY_HEAD;

  readAfter(seq: number): readonly LedgerRecord[] {
    return this.records.slice(seq);
  }

  /** All or nothing, only on the very head that is given. */
  append(records: readonly LedgerRecord[], onHead: LedgerHead): 'acknowledged' | 'lost' {
    const isOn = onHead.seq === this.head.seq && onHead.hash === this.head.hash;
    if (!isOn) return 'lost';
    this.records.push(...records);
    this.head = headAfter(records, this.head);
    return 'acknowledged';
  }
}

/** Troubles of the ledger in a world with these features. */
export function appendWeather(
  chance: Chance,
  {
    unknown,
    fails,
    slow,
  }: { readonly unknown: number; readonly fails: number; readonly slow: boolean },
): AppendWeather {
  return {
    delayMs: () => (slow ? chance.magnitude(100, 8_000) : chance.int(5, 80)),
    trouble() {
      const draw = chance.next();
      if (draw < unknown) return chance.is(0.5) ? 'unknown' : 'unknownLanded';
      if (draw < unknown + fails) return chance.is(0.5) ? 'fails' : 'failsLanded';
      return undefined;
    },
  };
}
