import { expect, test } from 'vitest';
import { Bug } from '../../../src/lib/bug.ts';
import { formatWall } from '../../../src/model/documents/window.ts';
import { aCalendar, aFreeze, asked, at, aWindow, HOUR } from '../../support/rollout-windows.ts';

const NOW = '2026-07-01T12:00Z';
const NIGHTS = aWindow(['01:00-05:00'], { cutoff: 'auto' });
const FROZEN = aFreeze('2026-07-02T02:00:00', '2026-07-05T00:00:00');

test('a window is open until its last start, then past its cutoff, then closed', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  const state = (instant: string) => calendar.stateAt(asked(), at(instant)).window;
  const night = {
    open: at('2026-07-01T23:00Z'),
    close: at('2026-07-02T03:00Z'),
    lastStart: at('2026-07-02T02:00Z'),
  };
  expect(state('2026-07-01T22:59Z')).toEqual({ is: 'closed', opens: night.open });
  expect(state('2026-07-01T23:00Z')).toEqual({ is: 'open', ...night });
  expect(state('2026-07-02T02:00Z')).toEqual({
    is: 'pastCutoff',
    ...night,
    opens: at('2026-07-02T23:00Z'),
  });
});

test('what is open at the horizon closes as any other day, so that what never fits never starts', () => {
  const calendar = aCalendar('2026-07-01T00:00Z', { nights: NIGHTS });
  const next = (hours: number) =>
    calendar.nextStart(asked({ autoCutoff: hours * HOUR }), at('2026-07-01T00:00Z'));
  // On the night on which the clock is set back it is open for five hours.
  expect(next(5)).toBeUndefined();
  expect(next(3.5)).toBe(at('2026-07-01T23:00Z'));
});

test('`anytime` is built in: always open, without an end', () => {
  const { window } = aCalendar(NOW, {}).stateAt(asked({ windows: ['anytime'] }), at(NOW));
  expect(window).toEqual({ is: 'open', open: -Infinity, close: Infinity, lastStart: Infinity });
});

test('`anytime` needs no zone', () => {
  const standing = aCalendar(NOW, {}).stateAt(asked({ windows: ['anytime'], zones: [] }), at(NOW));
  expect(standing.withoutZone).toBeUndefined();
});

test('a freeze that begins inside a window closes it, and the cutoff counts from there', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS }, { stop: FROZEN });
  const { window } = calendar.stateAt(asked({ freezes: ['stop'] }), at('2026-07-01T23:00Z'));
  expect(window).toEqual({ is: 'pastCutoff', ...span('2026-07-01T23:00Z', '2026-07-02T00:00Z') });
});

function span(open: string, close: string) {
  return {
    open: at(open),
    close: at(close),
    lastStart: at(close) - HOUR,
    opens: at('2026-07-04T23:00Z'),
  };
}

test('while a freeze holds it is named with its end, and the next start is behind it', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS }, { stop: FROZEN });
  expect(calendar.stateAt(asked({ freezes: ['stop'] }), at('2026-07-03T00:00Z'))).toEqual({
    soft: { freeze: 'stop', to: at('2026-07-04T22:00Z') },
    window: { is: 'closed', opens: at('2026-07-04T23:00Z') },
  });
});

test('hard freezes are told apart from soft ones, and the one that ends last counts', () => {
  const hard = { hard: true };
  const freezes = {
    short: aFreeze('2026-07-01T00:00Z', '2026-07-02T00:00Z', hard),
    long: aFreeze('2026-07-01T00:00Z', '2026-07-04T00:00Z', hard),
    soft: aFreeze('2026-07-01T00:00Z', '2026-07-09T00:00Z'),
  };
  const standing = aCalendar(NOW, { nights: NIGHTS }, freezes).stateAt(
    asked({ freezes: ['short', 'long', 'soft'] }),
    at(NOW),
  );
  expect(standing.hard).toEqual({ freeze: 'long', to: at('2026-07-04T00:00Z') });
  expect(standing.soft).toEqual({ freeze: 'soft', to: at('2026-07-09T00:00Z') });
});

test('a freeze without an end in sight has none', () => {
  const calendar = aCalendar(
    NOW,
    { nights: NIGHTS },
    { stop: aFreeze('2026-01-01T00:00Z', '2099-01-01T00:00Z') },
  );
  expect(calendar.stateAt(asked({ freezes: ['stop'] }), at(NOW))).toEqual({
    soft: { freeze: 'stop' },
    window: { is: 'closed' },
  });
});

