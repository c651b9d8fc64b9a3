import { WorldError } from '../../src/model/error.ts';
import type { LedgerStore } from '../../src/model/ports.ts';
import type { Effects } from './effects.ts';
import type { RehearsalWorld } from './rehearsal-world.ts';

/**
 * Time that an append takes until it is acknowledged: enough for a POST that does not wait to be
 * seen.
 */
const APPEND_MS = 50;

/** The ledger of a world as one process has it: everything that it does there is an effect. */
export function storeOf({ store, clock }: RehearsalWorld, effects: Effects): LedgerStore {
  return {
    place: store.place,
    read: (after) => effects.perform('read', () => store.read(after)),
    append: (records, onHead) => {
      const types = records.map(({ body }) => body.type).join(' ');
      const write = async () => {
        await clock.sleep(APPEND_MS);
        return store.append(records, onHead);
      };
      return effects.perform(`append ${types}`, write, new WorldError('storeFailed'));
    },
    probe: () => effects.perform('probe', () => store.probe()),
  };
}
