import { describe, expect, test } from 'vitest';
import {
  INTENT_EVENTS,
  resultEvent,
  isOpen,
  nextStatus,
  PHASE_OF,
  INTENT_STATUSES,
  intentStatus,
} from '../../../src/ledger/transitions.ts';
import { RESULT_VERDICTS } from '../../../src/model/ledger/record.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';

/** The table once more, by hand: from, event, to, and for whom. Whatever is not here is refused. */
const ALLOWED = `
none       attempt            open
rejected   attempt            open
notDone    attempt            open
failed     attempt            open        not:restartDevice
open       notSent            none
open       turnedAway         none
open       rejected           rejected
open       accepted           running
open       inDoubt            inDoubt
open       runGone            inDoubt
inDoubt    notSent            none
inDoubt    turnedAway         none
inDoubt    rejected           rejected
inDoubt    accepted           running
inDoubt    inDoubt            inDoubt
running    taskLost           inDoubt
running    settled_done       done
running    settled_unverified unverified
running    settled_failed     failed
running    settled_rolledBack rolledBack
running    settled_aborted    aborted
inDoubt    settled_done       done
inDoubt    settled_notDone    notDone     by:person
inDoubt    settled_notDone    notDone     by:evidence not:restartDevice not:rotatePassword
inDoubt    settled_unknown    unknown     only:restartDevice
unverified settled_done       done        by:evidence
unverified settled_done       done        by:person
unverified settled_notDone    notDone     by:evidence
unverified settled_notDone    notDone     by:person
failed     settled_done       done        by:evidence
failed     settled_done       done        by:person
failed     settled_notDone    notDone     by:evidence
failed     settled_notDone    notDone     by:person
rejected   settled_done       done        by:evidence
rejected   settled_done       done        by:person
rejected   settled_notDone    notDone     by:evidence
rejected   settled_notDone    notDone     by:person
`
  .trim()
  .split('\n')
  .map((line) => line.split(/ +/));

function expected(from: string, on: string, task: string, by: string): string | undefined {
  const row = ALLOWED.find(
    ([rowFrom, rowOn, , ...marks]) =>
      rowFrom === from &&
      rowOn === on.replace(' ', '_') &&
      !marks.includes(`not:${task}`) &&
      marks.every((mark) => !mark.startsWith('only:') || mark === `only:${task}`) &&
      marks.every((mark) => !mark.startsWith('by:') || mark === `by:${by}`),
  );
  return row?.[2];
}

describe.each(INTENT_STATUSES)('J13 from %s', (from) => {
  test.each(INTENT_EVENTS)('%s leads where the table says, for every task and settler', (on) => {
    for (const task of TASK_TYPES) {
      for (const by of ['verify', 'evidence', 'person'] as const) {
        const to = nextStatus(from, on, { task, by });
        expect([task, by, to]).toEqual([task, by, expected(from, on, task, by)]);
      }
    }
  });
});

test.each(['done', 'unverified', 'rolledBack', 'aborted', 'unknown', 'open', 'running', 'inDoubt'])(
  'nothing leads from %s to another attempt',
  (from) => {
    const standing = INTENT_STATUSES.find((name) => name === from) ?? 'none';
    for (const task of TASK_TYPES)
      expect(nextStatus(standing, 'attempt', { task })).toBeUndefined();
  },
);

test('a restart is never repeated after it failed, only after it was refused', () => {
  const of = { task: 'restartDevice' } as const;
  expect([nextStatus('failed', 'attempt', of), nextStatus('rejected', 'attempt', of)]).toEqual([
    undefined,
    'open',
  ]);
});

test.each([
  ['P05', 401, 'turnedAway'],
  ['P06', 403, 'turnedAway'],
  ['P07', 429, 'turnedAway'],
  ['P06', 404, 'rejected'],
  ['P06', 422, 'rejected'],
] as const)('a refusal by %s with status %i is %s', (row, status, event) => {
  expect(resultEvent({ outcome: 'rejected', row, status })).toBe(event);
});

test('every standing is found again from its phase and verdict', () => {
  for (const standing of INTENT_STATUSES) {
    const phase = PHASE_OF[standing];
    const verdict = RESULT_VERDICTS.find((word) => word === standing);
    expect(intentStatus(verdict ? { phase, verdict } : { phase })).toBe(standing);
  }
});

test('open, running and in doubt hold a device; nothing else does', () => {
  const holding = INTENT_STATUSES.filter((standing) => isOpen({ phase: PHASE_OF[standing] }));
  expect(holding).toEqual(['open', 'running', 'inDoubt']);
});
