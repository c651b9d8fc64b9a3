import type { Mutant } from './mutant.ts';

/** Rules from 54 on: faults that were planted, and lived until a test was written for each. */
export const PLANTED: readonly Mutant[] = [
  {
    id: '54-second-look-reuses-the-first-read',
    killer: { test: 'test/rehearsals/young-reads.test.ts' },
    patches: [
      {
        file: 'src/apply/look.ts',
        find: 'const answer = await run.service.device(id);',
        replace:
          'const known = run.reads.get(id)?.device;\n  const answer = known ? { value: known } : await run.service.device(id);',
      },
    ],
  },
  {
    id: '55-send-by-from-the-end-of-the-reads',
    killer: { test: 'test/rehearsals/young-reads.test.ts' },
    patches: [
      {
        file: 'src/apply/look.ts',
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
        file: 'src/apply/attempt.ts',
        find: "const refusal = now.is === 'holds' ? take(book, candidate) : undefined;",
        replace:
          "const refusal = now.is === 'holds' && members.length === 0 ? take(book, candidate) : undefined;",
      },
    ],
  },
];
