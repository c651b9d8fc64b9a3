import type { Mutant } from './mutant.ts';

/** Rules from 54 on: faults that were planted, and lived until a test was written for each. */
export const PLANTED: readonly Mutant[] = [
  {
    id: '54-second-look-reuses-the-first-read',
    killer: { test: 'test/rehearsals/young-reads.test.ts' },
    patches: [
      {
        file: 'src/apply/send/last-look.ts',
        find: 'const answer = await readRow(run, id);',
        replace:
          'const known = run.reading.reads.get(id)?.device;\n  const answer = known ? { value: known } : await readRow(run, id);',
      },
    ],
  },
  {
    id: '55-send-by-from-the-end-of-the-reads',
    killer: { test: 'test/rehearsals/young-reads.test.ts' },
    patches: [
      {
        file: 'src/apply/send/last-look.ts',
        find: 'return { seen, since };',
        replace:
          'return { seen, since: { wall: run.clock.now(), monotonic: run.clock.monotonic() } };',
      },
    ],
  },
  {
    id: '56-only-the-first-of-a-batch-takes-its-share',
    killer: { rehearsal: 'B1-a-batch-shrinks-to-the-room-that-is-left' },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: "const refusal = now.is === 'holds' ? take(tracker, candidate) : undefined;",
        replace:
          "const refusal = now.is === 'holds' && members.length === 0 ? take(tracker, candidate) : undefined;",
      },
    ],
  },
  {
    id: '57-what-waiting-mends-is-said-first',
    killer: { test: 'test/unit/rollout/budgets/budgets.test.ts' },
    patches: [
      {
        file: 'src/rollout/budgets/budgets.ts',
        find: '    if (refusal?.blocked) return refusal;\n',
        replace: '',
      },
    ],
  },
  {
    id: '58-pause-hides-an-abort',
    killer: { test: 'test/unit/rollout/progress/stops.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/halts.ts',
        find: "return found.find(({ is: state }) => state === 'aborted') ?? found[0];",
        replace: 'return found[0];',
      },
    ],
  },
  {
    id: '59-approval-of-an-empty-wave-is-asked',
    killer: { test: 'test/unit/rollout/progress/gates.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/gates.ts',
        find: 'index > wave && eligible > 0',
        replace: 'index > wave && eligible >= 0',
      },
    ],
  },
  {
    id: '60-latecomer-of-a-site-by-its-hash',
    killer: { test: 'test/unit/rollout/waves/waves.test.ts' },
    patches: [
      {
        file: 'src/rollout/waves/late-joiners.ts',
        find: '    if (ofSite !== undefined) return ofSite;\n',
        replace: '',
      },
    ],
  },
  {
    id: '61-doubt-begins-anew',
    killer: { test: 'test/unit/ledger/fold.test.ts' },
    patches: [
      {
        file: 'src/ledger/intents.ts',
        find: '{ doubtSince: intent.doubtSince ?? at }',
        replace: '{ doubtSince: at }',
      },
    ],
  },
  {
    id: '62-settled-attempt-waits-for-its-result',
    killer: { test: 'test/unit/ledger/fold.test.ts' },
    patches: [
      {
        file: 'src/ledger/intents.ts',
        find: '    if (waiting.length === 0) this.#close(attemptId);\n    else this.#unanswered',
        replace: '    this.#unanswered',
      },
    ],
  },
  {
    id: '63-zone-of-a-window-not-compared',
    killer: { test: 'test/unit/plan/approved-fields.test.ts' },
    patches: [
      {
        file: 'src/plan/approved-fields.ts',
        find: '{ name: window.name, zone: window.zone }',
        replace: '{ name: window.name }',
      },
    ],
  },
  {
    id: '64-past-the-last-start-by-the-wall',
    killer: { test: 'test/unit/apply/before-post.test.ts' },
    patches: [
      {
        file: 'src/apply/send/post.ts',
        find: '    wall: Math.min(since.wall + READ_AGE, lastStart - 1),',
        replace: '    wall: since.wall + READ_AGE,',
      },
    ],
  },
  {
    id: '65-attempt-of-another-run-came-to-nothing',
    killer: { test: 'test/unit/apply/before-post.test.ts' },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: 'return attemptId.startsWith(`${nonce}.`) && (phase',
        replace: "return nonce !== '' && attemptId !== '' && (phase",
      },
    ],
  },
  {
    id: '66-told-to-stop-while-it-read',
    killer: { test: 'test/unit/apply/before-post.test.ts' },
    patches: [
      {
        file: 'src/apply/run/attempt.ts',
        find: "  if (run.stop.requested !== 'no') throw new Interrupted();\n",
        replace: '',
      },
    ],
  },
  {
    id: '67-an-empty-answer-is-believed',
    killer: { rehearsal: 'Y6-a-filter-that-nothing-matches' },
    patches: [
      {
        file: 'src/apply/send/last-look.ts',
        find: '  await tryFilters(run);\n',
        replace: '',
      },
    ],
  },
];
