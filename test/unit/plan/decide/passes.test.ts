import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../../src/lib/time.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';
import type { LiveFile } from '../../../support/plan-live.ts';
import { make, type Scenario } from '../../../support/plan-scenario.ts';

const NOW = parseInstant('2026-11-20T12:00:00Z') ?? Number.NaN;
const ENTRY = 'until: "2026-11-21T00:00:00Z", reason: r, owner: o, ticket: T-1';

/** What is in the way of rotating the password of the device `x`. */
interface Obstacle {
  /** Fields of the rotation policy that differ. */
  readonly policy?: string;
  readonly rollout?: string;
  /** Documents beside it. */
  readonly beside?: string;
  readonly budget?: string;
  readonly exception?: string;
  readonly limits?: string;
  readonly live?: LiveFile['devices'][string];
  readonly others?: LiveFile['devices'];
  readonly past?: Scenario['past'];
  readonly seen?: Scenario['seen'];
  readonly pauses?: Scenario['pauses'];
}

type Passer = 'nothing' | 'expedite' | 'incident' | 'allow';
const PASSERS: readonly Passer[] = ['nothing', 'expedite', 'incident', 'allow'];

const FREEZE =
  'from: "2026-11-19T00:00:00Z", to: "2026-11-22T00:00:00Z", reason: r, owner: o, ticket: T-2';

/** What is decided whoever asks. */
function always(reason: string): readonly string[] {
  return PASSERS.map(() => reason);
}

