import type { Mutant } from './mutant.ts';

/** What a scope refuses (semantics G9), and what an import leaves as it is. */
export const ADOPTING: readonly Mutant[] = [
  {
    id: '124-a-plan-wider-than-its-scope-passes',
    killer: { test: 'test/unit/plan/compare/judge-scope.test.ts' },
    patches: [
      {
        file: 'src/plan/compare/judge-scope.ts',
        find: 'const passed = outside.changes === 0 && trailers.every(',
        replace: 'const passed = trailers.every(',
      },
    ],
  },
  {
    id: '125-a-scope-that-matches-nothing-passes',
    killer: { test: 'test/unit/plan/compare/judge-scope.test.ts' },
    patches: [
      {
        file: 'src/plan/compare/judge-scope.ts',
        find: "if (isEmpty) found.push({ code: 'nothing', params: {} });",
        replace: '',
      },
    ],
  },
  {
    id: '126-an-import-takes-any-version-as-the-floor',
    killer: { test: 'test/unit/adopt/next-plan.test.ts' },
    patches: [
      {
        file: 'src/adopt/floors.ts',
        find: '((order(each, best) ?? 0) < 0 ? each : best)',
        replace: '((order(each, best) ?? 0) > 0 ? each : best)',
      },
    ],
  },
  {
    id: '127-another-import-writes-what-differs',
    killer: { test: 'test/unit/cli/commands/import.test.ts' },
    patches: [
      {
        file: 'src/operations/adopt/import.ts',
        find: 'isFirst || (isFirstList && section',
        replace: 'isFirst || differences.length > 0 || (isFirstList && section',
      },
    ],
  },
];
