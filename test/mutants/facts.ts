import type { Mutant } from './mutant.ts';

/** What is known of single devices between runs (semantics N6). */
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
];