/** Each with what is decided where nothing, `expedite`, an incident, and a raised budget meet it. */
const ROWS: Readonly<Record<string, readonly [Obstacle, ...string[]]>> = {
  'nothing at all': [{}, ...always('run')],
  unsupported: [{ live: { tasks: ['upgradeFirmware'] } }, ...always('unsupported taskUnavailable')],
  'a hold': [{ exception: `held: {type: hold, select: {device: x}, ${ENTRY}}` }, ...always('hold')],
  'an exclude': [
    { exception: `out: {type: exclude, select: {device: x}, ${ENTRY}}` },
    ...always('exclude'),
  ],
  'a hard freeze': [{ beside: `freezes: {f: {${FREEZE}, hard: true}}` }, ...always('frozenHard')],
  'an attempt in doubt': [
    {
      past: [
        {
          task: 'rotatePassword',
          device: 'x',
          policy: 'rotations.p',
          target: 'a',
          phase: 'inDoubt',
          attempted: '2h',
        },
      ],
    },
    ...always('inDoubt'),
  ],
  'a failed attempt': [
    {
      past: [
        {
          task: 'rotatePassword',
          device: 'x',
          policy: 'rotations.p',
          target: 'changed 200d',
          marker: 'changed 200d',
          generation: 1,
          verdict: 'rolledBack',
          attempted: '5h',
          settled: '4h',
        },
      ],
    },
    ...always('quarantined retriesUsed'),
  ],
  'a task at work': [
    {
      past: [
        {
          task: 'upgradeFirmware',
          device: 'x',
          policy: 'firmware.f',
          target: '1',
          phase: 'running',
          attempted: '5m',
        },
      ],
    },
    ...always('busy ours'),
  ],
  maintenance: [{ live: { maintenance: true } }, ...always('busy maintenanceMode')],
  offline: [{ live: { status: 'offline', seen: '5h' } }, ...always('offline')],
  'an unknown status': [{ live: { status: 'strange' } }, ...always('unknown')],
  'a pause': [
    { pauses: [{ scope: 'fleet', who: 'ada', why: 'w', at: '1h' }] },
    ...always('rolloutPaused person'),
  ],
  'a pause of the policy': [
    { pauses: [{ scope: 'rotations.p', who: 'ada', why: 'w', at: '1h' }] },
    'rolloutPaused person',
    'rolloutPaused person',
    'run',
    'rolloutPaused person',
  ],
  'its own day': [
    { policy: 'spread: 14d', live: { passwordChanged: '181d' } },
    'notDue spread',
    'run',
    'run',
    'notDue spread',
  ],
  'the grace of a device that was away': [
    {
      policy: 'offlineGrace: 24h',
      live: { passwordChanged: '162d' },
      seen: { 'back/x': { value: 'back', since: '12h' } },
    },
    'notDue offlineGrace',
    'run',
    'run',
    'notDue offlineGrace',
  ],
  'the soak of its firmware': [
    {
      beside:
        'firmware: {f: {select: {device: x}, version: "11.8.61", rollout: soaking, windows: anytime}}',
      past: [
        {
          task: 'upgradeFirmware',
          device: 'x',
          policy: 'firmware.f',
          target: '11.8.61',
          verdict: 'done',
          attempted: '24h',
          settled: '23h',
        },
      ],
    },
    'busy soak',
    'run',
    'run',
    'busy soak',
  ],
  'the day after its certificate': [
    {
      past: [
        {
          task: 'rotateSslCertificate',
          device: 'x',
          policy: 'rotations.c',
          target: 'c',
          verdict: 'done',
          attempted: '2h',
          settled: '1h',
        },
      ],
    },
    'busy gap',
    'busy gap',
    'run',
    'busy gap',
  ],
  'a canary that has not begun': [
    { rollout: 'waved', others: { 'cam-1..3': {} } },
    'waveNotOpen',
    'waveNotOpen',
    'run',
    'waveNotOpen',
  ],
  'a soft freeze': [{ beside: `freezes: {f: {${FREEZE}}}` }, 'frozen', 'run', 'run', 'frozen'],
  'a closed window': [
    { policy: 'windows: saturdays' },
    'windowClosed',
    'run',
    'run',
    'windowClosed',
  ],
  'its cutoff': [{ policy: 'windows: noon' }, 'pastCutoff', 'run', 'run', 'pastCutoff'],
  'a device in our hands': [
    {
      budget: 'maxUnavailable: 1',
      others: { 'cam-1..2': {} },
      past: [
        {
          task: 'rotatePassword',
          device: 'cam-1',
          policy: 'rotations.p',
          target: 'a',
          phase: 'inDoubt',
          attempted: '2h',
        },
      ],
    },
    'budgetExhausted inOurHands',
    'budgetExhausted inOurHands',
    'budgetExhausted inOurHands',
    'run',
  ],
  'devices in flight': [
    {
      budget: 'maxUnavailable: 100%, maxInFlight: 1',
      others: { 'cam-1..2': {} },
      past: [
        {
          task: 'rotatePassword',
          device: 'cam-1',
          policy: 'rotations.p',
          target: 'a',
          phase: 'running',
          attempted: '5m',
        },
      ],
    },
    'budgetExhausted',
    'budgetExhausted',
    'budgetExhausted',
    'run',
  ],
};

const OF_THE_POLICY = [
  'its own day',
  'the grace of a device that was away',
  'a canary that has not begun',
];

const EXTRA: Readonly<Record<Passer, string>> = {
  nothing: '',
  expedite: `fast: {type: expedite, select: {device: x}, task: rotatePassword, ${ENTRY}}`,
  incident: '',
  allow: `more: {type: allow, allow: {budget: site, value: 2}, select: {device: x}, ${ENTRY}}`,
};

function documentsOf(row: Obstacle, passer: Passer): string {
  const exceptions = [row.exception, EXTRA[passer]].filter(Boolean).join(', ');
  const fields = { spread: '0d', offlineGrace: '0m', windows: 'anytime' };
  const [key = '', value = ''] = row.policy?.split(': ') ?? [];
  const policy = Object.entries({ ...fields, ...(key && { [key]: value }) })
    .map((pair) => pair.join(': '))
    .join(', ');
  return `service: {baseUrl: https://api.example.com, organization: acme}
sites: {HQ: {timeZone: Etc/UTC}}
rollouts:
  plain: {canary: none, waves: [{name: all, percent: 100%}]}
  soaking: {canary: none, waves: [{name: all, percent: 100%, soak: 72h}]}
  waved: {waves: [{name: canary, size: 1, soak: 24h}, {name: rest, percent: 100%}]}
budgets:
  default-site: {per: site, maxUnavailable: 100%}
  site: {per: site, ${row.budget ?? 'maxUnavailable: 100%'}}
${row.limits ?? 'guardrails: {default: {maxPercentOfFleet: 100%}}'}
windows:
  saturdays: {allow: [{days: [sat], from: "01:00", to: "05:00"}]}
  noon: {allow: [{days: mon-sun, from: "10:00", to: "12:20"}], cutoff: 30m}
rotations:
  p: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, rollout: ${row.rollout ?? 'plain'}, ${policy}}
${row.beside ?? ''}
${exceptions && `exceptions: {${exceptions}}`}
${passer === 'incident' ? `incidents: {leak: {rotate: password, select: {deviceType: camera}, since: "2026-11-20T11:00:00Z", expect: 9, ${ENTRY}}}` : ''}
`;
}

