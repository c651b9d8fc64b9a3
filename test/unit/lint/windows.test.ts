import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { lintWindows } from '../../../src/lint/windows.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

/** What the documents alone prove, shortest form: code, place, and some params. */
function lint(yaml: string): readonly string[] {
  const text = `service: {baseUrl: https://api.example.com, organization: acme}\n${yaml}`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return lintWindows({ documents, now: NOW }).map(
    ({ code, severity, at, params }) =>
      `${severity} ${code} ${at?.line}:${at?.column} ${JSON.stringify(params)}`,
  );
}

const WHO = 'reason: change stop, owner: me, ticket: T-1';
const firmware = (windows: string): string =>
  `restarts: {dark: {select: {vendor: Axis}, when: {status: offline}, windows: ${windows}}}`;

test('L what opens every night is fine', () => {
  expect(lint(`windows: {n: {allow: [{from: "01:00", to: "05:00"}]}}\n${firmware('n')}`)).toEqual(
    [],
  );
});

test('L anytime without freezes has nothing to prove', () => {
  expect(lint(firmware('anytime'))).toEqual([]);
});

test('L cronNever: a day that no year has, said once and at the expression', () => {
  const yaml = `windows: {n: {allow: [{cron: "0 1 30 2 *", duration: 1h}]}}\n${firmware('n')}`;
  expect(lint(yaml)).toEqual(['error cronNever 2:30 {"window":"n","cron":"0 1 30 2 *"}']);
});

test('L windowNeverOpens: denies leave nothing open, with the days looked at', () => {
  const yaml = `windows: {n: {allow: [{from: "01:00", to: "05:00"}], deny: [{from: "00:00", to: "06:00"}]}}\n${firmware('n')}`;
  const [found] = lint(yaml);
  expect(found).toMatch(/^error windowNeverOpens 3:\d+ .*"days":400,"from":"2026-11-20T12:00:00Z"/);
});

test('L windowNeverOpens: a freeze of every device that never ends closes anytime too', () => {
  const yaml = `freezes: {f: {from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z", ${WHO}}}\n${firmware('anytime')}`;
  expect(lint(yaml).map((each) => each.split(' ', 2).join(' '))).toEqual([
    'warning freezeTooLong',
    'error windowNeverOpens',
  ]);
});

test('L a freeze of some devices proves nothing for others, and all for the same', () => {
  const freezes = (vendor: string): string =>
    `freezes: {f: {maxLength: 9999d, select: {vendor: ${vendor}}, from: "2026-01-01T00:00:00Z", to: "2036-01-01T00:00:00Z", ${WHO}}}\n${firmware('anytime')}`;
  expect(lint(freezes('Bosch'))).toEqual([]);
  expect(lint(freezes('Axis'))[0]).toMatch(/^error windowNeverOpens 3:/);
});

const AGED = (maxAge: string): string =>
  `windows: {n: {timeZone: UTC, cutoff: 1h, allow: [{days: [sat], from: "00:00", to: "04:00"}]}}
freezes: {f: {timeZone: UTC, from: "2026-12-12T00:00:00", to: "2027-01-20T00:00:00", ${WHO}}}
rotations: {p: {task: rotatePassword, select: {vendor: Axis}, maxAge: ${maxAge}, headStart: 5d, spread: 1d, windows: n}}`;

test('L maxAgeTooShort: as long as the longest time without a start is long enough', () => {
  const [found, ...more] = lint(AGED('1172h'));
  expect(found).toMatch(
    /^warning maxAgeTooShort 4:71 .*"from":"2026-12-05T03:00:00Z","to":"2027-01-23T00:00:00Z"/,
  );
  expect(more).toEqual([]);
  expect(lint(AGED('1173h'))).toEqual([]);
});

test('L maxAgeTooShort: only where it holds in every zone that the documents name', () => {
  const zones = (berlin: string): string =>
    `sites: {HQ: {timeZone: Europe/Berlin}, NY: {timeZone: America/New_York}}
windows: {n: {cutoff: 1h, allow: [{days: [sat], from: "00:00", to: "04:00"}]}}
freezes: {f: {timeZone: UTC, from: "2026-12-12T00:00:00", to: "2027-01-23T${berlin}", ${WHO}}}
rotations: {p: {task: rotatePassword, select: {vendor: Axis}, maxAge: 49d, headStart: 5d, spread: 1d, windows: n}}`;
  // Berlin misses its Saturday by the freeze, New York does not.
  expect(lint(zones('03:00:00'))).toEqual([]);
  expect(lint(zones('09:00:00'))[0]).toMatch(/^warning maxAgeTooShort/);
});

const RETRIED = (retry: string, cutoff = '1h'): string =>
  `windows: {n: {timeZone: UTC, cutoff: ${cutoff}, allow: [{from: "01:00", to: "05:00"}]}}
rollouts: {r: {canary: none, waves: [{name: all, percent: 100%}]${retry}}}
firmware: {f: {select: {vendor: Axis}, version: "11.11.73", rollout: r, windows: n}}`;

test('L retriesOutlastWindow: a last attempt that starts after the last start, not before', () => {
  const retry = (initial: string): string =>
    `, retry: {maxAttemptsPerWindow: 2, backoff: {initial: ${initial}, max: 12h}}`;
  expect(lint(RETRIED(retry('119m')))).toEqual([]);
  expect(lint(RETRIED(retry('120m')))).toEqual([
    'warning retriesOutlastWindow 3:97 {"rollout":"r","policy":"firmware.f","attempts":2,"after":"3h","room":"3h"}',
  ]);
  expect(lint(RETRIED(retry('120m'), '30m'))).toEqual([]);
  expect(lint(RETRIED(retry('120m'), 'auto'))).toHaveLength(1);
});

