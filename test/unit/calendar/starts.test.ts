import { array, assert, constant, integer, nat, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import {
  nextStartIn,
  startsIn,
  stateIn,
  type StartHeadroom,
} from '../../../src/calendar/starts.ts';
import type { WindowOpening } from '../../../src/calendar/windows.ts';

const NONE: StartHeadroom = { autoCutoff: 0 };

const opening = (
  open: number,
  close: number,
  ...cutoffs: WindowOpening['cutoffs']
): WindowOpening => ({
  open,
  close,
  cutoffs: cutoffs.length > 0 ? cutoffs : [0],
});

test.each([
  [99, 'closed'],
  [100, 'open'],
  [199, 'open'],
  [200, 'closed'],
])('W10 the open edge is inside and the close is not: at %i it is %s', (at, is) => {
  expect(stateIn([opening(100, 200)], at, NONE).is).toBe(is);
});

test.each([
  [149, 'open'],
  [150, 'pastCutoff'],
  [199, 'pastCutoff'],
])('W11 a start at the last start is refused: at %i it is %s', (at, is) => {
  expect(stateIn([opening(100, 200, 50)], at, NONE).is).toBe(is);
});

test('`auto` is as long as the tasks of the asker take', () => {
  expect(stateIn([opening(100, 200, 'auto')], 130, { autoCutoff: 70 })).toEqual({
    is: 'pastCutoff',
    open: 100,
    close: 200,
    lastStart: 130,
  });
});

test('of windows that close together the shortest cutoff counts', () => {
  expect(stateIn([opening(100, 200, 90, 'auto')], 130, { autoCutoff: 60 })).toMatchObject({
    lastStart: 140,
  });
});

test('what is closed or past its cutoff opens with the next span longer than the cutoff', () => {
  const openings = [opening(100, 200, 50), opening(300, 350, 50), opening(400, 500, 50)];
  expect(stateIn(openings, 160, NONE)).toMatchObject({ is: 'pastCutoff', opens: 400 });
  expect(stateIn(openings, 50, NONE)).toEqual({ is: 'closed', opens: 100 });
  expect(stateIn(openings, 500, NONE)).toEqual({ is: 'closed' });
});

test('a span that is not longer than its cutoff never lets anything start', () => {
  const openings = [opening(100, 150, 50)];
  expect(stateIn(openings, 100, NONE).is).toBe('pastCutoff');
  expect(nextStartIn(openings, 0, NONE)).toBeUndefined();
  expect(startsIn(openings, { open: 0, close: 1_000 }, NONE)).toEqual([]);
});

test('starts are the spans with a start inside the interval, whole', () => {
  const openings = [opening(0, 100, 20), opening(200, 300), opening(400, 500)];
  const found = (open: number, close: number) =>
    startsIn(openings, { open, close }, NONE).map((span) => span.open);
  expect(found(0, 500)).toEqual([0, 200, 400]);
  expect(found(79, 200)).toEqual([0]);
  expect(found(80, 201)).toEqual([200]);
  expect(found(299, 400)).toEqual([200]);
  expect(found(300, 400)).toEqual([]);
});

const openings = array(
  record({
    gap: integer({ min: 1, max: 30 }),
    length: integer({ min: 1, max: 30 }),
    cutoff: oneof(constant('auto' as const), nat(40)),
  }),
  { maxLength: 6 },
).map((parts) => {
  let end = 0;
  return parts.map(({ gap, length, cutoff }) => {
    const open = end + gap;
    end = open + length;
    return opening(open, end, cutoff);
  });
});

const room = record({ autoCutoff: nat(40), lead: nat(60) }, { requiredKeys: ['autoCutoff'] });

test('nothing starts outside [open, last start), and the next start is the first allowed', () => {
  assert(
    property(openings, room, nat(300), (all, { autoCutoff, lead }, at) => {
      const room = { autoCutoff, ...(lead !== undefined && { lead }) };
      const may = (instant: number): boolean =>
        all.some(({ open, close, cutoffs: [cutoff = 0] }) => {
          const last = instant + (lead ?? 0);
          const isOver = lead === undefined || last + autoCutoff < close;
          const isInTime = last < close - (cutoff === 'auto' ? autoCutoff : cutoff);
          return open <= instant && isInTime && isOver;
        });
      expect(stateIn(all, at, room).is === 'open').toBe(may(at));
      const next = Array.from({ length: 400 }, (_, more) => at + more).find(may);
      expect(nextStartIn(all, at, room)).toBe(next);
    }),
  );
});

test.each([
  ['is over by the close', { cutoff: 20, autoCutoff: 60, lead: 20 }, 119],
  ['keeps to the cutoff', { cutoff: 60, autoCutoff: 20, lead: 20 }, 119],
  ['is over even where it begins late', { cutoff: 20, autoCutoff: 60, lead: 60 }, 79],
])('of several starts in a row the last one %s', (_what, { cutoff, ...room }, last) => {
  const found = [last, last + 1].map(
    (instant) => stateIn([opening(0, 200, cutoff)], instant, room).is,
  );
  expect(found).toEqual(['open', 'pastCutoff']);
});
