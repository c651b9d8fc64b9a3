import type { Mutant } from './mutant.ts';

/** Rules 33 to 45, 48 to 50 and 121: what is read, what is decided on it, and what is said of it. */
export const DECIDING: readonly Mutant[] = [
  {
    id: '33-no-overlap',
    killer: { test: 'test/unit/api/pages.test.ts' },
    patches: [
      {
        file: 'src/api/pages.ts',
        find: 'offset += page.rows.length - OVERLAP;',
        replace: 'offset += page.rows.length;',
      },
    ],
  },
  {
    id: '34-total-not-compared',
    killer: { test: 'test/unit/api/pages.test.ts' },
    patches: [
      {
        file: 'src/api/pages.ts',
        find: "if (memory.total !== undefined && total !== memory.total) return 'total';\n",
        replace: '\n',
      },
    ],
  },
  {
    id: '35-filtered-rows-not-checked-again',
    killer: { test: 'test/unit/apply/send/last-look.test.ts' },
    patches: [
      {
        file: 'src/apply/send/last-look.ts',
        find: 'if (!rows?.every(includes))',
        replace: 'if (!rows)',
      },
    ],
  },
  {
    id: '36-task-read-on-page-one-only',
    killer: { seed: 225 },
    patches: [
      {
        file: 'src/apply/watch/task-state.ts',
        find: 'const isWhole = unread.length === 0 && task.total === ids.size;',
        replace: 'const isWhole = true;',
      },
    ],
  },
  {
    id: '37-unknown-word-taken-as-success',
    killer: { seed: 150 },
    patches: [
      {
        file: 'src/apply/watch/task-state.ts',
        find: 'const known = TASK_RESULTS.find((word) => word === result);',
        replace: "const known = TASK_RESULTS.find((word) => word === result) ?? 'succeeded';",
      },
    ],
  },
  {
    id: '38-before-not-read-again',
    killer: { rehearsal: 'X5-somebody-else-upgrades-before-the-post' },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: "  if (!isAsApproved(change, now)) return ends({ outcome: 'skipped', reason: { code: 'stale' } });\n",
        replace: '',
      },
    ],
  },
  {
    id: '39-new-changes-of-a-plan-file-run',
    killer: { seed: 38 },
    patches: [
      {
        file: 'src/apply/run/work.ts',
        find: 'run.reading.setWork(holding.filter(isWanted));\n  const startable: Change[] = [];\n  for (const change of holding) {',
        replace:
          'run.reading.setWork(holding.filter(isWanted));\n  const startable: Change[] = [];\n  for (const change of [...survey.plan.changes].filter(isWanted)) {',
      },
    ],
  },
  {
    id: '40-generation-compared-with-differs',
    killer: { seed: 182 },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: 'if (wanted > generation) return true;',
        replace: 'if (wanted !== generation) return true;',
      },
      {
        file: 'src/kinds/rotation.ts',
        find: 'const generation = Math.max(rotationPolicy(theCase.policy).generation, theCase.generation);',
        replace: 'const { generation } = rotationPolicy(theCase.policy);',
      },
    ],
  },
  {
    id: '41-window-judged-at-plan-time',
    killer: { seed: 25 },
    patches: [
      {
        file: 'src/plan/decide/timing.ts',
        find: "  if (state.is === 'open') return undefined;\n",
        replace: "  if (state.is === 'open' || judged.at % 60_000 >= 5_000) return undefined;\n",
      },
    ],
  },
  {
    id: '42-cutoff-ignored',
    killer: { seed: 213 },
    patches: [
      {
        file: 'src/calendar/starts.ts',
        find: 'return { open, close, lastStart: close - needed };',
        replace: 'return { open, close, lastStart: close + 0 * needed };',
      },
    ],
  },
  {
    id: '43-stop-rule-ignores-in-doubt',
    killer: { seed: 34 },
    patches: [
      {
        file: 'src/rollout/progress/stops.ts',
        find: 'const found = classes.find((one) => one === outcome);',
        replace: "const found = classes.find((one) => one === outcome && one !== 'inDoubt');",
      },
    ],
  },
  {
    id: '44-stop-not-persisted',
    killer: { seed: 34 },
    patches: [
      {
        file: 'src/apply/run/rollouts.ts',
        find: 'if (bodies.length === 0) return rollouts;',
        replace: 'if (bodies.length >= 0) return rollouts;',
      },
    ],
  },
  {
    id: '45-canary-takes-all',
    killer: { seed: 69 },
    patches: [
      {
        file: 'src/rollout/waves/waves.ts',
        find: "if (slice.is === 'size') return slice.devices;",
        replace: "if (slice.is === 'size') return all;",
      },
    ],
  },
  {
    id: '48-not-started-lost-on-an-error-path',
    killer: { seed: 15 },
    patches: [
      {
        file: 'src/apply/run/accounting.ts',
        find: 'const endings = [...plan.changes].map((change) => toEnding(change, input));',
        replace:
          "const endings = [...plan.changes].map((change) => toEnding(change, input)).filter((one) => !ended || one.outcome !== 'notStarted');",
      },
      {
        file: 'src/apply/run/accounting.ts',
        find: 'if (sum !== plan.changes.length) throw',
        replace: 'if (sum < 0) throw',
      },
    ],
  },
  {
    id: '49-raw-timer',
    killer: { test: 'test/unit/shell/clock.test.ts' },
    patches: [
      {
        file: 'src/shell/clock.ts',
        find: '  sleep,\n};',
        replace: '  sleep: pause,\n};',
      },
    ],
  },
  {
    id: '50-life-of-a-token-unchecked',
    killer: { test: 'test/unit/api/auth.test.ts' },
    patches: [
      {
        file: 'src/api/tokens.ts',
        find: 'return life >= SHORTEST_LIFE_MS && life <= LONGEST_LIFE_MS ? life : ASSUMED_LIFE_MS;',
        replace: 'return life;',
      },
    ],
  },
  {
    id: '121-the-last-row-that-fits-is-the-next-step',
    killer: { test: 'test/unit/model/report/hint.test.ts' },
    patches: [
      {
        file: 'src/model/report/hint.ts',
        find: 'for (const row of ROWS) {',
        replace: 'for (const row of ROWS.toReversed()) {',
      },
    ],
  },
];
