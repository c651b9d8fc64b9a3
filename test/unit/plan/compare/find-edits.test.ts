import { expect, it } from 'vitest';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { loadTexts } from '../../../../src/config/load.ts';
import { changedEntries, findEdits } from '../../../../src/plan/compare/changed-entries.ts';
import { settingsBetween } from '../../../support/changed-settings.ts';

it.each<[readonly string[], readonly string[], readonly string[]]>([
  [['firmware.axis', 'freezes.may', 'groups.guardrails'], [], ['groups', 'firmware']],
  [['exceptions.quiet', 'guardrails.most', 'service'], [], ['service', 'guardrails', 'exceptions']],
  [[], ['.github/workflows/fleet-plan.yml'], ['workflows']],
  [[], ['ci/any-ci.sh'], ['workflows']],
  [[], ['.gitlab-ci.yml', 'pnpm-lock.yaml'], ['workflows', 'lockFile']],
  [[], ['infra/package-lock.json', 'yarn.lock', 'npm-shrinkwrap.json'], ['lockFile']],
  [[], ['package.json', 'vendor/fleetform.tgz', '.npmrc'], ['package']],
])('entries %j and code %j are %j', (entries, code, edits) => {
  expect(findEdits(entries, code)).toEqual(edits);
});

const SERVICE = 'baseUrl: "https://api.example.com", organization: acme';

function documentsOf(text: string, service = ''): Documents {
  const file = {
    path: 'fleet/a.yaml',
    text: `service: {${SERVICE}${service}}\n${text}`,
  };
  const { documents, diagnostics } = loadTexts([file], [], ['fleet']);
  expect(diagnostics).toEqual([]);
  if (!documents) throw new Error('no documents');
  return documents;
}

const CHAT = ', notifications: [{kind: json, url: {fromEnv: CHAT_URL}}]';

it.each<[was: string, is: string, edits: readonly string[]]>([
  [CHAT, ', dialect: {maxDevicesPerTask: 100}, needsYouAfter: 7d', ['service.notifications']],
  ['', `${CHAT}, needsYouAfter: 8d`, ['service']],
  ['', ', dialect: {maxDevicesPerTask: 100}, pace: {requestsPerSecond: 1}, needsYouAfter: 7d', []],
  ['', ', ledger: {store: directory}', []],
])('a service with %j and then %j edits %j', (was, is, edits) => {
  const entries = changedEntries(documentsOf('', was), documentsOf('', is), 'main');
  expect(findEdits(entries.keys(), [])).toEqual(edits);
});

const FREEZE = 'from: "2026-12-24T00:00:00", to: "2026-12-27T00:00:00"';
const WHY = 'reason: r, owner: o, ticket: T-1';
const GROUPS =
  'groups: {doors: {devices: [dev-1, dev-2], redundancy: true}, hall: {devices: [a, b]}}';
const SPANS =
  'windows: {nights: {allow: [{days: sat, from: "01:00", to: "05:00"}, {days: mon-fri, from: "02:00", to: "04:00"}]}}';
const ROTATION = 'task: rotatePassword, select: {deviceType: camera}, windows: anytime';

it.each<[was: string, is: string]>([
  [GROUPS, GROUPS.replace('dev-1, dev-2', 'dev-2, dev-1').replace('a, b', 'b, a')],
  [GROUPS, GROUPS.replace('[a, b]', '[a, b], redundancy: false')],
  ['', 'budgets: {default-fleet: {per: fleet, maxInFlight: 50}}'],
  [
    'rollouts: {slow: {}}',
    'rollouts: {slow: {batch: 10, gate: {minSuccess: 95%}, maxInFlight: 20}}',
  ],
  [
    `rotations: {words: {${ROTATION}, maxAge: 180d}}`,
    `rotations: {words: {${ROTATION}, verify: {within: 15m}, rollout: default}}`,
  ],
  [
    `freezes: {xmas: {${FREEZE}, ${WHY}}}`,
    `freezes: {xmas: {${FREEZE}, hard: false, maxLength: 90d, ${WHY}}}`,
  ],
  [
    `firmware: {a: {select: {vendor: A}, version: "1", windows: anytime}, b: {select: {vendor: B}, version: "1", windows: anytime}, c: {select: {vendor: C}, version: "1", windows: anytime, after: [firmware.a, firmware.b]}}`,
    `firmware: {a: {select: {vendor: A}, version: "1", windows: anytime}, b: {select: {vendor: B}, version: "1", windows: anytime}, c: {select: {vendor: C}, version: "1", windows: anytime, after: [firmware.b, firmware.a]}}`,
  ],
  [SPANS, SPANS.replace(/(\{days: sat.*?\}), (\{days: mon.*?\})/, '$2, $1')],
])('what means the same edits nothing and changes no setting: %j and %j', (was, is) => {
  const [before, after] = [documentsOf(was), documentsOf(is)];
  expect(settingsBetween(before, after)).toEqual([]);
  expect([...changedEntries(before, after, 'main').keys()]).toEqual([]);
});

