import { describe, expect, test } from 'vitest';
import type { Change, NoteClass } from '../../../../../src/model/plan/change.ts';
import type { Coverage } from '../../../../../src/model/plan/coverage.ts';
import type { GuardrailVerdict, Plan } from '../../../../../src/model/plan/plan.ts';
import type { Reason } from '../../../../../src/model/plan/reason.ts';
import { findAllClear } from '../../../../../src/model/report/all-clear.ts';
import { outcomeOfPlan, situationOfPlan } from '../../../../../src/model/report/plan-situation.ts';
import { driftView } from '../../../../../src/render/view/drift-view.ts';
import { buildPlanView } from '../../../../../src/render/view/view.ts';
import { planSentence } from '../../../../../src/render/words/review/all-clear.ts';
import { hintWords } from '../../../../../src/render/words/review/hint.ts';
import { change, covered, labels, NOW, planOf } from '../../../../support/render-plan.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const at = { policy: 'rotations.pw', file: 'fleet/a.yaml', line: 1, column: 1 };
const notes = (code: 'alreadyConverged' | 'notRead', count: number): readonly NoteClass[] =>
  count === 0 ? [] : [{ task: 'rotatePassword', at, reason: { code }, count }];

/** Changes of as many devices, all alike. */
function alike(count: number, action: Change['action'], reason: Reason, first = 0) {
  return labels(first + count)
    .slice(first)
    .map((device) => change(device, { at, task: 'upgradeFirmware', action, reason }));
}

const due = { policy: 'rotations.pw', at: '2026-12-03T01:00:00Z' };

/** A fleet of 60 devices of which policies select as many as `coverage` says; so many of them match. */
function fleet(
  matching: number,
  changes: readonly Change[],
  more: Partial<Coverage> = {},
  other: Partial<Plan> = {},
): Plan {
  const { unread = 0 } = more;
  const coverage = { ...covered(matching), seen: { 1: 60 }, known: { 1: 60 }, gone: 0 };
  return planOf(changes, {
    notes: [...notes('alreadyConverged', matching), ...notes('notRead', unread)],
    coverage: { ...coverage, selected: matching + changes.length + unread, ...more },
    ...other,
  });
}

function refusal(other: Partial<GuardrailVerdict>): Partial<Plan> {
  const verdict = { guardrail: 'visible', limit: 'maxVanished', value: 10, allowed: 6 } as const;
  return { verdicts: [{ ...verdict, number: 60, of: 60, passed: false, ...other }] };
}

function torn(plan: Plan): Plan {
  const { snapshot } = plan.inputs;
  return { ...plan, inputs: { ...plan.inputs, snapshot: { ...snapshot, confidence: 'torn' } } };
}

const downgrade: Reason = { code: 'unsupported', why: 'downgrade', next: 'never' };
const doubt: Reason = { code: 'inDoubt', params: { task: 'upgradeFirmware' }, since: NOW - DAY };
const closed: Reason = { code: 'windowClosed', next: Date.parse('2026-11-29T01:00:00Z') };
const acknowledged: Reason = { ...downgrade, params: { acknowledged: 'known' } };
const excluded: Reason = { code: 'exclude' };

