import type { Mutant } from './mutant.ts';

/** What an incident passes, waits for and foretells (semantics N54 to N62). */
export const INCIDENTS: readonly Mutant[] = [
  {
    id: '107-a-trial-with-devices-that-never-start',
    killer: { scenario: '510-N59-N62-an-incident-names-the-entry-for-a-set-of-one' },
    patches: [
      {
        file: 'src/plan/decide/rollouts.ts',
        find: 'judged.aside === undefined ? isShutOut(id) : undefined',
        replace: 'judged.aside === undefined && id === "" ? isShutOut(id) : undefined',
      },
    ],
  },
  {
    id: '108-at-worst-an-incident-takes-as-long-as-usual',
    killer: { scenario: '175-N57-of-two-incidents-the-later-one-wins' },
    patches: [
      {
        file: 'src/plan/findings/incidents.ts',
        find: 'endsIn(foretold.atWorst(), address)',
        replace: 'endsIn(foretold.runners, address)',
      },
    ],
  },
  {
    id: '109-a-forecast-without-the-time-until-the-next-poll',
    killer: { test: 'test/unit/operations/rehearse/forecast-law.test.ts' },
    patches: [
      {
        file: 'src/plan/forecast/course.ts',
        find: 'return pollsAt + Math.max(0, late) * pollEvery;',
        replace: 'return Math.min(...flying.keys());',
      },
    ],
  },
  {
    id: '110-one-more-than-expected-passes',
    killer: { scenario: '177-N60-I4-one-more-than-expected-is-refused' },
    patches: [
      {
        file: 'src/guard/expected.ts',
        find: 'passed: number <= allowed',
        replace: 'passed: true',
      },
    ],
  },
  {
    id: '111-a-policy-of-higher-priority-beats-an-incident',
    killer: {
      scenario: '174-N54-N56-N58-N59-an-incident-comes-first-and-passes-what-it-may',
    },
    patches: [
      {
        file: 'src/desired/resolve-fleet.ts',
        find: 'if (current.length > 0) return { ranked: current, losing: usual };',
        replace: 'if (usual.length > 0) return { ranked: usual, losing: [] };',
      },
    ],
  },
  {
    id: '112-after-its-end-an-incident-leaves-nothing-to-the-policy',
    killer: { scenario: '178-N61-I5-after-its-end-the-policy-takes-over-what-is-left' },
    patches: [
      {
        file: 'src/desired/resolve-fleet.ts',
        find: '...(last && { leftBy: last }) };',
        replace: '...(last && {}) };',
      },
    ],
  },
  {
    id: '113-an-incident-rotates-again-what-it-has-rotated',
    killer: { rehearsal: 'N56-I6-an-incident-is-run-twice-and-the-second-run-finds-it-done' },
    patches: [
      {
        file: 'src/kinds/rotation.ts',
        find: 'return (lastChange(theCase, credential) ?? -Infinity) >= since;',
        replace: 'return lastChange(theCase, credential) === since;',
      },
    ],
  },
  {
    id: '114-a-bad-device-in-the-trial-stops-nothing',
    killer: { rehearsal: 'N59-N61-I3-I5-one-bad-device-in-the-trial-pauses-the-incident' },
    patches: [
      {
        file: 'src/config/meaning/rollouts.ts',
        find: "rule.scope === 'canary' ? { ...rule, name: TRIAL, classes: EXPERT_CLASSES } : rule,",
        replace: "rule.scope === 'canary' ? { ...rule, name: TRIAL, classes: [] } : rule,",
      },
    ],
  },
  {
    id: '115-whatever-is-rotated-stays-in-service',
    killer: { test: 'test/unit/rollout/budgets/in-service.test.ts' },
    patches: [
      {
        file: 'src/rollout/budgets/in-service.ts',
        find: 'return policy.leavesInService ?? isCamera(deviceType);',
        replace: 'return policy.leavesInService ?? isCamera(`camera ${deviceType ?? ""}`);',
      },
    ],
  },
  {
    id: '116-what-failed-is-not-in-our-hands',
    killer: { scenario: '171-N45-N46-what-is-in-our-hands-is-what-passwords-wait-for' },
    patches: [
      {
        file: 'src/rollout/budgets/in-service.ts',
        find: 'return !isOnlineSince;',
        replace: 'return !isOnlineSince && newest.settledAt < 0;',
      },
    ],
  },
  {
    id: '122-an-incident-tries-again-what-is-quarantined',
    killer: { test: 'test/unit/plan/decide/passes.test.ts' },
    patches: [
      {
        file: 'src/plan/decide/steps.ts',
        find: '[sameIntent(evaluation), intentBefore(evaluation)]',
        replace: '[sameIntent(evaluation)]',
      },
    ],
  },
];
