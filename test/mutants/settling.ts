import type { Mutant } from './mutant.ts';

/** Rules 22 to 26: what settles a doubt, and 46, 47: what counts as verified. */
export const SETTLING: readonly Mutant[] = [
  {
    id: '22-quarantine-without-requests-in-flight',
    killer: { rehearsal: 'a-post-that-lands-late' },
    patches: [
      {
        file: 'src/model/fleet/read-delay.ts',
        find: 'export const QUARANTINE_MS: Milliseconds = 15 * 60_000 + 5 * 60_000 + READ_DELAY_MS;',
        replace: 'export const QUARANTINE_MS: Milliseconds = 0;',
      },
      {
        file: 'src/apply/watch/settle.ts',
        find: 'const APART_MS: Milliseconds = READ_DELAY_MS / 3;',
        replace: 'const APART_MS: Milliseconds = 0;',
      },
    ],
  },
  {
    id: '23-quarantine-without-stale-reads',
    killer: { test: 'test/unit/apply/watch/doubts.test.ts' },
    patches: [
      {
        file: 'src/apply/watch/settle.ts',
        find: 'const READS = 3;',
        replace: 'const READS = 1;',
      },
    ],
  },
  {
    id: '24-negative-evidence-for-a-password',
    killer: { seed: 26 },
    patches: [
      {
        file: 'src/apply/watch/settle.ts',
        find: 'return (seen && (shown(intent, seen) ?? untouched(run, intent, seen))) ?? unknowable(run, intent);',
        replace:
          "if (seen && intent.task === 'rotatePassword' && intent.phase === 'inDoubt') return { intent, verdict: 'notDone', by: 'evidence', evidence: [] };\n  return (seen && (shown(intent, seen) ?? untouched(run, intent, seen))) ?? unknowable(run, intent);",
      },
    ],
  },
  {
    id: '25-timed-out-attempted-again-while-running',
    killer: { seed: 4 },
    patches: [
      {
        file: 'src/ledger/transitions.ts',
        find: "return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';",
        replace: "return intent.phase === 'open' || intent.phase === 'inDoubt';",
      },
    ],
  },
  {
    id: '26-absence-taken-as-gone',
    killer: { seed: 33 },
    patches: [
      {
        file: 'src/apply/watch/task-answer.ts',
        find: '  if (lost.length === 0) return;\n',
        replace:
          "  if (lost.length === 0) return;\n  return settle(run, lost.map((intent) => ({ intent, verdict: 'failed', by: 'verify', evidence: [] })));\n",
      },
    ],
  },
  {
    id: '46-verify-skipped',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/kinds/verify.ts',
        find: "if (!seen) return unproved('noFreshRead', [], late);",
        replace: "if (!seen || !late) return { is: 'verified', evidence: [], resultOnly: true };",
      },
    ],
  },
  {
    id: '47-stale-read-accepted',
    killer: { seed: 14 },
    patches: [
      {
        file: 'src/kinds/evidence.ts',
        find: "return isFresh ? device : { is: 'notYet', why: 'stale' };",
        replace: 'return device;',
      },
    ],
  },
  {
    id: '141-list-verifies',
    killer: { test: 'test/unit/apply/watch/readback.test.ts' },
    patches: [
      {
        file: 'src/apply/watch/sighting.ts',
        find: '  if (!sighting?.isListed || !isProvedByRow(intent)) return false;',
        replace: '  if (sighting || !isProvedByRow(intent)) return false;',
      },
    ],
  },
  {
    id: '142-lagging-list-hides-effect',
    killer: { test: 'test/unit/apply/watch/readback.test.ts' },
    patches: [
      {
        file: 'src/apply/watch/sighting.ts',
        find: 'return isProvedByRow(intent) && completion !== undefined && !isReadById;',
        replace: 'return isProvedByRow(intent) && completion !== undefined && isReadById;',
      },
    ],
  },
  {
    id: '144-a-step-is-the-end-of-an-upgrade',
    killer: { rehearsal: 'F8-the-way-to-the-target-ends-at-a-step' },
    patches: [
      {
        file: 'src/apply/run/work.ts',
        find: "isOurs(run, id) && last?.verdict === 'done' && last.towards !== undefined",
        replace: 'false',
      },
    ],
  },
  {
    id: '146-samples-outlive-the-device',
    killer: { rehearsal: 'C10-a-canary-that-went-offline-holds-its-wave' },
    patches: [
      {
        file: 'src/rollout/progress/gates.ts',
        find: "return isProven && sampleNow(progress.gated) === 'good' ? undefined : 'checks';",
        replace: "return isProven ? undefined : 'checks';",
      },
    ],
  },
];
