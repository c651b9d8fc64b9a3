import type { Mutant } from './mutant.ts';

const AT = 'test/unit/operations/ground';

/** Rules about where credentials go, where records are, and what an approval is. */
export const GROUND: readonly Mutant[] = [
  {
    id: '120-a-ledger-is-left-without-a-record',
    rules: ['M1'],
    killer: { test: `${AT}/left-ledgers.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/left-ledgers.ts',
        find: 'if (!isOver) throw',
        replace: 'if (!isOver && !here) throw',
      },
    ],
  },
  {
    id: '140-a-request-chooses-where-credentials-go',
    rules: ['M3'],
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
    rules: ['M13'],
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
    rules: ['M4'],
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
    rules: ['M2'],
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
    rules: ['M13'],
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
    id: '180-an-unreachable-place-is-passed-without-a-pin',
    rules: ['M13'],
    killer: { test: `${AT}/unreached-place.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/left-ledgers.ts',
        find: 'if (!isPinned(shell, settings.ledger)) return false;',
        replace: '',
      },
    ],
  },
  {
    id: '181-an-unreachable-place-is-passed-without-heads',
    rules: ['M13'],
    killer: { test: `${AT}/unreached-place.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/left-ledgers.ts',
        find: 'if (!kept || !isSameHead(kept, head)) return false;',
        replace: '',
      },
    ],
  },
  {
    id: '153-a-pause-of-no-policy-holds-nothing',
    rules: ['M23'],
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
    rules: ['M23'],
    killer: { scenario: '445-M23-a-renamed-policy-keeps-its-pause-its-stop-and-its-waves' },
    patches: [
      {
        file: 'src/plan/present-names.ts',
        find: '  if (renames.length + input.memory.renamed.size === 0) return input;',
        replace: '  if (renames.length >= 0) return input;',
      },
    ],
  },
  {
    id: '155-a-change-of-the-ground-is-not-said',
    rules: ['M5'],
    killer: { test: 'test/unit/cli/commands/ci/request-change.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/request-change.ts',
        find: 'before[setting] !== after[setting])',
        replace: 'before[setting] !== before[setting])',
      },
    ],
  },
  {
    id: '156-any-request-with-the-commit-shows-the-plan',
    rules: ['M6'],
    killer: { test: 'test/unit/cli/commands/ci/request-change.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/requests.ts',
        find: 'if (!first || why === undefined) return { open };',
        replace: "if (!first || why !== '') return { open };",
      },
    ],
  },
  {
    id: '157-a-plan-of-another-branch-is-shown',
    rules: ['M6'],
    killer: { test: 'test/unit/cli/commands/ci/request-change.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/requests.ts',
        find: 'if (!isOwn) throw',
        replace: "if (!isOwn && commit === '') throw",
      },
    ],
  },
  {
    id: '158-an-approval-outlives-a-revert-that-no-run-saw',
    rules: ['M10'],
    killer: { test: 'test/unit/operations/lineage.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/lineage.ts',
        find: 'else if (documents.digest !== parts.documents.digest)',
        replace: 'else if (documents.digest === undefined)',
      },
    ],
  },
  {
    id: '159-what-was-withdrawn-since-the-look-is-approved',
    rules: ['M10'],
    killer: { test: 'test/unit/operations/gate.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/approve.ts',
        find: '?? 0) <= lookedAt,',
        replace: '?? 0) <= lookedAt + 1_000,',
      },
    ],
  },
  {
    id: '160-an-approval-of-nobody-counts',
    rules: ['M11'],
    killer: { test: 'test/unit/ledger/approval-records.test.ts' },
    patches: [
      {
        file: 'src/model/ledger/approval.ts',
        find: "(gate === 'none' || approvers.length > 0)",
        replace: "(gate === 'none' || approvers.length >= 0)",
      },
    ],
  },
  {
    id: '161-a-forged-note-stops-every-run',
    rules: ['M12'],
    killer: { test: 'test/unit/store/head-pin.test.ts' },
    patches: [
      {
        file: 'src/store/head-pin.ts',
        find: "others.filter(({ from }) => from !== 'note')",
        replace: 'others.filter(({ from }) => from !== undefined)',
      },
    ],
  },
  {
    id: '162-an-old-copy-without-the-newest-records-counts',
    rules: ['M12'],
    killer: { test: 'test/unit/store/head-pin.test.ts' },
    patches: [
      { file: 'src/store/head-pin.ts', find: ", { ...kept, from: 'heads' }]", replace: ']' },
    ],
  },
  {
    id: '163-newer-documents-end-no-run-at-work',
    rules: ['M8'],
    killer: { test: 'test/unit/apply/run/execute.test.ts' },
    patches: [
      {
        file: 'src/apply/run/attempt.ts',
        find: 'if (newest) return',
        replace: "if (newest === 'unlooked') return",
      },
    ],
  },
  {
    id: '182-a-place-that-cannot-be-read-is-passed-over',
    rules: ['M1'],
    killer: { test: `${AT}/left-ledgers.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/left-ledgers.ts',
        find: 'if (!isPinned(shell, settings.ledger)) throw goneError(left, ledger.gone, settings.ledger);',
        replace: '',
      },
    ],
  },
  {
    id: '183-a-line-that-is-cut-off-is-the-whole',
    rules: ['M1'],
    killer: { test: `${AT}/left-ledgers.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/line.ts',
        find: "if (!whole || whole.isCut) throw new WorldError('historyCut');",
        replace: "if (!whole) throw new WorldError('historyCut');",
      },
    ],
  },
  {
    id: '184-without-a-service-a-request-chooses-one',
    rules: ['M3'],
    killer: { test: `${AT}/reach.test.ts` },
    patches: [
      {
        file: 'src/operations/ground/ground.ts',
        find: "    throw new WorldError('serviceUnnamed');\n",
        replace: '    void 0;\n',
      },
    ],
  },
  {
    id: '185-of-two-default-branches-the-first-counts',
    rules: ['M7'],
    killer: { test: 'test/unit/operations/default-branch.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/default-branch.ts',
        find: 'name !== undefined && names.size === 1 &&',
        replace: 'name !== undefined &&',
      },
    ],
  },
  {
    id: '186-an-approval-outlives-any-number-of-commits',
    rules: ['M10'],
    killer: { test: 'test/unit/operations/lineage.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/lineage.ts',
        find: 'const MOST_COMMITS = 50;',
        replace: 'const MOST_COMMITS = 5_000;',
      },
    ],
  },
  {
    id: '187-a-gate-without-reviewers-approves',
    rules: ['M11'],
    killer: { test: 'test/unit/operations/gate/approvers.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/approvers.ts',
        find: "if (env['GITEA_ACTIONS'] || env['FORGEJO_ACTIONS'])",
        replace: "if (env['GITEA_ACTIONS'] === 'never')",
      },
    ],
  },
  {
    id: '188-a-flag-names-who-passed-the-gate-of-a-forge',
    rules: ['M11'],
    killer: { test: 'test/unit/operations/gate/approvers.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/approvers.ts',
        find: "if (gate !== 'none') throw unknown('noRecord', NEXT[gate]);",
        replace: '',
      },
    ],
  },
  {
    id: '189-a-ground-that-was-not-compared-is-not-said',
    rules: ['M5'],
    killer: { test: 'test/unit/cli/commands/ci/request-change.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/request-change.ts',
        find: "return { ground: [], code: [], notCompared: NO_COMMIT + (commit ?? 'of the target branch') };",
        replace: "return { ground: [], code: ['x'] };",
      },
    ],
  },
  {
    id: '190-a-head-that-a-person-called-false-still-stops',
    rules: ['M12'],
    killer: { test: 'test/unit/store/head-pin.test.ts' },
    patches: [
      {
        file: 'src/store/head-pin.ts',
        find: '[...(body.lost ?? []), ...(body.rejected ?? [])]',
        replace: '[...(body.lost ?? [])]',
      },
    ],
  },
  {
    id: '217-a-fleet-of-several-takes-plain-credentials',
    rules: ['M14'],
    killer: { test: 'test/unit/cli/process/several-fleets.test.ts' },
    patches: [
      {
        file: 'src/shell/credentials.ts',
        find: "env[name.replace('FLEETFORM', credentialPrefix(fleet))]",
        replace: "env[name.replace('FLEETFORM', credentialPrefix(fleet))] ?? env[name]",
      },
    ],
  },
];
