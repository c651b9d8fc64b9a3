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
        find: "const refusal = now.is === 'holds' ? tracker.take(wantedBy(candidate)) : undefined;",
        replace:
          "const refusal = now.is === 'holds' && members.length === 0 ? tracker.take(wantedBy(candidate)) : undefined;",
      },
    ],
  },
  {
    id: '57-what-waiting-mends-is-said-first',
    killer: { test: 'test/unit/rollout/budgets/budgets.test.ts' },
    patches: [
      {
        file: 'src/rollout/budgets/budgets.ts',
        find: 'all.find(({ blocked }) => blocked) ?? all[0]',
        replace: 'all[0]',
      },
    ],
  },
  {
    id: '58-pause-hides-an-abort',
    killer: { test: 'test/unit/rollout/progress/stops.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/halts.ts',
        find: "return found.find(({ is: state }) => state === 'aborted') ?? found.toSorted(endsLast)[0];",
        replace: 'return found.toSorted(endsLast)[0];',
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
  {
    id: '68-previous-hash-not-compared',
    killer: { test: 'test/unit/ledger/chain.test.ts' },
    patches: [
      {
        file: 'src/ledger/chain.ts',
        find: 'if (record.seq !== seq || record.prev !== head.hash) {',
        replace: 'if (record.seq !== seq) {',
      },
    ],
  },
  {
    id: '69-open-intent-attempted-again',
    killer: { test: 'test/unit/ledger/acceptor.test.ts' },
    patches: [
      {
        file: 'src/ledger/acceptor.ts',
        find: '    intent === undefined || nextStatus(',
        replace: "    intent === undefined || intent.phase === 'open' || nextStatus(",
      },
    ],
  },
  {
    id: '70-down-for-two-reasons-counts-twice',
    killer: { rehearsal: 'B1-a-batch-shrinks-to-the-room-that-is-left' },
    patches: [
      {
        file: 'src/rollout/budgets/base-counts.ts',
        find: 'for (const set of setsOf(row)) set.inFlight += more;',
        replace:
          'for (const set of setsOf(row)) {\n        set.inFlight += more;\n        set.down += more;\n      }',
      },
    ],
  },
  {
    id: '71-min-success-refused-at-its-number',
    killer: { test: 'test/unit/rollout/progress/gates.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/gates.ts',
        find: 'if (isShare(verified, attempted, minSuccess)) return undefined;',
        replace:
          'const isOver = verified * 10_000 > attempted * Math.round(minSuccess * 100);\n  if (isOver || verified === attempted) return undefined;',
      },
    ],
  },
  {
    id: '72-stop-rule-trips-at-its-number',
    killer: { test: 'test/unit/rollout/progress/stops.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/stops.ts',
        find: 'if (max !== undefined && bad > max) return true;',
        replace: 'if (max !== undefined && bad >= Math.max(1, max)) return true;',
      },
    ],
  },
  {
    id: '73-percent-of-a-wave-not-cumulative',
    killer: { test: 'test/unit/rollout/waves/waves.test.ts' },
    patches: [
      {
        file: 'src/rollout/waves/waves.ts',
        find: 'return Math.max(0, Math.ceil((all * Math.round(slice.percent * 100)) / 10_000) - held);',
        replace:
          'return Math.max(0, Math.ceil((all * Math.round(slice.percent * 100)) / 10_000) - 0 * held);',
      },
    ],
  },
  {
    id: '74-read-from-before-the-end-proves-it',
    killer: { test: 'test/unit/apply/watch/settle.test.ts' },
    patches: [
      {
        file: 'src/apply/watch/settle.ts',
        find: '...(observed && { seen: observed }),',
        replace:
          '...(observed && { seen: { ...observed, readAt: Math.max(observed.readAt, completedAt) } }),',
      },
    ],
  },
  {
    id: '75-one-attempt-more-in-a-window',
    killer: { test: 'test/unit/rollout/progress/retry.test.ts' },
    patches: [
      {
        file: 'src/rollout/progress/retry-days.ts',
        find: 'oncePerWindow ? 1 : retry.maxAttemptsPerWindow);',
        replace: 'oncePerWindow ? 1 : retry.maxAttemptsPerWindow + 1);',
      },
    ],
  },
  {
    id: '76-lease-taken-after-once-its-life',
    killer: { test: 'test/unit/store/lease.test.ts' },
    patches: [
      {
        file: 'src/store/lease.ts',
        find: 'if (unchanged >= 2 * lease.ttl) return true;',
        replace: 'if (unchanged >= lease.ttl) return true;',
      },
    ],
  },
];
