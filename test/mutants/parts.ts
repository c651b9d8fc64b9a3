import type { Mutant } from './mutant.ts';

const PART_87 = { rehearsal: '87-N39-parts-add-up-until-the-whole-passes' } as const;
const PORTIONS = { rehearsal: '87-N48-portions-add-up-over-generations-and-names' } as const;
const DAYS = { scenario: '184-N48-N49-own-days-count-on-their-day' } as const;

/** A run of a part, and what guardrails count (semantics N36 to N39, N48). */
export const PARTS: readonly Mutant[] = [
  {
    id: '83-budgets-of-the-whole-not-asked-in-a-part',
    killer: { rehearsal: '88-N36-what-is-in-flight-outside-a-part-counts' },
    patches: [
      {
        file: 'src/plan/admit/admit.ts',
        find: '    tracker: input.openTracker(),\n',
        replace:
          '    tracker: input.part ? { refuses: () => undefined, count: () => undefined, take: () => undefined } : input.openTracker(),\n',
      },
      {
        file: 'src/apply/reading.ts',
        find: '    const { documents, journal, clock } = this.#ports;\n    const { snapshot } = this;\n    this.#budgets ??= openBudgetBook({',
        replace:
          '    const { documents, journal, clock } = this.#ports;\n    const { snapshot } = this;\n    if (this.#survey?.plan.part) return { refuses: () => undefined, count: () => undefined, take: () => undefined };\n    this.#budgets ??= openBudgetBook({',
      },
    ],
  },
  {
    id: '84-a-part-begins-with-a-base-of-its-own',
    killer: { rehearsal: '89-N35-a-saved-part-is-narrowed-and-never-widened' },
    patches: [
      {
        file: 'src/plan/decide/rollouts.ts',
        find: 'ids.has(changeId(task, deviceId)) || members?.has(address, deviceId) === false,',
        replace: 'ids.has(changeId(task, deviceId)),',
      },
    ],
  },
  {
    id: '85-the-base-is-covered-and-not-what-was-weighed',
    killer: PART_87,
    patches: [
      {
        file: 'src/rollout/progress/rollout-records.ts',
        find: '  return isBase ? {} : { weighed: [...ids].sort(compareTexts) };\n',
        replace: '  return {};\n',
      },
    ],
  },
  {
    id: '86-parts-do-not-add-up',
    killer: PART_87,
    patches: [
      {
        file: 'src/guard/counted.ts',
        find: 'const inParts = [...policies].flatMap((address) => weighedInParts(address, input));',
        replace: 'const inParts: readonly Earlier[] = [];',
      },
    ],
  },
  {
    id: '87-the-last-day-not-counted',
    killer: DAYS,
    patches: [
      {
        file: 'src/guard/counted.ts',
        find: '[...ofParts, ...attemptedLately(tasks, input)]',
        replace: 'inParts',
      },
    ],
  },
  {
    id: '88-firmware-not-read-not-counted',
    killer: DAYS,
    patches: [
      {
        file: 'src/plan/counting/counting.ts',
        find: "const isUnread = reason.code === 'notRead' && evaluation.task === TASK_OF.firmware;",
        replace: 'const isUnread = false;',
      },
    ],
  },
  {
    id: '128-a-raised-generation-begins-the-sum-anew',
    killer: PORTIONS,
    patches: [
      {
        file: 'src/guard/counted.ts',
        find: 'if (isRaised(intent, memory) && isCurrent(intent, documents)) continue;',
        replace: 'if (isRaised(intent, memory)) continue;',
      },
    ],
  },
  {
    id: '129-a-renamed-policy-begins-the-sum-anew',
    killer: PORTIONS,
    patches: [
      {
        file: 'src/guard/counted.ts',
        find: 'if (isOfIncident(policy) || coveredBy(policy).has(device)) continue;',
        replace:
          'if (isOfIncident(policy) || coveredBy(policy).has(device) || !policyAt(documents, policy)) continue;',
      },
    ],
  },
];
