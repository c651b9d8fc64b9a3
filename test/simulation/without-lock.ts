import type { Patch } from '../mutants/mutant.ts';

/**
 * The sources with a lock that answers yes to everybody (protocol U7): whoever asks for the lease
 * has it at once, keeps it whoever else has taken it since, and signs with an epoch that nobody holds
 * against him. What is left is the compare-and-swap on the head. Runs begin within a minute of each
 * other, two or three at a time, so that they do meet there.
 */
export const WITHOUT_LOCK: readonly Patch[] = [
  {
    file: 'src/store/lease.ts',
    find: 'if (unchanged >= 2 * lease.ttl) return true;',
    replace: 'if (unchanged >= 0) return true;',
  },
  {
    file: 'src/store/journal.ts',
    find: 'return lease?.nonce === this.nonce && lease.epoch === this.#epoch;',
    replace: 'return lease?.nonce === this.nonce || this.#epoch > 0;',
  },
  {
    file: 'src/store/journal.ts',
    find: 'while (this.#isOurs()) {\n        const { store, hurry }',
    replace: '{\n        const { store, hurry }',
  },
  {
    file: 'src/store/journal.ts',
    find: 'const isTooLate = this.#isOurs() ? () => false : this.#isClosed();',
    replace: 'const isTooLate = this.#isClosed();',
  },
  {
    file: 'src/ledger/acceptor.ts',
    find: "return epoch === expected ? [] : [['I12', String(epoch)]];",
    replace: 'return epoch === expected ? [] : [];',
  },
  {
    file: 'test/simulation/auditor/run-rules.ts',
    find: 'if (!isGone && !isSilent && !by.takeOver)',
    replace: 'if (!holder)',
  },
  {
    file: 'test/simulation/features.ts',
    find: 'secondRunner: 0.5,',
    replace: 'secondRunner: 1,',
  },
  {
    file: 'test/simulation/phase-one.ts',
    find: 'start + chance.magnitude(1, 40 * 60_000)',
    replace: 'start + chance.magnitude(1, 60_000)',
  },
];