test('L retriesOutlastWindow: nothing written is nothing asked for', () => {
  expect(lint(RETRIED(', timeouts: {running: {upgradeFirmware: 3h}}'))).toEqual([]);
});

test('L retriesOutlastWindow: a huge number of attempts takes no time to judge', () => {
  const retry = ', retry: {maxAttemptsPerWindow: 2000000000, backoff: {initial: 1s}}';
  expect(lint(RETRIED(retry))[0]).toMatch(/^warning retriesOutlastWindow/);
});

test('L cutoffTooLong: a cutoff as long as the window leaves no start', () => {
  const window = (cutoff: string): string =>
    `windows: {n: {cutoff: ${cutoff}, timeZone: UTC, allow: [{from: "01:00", to: "05:00"}]}}\n${firmware('n')}`;
  expect(lint(window('4h'))).toEqual([
    'error cutoffTooLong 3:77 {"policy":"restarts.dark","windows":"n","open":"2026-11-21T01:00:00Z","length":"4h"}',
  ]);
  expect(lint(window('239m')).map((each) => each.split(' ')[1])).toEqual([]);
});

test('L freezeTooLong: longer than its own limit, and not at it', () => {
  const freeze = (to: string): string =>
    `freezes: {f: {maxLength: 7d, timeZone: UTC, from: "2026-12-01T00:00:00", to: "${to}", ${WHO}}}`;
  expect(lint(freeze('2026-12-08T00:00:00'))).toEqual([]);
  expect(lint(freeze('2026-12-08T00:00:01'))[0]).toMatch(/^warning freezeTooLong 2:11 /);
});

test('L freezeGap: annual freezes less than 60 days apart, on the same devices', () => {
  const pair = (from: string, select = ''): string =>
    `freezes:
  a: {annual: {from: "12-18", to: "01-04"}, ${WHO}}
  b: {annual: {from: "${from}", to: "03-20"}, ${select}${WHO}}`;
  expect(lint(pair('03-04'))).toEqual([
    'warning freezeGap 4:3 {"freeze":"b","other":"a","length":"59d","least":"60d"}',
  ]);
  expect(lint(pair('03-05'))).toEqual([]);
  expect(lint(pair('01-04'))).toEqual([]);
  expect(lint(pair('03-04', 'task: restartDevice, '))).toHaveLength(1);
});

test('L floorBroken: less than 8 hours in 32 days', () => {
  const monthly = (duration: string): string =>
    `windows: {n: {cutoff: 30m, allow: [{cron: "0 1 * * SAT#3", duration: ${duration}}]}}\n${firmware('n')}`;
  expect(lint(monthly('4h'))[0]).toMatch(/^warning floorBroken 3:\d+ /);
  expect(
    lint(`windows: {n: {allow: [{days: [sat], from: "01:00", to: "04:00"}]}}\n${firmware('n')}`),
  ).toEqual([]);
});

test('L siteWithoutZone: a site that is named without a zone while a window goes by it', () => {
  const yaml = (zone: string): string =>
    `sites: {HQ: {tags: [hq]}}\nwindows: {n: {${zone}allow: [{from: "01:00", to: "05:00"}]}}\n${firmware('n')}`;
  expect(lint(yaml(''))).toEqual(['warning siteWithoutZone 2:9 {"site":"HQ","window":"n"}']);
  expect(lint(yaml('timeZone: UTC, '))).toEqual([]);
});

test.each([
  [
    'two windows',
    'a: {allow: [{from: "09:00", to: "23:59"}]}, b: {allow: [{from: "00:00", to: "14:30"}]}',
  ],
  [
    'two windows of one day of the week',
    'a: {allow: [{days: [tue], from: "09:00", to: "23:59"}]}, b: {allow: [{days: [tue], from: "00:00", to: "14:30"}]}',
  ],
  [
    'three windows',
    'a: {allow: [{from: "00:00", to: "09:00"}, {from: "08:00", to: "17:00"}]}, b: {allow: [{from: "16:00", to: "00:00"}]}',
  ],
])('L openAllDay: %s that overlap and leave no time shut', (_, windows) => {
  const found = lint(`windows: {${windows}}\n${firmware('[a, b]')}`);
  expect(found).toEqual([expect.stringMatching(/^warning openAllDay 3:\d+ .*"windows":"a, b"/)]);
});

test.each([
  [
    'nights and weekends',
    'a: {allow: [{from: "22:00", to: "05:00"}]}, b: {allow: [{days: sat-sun, from: "00:00", to: "23:59"}]}',
  ],
  [
    'one half of the weekend behind the other',
    'a: {allow: [{days: [sat], from: "12:00", to: "00:00"}]}, b: {allow: [{days: [sun], from: "00:00", to: "12:00"}]}',
  ],
  [
    'early and late hours',
    'a: {allow: [{from: "00:00", to: "06:00"}]}, b: {allow: [{from: "05:00", to: "20:00"}]}',
  ],
  [
    'a day with its nights denied',
    'a: {allow: [{from: "09:00", to: "23:59"}], deny: [{from: "01:00", to: "04:00"}]}, b: {allow: [{from: "00:00", to: "14:30"}]}',
  ],
])('L openAllDay: not for %s', (_, windows) => {
  const found = lint(`windows: {${windows}}\n${firmware('[a, b]')}`);
  expect(found.filter((line) => line.includes('openAllDay'))).toEqual([]);
});
