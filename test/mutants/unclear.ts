import type { Mutant } from './mutant.ts';

/** What is unknown stops, and an all-clear covers what it says (semantics M20 to M27, M30 to M34). */
export const UNCLEAR: readonly Mutant[] = [
  {
    id: '164-a-hold-that-may-select-a-device-lets-it-go',
    rules: ['M20'],
    killer: { test: 'test/unit/desired/exempt.test.ts' },
    patches: [
      {
        file: 'src/desired/exempt.ts',
        find: 'lastingFirst(unclear, task)',
        replace: 'lastingFirst([], task)',
      },
    ],
  },
  {
    id: '165-a-policy-that-may-select-a-device-acts-on-it',
    rules: ['M20'],
    killer: { test: 'test/unit/kinds/index.test.ts' },
    patches: [
      {
        file: 'src/kinds/index.ts',
        find: 'if (unclear) return',
        replace: 'if (unclear && !policy) return',
      },
    ],
  },
  {
    id: '166-an-exact-version-needs-no-order',
    rules: ['M21'],
    killer: { scenario: '112-M21-M22-versions-without-an-order-start-nothing-until-one-is-stated' },
    patches: [
      {
        file: 'src/kinds/upgrade-firmware.ts',
        find: 'if (older === undefined)',
        replace: "if (older === undefined && final === '')",
      },
    ],
  },
  {
    id: '167-a-version-without-its-build-is-older',
    rules: ['M22'],
    killer: { test: 'test/unit/lib/version-order.test.ts' },
    patches: [
      {
        file: 'src/lib/version-order.ts',
        find: "a.join('') === b.join('') || lacksBuild(a, b) || lacksBuild(b, a) ? undefined : order",
        replace: "a.join('') === b.join('') ? undefined : order",
      },
    ],
  },
  {
    id: '168-the-guard-of-an-expiry-has-begun-already',
    rules: ['M26'],
    killer: { scenario: '440-M26-a-freeze-added-before-the-guard-holds-until-the-guard' },
    patches: [
      {
        file: 'src/plan/decide/timing.ts',
        find: 'return evaluation.case.now >= from;',
        replace: 'return evaluation.case.now >= from || from < Infinity;',
      },
    ],
  },
  {
    id: '169-what-a-change-passes-is-no-part-of-its-approval',
    rules: ['M26'],
    killer: { scenario: '441-M26-an-approval-covers-no-freeze-that-it-did-not-show' },
    patches: [
      {
        file: 'src/model/plan/outcome.ts',
        find: 'return passed.every((each) => approved.passed.includes(each));',
        replace: 'return passed.length >= 0;',
      },
    ],
  },
  {
    id: '170-what-has-expired-is-not-due',
    rules: ['M27'],
    killer: { scenario: '442-M27-what-has-expired-is-due-whatever-its-age' },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: 'return expiresAt <= theCase.now && !isJustChanged(theCase, credential);',
        replace:
          'return expiresAt <= theCase.now - Infinity && !isJustChanged(theCase, credential);',
      },
    ],
  },
  {
    id: '171-known-is-what-the-last-record-has',
    rules: ['M30'],
    killer: { test: 'test/unit/guard/max-vanished.test.ts' },
    patches: [
      {
        file: 'src/model/plan/coverage.ts',
        find: 'known[site] = Math.max(known[site] ?? 0, count);',
        replace: 'known[site] = count;',
      },
    ],
  },
  {
    id: '172-a-device-that-is-away-never-needs-a-person',
    rules: ['M30'],
    killer: { test: 'test/unit/model/plan/actor.test.ts' },
    patches: [
      {
        file: 'src/model/plan/actor.ts',
        find: "  if (params?.[NEEDS_YOU] !== undefined) return 'person';\n",
        replace: '',
      },
    ],
  },
  {
    id: '173-values-that-nobody-read-are-clear',
    rules: ['M31'],
    killer: { test: 'test/unit/render/words/review/all-clear.test.ts' },
    patches: [
      {
        file: 'src/model/report/all-clear.ts',
        find: "if (unread > 0) return { is: 'unread' };",
        replace: "if (unread < 0) return { is: 'unread' };",
      },
    ],
  },
  {
    id: '174-what-needs-a-person-ends-with-0',
    rules: ['M31'],
    killer: { test: 'test/unit/render/words/review/all-clear.test.ts' },
    patches: [
      {
        file: 'src/model/report/all-clear.ts',
        find: '  [EXIT.failed, needsPerson],\n',
        replace: '',
      },
    ],
  },
  {
    id: '175-a-fleet-that-vanished-is-clear',
    rules: ['M32'],
    killer: { test: 'test/unit/guard/max-vanished.test.ts' },
    patches: [
      {
        file: 'src/guard/max-vanished.ts',
        find: 'passed: number <= allowed,',
        replace: 'passed: number <= allowed || allowances.length === 0,',
      },
    ],
  },
  {
    id: '176-an-acknowledgement-covers-every-reason',
    rules: ['M33'],
    killer: { scenario: '448-M33-E5-what-is-acknowledged-needs-nobody-until-its-end' },
    patches: [
      {
        file: 'src/plan/acknowledge.ts',
        find: 'covers(value.reasons, reason)',
        replace: 'value.reasons.length > 0',
      },
    ],
  },
  {
    id: '177-a-job-tells-the-same-changes-each-time',
    rules: ['M34'],
    killer: { test: 'test/unit/shell/exit.test.ts' },
    patches: [
      {
        file: 'src/shell/exit-of-run.ts',
        find: 'report.surveyed?.news.length !== 0',
        replace: 'report.surveyed?.news.length !== -1',
      },
    ],
  },
  {
    id: '178-what-a-run-found-at-its-end-may-not-start-now',
    rules: ['M31'],
    killer: { test: 'test/unit/render/view/situations.test.ts' },
    patches: [
      {
        file: 'src/render/view/situations.ts',
        find: 'const left = report.left ?? report;',
        replace: 'const left = report;',
      },
    ],
  },
  {
    id: '179-a-pause-of-a-person-is-a-failure',
    rules: ['M30'],
    killer: { test: 'test/unit/model/plan/actor.test.ts' },
    patches: [
      {
        file: 'src/model/plan/actor.ts',
        find: "return why === 'person' || (why",
        replace: "return why === 'rules' || (why",
      },
    ],
  },
  {
    id: '191-dates-that-contradict-are-due',
    rules: ['M27'],
    killer: { test: 'test/unit/kinds/rotation.test.ts' },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: "if (!isAsked && contradicts(theCase, credential)) return refused(credential, 'datesContradict');",
        replace: '',
      },
    ],
  },
  {
    id: '192-all-devices-may-lose-a-task',
    rules: ['M32'],
    killer: { test: 'test/unit/guard/max-vanished.test.ts' },
    patches: [
      {
        file: 'src/guard/tasks-lost.ts',
        find: 'const passed = number <= allowed;',
        replace: 'const passed = number >= 0;',
      },
    ],
  },
  {
    id: '193-an-unfinished-rollout-of-no-policy-holds-nobody',
    rules: ['M23'],
    killer: { scenario: '446-M23-an-unfinished-rollout-of-no-policy-holds-its-base' },
    patches: [
      {
        file: 'src/rollout/progress/orphans.ts',
        find: "return isOther || policy.renamedFrom ? undefined : 'orphanedRollout';",
        replace: "return isOther || policy.address ? undefined : 'orphanedRollout';",
      },
    ],
  },
];
