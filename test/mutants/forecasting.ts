import type { Mutant } from './mutant.ts';

/** Rules 194 to 199 and 202: when a plan starts and ends, and who is in a canary. */
export const FORECASTING: readonly Mutant[] = [
  {
    id: '194-a-forecast-without-budgets',
    killer: { scenario: '450-N86-a-full-budget-blocks-a-policy-and-says-who-has-to-come-back' },
    patches: [
      {
        file: 'src/plan/forecast/course.ts',
        find: 'const full = tracker.fullIn(first);',
        replace: 'const full: object | undefined = undefined;',
      },
    ],
  },
  {
    id: '195-what-is-down-comes-back-in-a-forecast',
    killer: { scenario: '450-N86-a-full-budget-blocks-a-policy-and-says-who-has-to-come-back' },
    patches: [
      {
        file: 'src/plan/forecast/forecast.ts',
        find: '  if (job.isDown) return Infinity;\n',
        replace: '  if (job.isDown) return now;\n',
      },
    ],
  },
  {
    id: '196-what-waits-behind-a-full-budget-waits-for-its-window',
    killer: { scenario: '451-N86-a-full-budget-blocks-before-its-window-opens' },
    patches: [
      {
        file: 'src/plan/plan.ts',
        find: '  for (const [index, reason] of foretold.stuck()) columns.decide(index, { reason });\n',
        replace: '\n',
      },
    ],
  },
  {
    id: '197-a-canary-of-whoever-comes-first',
    killer: { scenario: '452-C12-a-canary-takes-those-that-can-start' },
    patches: [
      {
        file: 'src/rollout/waves/waves.ts',
        find: 'isFirst: index === 0 }',
        replace: 'isFirst: false }',
      },
    ],
  },
  {
    id: '198-who-cannot-start-stays-in-the-canary',
    killer: { scenario: '453-C12-who-cannot-start-for-a-day-leaves-the-canary' },
    patches: [
      {
        file: 'src/rollout/progress/follow.ts',
        find: 'if (unable.length === 0) return replaced;',
        replace: 'if (unable.length >= 0) return replaced;',
      },
    ],
  },
  {
    id: '199-nothing-to-do-until-an-instant-though-a-person-is-needed',
    killer: { test: 'test/unit/model/report/hint.test.ts' },
    patches: [
      {
        file: 'src/model/report/hint.ts',
        find: '  waitForPerson,\n  waitForTime,\n',
        replace: '  waitForTime,\n  waitForPerson,\n',
      },
    ],
  },
  {
    id: '202-an-overdue-device-is-in-a-canary-before-its-day',
    killer: { test: 'test/unit/operations/rehearse/forecast-law.test.ts' },
    patches: [
      {
        file: 'src/plan/decide/rollouts.ts',
        find: "      if (ruleResult.reason.why === 'spread') return { aside: 'skipped' };\n",
        replace: '',
      },
    ],
  },
  {
    id: '203-nobody-who-joined-since-takes-a-place-in-a-canary',
    killer: { scenario: '454-C12-a-late-joiner-takes-the-place-where-the-base-has-no-other' },
    patches: [
      {
        file: 'src/rollout/progress/follow.ts',
        find: '...assignment.lateJoiners].filter(',
        replace: '].filter(',
      },
    ],
  },
  {
    id: '204-a-gate-passes-in-a-forecast-before-anybody-looks',
    killer: { scenario: '93-L-lateForecast-waves-and-soaks-that-end-after-the-deadline' },
    patches: [
      {
        file: 'src/plan/forecast/stages.ts',
        find: 'passes: looksAt(at) + checking(first)',
        replace: 'passes: at',
      },
    ],
  },
  {
    id: '205-a-run-waits-after-the-last-look-of-a-gate',
    killer: { test: 'test/unit/apply/wait.test.ts' },
    patches: [
      {
        file: 'src/apply/run/next-wake.ts',
        find: 'return gated === -1 ? AT_ONCE : checkAgain(',
        replace: 'return checkAgain(',
      },
    ],
  },
];
