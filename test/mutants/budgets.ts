import type { Mutant } from './mutant.ts';

/** Rules 27 to 32: how many may be down at once. */
export const BUDGETS: readonly Mutant[] = [
  {
    id: '27-budgets-outside-the-swap',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: "const refusal = now.is === 'holds' ? tracker.take(wantedBy(candidate)) : undefined;",
        replace: 'const refusal = undefined;',
      },
    ],
  },
  {
    id: '28-in-doubt-not-counted',
    killer: { seed: 26 },
    patches: [
      {
        file: 'src/rollout/budgets/down.ts',
        find: "return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';",
        replace: "return intent.phase === 'open' || intent.phase === 'running';",
      },
    ],
  },
  {
    id: '29-accepted-not-counted',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/rollout/budgets/down.ts',
        find: "return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';",
        replace: "return intent.phase === 'open' || intent.phase === 'inDoubt';",
      },
    ],
  },
  {
    id: '30-unknown-and-partial-not-counted',
    killer: { test: 'test/unit/rollout/budgets/budgets.test.ts' },
    patches: [
      {
        file: 'src/rollout/budgets/base-counts.ts',
        find: "if (coverage === 'partial') return budget.treatPartialAs === 'unavailable';\n  if (coverage === 'unknown') return budget.treatUnknownAs === 'unavailable';\n",
        replace: "if (coverage === 'partial' || coverage === 'unknown') return false;\n",
      },
    ],
  },
  {
    id: '31-maintenance-not-counted',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/rollout/budgets/down.ts',
        find: "if (device.maintenanceMode === true || device.status === 'offline') return 'down';",
        replace: "if (device.status === 'offline') return 'down';",
      },
    ],
  },
  {
    id: '32-batch-checked-one-by-one',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/rollout/budgets/budgets.ts',
        find: 'for (const tracker of trackers) tracker.move(request, row, starts);',
        replace: '',
      },
    ],
  },
  {
    id: '143-missing-member-is-forgotten',
    killer: { scenario: '413-B4-I19-a-member-that-the-service-does-not-return-counts-as-down' },
    patches: [
      {
        file: 'src/rollout/budgets/division.ts',
        find: 'const set = createSet(name, missingMembers(value, fleet));',
        replace: 'const set = createSet(name);',
      },
    ],
  },
];