async function planFor(row: Obstacle, passer: Passer): Promise<Plan> {
  const defaults = {
    vendor: 'Axis',
    model: 'P3265-V',
    type: 'camera',
    firmware: '11.8.61',
    status: 'online',
    seen: '1m',
    sites: ['HQ'],
    tasks: ['upgradeFirmware', 'rotatePassword', 'rotateSslCertificate'],
    passwordChanged: '200d',
    approved: ['11.8.61'],
  } as const;
  const { planned } = await make({
    name: 'passes',
    folder: '/nowhere',
    files: [{ path: 'fleet/fleet.yaml', text: documentsOf(row, passer) }],
    live: { sites: ['HQ'], defaults, devices: { ...row.others, x: row.live ?? {} } },
    now: NOW,
    past: row.past ?? [],
    seen: row.seen ?? {},
    rollouts: {},
    pauses: row.pauses ?? [],
    errors: [],
    fallsDueWithinAnHour: false,
  });
  return planned.plan;
}

async function reasonFor(row: Obstacle, passer: Passer): Promise<string> {
  const { changes, notes } = await planFor(row, passer);
  const change = [...changes].find(({ id }) => id === 'rotatePassword/x');
  const [note] = notes.filter(({ task }) => task === 'rotatePassword');
  if (!change) return `note ${note?.reason.code}`;
  const { action, reason } = change;
  return action === 'run' ? 'run' : [reason.code, reason.why].filter(Boolean).join(' ');
}

describe('I2 N58 what passes an obstacle, and what does not', () => {
  it.each(Object.entries(ROWS))('%s', async (_, [obstacle, ...expected]) => {
    const found: string[] = [];
    for (const passer of PASSERS) found.push(await reasonFor(obstacle, passer));
    expect(found).toEqual(expected);
  });

  it.each(Object.entries(ROWS))(
    'M26 is named with its rule where it is passed: %s',
    async (name, row) => {
      const [obstacle, alone, ...others] = row;
      const rules = ['exceptions.fast', 'incidents.leak', 'exceptions.more'];
      for (const [index, passer] of PASSERS.slice(1).entries()) {
        // An incident is a policy of its own, without the days, the grace and the waves of the other one.
        const isOwn = passer === 'incident' && OF_THE_POLICY.includes(name);
        const isPassed = alone !== 'run' && others[index] === 'run' && !isOwn;
        const { changes } = await planFor(obstacle, passer);
        const { passes = [] } = [...changes].find(({ id }) => id === 'rotatePassword/x') ?? {};
        const named = new Set(passes.map(({ rule }) => rule));
        expect([passer, ...named]).toEqual(isPassed ? [passer, rules[index]] : [passer]);
      }
    },
  );

  it('a guardrail, which weighs an incident by what it expects and everything else as ever', async () => {
    const limits = 'guardrails: {default: {maxPercentOfFleet: 0%}}';
    const refused = async (passer: Passer): Promise<readonly string[]> =>
      (await planFor({ limits }, passer)).verdicts
        .filter(({ passed }) => !passed)
        .map(({ limit }) => limit);
    expect(await Promise.all(PASSERS.map(refused))).toEqual([
      ['maxPercentOfFleet'],
      ['maxPercentOfFleet'],
      [],
      ['maxPercentOfFleet'],
    ]);
  });
});
