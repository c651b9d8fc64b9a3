import type { Mutant } from './mutant.ts';

const AT = 'test/unit/operations/ground';

/** Rules about where credentials go, where records are, and what an approval is. */
export const GROUND: readonly Mutant[] = [
  {
    id: '120-a-ledger-is-left-without-a-record',
    killer: { test: `${AT}/left-ledgers.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/left-ledgers.ts',
        find: 'if (!isClosed(ledger, mayGoOn(shell, left, here) ? await present() : [])) throw',
        replace:
          'if (!isClosed(ledger, mayGoOn(shell, left, here) ? await present() : []) && !here) throw',
      },
    ],
  },
  {
    id: '140-a-request-chooses-where-credentials-go',
    killer: { test: `${AT}/reach.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/ground.ts',
        find: "if (changed) throw new WorldError('groundChanged', changed);",
        replace: "if (changed && !line) throw new WorldError('groundChanged', changed);",
      },
    ],
  },
  {
    id: '145-a-mirror-is-the-ledger',
    killer: { test: `${AT}/home.test.ts` },
    patches: [
      {
        file: 'src/store/journal.ts',
        find: 'await this.#options.ground?.confirm?.();',
        replace: 'await Promise.resolve(this.#options.ground?.confirm);',
      },
    ],
  },
  {
    id: '148-a-job-pins-nothing',
    killer: { test: `${AT}/pins.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/pins.ts',
        find: "if (isCi(shell.env)) throw new WorldError('groundPinned', params);",
        replace: "if (shell.env['CI'] === '') throw new WorldError('groundPinned', params);",
      },
    ],
  },
  {
    id: '149-a-ledger-that-moved-away-takes-records',
    killer: { test: `${AT}/move.test.ts` },
    patches: [
      {
        file: 'src/store/ledger-client.ts',
        find: 'this.#options.refuse?.(this.memory);',
        replace: '',
      },
    ],
  },
  {
    id: '150-other-documents-use-the-ledger',
    killer: { test: `${AT}/home.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/ground.ts',
        find: "throw new WorldError('commitForeign', { commit: commit.slice(0, 12) });",
        replace: '',
      },
    ],
  },
];
