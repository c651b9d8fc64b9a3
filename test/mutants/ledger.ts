import type { Mutant } from './mutant.ts';

/** Rules 14 to 21: what the ledger holds, and who may write to it. */
export const LEDGER: readonly Mutant[] = [
  {
    id: '14-in-doubt-is-not-sticky',
    killer: { seed: 6 },
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
    killer: { seed: 1 },
    patches: [
      {
        file: 'src/store/ledger-client.ts',
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
    killer: { seed: 5 },
    patches: [
      {
        file: 'src/store/lease.ts',
        find: 'return lease.host === self.host && !self.isAlive(lease.pid, lease.process);',
        replace: 'return lease.host === self.host;',
      },
    ],
  },
  {
    id: '17-unclear-append-taken-as-not-appended',
    killer: { seed: 188 },
    patches: [
      {
        file: 'src/store/ledger-client.ts',
        find: "while (answer === 'unknown') {",
        replace: "if (answer === 'unknown') return 'lost';\n    while (answer === 'unknown') {",
      },
    ],
  },
  {
    id: '18-plain-fast-forward-push',
    killer: { test: 'test/unit/store/laws.test.ts' },
    patches: [
      {
        file: 'src/git/ledger-remote.ts',
        find: "return this.#git()('push', ...plain, lease, ...rest);",
        replace:
          "return this.#git()('push', ...plain, ...(expected === '' ? [lease] : []), ...rest);",
      },
    ],
  },
  {
    id: '19-result-not-durable-before-the-next-attempt',
    killer: { seed: 4 },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: 'await run.outbox.write(resultRecord(attemptId, judged, answer));',
        replace: '',
      },
    ],
  },
  {
    id: '20-result-of-a-run-without-lease-dropped',
    killer: { seed: 28 },
    patches: [
      {
        file: 'src/store/journal.ts',
        find: "let answer: 'acknowledged' | 'lost' = 'lost';\n    while (answer === 'lost') {\n      const isTooLate",
        replace:
          "let answer: 'acknowledged' | 'lost' = 'lost';\n    while (answer === 'lost') {\n      if (!this.#isOurs()) throw this.#leaseLost();\n      const isTooLate",
      },
    ],
  },
  {
    id: '21-witness-off',
    killer: { test: 'test/unit/store/head-pin.test.ts' },
    patches: [
      {
        file: 'src/store/head-pin.ts',
        find: 'if (shorter) throw rolledBack(place, read.head, shorter);',
        replace: '',
      },
      {
        file: 'src/store/head-pin.ts',
        find: 'if (worst) throw rolledBack(place, head, worst);',
        replace: '',
      },
    ],
  },
  {
    id: '200-unpause-needs-the-lock',
    killer: { test: 'test/unit/cli/commands/recover.test.ts' },
    patches: [
      {
        file: 'src/model/ledger/record.ts',
        find: "['PAUSE', 'LIFT', 'APPROVED',",
        replace: "['PAUSE', 'APPROVED',",
      },
    ],
  },
  {
    id: '201-a-run-that-waits-sees-no-end-of-a-pause',
    killer: { rehearsal: 'N64-a-person-unpauses-while-a-run-waits' },
    patches: [
      {
        file: 'src/apply/run/run.ts',
        find: 'if (overslept || held.some((scope) => !now.has(scope))) return true;',
        replace: 'if (overslept) return true;',
      },
    ],
  },
];
