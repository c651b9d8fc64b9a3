import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { changedEntries, findEdits } from '../../../../src/plan/compare/changed-entries.ts';
import { ROOT } from '../../../habits/sources.ts';
import { settingsBetween } from '../../../support/changed-settings.ts';

const REST = {
  service: { baseUrl: 'https://api.example.com', organization: 'acme' },
  windows: { nights: { allow: [{ days: 'mon-sun', from: '01:00', to: '05:00' }] } },
  rollouts: { fast: { maxInFlight: 30 } },
};

type Entry = Readonly<Record<string, unknown>>;
const SELECT = { deviceType: 'camera' };
const WHY = { reason: 'r', owner: 'o', ticket: 'T-1' };
const PASSWORDS = { task: 'rotatePassword', select: SELECT, windows: 'nights' };
const CERTIFICATES = { ...PASSWORDS, task: 'rotateSslCertificate' };
const POLICIES = {
  firmware: { select: SELECT, version: '11.11.1', windows: 'nights' },
  rotations: { ...PASSWORDS, maxAge: '180d' },
  onboarding: { select: SELECT, windows: 'nights' },
  restarts: { when: { status: 'offline', for: '2h' }, select: SELECT, windows: 'nights' },
  incidents: {
    rotate: 'password',
    select: SELECT,
    since: '2026-11-30T00:00:00Z',
    until: '2026-12-01T00:00:00Z',
    expect: 20,
    ...WHY,
  },
};
type Section = keyof typeof POLICIES;

/** Fields that every section of policies has. */
const shared = (section: Section): Readonly<Record<string, Edit>> => ({
  select: [{}, { select: { vendor: 'Axis' } }, ''],
  priority: [{}, { priority: 600 }, 'priority 500 -> 600'],
  approval: [{}, { approval: 'standing' }, 'approval none -> standing'],
  renamedFrom: [{}, { renamedFrom: `${section}.old` }, `renamedFrom none -> ${section}.old`],
  windows: [{}, { windows: 'anytime' }, 'windows nights -> anytime'],
});
const ROLLOUT: Edit = [{}, { rollout: 'fast' }, 'rollout default -> fast'];
const AFTER: Edit = [
  {},
  { after: [{ policy: 'firmware.other', ignoreOffline: '2d' }] },
  'after none -> firmware.other per site without what is offline for 2d',
];

