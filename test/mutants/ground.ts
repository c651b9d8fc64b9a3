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
  {
    id: '153-a-pause-of-no-policy-holds-nothing',
    killer: {
      scenario: '444-M23-a-pause-of-an-address-that-no-policy-has-holds-its-section',
    },
    patches: [
      {
        file: 'src/rollout/progress/orphans.ts',
        find: "  if (halt) return { action: 'wait', reason: haltReason(halt) };\n",
        replace: '',
      },
    ],
  },
  {
    id: '154-a-renamed-policy-is-another-one',
    killer: { scenario: '445-M23-a-renamed-policy-keeps-its-pause-its-stop-and-its-waves' },
    patches: [
      {
        file: 'src/plan/present-names.ts',
        find: '  if (renames.length === 0 && !input.memory.renamed) return input;',
        replace: '  if (renames.length >= 0) return input;',
      },
    ],
  },
];
