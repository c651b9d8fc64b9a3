import type { Mutant } from './mutant.ts';

/** What is known of single devices between runs (semantics N6, N7, N12, N13). */
export const FACTS: readonly Mutant[] = [
  {
    id: '77-not-read-taken-as-absent',
    killer: { scenario: '300-N6-not-read-is-neither-absent-nor-unreadable' },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: "  if (read === 'notRead') return notRead(rotation.read, describeBefore(listed));\n",
        replace:
          "  if (read === 'notRead') return due(theCase, listed, { is: 'due', why: 'ageUnknown' });\n",
      },
    ],
  },
  {
    id: '78-not-understood-taken-as-absent',
    killer: { scenario: '300-N6-not-read-is-neither-absent-nor-unreadable' },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: "    return refused(listed, 'valueUnknown', { field: rotation.read, problem: read });\n",
        replace: "    return due(theCase, listed, { is: 'due', why: 'ageUnknown' });\n",
      },
    ],
  },
  {
    id: '79-facts-believed-whatever-their-age',
    killer: { test: 'test/unit/operations/facts.test.ts' },
    patches: [
      {
        file: 'src/facts/belief.ts',
        find: '  if (now - fact.at >= ageLimit(fact, maxAge) || isDistrusted',
        replace: '  if (isDistrusted',
      },
    ],
  },
  {
    id: '80-facts-of-the-future-believed',
    killer: { test: 'test/unit/facts/belief.test.ts' },
    patches: [
      {
        file: 'src/facts/belief.ts',
        find: ' || fact.at > now + SKEW) return false;',
        replace: ') return false;',
      },
    ],
  },
  {
    id: '81-last-look-goes-by-what-is-known',
    killer: { test: 'test/unit/apply/send/known-facts.test.ts' },
    patches: [
      {
        file: 'src/apply/send/last-look.ts',
        find: 'await readAllFacts(run.service, candidate.change.device.id, missing);',
        replace:
          'missing.length > 0 ? run.reading.snapshot.facts(candidate.change.device.id) : {};',
      },
    ],
  },
  {
    id: '82-intent-of-the-plan-and-not-of-the-last-look',
    killer: { test: 'test/unit/apply/send/known-facts.test.ts' },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: "  return { is: 'holds', change: now, ...more };",
        replace: "  return { is: 'holds', change, ...more };",
      },
    ],
  },
  {
    id: '117-values-that-grow-too-old-are-not-said',
    killer: { test: 'test/unit/operations/facts.test.ts' },
    patches: [
      {
        file: 'src/plan/findings/fact-notices.ts',
        find: '  if (tooSlow) ',
        replace: '  if (tooSlow && tooSlow.wanted < 0) ',
      },
    ],
  },
  {
    id: '118-a-round-of-reading-is-never-too-long',
    killer: { test: 'test/unit/operations/facts.test.ts' },
    patches: [
      {
        file: 'src/operations/facts/fact-book.ts',
        find: 'isTooSlow(wanted, perDay, this.maxAge)',
        replace: 'isTooSlow(wanted, perDay * 10_000, this.maxAge)',
      },
    ],
  },
  {
    id: '151-a-shared-file-that-no-record-names-is-believed',
    rules: ['M24'],
    killer: { test: 'test/unit/store/facts.test.ts' },
    patches: [
      {
        file: 'src/store/facts-branch.ts',
        find: '>= named.since;',
        replace: '<= Infinity;',
      },
    ],
  },
  {
    id: '152-values-that-a-record-distrusts-are-believed',
    rules: ['M25'],
    killer: { test: 'test/unit/operations/facts.test.ts' },
    patches: [
      {
        file: 'src/facts/belief.ts',
        find: '  return at < (distrusted.get(kind) ?? -Infinity);',
        replace: '  return at + (distrusted.get(kind) ?? 0) < 0;',
      },
    ],
  },
];