/** An edit of one field of a section, and the settings that are listed; none where its changes show it. */
type Edit = readonly [before: Entry, after: Entry, said: string];
const EDITS: Readonly<Record<Section, Readonly<Record<string, Edit>>>> = {
  firmware: {
    ...shared('firmware'),
    rollout: ROLLOUT,
    after: AFTER,
    version: [{}, { version: '11.11.2' }, ''],
    minVersion: [{ minVersion: '11.0.0' }, {}, 'minVersion 11.0.0 -> none'],
    deferral: [{ deferral: '7d' }, {}, 'deferral 7d -> 0s'],
    deadline: [{ deadline: '30d' }, { deadline: '90d' }, 'deadline 30d -> 90d'],
    downgrade: [{ ticket: 'T' }, { ticket: 'T', downgrade: 'allow' }, 'downgrade forbid -> allow'],
    ticket: [{ ticket: 'T' }, { ticket: 'U' }, 'ticket T -> U'],
    order: [{}, { order: ['11.11.1', '11.8.0'] }, 'order none -> 11.11.1, 11.8.0'],
    path: [{}, { path: 'direct' }, 'path auto -> direct'],
    restAtIntermediate: [
      { restAtIntermediate: 'forbid' },
      { restAtIntermediate: 'allow' },
      'restAtIntermediate forbid -> allow',
    ],
  },
  rotations: {
    ...shared('rotations'),
    rollout: ROLLOUT,
    after: AFTER,
    task: [
      { maxAge: '90d' },
      { ...CERTIFICATES, maxAge: '90d' },
      'expiryGuard none -> 3d, task rotatePassword -> rotateSslCertificate',
    ],
    maxAge: [{}, { maxAge: '3000d' }, 'maxAge 180d -> 3000d'],
    renewBefore: [
      { ...CERTIFICATES, maxAge: undefined },
      { ...CERTIFICATES, maxAge: undefined, renewBefore: '30d' },
      'renewBefore 33% -> 30d',
    ],
    headStart: [{}, { headStart: '20d' }, 'headStart 21d -> 20d'],
    spread: [{}, { spread: '3d' }, 'spread 14d -> 3d'],
    generation: [{}, { generation: 2 }, 'generation 1 -> 2'],
    payload: [{}, { payload: { length: 12 } }, 'payload.length none -> 12'],
    verify: [
      { verify: { within: '20m' } },
      { verify: { within: '2d' } },
      'verify.within 20m -> 2d',
    ],
    expiryGuard: [
      { ...CERTIFICATES, maxAge: undefined },
      { ...CERTIFICATES, maxAge: undefined, expiryGuard: '20d' },
      'expiryGuard 3d -> 20d',
    ],
    offlineGrace: [{}, { offlineGrace: '0m' }, 'offlineGrace 1d -> 0s'],
    unknownAge: [{}, { unknownAge: 'rotate' }, 'unknownAge skip -> rotate'],
    leavesInService: [{}, { leavesInService: true }, 'leavesInService none -> true'],
    rationale: [{}, { rationale: 'RA-12' }, 'rationale none -> RA-12'],
  },
  onboarding: {
    ...shared('onboarding'),
    rollout: [{}, { rollout: 'fast' }, 'rollout none -> fast'],
    devices: [{ devices: [{ id: 'disc-1' }] }, { devices: [{ id: 'disc-2' }] }, ''],
    blockVendors: [{ blockVendors: ['Dahua'] }, {}, 'blockVendors Dahua -> none'],
    maxPerDay: [{}, { maxPerDay: 1000 }, 'maxPerDay 25 -> 1000'],
    expectWithin: [{}, { expectWithin: '90d' }, 'expectWithin 14d -> 90d'],
    onDuplicate: [{}, { onDuplicate: 'skip' }, 'onDuplicate error -> skip'],
    after: [
      {},
      { after: ['restartDevice'] },
      'after rotatePassword, upgradeFirmware -> restartDevice',
    ],
  },
  restarts: {
    ...shared('restarts'),
    rollout: [{}, { rollout: 'fast' }, 'rollout none -> fast'],
    when: [
      {},
      { when: { status: ['offline', 'partial'], for: '1m', excludeMaintenanceMode: false } },
      'when.excludeMaintenanceMode true -> false, when.for 2h -> 1m, when.status offline -> offline, partial',
    ],
    cooldown: [{}, { cooldown: '1m' }, 'cooldown 6h -> 1m'],
    maxPerDevice: [
      {},
      { maxPerDevice: { count: 50, per: '1d' } },
      'maxPerDevice 2 -> 50, maxPerDevice.per 7d -> 1d',
    ],
    maxPerSite: [
      { maxPerSite: { count: 3, per: '2h' } },
      { maxPerSite: { count: 3, per: '1h' } },
      'maxPerSite.per 2h -> 1h',
    ],
    correlatedOutage: [
      {},
      { correlatedOutage: { percent: '90%', within: '1m' } },
      'correlatedOutage 30% -> 90%, correlatedOutage.within 10m -> 1m',
    ],
    escalate: [{ escalate: { after: 2 } }, { escalate: { after: 40 } }, 'escalate.after 2 -> 40'],
  },
  incidents: {
    rotate: [{}, { rotate: 'certificate' }, 'task rotatePassword -> rotateSslCertificate'],
    select: [{}, { select: { vendor: 'Axis' } }, ''],
    since: [
      {},
      { since: '2026-11-29T00:00:00Z' },
      'since 2026-11-30T00:00:00Z -> 2026-11-29T00:00:00Z',
    ],
    until: [
      {},
      { until: '2026-12-02T00:00:00Z' },
      'until 2026-12-01T00:00:00Z -> 2026-12-02T00:00:00Z',
    ],
    expect: [{}, { expect: 500 }, 'expect 20 -> 500'],
    trial: [{ trial: 1 }, { trial: 9 }, 'trial 1 -> 9'],
    maxInFlight: [{ maxInFlight: 1 }, { maxInFlight: 500 }, 'maxInFlight 1 -> 500'],
    leavesInService: [{}, { leavesInService: true }, 'leavesInService none -> true'],
    payload: [{}, { payload: { length: 12 } }, 'payload.length none -> 12'],
    reason: [{}, { reason: 'x' }, 'reason r -> x'],
    owner: [{}, { owner: 'x' }, 'owner o -> x'],
    ticket: [{}, { ticket: 'T-2' }, 'ticket T-1 -> T-2'],
  },
};

