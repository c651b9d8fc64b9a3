import { expect, it } from 'vitest';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { loadTexts } from '../../../../src/config/load.ts';
import { findEdits, findSettings } from '../../../../src/plan/compare/changed-entries.ts';

it.each<[readonly string[], readonly string[], readonly string[]]>([
  [['firmware.axis', 'groups.guardrails'], [], []],
  [['exceptions.quiet', 'guardrails.most', 'service'], [], ['service', 'guardrails', 'exceptions']],
  [[], ['.github/workflows/fleet-plan.yml'], ['workflows']],
  [[], ['ci/any-ci.sh'], ['workflows']],
  [[], ['.gitlab-ci.yml', 'pnpm-lock.yaml'], ['workflows', 'lockFile']],
  [[], ['infra/package-lock.json', 'yarn.lock', 'npm-shrinkwrap.json'], ['lockFile']],
  [[], ['package.json', 'vendor/fleetform.tgz', '.npmrc'], ['package']],
])('entries %j and code %j are %j', (entries, code, edits) => {
  expect(findEdits(entries, code)).toEqual(edits);
});

it.each([
  ['acme', ['service.notifications', 'exceptions']],
  ['globex', ['service', 'exceptions']],
])('names the notifications of a service where its organization is %s', (organization, edits) => {
  const side = (value: object) => ({ documents: { service: { value } } as unknown as Documents });
  const sides = [
    side({ organization: 'acme' }),
    side({ organization, notifications: [{ kind: 'slack', url: 'FLEET_URL' }] }),
  ];
  expect(findEdits(['service', 'exceptions.bug'], [], sides)).toEqual(edits);
  expect(findEdits(['exceptions.bug'], [], sides)).toEqual(['exceptions']);
});

const SERVICE = 'baseUrl: "https://api.example.com", organization: acme';

function documentsOf(text: string, service = ''): Documents {
  const file = {
    path: 'fleet/a.yaml',
    text: `service: {${SERVICE}${service}}\n${text}`,
    sha256: '0',
  };
  const { documents, diagnostics } = loadTexts([file], [], ['fleet']);
  expect(diagnostics).toEqual([]);
  if (!documents) throw new Error('no documents');
  return documents;
}

it.each<[was: string, is: string, expected: readonly string[]]>([
  ['', '', []],
  [
    '',
    'guardrails: {default: {maxPercentOfFleet: 100%}}',
    ['guardrails.default.maxPercentOfFleet 30% (built in) -> 100%'],
  ],
  [
    '',
    'guardrails: {default: {maxChanges: 100000}, visible: {maxVanished: 100000}}',
    [
      'guardrails.default.maxChanges none -> 100000',
      'guardrails.default.maxPercentOfFleet 30% (built in) -> none',
      'guardrails.visible.maxVanished 20 or 10% (built in) -> 100000',
    ],
  ],
  [
    'guardrails: {few: {maxPercentOfSite: 5%, maxChanges: 7}}',
    'guardrails: {few: {maxPercentOfSite: 5%}}',
    ['guardrails.few.maxChanges 7 -> none'],
  ],
  [
    '',
    'budgets: {default-site: {per: site, maxUnavailable: 100%}, default-fleet: {per: fleet, maxInFlight: 1000}}',
    [
      'budgets.default-fleet.maxInFlight 50 -> 1000',
      'budgets.default-site.maxUnavailable 10% -> 100%',
    ],
  ],
  [
    'budgets: {undefined: {per: fleet, maxInFlight: 2}}',
    'budgets: {undefined: {per: fleet, maxInFlight: 3}}',
    ['budgets.undefined.maxInFlight 2 -> 3'],
  ],
  [
    'budgets: {doors: {per: fleet, maxUnavailable: 10%}}',
    'budgets: {doors: {per: fleet, maxUnavailable: 3, select: {vendor: [Axis]}}}',
    ['budgets.doors.maxUnavailable 10% -> 3', 'budgets.doors.select.vendor.0 none -> Axis'],
  ],
])('G10 shows each limit that changes between %j and %j', (was, is, expected) => {
  const { settings = [] } = findSettings({ documents: documentsOf(was) }, documentsOf(is));
  expect(
    settings.map(({ at, before = 'none', after = 'none' }) => `${at} ${before} -> ${after}`),
  ).toEqual(expected);
});

it('G10 shows a faster pace', () => {
  const fast = documentsOf('', ', pace: {requestsPerSecond: 100, pollEvery: 1s}');
  expect(findSettings({ documents: documentsOf('') }, fast)).toEqual({
    settings: [
      { at: 'service.pace.pollEvery', before: '30s', after: '1s' },
      { at: 'service.pace.requestsPerSecond', before: '1', after: '100' },
    ],
  });
});

it('shows the variables that are read for the first time, or elsewhere (semantics D8)', () => {
  const rotation = (payload: string) => `rotations:
  doors: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: anytime, payload: ${payload}}
`;
  const none = documentsOf(rotation('{}'));
  const old = documentsOf(rotation('{newPassword: {fromEnv: OLD_WORD}}'));
  const list = '[{kind: json, url: {fromEnv: CHAT_URL}, secret: {fromEnv: CHAT_KEY}}]';
  const now = documentsOf(
    rotation('{newPassword: {fromEnv: NEW_WORD}, also: [{fromEnv: OLD_WORD}]}'),
    `, dialect: {tokenBody: {audience: {fromEnv: AUDIENCE}}}, notifications: ${list}`,
  );
  const moved = [
    { at: 'rotations.doors.payload.also.0.fromEnv', after: 'OLD_WORD' },
    { at: 'rotations.doors.payload.newPassword.fromEnv', before: 'OLD_WORD', after: 'NEW_WORD' },
    { at: 'service.dialect.tokenBody.audience.fromEnv', after: 'AUDIENCE' },
    { at: 'service.notifications.0.secret.fromEnv', after: 'CHAT_KEY' },
    { at: 'service.notifications.0.url.fromEnv', after: 'CHAT_URL' },
  ];
  expect(findSettings({ documents: old }, now)).toEqual({ settings: moved });
  expect(findSettings({ documents: now }, none)).toEqual({});
  // Without a base every variable is new, and no limit is.
  expect(findSettings(undefined, old)).toEqual({
    settings: [{ at: 'rotations.doors.payload.newPassword.fromEnv', after: 'OLD_WORD' }],
  });
});
