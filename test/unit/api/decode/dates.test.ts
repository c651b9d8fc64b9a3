import { describe, expect, it } from 'vitest';
import { decodeInstant, UNREADABLE } from '../../../../src/api/decode/dates.ts';

const iso = (value: unknown) => decodeInstant(value, 'iso');
const MOMENT = Date.UTC(2026, 9, 25, 3, 4, 5);
const DAY = Date.UTC(2026, 9, 25);

describe('a date in ISO 8601 is read', () => {
  it.each([
    ['2026-10-25T03:04:05Z', MOMENT],
    ['2026-10-25t03:04:05z', MOMENT],
    ['2026-04-30T03:04:05Z', Date.UTC(2026, 3, 30, 3, 4, 5)],
    ['2026-12-31T03:04:05Z', Date.UTC(2026, 11, 31, 3, 4, 5)],
    ['2024-02-29T03:04:05Z', Date.UTC(2024, 1, 29, 3, 4, 5)],
    ['2026-10-25 03:04:05Z', MOMENT],
    ['2026-10-25T05:04:05+02:00', MOMENT],
    ['2026-10-25T05:04:05+0200', MOMENT],
    ['2026-10-25T05:04:05+02', MOMENT],
    ['2026-10-25T03:04:05+0000', MOMENT],
    ['2026-10-25T03:04:05+00', MOMENT],
    ['2026-10-25T03:04:05-00:00', MOMENT],
    ['2026-10-24T21:34:05-05:30', MOMENT],
    ['2026-10-24T21:34:05\u22120530', MOMENT],
    ['2026-10-25T03:04:05.7Z', MOMENT + 700],
    ['2026-10-25T03:04:05,7Z', MOMENT + 700],
    ['2026-10-25T03:04:05.123456789+00:00', MOMENT + 123],
    ['2026-10-25T03:04Z', MOMENT - 5_000],
    ['2026-10-25T03:04.5Z', MOMENT + 25_000],
    ['2026-10-25T03Z', DAY + 3 * 3_600_000],
    ['2026-10-25T24:00:00Z', DAY + 24 * 3_600_000],
    ['2026-10-25T03:03:60Z', MOMENT - 5_000],
    ['20261025T030405Z', MOMENT],
    ['20261025T0304Z', MOMENT - 5_000],
    ['20261025T030405.7+0000', MOMENT + 700],
    ['2026-10-25', DAY],
    ['20261025', DAY],
    ['2026-298', DAY],
    ['2026298', DAY],
    ['2026-298T03:04:05Z', MOMENT],
    ['2026-W43-7', DAY],
    ['2026W437', DAY],
    ['2026-W43-7T03:04:05+00:00', MOMENT],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['+002026-10-25T03:04:05Z', MOMENT],
    ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
  ])('as %s', (text, expected) => {
    expect(iso(text)).toBe(expected);
  });
});

describe('a date is not understood', () => {
  it.each([
    ['without its offset', '2026-10-25T03:04:05'],
    ['as a month', '2026-10'],
    ['as a year', '2026'],
    ['as a week', '2026-W43'],
    ['on a day that there is not', '2026-02-30'],
    ['on a day that February does not have', '2026-02-30T03:04:05Z'],
    ['on a day that February does not have each year', '2026-02-29T03:04:05Z'],
    ['on a day that April does not have', '2026-04-31T03:04:05Z'],
    ['on a day that no month has', '2026-01-32T03:04:05Z'],
    ['on an ordinal day that there is not', '2026-366'],
    ['in a week that there is not', '2026-W54-1'],
    ['in a month that there is not', '2026-13-01'],
    ['at an hour that there is not', '2026-10-25T25:00Z'],
    ['at a minute that there is not', '2026-10-25T03:60Z'],
    ['with an offset that there is not', '2026-10-25T03:04:05+99:00'],
    ['in American order', '10/25/2026'],
    ['in German order', '25.10.2026'],
    ['in the form of a header', 'Sun, 25 Oct 2026 03:04:05 GMT'],
    ['in words', 'yesterday'],
    ['with more after it', '2026-10-25T03:04:05Z or so'],
    ['with a blank before it', ' 2026-10-25'],
    ['as the year 1', '0001-01-01T00:00:00Z'],
    ['as the beginning of 1970', '1970-01-01T00:00:00Z'],
    ['beyond what can be written', '+012026-10-25T03:04:05Z'],
    ['as a number', 1_792_897_445],
    ['as a text of digits', '1792897445'],
    ['as an object', { $date: 1_792_897_445_000 }],
    ['as a list', ['2026-10-25']],
    ['as a boolean', true],
    ['as no number', Number.NaN],
  ])('%s', (_, value) => {
    expect(iso(value)).toBe(UNREADABLE);
  });
});

it.each([undefined, null, ''])('a date that is %j is absent', (value) => {
  for (const form of ['iso', 'seconds', 'milliseconds'] as const)
    expect(decodeInstant(value, form)).toBeUndefined();
});

describe('a number is a date where the dialect says so, in seconds or milliseconds by its size', () => {
  const seconds = MOMENT / 1_000;
  it.each([
    ['seconds', seconds, MOMENT],
    ['seconds', String(seconds), MOMENT],
    ['seconds', seconds + 0.5, MOMENT + 500],
    ['seconds', MOMENT, MOMENT],
    ['seconds', 0, UNREADABLE],
    ['seconds', -1, UNREADABLE],
    ['seconds', '20261025', DAY],
    ['seconds', '2026-10-25T03:04:05Z', MOMENT],
    ['milliseconds', MOMENT, MOMENT],
    ['milliseconds', String(MOMENT), MOMENT],
    ['milliseconds', seconds, MOMENT],
    ['iso', seconds, UNREADABLE],
    ['iso', String(MOMENT), UNREADABLE],
    ['milliseconds', 0, UNREADABLE],
    ['milliseconds', 1e20, UNREADABLE],
    ['milliseconds', '2026-10-25', DAY],
    ['seconds', Number.POSITIVE_INFINITY, UNREADABLE],
    ['milliseconds', Number.NaN, UNREADABLE],
  ] as const)('%s, %j', (form, value, expected) => {
    expect(decodeInstant(value, form)).toBe(expected);
  });
});