it.each([
  [
    'firmware.a.order',
    'firmware: {a: {select: {vendor: Axis}, version: "2", windows: anytime, order: ["1", "2"]}}',
  ],
  [
    'onboarding.a.after',
    'onboarding: {a: {select: {vendor: Axis}, windows: anytime, after: [restartDevice, rotatePassword]}}',
  ],
])('the order of %s is an edit (semantics M21, O6)', (at, text) => {
  const [before, after] = [text, text.replace(/\[(.*), (.*)\]/, '[$2, $1]')].map((each) =>
    documentsOf(each),
  );
  if (!before || !after) throw new Error('no documents');
  expect([...changedEntries(before, after, 'main').keys()]).toEqual([at.replace(/\.\w+$/, '')]);
  const [setting, ...others] = settingsBetween(before, after);
  expect([setting?.at, others]).toEqual([at, []]);
  expect(setting?.before?.split(', ').toReversed().join(', ')).toBe(setting?.after);
});

it('a field that nobody thought of is compared, and shown as it is', () => {
  const before = documentsOf(`rotations: {words: {${ROTATION}}}`);
  const policy = before.rotations.get('words');
  if (!policy) throw new Error('no policy');
  const value = { ...policy.value, untold: { most: 5, of: [{ name: 'a', days: ['mon', 'tue'] }] } };
  const after = { ...before, rotations: new Map([['words', { ...policy, value }]]) };
  expect(settingsBetween(before, after)).toEqual([
    { at: 'rotations.words.untold.most', after: '5' },
    { at: 'rotations.words.untold.of', after: 'name a, days mon tue' },
  ]);
  expect([...changedEntries(before, after, 'main').keys()]).toEqual(['rotations.words']);
});

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
    ['budgets.doors.maxUnavailable 10% -> 3', 'budgets.doors.select.vendor none -> Axis'],
  ],
  [
    'budgets: {doors: {per: fleet, maxUnavailable: 10%}}',
    'budgets: {doors: {per: fleet, maxUnavailable: 10%, treatUnknownAs: available}}',
    ['budgets.doors.treatUnknownAs unavailable -> available'],
  ],
  [
    'rollouts: {slow: {maxInFlight: 5}}',
    `rollouts:
  slow: {canary: none, maxInFlight: 50, waves: [{name: all, percent: 100%, soak: 0m}], gate: {minSuccess: 50%}, stopOn: {model: 90%}}`,
    [
      'rollouts.slow.canary required -> none',
      'rollouts.slow.gate.minSuccess 95% -> 50%',
      'rollouts.slow.maxInFlight 5 -> 50',
      'rollouts.slow.stopOn.canary 0 -> none',
      'rollouts.slow.stopOn.model 30% -> 90%',
      'rollouts.slow.waves canary 5 by vendor/model/firmwareVersion (soak 1d), early 5% (soak 2d), broad 25% (soak 2d), rest 100% (soak 2d) -> all 100% (soak 0s)',
    ],
  ],
  [
    '',
    `rollouts: {slow: {stopOn: [{class: [failed], max: 9, scope: fleet}]}}`,
    [
      'rollouts.slow.stopOn.canary 0 -> none',
      'rollouts.slow.stopOn.model 30% -> none',
      'rollouts.slow.stopOn.wave 5% -> none',
      'rollouts.slow.stopOn[0] none -> 9, minAttempts 1, scope fleet, action pause, class failed',
    ],
  ],
  [
    '',
    'rollouts: {slow: {maxInFlight: 50}, default: {retry: {backoff: {max: 1h}}}}',
    ['rollouts.default.retry.backoff.max 6h -> 1h', 'rollouts.slow.maxInFlight 20 -> 50'],
  ],
  [
    'groups: {doors: {devices: [dev-1, dev-2], redundancy: true}}',
    'groups: {doors: {devices: [dev-1, dev-2]}}',
    ['groups.doors.redundancy true -> false'],
  ],
  [
    'groups: {doors: {devices: [dev-1, dev-2], redundancy: true}}',
    '',
    ['groups.doors.devices dev-1, dev-2 -> none', 'groups.doors.redundancy true -> none'],
  ],
  [
    `freezes: {xmas: {${FREEZE}, ${WHY}}}`,
    `freezes: {xmas: {${FREEZE}, hard: true, task: rotatePassword, maxLength: 200d, ${WHY}}, may: {${FREEZE}, ${WHY}}}`,
    [
      'freezes.xmas.hard false -> true',
      'freezes.xmas.maxLength 90d -> 200d',
      'freezes.xmas.task all -> rotatePassword',
    ],
  ],
  [
    `freezes: {xmas: {${FREEZE}, ${WHY}}, year: {annual: {from: "12-20", to: "01-05"}, ${WHY}}}`,
    `freezes: {xmas: {${FREEZE.replace('12-27', '12-26')}, ${WHY}}, year: {annual: {from: "12-21", to: "01-05"}, ${WHY}}}`,
    [
      'freezes.xmas.to 2026-12-27T00:00:00 -> 2026-12-26T00:00:00',
      'freezes.year.annual.from 12-20 -> 12-21',
    ],
  ],
  [
    'rollouts: {slow: {canary: none, waves: [{name: all, percent: 100%}]}}',
    `rollouts:
  slow:
    canary: none
    waves: [{name: hq, select: {site: {tag: retail}, vendor: [Axis, Bosch], not: {model: Q*}}}, {name: all, percent: 100%}]`,
    [
      'rollouts.slow.waves all 100% (soak 1d) -> hq where vendor is Axis or Bosch and site tag is retail and not (model is Q*) (soak 1d), all 100% (soak 2d)',
    ],
  ],
  [
    `rotations: {words: {${ROTATION}}}`,
    `rotations: {words: {${ROTATION}, verify: {within: 2d}}}`,
    ['rotations.words.verify.within 15m -> 2d'],
  ],
  [
    'groups: {doors: {devices: [dev-1, dev-2], redundancy: true}, hall: {devices: [dev-3, dev-4]}}',
    'groups: {doors: {devices: [dev-1, dev-9], redundancy: true}, hall: {devices: [dev-3]}}',
    ['groups.doors.devices dev-1, dev-2 -> dev-1, dev-9'],
  ],
  [
    `windows: {nights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}
restarts: {dark: {when: {status: offline}, select: {deviceType: camera}, windows: nights}}
rotations: {panels: {task: rotatePassword, select: {deviceType: accessPanel}, maxAge: 180d, windows: nights}}`,
    `windows: {nights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}}
restarts: {dark: {when: {status: offline}, select: {deviceType: camera}, windows: anytime}}
rotations: {panels: {task: rotatePassword, select: {deviceType: accessPanel}, maxAge: 180d, windows: nights, leavesInService: true, offlineGrace: 0m, unknownAge: rotate}}`,
    [
      'restarts.dark.windows nights -> anytime',
      'rotations.panels.leavesInService none -> true',
      'rotations.panels.offlineGrace 1d -> 0s',
      'rotations.panels.unknownAge skip -> rotate',
    ],
  ],
  [
    `rollouts: {fast: {maxInFlight: 20}}
restarts: {dark: {when: {status: offline}, select: {deviceType: camera}, windows: anytime}}
firmware: {axis: {select: {vendor: Axis}, version: "11.11.1", windows: anytime}}`,
    `rollouts: {fast: {maxInFlight: 20}}
restarts:
  dark: {when: {status: offline}, select: {deviceType: camera}, windows: anytime, cooldown: 1m, maxPerDevice: {count: 20, per: 1d}}
firmware:
  axis: {select: {vendor: Axis}, version: "11.11.1", windows: anytime, rollout: fast}
  bosch: {select: {vendor: Bosch}, version: "7.1.1", windows: anytime, rollout: fast}`,
    [
      'firmware.axis.rollout default -> fast',
      'restarts.dark.cooldown 6h -> 1m',
      'restarts.dark.maxPerDevice 2 -> 20',
      'restarts.dark.maxPerDevice.per 7d -> 1d',
    ],
  ],
])('G10 shows each limit that changes between %j and %j', (was, is, expected) => {
  const settings = settingsBetween(documentsOf(was), documentsOf(is));
  expect(
    settings.map(({ at, before = 'none', after = 'none' }) => `${at} ${before} -> ${after}`),
  ).toEqual(expected);
});