test('W16 a freeze that ends when a window opens does not hold it back', () => {
  const stop = aFreeze('2026-07-01T00:00:00', '2026-07-02T01:00:00');
  const calendar = aCalendar(NOW, { nights: NIGHTS }, { stop });
  const standing = calendar.stateAt(asked({ freezes: ['stop'] }), at('2026-07-01T23:00Z'));
  expect(standing.soft).toBeUndefined();
  expect(standing.window).toMatchObject({ is: 'open', open: at('2026-07-01T23:00Z') });
});

test('with sites in several zones a freeze holds while it does in any of them', () => {
  const stop = aFreeze('2026-07-02T00:00:00', '2026-07-03T00:00:00');
  const calendar = aCalendar(NOW, { nights: NIGHTS }, { stop });
  const zones = ['America/New_York', 'Europe/Berlin'];
  const holds = (instant: string) =>
    calendar.stateAt(asked({ freezes: ['stop'], zones }), at(instant)).soft !== undefined;
  expect(
    ['2026-07-01T21:59Z', '2026-07-01T22:00Z', '2026-07-03T03:59Z', '2026-07-03T04:00Z'].map(holds),
  ).toEqual([false, true, true, false]);
});

test('windows and freezes that lack the task do not count', () => {
  const windows = { nights: NIGHTS, noon: aWindow(['14:00-15:00'], { tasks: ['restartDevice'] }) };
  const stop = aFreeze('2026-07-01T00:00Z', '2026-07-09T00:00Z', { tasks: ['rotatePassword'] });
  const calendar = aCalendar(NOW, windows, { stop });
  const both = { windows: ['nights', 'noon'], freezes: ['stop'] };
  const state = (task: 'restartDevice' | 'upgradeFirmware' | 'rotatePassword') =>
    calendar.stateAt(asked({ ...both, task, autoCutoff: 0 }), at(NOW));
  expect(state('restartDevice').window.is).toBe('open');
  expect(state('upgradeFirmware').window.is).toBe('closed');
  expect(state('rotatePassword').soft?.freeze).toBe('stop');
});

test('a site without a zone closes what goes by the site, and says which', () => {
  const calendar = aCalendar(
    NOW,
    { nights: NIGHTS, berlin: { ...NIGHTS, timeZone: 'Europe/Berlin' } },
    { stop: FROZEN },
  );
  const need = (windows: readonly string[], freezes: readonly string[] = []) =>
    calendar.stateAt(asked({ windows, freezes, zones: [] }), at('2026-07-01T23:30Z'));
  expect(need(['berlin', 'nights'])).toEqual({
    withoutZone: { window: 'nights' },
    window: { is: 'closed' },
  });
  expect(need(['berlin'], ['stop'])).toEqual({
    withoutZone: { freeze: 'stop' },
    window: { is: 'closed' },
  });
  expect(need(['berlin']).window.is).toBe('open');
});

test('starts counts the windows that were missed since then', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  const since = { open: at('2026-06-28T12:00Z'), close: at(NOW) };
  expect(calendar.starts(asked(), since)).toHaveLength(3);
});

test('the next start is where it stands when something may start there', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  const next = (from: string) => calendar.nextStart(asked(), at(from));
  expect(next('2026-07-02T01:59Z')).toBe(at('2026-07-02T01:59Z'));
  expect(next('2026-07-02T02:00Z')).toBe(at('2026-07-02T23:00Z'));
});

test('what a change of the clock swallows can be asked for', () => {
  const calendar = aCalendar(NOW, { gap: aWindow(['sun 02:15-02:45']) });
  expect(calendar.lost('gap', 'Europe/Berlin').map(formatWall)).toEqual([
    '2026-03-29T02:15:00',
    '2027-03-28T02:15:00',
  ]);
});

test('another time than the calendar knows is a bug of ours', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  expect(() => calendar.stateAt(asked(), at('2020-01-01T00:00Z'))).toThrow(Bug);
  expect(() => calendar.nextStart(asked(), at('2030-01-01T00:00Z'))).toThrow(Bug);
});

test('a window or a freeze that nobody wrote is a bug of ours', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  expect(() => calendar.stateAt(asked({ windows: ['days'] }), at(NOW))).toThrow(Bug);
  expect(() => calendar.stateAt(asked({ freezes: ['stop'] }), at(NOW))).toThrow(Bug);
});

test('devices that share windows, freezes, zones and task share what was worked out', () => {
  const calendar = aCalendar(NOW, { nights: NIGHTS });
  const first = calendar.open(asked());
  expect(calendar.open(asked({ autoCutoff: 5 }))).toBe(first);
  expect(calendar.open(asked({ zones: ['Asia/Tokyo'] }))).not.toBe(first);
  expect(calendar.open(asked({ task: 'restartDevice' }))).not.toBe(first);
});