const OF_FIRMWARE = { task: 'upgradeFirmware' };

/** Entries of other sections as documents write them, and the settings that an edit of each of their fields lists. */
const OTHERS: Readonly<
  Record<string, Readonly<Record<string, readonly [Entry, Entry, string] | 'elsewhere'>>>
> = {
  windows: {
    timeZone: [{}, { timeZone: 'Asia/Tokyo' }, 'timeZone site -> Asia/Tokyo'],
    allow: [
      { allow: [{ days: 'tue-thu', from: '01:00', to: '05:00' }] },
      {
        allow: [
          { from: '00:00', to: '24:00' },
          { days: ['sun', 'mon', 'sat'], from: '22:30', to: '06:00' },
        ],
      },
      'allow tue, wed, thu 01:00 to 05:00 -> sun, mon, sat 22:30 to 06:00; every day 00:00 to 24:00',
    ],
    deny: [
      { deny: [{ cron: '0 2 * * 5', duration: '90m' }] },
      {},
      'deny 0 2 * * 5 for 90m -> none',
    ],
    cutoff: [{}, { cutoff: '5m' }, 'cutoff auto -> 5m'],
    task: [{ task: 'upgradeFirmware' }, {}, 'task upgradeFirmware -> all'],
  },
  sites: {
    timeZone: [{ timeZone: 'Europe/Berlin' }, {}, 'timeZone Europe/Berlin -> none'],
    tags: [{}, { tags: ['retail', 'vip'] }, 'tags none -> retail, vip'],
  },
  exceptions: {
    type: [{}, { type: 'exclude' }, 'type hold -> exclude'],
    allow: [
      { type: 'allow', allow: { guardrail: 'maxPercentOfFleet', value: '40%' } },
      { type: 'allow', allow: { guardrail: 'maxPercentOfFleet', value: '90%' } },
      'value 40% -> 90%',
    ],
    // How many devices it has is another line.
    select: 'elsewhere',
    task: [{ task: 'restartDevice' }, {}, 'task restartDevice -> all'],
    version: [
      { ...OF_FIRMWARE, type: 'pin', version: '11.8.0' },
      { ...OF_FIRMWARE, type: 'pin', version: '11.8.1' },
      'version 11.8.0 -> 11.8.1',
    ],
    reasons: [
      { type: 'acknowledge', reasons: ['noPath'] },
      { type: 'acknowledge', reasons: ['noPath', 'offline'] },
      'reasons noPath -> noPath, offline',
    ],
    acceptsRisk: [
      { ...OF_FIRMWARE, type: 'pin', version: '11.8.0' },
      { ...OF_FIRMWARE, type: 'pin', version: '11.8.0', acceptsRisk: true },
      'acceptsRisk false -> true',
    ],
    until: [
      {},
      { until: '2026-12-20T00:00:00Z' },
      'until 2026-12-10T00:00:00Z -> 2026-12-20T00:00:00Z',
    ],
    notice: [{}, { notice: '1d' }, 'notice 14d -> 1d'],
    skipCanary: [
      { ...OF_FIRMWARE, type: 'expedite', approvers: ['A', 'B'] },
      { ...OF_FIRMWARE, type: 'expedite', approvers: ['A', 'B'], skipCanary: true },
      'skipCanary false -> true',
    ],
    approvers: [
      { ...OF_FIRMWARE, type: 'expedite', approvers: ['A', 'B'] },
      { ...OF_FIRMWARE, type: 'expedite', approvers: ['A', 'C'] },
      'approvers A, B -> A, C',
    ],
    reason: [{}, { reason: 'x' }, 'reason r -> x'],
    owner: [{}, { owner: 'x' }, 'owner o -> x'],
    ticket: [{}, { ticket: 'T-2' }, 'ticket T-1 -> T-2'],
  },
  service: {
    baseUrl: [
      {},
      { baseUrl: 'https://other.example.com' },
      'baseUrl https://api.example.com -> https://other.example.com',
    ],
    organization: [{}, { organization: 'globex' }, 'organization acme -> globex'],
    pace: [{}, { pace: { requestsPerSecond: 9 } }, 'pace.requestsPerSecond 1 -> 9'],
    ledger: [
      {},
      { ledger: { store: 'git', branch: 'other' } },
      'ledger.branch none -> other, ledger.remote none -> origin, ledger.store directory -> git',
    ],
    approval: [{}, { approval: 'plan' }, 'approval commit -> plan, approval.expires none -> 30d'],
    needsYouAfter: [{ needsYouAfter: '90d' }, {}, 'needsYouAfter 90d -> 7d'],
    notifications: [
      { notifications: [{ kind: 'slack', url: { fromEnv: 'SLACK' }, remind: '1d' }] },
      { notifications: [{ kind: 'slack', url: { fromEnv: 'SLACK' }, remind: '9d' }] },
      'notifications.0.remind 1d -> 9d',
    ],
    dialect: [
      { dialect: { tokenField: 'token', maxDevicesPerTask: 9 } },
      { dialect: { recordingStatusField: '', tokenBody: { grant: 'x' }, siteNameField: 'name' } },
      'dialect.maxDevicesPerTask 9 -> 100 (default), dialect.recordingStatusField recordingStatus (default) -> "" (the service does not show it), dialect.tokenBody.grant none -> x, dialect.tokenField token -> access_token (default)',
    ],
  },
};