it('G10 shows what weakens a service, and no entry of a policy that is new', () => {
  const wide = documentsOf(
    'rotations: {doors: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: anytime}}',
    ', dialect: {autoSettleNegative: afterQuarantine, upgradeMembers: {factoryReset: true}}, needsYouAfter: 3650d',
  );
  const settings = settingsBetween(documentsOf(''), wide);
  expect(settings).toEqual([
    {
      at: 'service.dialect.autoSettleNegative',
      before: 'never (default)',
      after: 'afterQuarantine',
    },
    { at: 'service.dialect.upgradeMembers.factoryReset', after: 'true' },
    { at: 'service.needsYouAfter', before: '7d', after: '3650d' },
  ]);
});

it('G10 shows a faster pace', () => {
  const fast = documentsOf('', ', pace: {requestsPerSecond: 100, pollEvery: 1s}');
  expect(settingsBetween(documentsOf(''), fast)).toEqual([
    { at: 'service.pace.pollEvery', before: '30s', after: '1s' },
    { at: 'service.pace.requestsPerSecond', before: '1', after: '100' },
  ]);
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
    { at: 'service.notifications.0.kind', after: 'json' },
    { at: 'service.notifications.0.remind', after: '1d' },
    { at: 'service.notifications.0.secret.fromEnv', after: 'CHAT_KEY' },
    { at: 'service.notifications.0.url.fromEnv', after: 'CHAT_URL' },
  ];
  expect(settingsBetween(old, now)).toEqual(moved);
  expect(settingsBetween(now, none)).toEqual([
    { at: 'service.notifications.0.kind', before: 'json' },
    { at: 'service.notifications.0.remind', before: '1d' },
  ]);
  // Without a base every variable is new, and no limit is.
  expect(settingsBetween(undefined, old)).toEqual([
    { at: 'rotations.doors.payload.newPassword.fromEnv', after: 'OLD_WORD' },
  ]);
});
