import type { Mutant } from './mutant.ts';

/** Rules 14 to 21: what the ledger holds, and who may write to it. */
export const LEDGER: readonly Mutant[] = [
  {
    id: '14-in-doubt-is-not-sticky',
    seed: 6,
    patches: [
      {
        file: 'src/ledger/transitions.ts',
        find: "{ from: ['open', 'inDoubt'], on: 'inDoubt', to: 'inDoubt' },",
        replace: "{ from: ['open', 'inDoubt'], on: 'inDoubt', to: 'none' },",
      },
    ],
  },
  {
    id: '15-swap-and-epoch-both-off',
    seed: 1,
    patches: [
      {
        file: 'src/store/replica.ts',
        find: "if (answer === 'lost') return contains(await this.refresh(), records) ? 'acknowledged' : 'lost';",
        replace:
          "if (answer === 'lost') { if (contains(await this.refresh(), records)) return 'acknowledged'; return this.write(records.map((record) => record.body), this.memory.epoch); }",
      },
      {
        file: 'src/store/journal.ts',
        find: 'return lease?.nonce === this.nonce && lease.epoch === this.#epoch;',
        replace: 'return lease !== undefined && this.#epoch > 0;',
      },
    ],
  },
  {
    id: '16-lease-is-re-entrant',
    patches: [
      {
        file: 'src/store/lease.ts',
        find: 'return lease.host === self.host && !self.isAlive(lease.pid, lease.process);',
        replace: 'return lease.host === self.host;',
      },
    ],
    test: 'test/unit/store/lease.test.ts',
  },
  {
    id: '17-unclear-append-taken-as-not-appended',
    patches: [
      {
        file: 'src/store/replica.ts',
        find: "while (answer === 'unknown') {",
        replace: "if (answer === 'unknown') return 'lost';\n    while (answer === 'unknown') {",
      },
    ],
  },
  {
    id: '19-result-not-durable-before-the-next-attempt',
    patches: [
      {
        file: 'src/apply/post.ts',
        find: 'await writeResult(run, resultOf(attemptId, judged, answer));',
        replace: '',
      },
    ],
  },
  {
    id: '20-result-of-a-run-without-lease-dropped',
    patches: [
      {
        file: 'src/store/journal.ts',
        find: "let answer: 'acknowledged' | 'lost' = 'lost';\n    while (answer === 'lost') {\n      const isTooLate",
        replace:
          "let answer: 'acknowledged' | 'lost' = 'lost';\n    while (answer === 'lost') {\n      if (!this.#isOurs()) throw this.#leaseLost();\n      const isTooLate",
      },
    ],
    test: 'test/unit/store/journal.lease.test.ts',
  },
  {
    id: '21-witness-off',
    patches: [
      {
        file: 'src/store/witness.ts',
        find: 'if (head.seq < this.#seen.seq) throw rolledBack(head, this.#seen);',
        replace: '',
      },
    ],
    test: 'test/unit/store/witness.test.ts',
  },
];