const CASES: readonly (readonly [
  name: string,
  plan: Plan,
  sentence: string,
  apply: number,
  drift: number,
  next: RegExp,
])[] = [
  [
    'all match',
    fleet(60, [], { due }),
    'No changes: all 60 devices match.',
    0,
    0,
    /^nothing to do; `rotations\.pw` falls due 3 Dec 01:00/,
  ],
  [
    '40 by facts',
    fleet(60, [], { due, read: 20, believed: 40, oldest: '2026-11-14T01:12:00Z' }),
    'No changes: all 60 devices match, 40 by values up to 6 days old.',
    0,
    0,
    /^nothing to do; `rotations\.pw`/,
  ],
  [
    '12 unread',
    fleet(48, [], { unread: 12, read: 48 }),
    'No changes so far: 48 of 60 devices are read.',
    7,
    7,
    /^`fleetform apply` reads 12/,
  ],
  [
    'the list is empty',
    fleet(0, [], { seen: {}, gone: 60 }, refusal({})),
    'Refused: 60 of 60 known devices are missing from their sites; the limit is 6. Nothing was started.',
    3,
    3,
    /^check what the user may read/,
  ],
  [
    'all lose a task',
    fleet(60, [], {}, refusal({ limit: 'tasksLost', scope: 'upgradeFirmware', before: 60 })),
    'Refused: the service offers no upgrade for 60 of 60 devices; it offered 60. Nothing was started.',
    3,
    3,
    /^check the user's rights/,
  ],
  [
    '2 gone',
    fleet(58, [], { seen: { 1: 58 }, gone: 2, due }),
    'No changes: 58 devices match; 2 known devices missing from their sites.',
    0,
    0,
    /^nothing to do; `rotations\.pw`/,
  ],
  [
    'torn',
    torn(fleet(57, [], { seen: { 1: 57 } })),
    'No changes in 57 devices; the reading is inconsistent.',
    7,
    7,
    /^run again/,
  ],
  [
    '5 need a person',
    fleet(55, alike(5, 'skip', downgrade)),
    'Nothing can start: 5 changes need a person; 55 devices match.',
    4,
    0,
    /^needs you: 5 /,
  ],
  [
    'exceptions',
    fleet(52, [...alike(5, 'skip', acknowledged), ...alike(3, 'skip', excluded, 5)], {
      acknowledged: [{ exception: 'known', count: 5, until: '2027-01-01T00:00:00Z' }],
      excluded: [{ exception: 'sold', count: 3, until: '2027-02-01T00:00:00Z' }],
      due,
    }),
    'No changes: 52 devices match; 5 acknowledged, 3 excluded until 1 Feb 2027.',
    0,
    0,
    /^nothing to do; `rotations\.pw`/,
  ],
  [
    'what needs nobody has the values of an earlier run',
    fleet(55, alike(5, 'skip', acknowledged), {
      acknowledged: [{ exception: 'known', count: 5, until: '2027-01-01T00:00:00Z' }],
      read: 55,
      believed: 5,
      matchingBelieved: 0,
      oldest: '2026-11-14T01:12:00Z',
      due,
    }),
    'No changes: 55 devices match; 5 acknowledged.',
    0,
    0,
    /^nothing to do; `rotations\.pw`/,
  ],
  [
    'mixed',
    fleet(0, [
      ...alike(2, 'run', { code: 'act' }),
      ...alike(3, 'wait', closed, 2),
      ...alike(1, 'skip', downgrade, 5),
    ]),
    '6 selected: 2 now, 3 later, 1 needs you.',
    4,
    0,
    /fleetform apply$/,
  ],
  [
    'windows',
    fleet(48, alike(12, 'wait', closed)),
    '12 changes wait; the next starts 29 Nov 01:00.',
    7,
    0,
    /^nothing to do until Sun 29 Nov 01:00/,
  ],
  [
    'an instant within a minute',
    fleet(59, alike(1, 'wait', { ...closed, next: Date.parse('2026-11-29T00:00:30Z') })),
    '1 change waits; the next starts 29 Nov 00:01.',
    7,
    0,
    /^nothing to do until Sun 29 Nov 00:01/,
  ],
  [
    'in doubt',
    fleet(59, alike(1, 'wait', doubt)),
    '1 outcome is in doubt.',
    5,
    5,
    /fleetform recover/,
  ],
  [
    'in doubt on a device that no change shows',
    fleet(59, [], { open: { running: 0, inDoubt: 1 } }),
    '1 outcome is in doubt.',
    5,
    5,
    /fleetform recover/,
  ],
  [
    'running on a device that no change shows',
    fleet(59, [], { open: { running: 1, inDoubt: 0 } }),
    '1 task is still running; 59 devices match.',
    7,
    0,
    /--wait 30m/,
  ],
  [
    'none selected',
    fleet(0, []),
    'Nothing is covered: the policies select none of 60 devices.',
    4,
    4,
    /select/,
  ],
];

describe('M31 of 60 devices', () => {
  test.each(CASES)('%s', (...[, plan, sentence, apply, drift, next]) => {
    expect(planSentence(buildPlanView(plan))).toBe(sentence);
    expect(outcomeOfPlan(plan)).toBe(apply);
    expect(driftView(plan).clear.exit).toBe(drift);
    const hint = findAllClear(situationOfPlan(plan)).next;
    expect(hintWords(hint, { now: NOW, command: 'apply' })).toMatch(next);
  });

  test('an approval or a pause of a person is work left, and everything else that needs one is not', () => {
    const paused: Reason = { code: 'rolloutPaused', why: 'person', next: 'never' };
    const stopped: Reason = { code: 'rolloutPaused', next: 'never' };
    const outcome = (reason: Reason) => outcomeOfPlan(fleet(59, alike(1, 'wait', reason)));
    expect(outcome({ code: 'awaitsApproval', next: 'never' })).toBe(7);
    expect(outcome(paused)).toBe(7);
    expect(outcome(stopped)).toBe(4);
    expect(outcome({ code: 'approvalPending', why: 'singleton', next: 'never' })).toBe(4);
  });

  test('what may start now comes before what starts first', () => {
    const soon = alike(3, 'wait', { ...closed, next: NOW + HOUR });
    const plan = fleet(56, [...soon, ...alike(1, 'run', { code: 'act' }, 3)]);
    expect(findAllClear(situationOfPlan(plan)).next).toMatchObject({ is: 'again' });
  });
});