const MINIMAL: Readonly<Record<string, Entry>> = {
  windows: REST.windows.nights,
  sites: {},
  exceptions: { type: 'hold', select: SELECT, until: '2026-12-10T00:00:00Z', ...WHY },
  service: REST.service,
};

describe.each(Object.keys(OTHERS))('a request that edits %s (semantics G10)', (section) => {
  const path = join(ROOT, 'schemas', `${section}.schema.json`);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as {
    properties?: object;
    $defs?: Readonly<Record<string, { properties?: object }>>;
  };
  const { properties = {} } = schema.properties
    ? schema
    : (Object.values(schema.$defs ?? {})[0] ?? {});
  const fields = Object.keys(properties).filter((name) => name !== 'override');
  const documents = (edit: Entry): Documents => {
    const entry = { ...MINIMAL[section], ...edit };
    return load({ ...REST, [section]: section === 'service' ? entry : { it: entry } });
  };

  it.each(fields)('says so of `%s`', (field) => {
    const edit = OTHERS[section]?.[field] ?? [{}, {}, 'an edit in this table'];
    if (edit === 'elsewhere') return;
    const { settings } = said(documents(edit[0]), documents(edit[1]));
    const start = section === 'service' ? 'service.' : `${section}.it.`;
    const texts = settings.map(({ at, before = 'none', after = 'none' }) => {
      expect(at.slice(0, start.length)).toBe(start);
      return `${at.slice(start.length)} ${before} -> ${after}`;
    });
    expect(texts.join(', ')).toBe(edit[2]);
  });
});

it('of a window that is new, or goes, a request lists what is not usual (semantics G10)', () => {
  const spans = [{ days: 'mon-fri', from: '02:00', to: '04:00' }];
  const windows = { ...REST.windows, it: { allow: spans, cutoff: '5m' } };
  const { settings } = said(load(REST), load({ ...REST, windows }));
  expect(settings).toEqual([
    { at: 'windows.it.allow', after: 'mon, tue, wed, thu, fri 02:00 to 04:00' },
    { at: 'windows.it.cutoff', after: '5m' },
  ]);
});

