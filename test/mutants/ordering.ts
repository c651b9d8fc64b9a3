import type { Mutant } from './mutant.ts';

/** Rules 206 to 216: what comes after others, and what holds it. */
export const ORDERING: readonly Mutant[] = [
  {
    id: '206-nothing-comes-after-others',
    killer: { scenario: '470-K28-K29-what-is-done-lets-the-cameras-of-its-site-start' },
    patches: [
      {
        file: 'src/plan/decide/steps.ts',
        find: '  if (!held) return undefined;\n  const isTorn',
        replace:
          '  if (!held?.before.count) return undefined;\n  if (Date.now() > 0) return undefined;\n  const isTorn',
      },
    ],
  },
  {
    id: '207-the-order-is-not-looked-at-again',
    killer: {
      rehearsal: '487-K28-N66-recorders-paused-while-cameras-are-at-work-hold-the-rest',
    },
    patches: [
      {
        file: 'src/apply/send/recheck.ts',
        find: '    ...(predecessors && { predecessors }),\n',
        replace: '',
      },
    ],
  },
  {
    id: '208-in-doubt-is-done-where-it-shows-its-version',
    killer: { scenario: '472-K29-what-waits-is-in-doubt-or-failed-holds-its-site' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: "    if (open) return { id, is: 'holds', reason: openReason(open) };\n",
        replace: '',
      },
    ],
  },
  {
    id: '209-a-stop-of-what-comes-first-holds-nothing',
    killer: { scenario: '474-K29-an-abort-of-what-comes-first-holds-every-site-that-has-one' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: "    if (halt) return { id, is: 'holds', reason: haltedBy(halt).reason };\n",
        replace: '',
      },
    ],
  },
  {
    id: '210-what-failed-and-is-not-offered-is-left-out',
    killer: { scenario: '472-K29-what-waits-is-in-doubt-or-failed-holds-its-site' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: 'return isLost || past.some(mayBeRunning);',
        replace: 'return past.some(mayBeRunning);',
      },
    ],
  },
  {
    id: '211-the-canary-comes-from-any-site',
    killer: { scenario: '481-K30-the-canary-comes-from-ready-sites' },
    patches: [
      {
        file: 'src/plan/decide/rollouts.ts',
        find: '(id) => isHeld(group, id) || isShutOut',
        replace: '(id) => isShutOut',
      },
    ],
  },
  {
    id: '212-per-fleet-looks-at-the-site',
    killer: { scenario: '476-K28-per-fleet-waits-for-every-site' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: "if (per === 'fleet' || sites.length === 0)",
        replace: 'if (sites.length === 0)',
      },
    ],
  },
  {
    id: '213-a-device-at-no-known-site-holds-nothing',
    killer: { scenario: '484-M20-K28-a-device-at-no-known-site-waits-for-all-and-holds-all' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: 'new Set([...sites, ANYWHERE].flatMap(',
        replace: 'new Set(sites.flatMap(',
      },
    ],
  },
  {
    id: '214-not-reached-and-not-offered-is-left-out',
    killer: { scenario: '471-K29-what-is-left-out-is-said' },
    patches: [
      {
        file: 'src/plan/decide/predecessors.ts',
        find: "return why !== 'taskUnavailable' || isReached(device);",
        replace: 'return true;',
      },
    ],
  },
  {
    id: '215-the-order-is-in-no-plan-id',
    killer: { scenario: '470-K28-K29-what-is-done-lets-the-cameras-of-its-site-start' },
    patches: [
      {
        file: 'src/plan/approved-fields.ts',
        find: 'isNew: true, read: ({ order }) => order }',
        replace: 'isNew: true, read: () => undefined }',
      },
    ],
  },
  {
    id: '216-a-forecast-without-the-order',
    killer: { scenario: '472-K29-what-waits-is-in-doubt-or-failed-holds-its-site' },
    patches: [
      {
        file: 'src/plan/forecast/course.ts',
        find: '  if (awaitedBy(runner)) return Infinity;\n',
        replace: '',
      },
    ],
  },
];
