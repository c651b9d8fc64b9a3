import { expect, test } from 'vitest';
import type { WindowSpec } from '../../../src/model/documents/window.ts';
import { openSpans } from '../../../src/calendar/windows.ts';
import { at, aWindow, shown } from '../../support/rollout-windows.ts';

const JULY = { open: at('2026-07-01T00:00Z'), close: at('2026-07-02T00:00Z') };

function opened(windows: readonly WindowSpec[], zones: readonly string[] = ['UTC']) {
  return shown(openSpans(windows, zones, JULY)).map((span) =>
    span.replaceAll(/2026-07-01T|Z/g, ''),
  );
}

test('W12 a deny inside an allow splits it', () => {
  expect(opened([aWindow(['01:00-05:00'], { deny: ['02:00-03:00'] })])).toEqual([
    '01:00..02:00',
    '03:00..05:00',
  ]);
});

test('W13 two allows that overlap are one span with one close', () => {
  expect(opened([aWindow(['01:00-03:00', '02:00-05:00'])])).toEqual(['01:00..05:00']);
});

test('W13 two allows that touch are one span with one close', () => {
  expect(opened([aWindow(['01:00-03:00']), aWindow(['0 3 * * * + 2h'])])).toEqual(['01:00..05:00']);
});

test('several windows are the union of their allows minus every deny', () => {
  const early = aWindow(['01:00-04:00'], { deny: ['02:00-02:30'] });
  const late = aWindow(['03:00-06:00'], { deny: ['05:00-05:30', '01:00-01:30'] });
  expect(opened([early, late])).toEqual(['01:30..02:00', '02:30..05:00', '05:30..06:00']);
});

test('W28 with sites in several zones an allow is open when it is in all of them', () => {
  const window = aWindow(['08:00-12:00']);
  expect(opened([window], ['Europe/London', 'Europe/Berlin'])).toEqual(['07:00..10:00']);
});

test('W28 with sites in several zones a deny holds when it does in any of them', () => {
  const utc = aWindow(['06:00-14:00'], { timeZone: 'UTC' });
  const denies = aWindow(['06:00-06:01'], { deny: ['10:00-11:00'] });
  expect(opened([utc, denies], ['Europe/London', 'Europe/Berlin'])).toEqual([
    '06:00..08:00',
    '10:00..14:00',
  ]);
});

test('a window with a zone of its own does not care where the device is', () => {
  const window = aWindow(['08:00-12:00'], { timeZone: 'Asia/Kathmandu' });
  expect(opened([window], ['Europe/London'])).toEqual(['02:15..06:15']);
});

test('a window that goes by the site is closed where the site has no zone', () => {
  expect(opened([aWindow(['08:00-12:00'])], [])).toEqual([]);
});

test('a span that begins before the interval is cut to it', () => {
  expect(opened([aWindow(['23:00-05:00'])])).toEqual(['00:00..05:00', '23:00..2026-07-02T00:00']);
});

test('the cutoffs of a span are those of the windows that are open until it closes', () => {
  const cutoffs = (...windows: readonly WindowSpec[]) =>
    openSpans(windows, ['UTC'], JULY).map((span) => span.cutoffs);
  const early = aWindow(['01:00-04:00', '10:00-12:00'], { cutoff: 1 });
  const late = aWindow(['03:00-06:00', '11:00-12:00'], { cutoff: 'auto' });
  expect(cutoffs(early, late)).toEqual([['auto'], [1, 'auto']]);
  expect(cutoffs(early, { ...late, cutoff: 1 })).toEqual([[1], [1]]);
});

test('a deny that closes a span leaves the cutoffs of those that were open until then', () => {
  const early = aWindow(['01:00-04:00'], { cutoff: 1 });
  const late = aWindow(['03:00-06:00'], { cutoff: 2, deny: ['03:30-06:00'] });
  expect(openSpans([early, late], ['UTC'], JULY)).toMatchObject([{ cutoffs: [1, 2] }]);
});
