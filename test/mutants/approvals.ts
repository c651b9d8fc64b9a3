import type { Mutant } from './mutant.ts';

/** Approvals by plan (semantics N73, N75, N77). */
export const APPROVALS: readonly Mutant[] = [
  {
    id: '89-standing-though-the-documents-of-now-say-otherwise',
    killer: { scenario: '335-N73-a-policy-that-is-no-longer-standing' },
    patches: [
      {
        file: 'src/plan/decide/approval.ts',
        find: "policy.value.approval !== 'standing' || ",
        replace: '',
      },
      { file: 'src/plan/preapproval.ts', find: '.filter((one) => now.has(one))', replace: '' },
      {
        file: 'src/plan/preapproval.ts',
        find: '  const now = new Set(preapprovedPolicies(input.documents));\n',
        replace: '',
      },
    ],
  },
  {
    id: '90-another-outcome-is-covered',
    killer: { rehearsal: '429-N71-one-approval-covers-two-hops' },
    patches: [
      {
        file: 'src/model/plan/outcome.ts',
        find: ' || approved.observed !== observed',
        replace: '',
      },
    ],
  },
  {
    id: '91-an-approval-never-expires',
    killer: { rehearsal: '423-N73-an-approval-that-has-expired-starts-nothing' },
    patches: [
      {
        file: 'src/plan/decide/approval.ts',
        find: 'covering(evaluation).find(({ expires }) => theCase.now < expires)',
        replace: 'covering(evaluation)[0]',
      },
    ],
  },
  {
    id: '92-standing-by-the-documents-of-now',
    killer: { scenario: '331-N73-a-standing-approval-reaches-as-far-as-the-approved-documents' },
    patches: [
      {
        file: 'src/plan/preapproval.ts',
        find: '{ ...whole, documents: approved.documents, approvals: {} }',
        replace: '{ ...whole, approvals: {} }',
      },
    ],
  },
  {
    id: '93-the-last-gate-is-the-newest',
    killer: { rehearsal: '424-N73-N80-an-older-gate-revives-no-standing-approval' },
    patches: [
      {
        file: 'src/ledger/approval-records.ts',
        find: '    newest ??= plan;\n',
        replace: '    newest = plans.at(-1);\n',
      },
    ],
  },
  {
    id: '94-approved-without-being-shown',
    killer: { rehearsal: '421-N75-what-appears-while-a-person-reads-is-not-approved' },
    patches: [
      {
        file: 'src/operations/gate/approve.ts',
        find: '  return stillWanted(stillWanted(shown, again), newest);\n',
        replace:
          '  const all = [...shown, ...again.changes].flatMap((one) => (Array.isArray(one) ? [] : [one as never as { id: string; outcome: string }]));\n  return stillWanted(all.map(({ id, outcome }) => [id, outcome] as const), newest);\n',
      },
    ],
  },
  {
    id: '95-approved-though-the-newest-commit-does-not-want-it',
    killer: { rehearsal: '422-N75-a-gate-passed-after-the-revert-approves-nothing' },
    patches: [
      {
        file: 'src/operations/gate/approve.ts',
        find: 'stillWanted(stillWanted(shown, again), newest)',
        replace: 'stillWanted(shown, again)',
      },
    ],
  },
  {
    id: '96-a-commit-that-was-never-merged',
    killer: { test: 'test/unit/operations/merged.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/default-branch.ts',
        find: '  if (!history.includes(head.commit)) throw',
        replace: '  if (history.length < 0) throw',
      },
    ],
  },
  {
    id: '97-a-revert-withdraws-nothing',
    killer: { rehearsal: '420-N73-N77-a-revert-stops-and-the-same-merged-again-waits' },
    patches: [
      {
        file: 'src/apply/run/execute.ts',
        find: '  if (unwanted.length === 0) return;\n',
        replace: '  if (unwanted.length >= 0) return;\n',
      },
    ],
  },
  {
    id: '98-a-wave-without-its-approval-counts-as-empty',
    killer: { rehearsal: '428-N77-one-approval-for-all-waves-of-a-rollout' },
    patches: [
      {
        file: 'src/plan/decide/rollouts.ts',
        find: 'const joinsLater = !isAllowed && group.base?.has(id) === false;',
        replace: 'const joinsLater = group.base !== undefined;',
      },
    ],
  },
  {
    id: '99-what-is-withdrawn-of-a-policy-stays-approved',
    killer: { rehearsal: '430-N84-a-person-withdraws-a-policy' },
    patches: [
      {
        file: 'src/model/ledger/approval.ts',
        find: 'each.seq > after &&',
        replace: 'each.seq > 0 * after &&',
      },
    ],
  },
  {
    id: '100-approved-though-the-same-commit-no-longer-wants-it',
    killer: { test: 'test/unit/operations/gate.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/approve.ts',
        find: 'stillWanted(stillWanted(shown, again), newest)',
        replace: 'stillWanted(again ? shown : [], newest)',
      },
    ],
  },
  {
    id: '101-any-file-passes-the-gate',
    killer: { test: 'test/unit/operations/gate.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/shown.ts',
        find: 'if (shownDigest(text) !== digest)',
        replace: "if (shownDigest(text) === '' + digest.slice(64))",
      },
    ],
  },
  {
    id: '102-a-series-that-is-not-complete-counts',
    killer: { test: 'test/unit/ledger/fold.people.test.ts' },
    patches: [
      {
        file: 'src/ledger/approvals.ts',
        find: 'body.of === series.records ? series : undefined',
        replace: 'body.of > 0 ? series : undefined',
      },
    ],
  },
  {
    id: '103-a-merge-switches-the-gate-off',
    rules: ['M9'],
    killer: { rehearsal: '439-M9-a-request-that-switches-the-gate-off-waits-for-it' },
    patches: [
      {
        file: 'src/plan/preapproval.ts',
        find: "if (!isPlan && ground?.approval !== 'plan') return",
        replace: 'if (!isPlan) return',
      },
    ],
  },
  {
    id: '104-an-approval-covers-an-earlier-wave',
    killer: { test: 'test/unit/model/outcome.test.ts' },
    patches: [
      {
        file: 'src/model/plan/outcome.ts',
        find: 'first !== -1 && first < second',
        replace: 'first !== -1 && second !== -1',
      },
    ],
  },
  {
    id: '105-facts-that-are-owed-are-no-work',
    killer: { test: 'test/unit/operations/gate.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/found-work.ts',
        find: 'return notRead > 0 ||',
        replace: 'return notRead < 0 ||',
      },
    ],
  },
  {
    id: '106-the-audit-believes-any-approval',
    killer: { test: 'test/unit/ledger/approval-proof.test.ts' },
    patches: [
      {
        file: 'src/ledger/proof.ts',
        find: 'wanted) && now < expires',
        replace: 'wanted) && expires > 0 * now',
      },
    ],
  },
  {
    id: '119-a-run-does-not-record-that-plans-are-approved',
    rules: ['M9'],
    killer: { rehearsal: '440-M9-switched-off-before-any-gate-was-passed' },
    patches: [
      {
        file: 'src/ledger/ground-due.ts',
        find: "const approval = proposed.approval === 'plan' ? 'plan' : ground.approval;",
        replace: 'const { approval } = ground;',
      },
    ],
  },
  {
    id: '123-the-approval-of-a-part-approves-the-documents',
    killer: { test: 'test/unit/operations/newest-approved.test.ts' },
    patches: [
      {
        file: 'src/ledger/approval-records.ts',
        find: 'return plans.filter(({ part }) => !part);',
        replace: 'return plans;',
      },
    ],
  },
  {
    id: '137-an-unknown-default-branch-counts-as-merged',
    rules: ['M7'],
    killer: { test: 'test/unit/operations/default-branch.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/default-branch.ts',
        find: "'unclear' in branch) throw branch.unclear;",
        replace: "'unclear' in branch) return 'none';",
      },
    ],
  },
  {
    id: '138-a-clone-says-which-commit-is-the-newest',
    rules: ['M8'],
    killer: { test: 'test/unit/operations/merged.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/default-branch.ts',
        find: 'return (await newestThere(here, branch)) === commit;',
        replace: 'return (await newestThere(here, branch)) !== undefined;',
      },
    ],
  },
  {
    id: '139-older-documents-start-what-is-approved',
    rules: ['M8'],
    killer: { test: 'test/unit/operations/overtaken.test.ts' },
    patches: [
      {
        file: 'src/operations/gate/overtaken.ts',
        find: 'return found.documents?.digest === here.documents.digest;',
        replace: 'return found.documents !== undefined;',
      },
    ],
  },
  {
    id: '147-another-model-is-what-was-approved',
    killer: { rehearsal: 'X12-another-model-under-the-same-id' },
    patches: [
      {
        file: 'src/plan/approved-fields.ts',
        find: 'return vendor === current.vendor && model === current.model;',
        replace: 'return vendor !== model || model === current.model;',
      },
    ],
  },
  {
    id: '218-a-step-taken-by-hand-is-one-of-ours',
    killer: { test: 'test/unit/plan/compare/compare.test.ts' },
    patches: [
      {
        file: 'src/plan/approved-fields.ts',
        find: '  if (findFirstStep(past, step).version !== meant.from) return false;\n',
        replace: '  findFirstStep(past, step);\n',
      },
    ],
  },
];