it('of an exception that is new, or goes, a request lists what it does and until when (semantics G10)', () => {
  const until = { until: '2026-12-10T00:00:00Z' };
  const hold = { type: 'hold', task: 'upgradeFirmware', select: SELECT, ...until, ...WHY };
  const allow = { type: 'allow', allow: { guardrail: 'maxPercentOfFleet', value: '90%' }, ...WHY };
  const [held, allowed] = [{ hold }, { allow: { ...allow, ...until } }].map((exceptions) =>
    load({ ...REST, exceptions }),
  );
  const lines = [said(load(REST), allowed as Documents), said(held as Documents, load(REST))];
  expect(lines.map(({ settings }) => settings)).toEqual([
    [
      {
        at: 'exceptions.allow',
        after: 'allow guardrail maxPercentOfFleet, task all, value 90%, until 2026-12-10T00:00:00Z',
      },
    ],
    [
      {
        at: 'exceptions.hold',
        before: 'hold, task upgradeFirmware, until 2026-12-10T00:00:00Z',
      },
    ],
  ]);
});

it.each(['firmware', 'rotations', 'onboarding', 'restarts'] as const)(
  'of one of %s that has another name, a request lists that and what else is changed (semantics G10, M23)',
  (section) => {
    const renamed = { ...POLICIES[section], windows: 'anytime', renamedFrom: `${section}.old` };
    const before = load({ ...REST, [section]: { old: POLICIES[section] } });
    const { settings } = said(before, load({ ...REST, [section]: { new: renamed } }));
    expect(settings).toEqual([
      { at: `${section}.new.renamedFrom`, after: `${section}.old` },
      { at: `${section}.new.windows`, before: 'nights', after: 'anytime' },
    ]);
  },
);

function documentsOf(section: Section, edit: Entry): Documents {
  const other = section === 'firmware' || section === 'rotations' ? POLICIES.firmware : undefined;
  return load({
    ...REST,
    ...(other && { firmware: { other: { ...other, select: { vendor: 'Bosch' } } } }),
    [section]: {
      ...(section === 'firmware' && { other: { ...other, select: { vendor: 'Bosch' } } }),
      it: { ...POLICIES[section], ...edit },
    },
  });
}

function load(fleet: Entry): Documents {
  const text = JSON.stringify(fleet, null, 1);
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text }]);
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!documents) throw new Error('no documents');
  return documents;
}

function said(before: Documents, after: Documents) {
  const entries = [...changedEntries(before, after, 'main').keys()];
  const settings = settingsBetween(before, after);
  return { settings, edits: findEdits(entries, []) };
}

describe.each(Object.keys(POLICIES) as Section[])(
  'a request that edits %s (semantics G10)',
  (section) => {
    const path = join(ROOT, 'schemas', `${section}.schema.json`);
    const { $defs } = JSON.parse(readFileSync(path, 'utf8')) as {
      $defs: Readonly<
        Record<string, { properties?: Readonly<Record<string, { readonly default?: unknown }>> }>
      >;
    };
    const [definition] = Object.values($defs);
    const fields = Object.keys(definition?.properties ?? {}).filter((name) => name !== 'override');

    it.each(fields)('says so of `%s`', (field) => {
      const [before, after, expected] = EDITS[section][field] ?? [{}, {}, 'an edit in this table'];
      const sides = [before, after].map((edit) => documentsOf(section, edit));
      const { settings, edits } = said(sides[0] as Documents, sides[1] as Documents);
      const texts = settings.map(({ at, before: was = 'none', after: is = 'none' }) => {
        expect(at).toMatch(new RegExp(`^${section}\\.it\\.`));
        return `${at.slice(`${section}.it.`.length)} ${was} -> ${is}`;
      });
      expect([texts.join(', '), edits]).toEqual([expected, [section]]);
    });

    const defaults = Object.entries(definition?.properties ?? {}).flatMap(
      ([field, { default: value }]) => (value === undefined ? [] : [[field, value] as const]),
    );
    it.each(defaults)('says nothing where the default of `%s` is written out', (field, value) => {
      const unlike = field === 'expiryGuard' ? { ...CERTIFICATES, maxAge: undefined } : {};
      const { settings, edits } = said(
        documentsOf(section, unlike),
        documentsOf(section, { ...unlike, [field]: value }),
      );
      expect([settings, edits]).toEqual([[], []]);
    });

    it('names it if the entry is new, or goes', () => {
      const another = section === 'onboarding' ? 'restarts' : 'onboarding';
      const [none, one] = [documentsOf(another, {}), documentsOf(section, {})];
      expect(said(none, one).edits).toContain(section);
      expect(said(one, none).edits).toContain(section);
    });
  },
);
