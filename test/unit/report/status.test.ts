import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/model/plan/change.ts';
import type { IntentState, Memory } from '../../../src/model/ledger/memory.ts';
import type { Planned } from '../../../src/plan/input.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { Reason } from '../../../src/model/plan/reason.ts';
import { findAllClear } from '../../../src/model/report/all-clear.ts';
import { findHint } from '../../../src/model/report/hint.ts';
import { statusSituation } from '../../../src/render/view/situations.ts';
import { fleetStatus } from '../../../src/report/status.ts';
import { buildPlanView } from '../../../src/render/view/view.ts';
import { planOf } from '../../support/render-plan.ts';
import { statusText } from '../../support/status-text.ts';
import type { Followed } from '../../../src/rollout/progress/followed.ts';
import { followRollouts } from '../../../src/rollout/progress/follow.ts';
import { LOOK } from '../../support/render-look.ts';
import { anInput } from '../../support/rollout-rig.ts';
import { aMemory, anIntent, anOpenIntent, NOW } from '../../support/plan-fleet.ts';

const DAY = 86_400_000;
const AT = { file: 'fleet/test.yaml', line: 7, column: 3, policy: 'rotations.pw' };

function aChange(id: string, action: Change['action'], reason: Reason): Change {
  return {
    id: `rotatePassword/${id}`,
    task: 'rotatePassword',
    device: { id },
    action,
    cause: 'clock',
    reason,
    policy: AT.policy,
    at: AT,
    before: {},
    after: {},
    target: 't',
    generation: 1,
    marker: '',
    risk: 'low',
  };
}

interface Given {
  readonly changes?: readonly Change[];
  readonly notes?: Plan['notes'];
  readonly waves?: Plan['waves'];
  readonly verdicts?: Plan['verdicts'];
  readonly debts?: Planned['debts'];
  readonly intents?: readonly IntentState[];
  readonly memory?: Partial<Memory>;
  readonly followed?: ReadonlyMap<string, Followed>;
  readonly isListed?: (device: string) => boolean;
}

function status(given: Given) {
  const { changes = [], notes = [], waves = [], verdicts = [], debts = new Map() } = given;
  const { intents, memory, followed, isListed } = given;
  const plan = { changes, notes, waves, verdicts, warnings: [] } as unknown as Plan;
  const run = {
    ...(followed && { followed }),
    ...(isListed && { isListed }),
  };
  return fleetStatus({ plan, debts, memory: aMemory(intents, memory), now: NOW, ...run });
}

const RUN = aChange('a', 'run', { code: 'act', why: 'ageReached' });
const CLOSED = (id: string, next: number) =>
  aChange(id, 'wait', { code: 'windowClosed', next, params: { window: 'nights', site: id } });

describe('a plan that a guardrail refuses', () => {
  const verdict = { limit: 'maxChanges', passed: false, number: 30, allowed: 20 };

  it('leads to the guardrail and to no run, although changes are due (semantics N85)', () => {
    const verdicts = [{ ...verdict, passed: true }, verdict] as unknown as Plan['verdicts'];
    const view = status({ changes: [RUN], verdicts });
    expect(view.refused).toEqual([verdict]);
    expect(findHint(statusSituation(view))).toEqual({ row: 4, is: 'refused', verdict });
  });

  it('has nothing to say of limits that are kept', () => {
    const view = status({ changes: [RUN] });
    expect(view).not.toHaveProperty('refused');
    expect(findHint(statusSituation(view))).toEqual({ row: 7, is: 'again' });
  });
});

it('says who decided what changes wait for, as its plan does: an orphaned pause of a person ends with 7 (semantics M30)', () => {
  const params = { who: 'Ada', address: 'firmware.old', scope: 'firmware.old' };
  const paused = (id: string) =>
    aChange(id, 'wait', { code: 'rolloutPaused', why: 'orphanedPause', next: 'never', params });
  const changes = [paused('a'), paused('b')];
  expect(findAllClear(statusSituation(status({ changes }))).exit).toBe(7);
});

it('the time of a status is that of its plan', () => {
  const plan = {
    changes: [],
    notes: [],
    waves: [],
    verdicts: [],
    warnings: [],
    timeZone: 'Europe/Berlin',
  };
  const view = fleetStatus({
    plan: plan as unknown as Plan,
    debts: new Map(),
    memory: aMemory(),
    now: NOW,
  });
  expect(view.timeZone).toBe('Europe/Berlin');
});

describe('how the devices of a policy divide', () => {
  it('counts every device once', () => {
    const note = { task: 'rotatePassword', at: AT } as const;
    const [policy] = status({
      changes: [RUN, CLOSED('b', NOW + DAY), aChange('c', 'skip', { code: 'quarantined' })],
      notes: [
        { ...note, reason: { code: 'notDue', next: NOW + 5 * DAY }, count: 4 },
        { ...note, reason: { code: 'notDue', next: NOW + 3 * DAY }, count: 1 },
        { ...note, reason: { code: 'alreadyConverged' }, count: 3 },
        { ...note, reason: { code: 'notDiscovered' }, count: 2 },
      ],
    }).policies;
    expect(policy).toMatchObject({ devices: 13, converged: 3, notDue: 5, noted: 2 });
    expect(policy).toMatchObject({ run: 1, wait: 1, skip: 1, nextDue: NOW + 3 * DAY });
  });

  it('puts those that wait for the same reason together, with the earliest instant', () => {
    const changes = [CLOSED('a', NOW + 2 * DAY), CLOSED('b', NOW + DAY)];
    const params = { window: 'nights' };
    expect(status({ changes }).policies[0]?.waits).toEqual([
      {
        count: 2,
        lastNext: NOW + 2 * DAY,
        reason: { code: 'windowClosed', next: NOW + DAY, params },
      },
    ]);
  });

  it('keeps what waits for different exceptions apart', () => {
    const held = (id: string, exception: string) =>
      aChange(id, 'wait', { code: 'hold', params: { exception } });
    const changes = [held('a', 'court'), held('b', 'bay'), held('c', 'bay')];
    expect(status({ changes }).policies[0]?.waits.map(({ count }) => count)).toEqual([2, 1]);
  });

  it.each<[string, readonly Change[], number | 'never' | undefined]>([
    ['now where something runs', [CLOSED('b', NOW + DAY), RUN], NOW],
    ['when the first may', [CLOSED('a', NOW + 2 * DAY), CLOSED('b', NOW + DAY)], NOW + DAY],
    [
      'never where all need a person',
      [aChange('a', 'wait', { code: 'busy', next: 'never' })],
      'never',
    ],
    ['unknown where one is', [aChange('a', 'wait', { code: 'offline' })], undefined],
  ])('goes on: %s', (_, changes, next) => {
    expect(status({ changes }).policies[0]?.next).toBe(next);
  });
});

it('ends the pause of a site by the name of the site, with its ticket', () => {
  const pause = { rule: 'person', scope: 'fleet/site=1', policy: 'fleet', site: 'HQ Berlin' };
  const params = { ...pause, ticket: 'OPS-7' };
  const reason = { code: 'rolloutPaused', why: 'person', next: 'never', params } as const;
  const changes = [aChange('a', 'wait', reason)];
  const style = { ...LOOK, plan: buildPlanView(planOf(changes)) };
  const text = [...statusText(status({ changes }), style)].join(' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('unpause fleet --site "HQ Berlin" --reason R --ticket OPS-7');
});

it('says of what else is held the pause that a person lifts first (K26)', () => {
  const params = { alsoPaused: 'rotations.pw' };
  const reason = { code: 'busy', why: 'gap', next: 'never', params } as const;
  const changes = [aChange('a', 'wait', reason)];
  const style = { ...LOOK, all: true, plan: buildPlanView(planOf(changes)) };
  const text = [...statusText(status({ changes }), style)].join(' ');
  expect(text).toContain('next: end the pause of rotations.pw:');
});

it('names a service that is not that of the documents, and no run as the next step there', () => {
  const { service, ...inputs } = planOf([]).inputs;
  const from = { ...service, from: 'environment', documents: 'https://first.example.com' } as const;
  const changes = [aChange('a', 'run', { code: 'act' })];
  const look = (each: Partial<typeof from>) => {
    const plan = buildPlanView(
      planOf([], { inputs: { ...inputs, service: { ...service, ...each } } }),
    );
    const shown = statusText(status({ changes }), { ...LOOK, plan });
    return [...shown].map((line) => String(line).trim()).join(' ');
  };
  expect(look(from)).toMatch(
    /UTC\. Service: .* from the environment; the documents name https:\/\/first.example.com\./,
  );
  expect(look(from)).toContain(
    `next: unset FLEETFORM_BASE_URL (the documents name https://first.example.com), or \`fleetform init --service ${service.baseUrl}\``,
  );
  expect(look({})).not.toContain('Service:');
  expect(look({})).toMatch(/next: fleetform apply$/);
});

describe('what the ledger adds', () => {
  const rollouts = new Map([
    [
      'rotations.pw',
      { targetDigest: 'd', seq: 3, startedAt: NOW - DAY, base: [], devices: new Set<string>() },
    ],
  ]);
  const mine = { policy: 'rotations.pw' };

  it('counts devices that this rollout verified, not those of the one before', () => {
    const intents = [
      anIntent('a', { ...mine, rollout: 3 }),
      anIntent('b', { ...mine, rollout: 1 }),
      anIntent('c', { ...mine, rollout: 3, verdict: 'failed' }),
    ];
    const [policy] = status({ changes: [RUN], intents, memory: { rollouts } }).policies;
    expect(policy).toMatchObject({ verified: 1, startedAt: NOW - DAY });
  });

  it('counts none of an earlier rollout once the documents require another target', () => {
    const intents = [
      anIntent('a', { ...mine, rollout: 3 }),
      anIntent('b', { ...mine, rollout: 1 }),
    ];
    const followed = followRollouts([anInput({ policy: mine.policy })], {
      memory: aMemory(intents, { rollouts }),
      now: NOW,
    });
    const view = status({ changes: [RUN], intents, memory: { rollouts }, followed });
    expect(view.policies[0]).toMatchObject({ verified: 0, verifiedBefore: 1 });
    expect(view.policies[0]).not.toHaveProperty('startedAt');
    expect([...statusText(view, { ...LOOK, all: true })].join('\n')).toContain(
      'not begun; 1 device verified by the rollout before',
    );
  });

  it('says which is the single wave of a policy, and how many it still wants', () => {
    const waves = [
      { policy: 'rotations.pw', name: 'all', changes: 5 },
      { policy: 'firmware.axis', name: 'other', changes: 1 },
    ];
    expect(status({ changes: [RUN], waves }).policies[0]?.waves).toEqual([
      { name: 'all', is: 'plain', devices: 5 },
    ]);
  });

  it('tells stops that are not lifted, and open intents: in doubt, or in flight', () => {
    const stop = { scope: 'rotations.pw', rule: 'canary', counts: { failed: 1 }, at: NOW - DAY };
    const view = status({
      intents: [
        anOpenIntent('b', { phase: 'inDoubt', doubtSince: NOW - 60_000, attemptedAt: NOW - DAY }),
        anOpenIntent('a', { taskId: 'task-1', attemptedAt: NOW - 2 * DAY }),
        anIntent('c'),
      ],
      memory: { stops: new Map([['rotations.pw', stop]]) },
    });
    expect(view.paused).toEqual([
      { ...stop, bad: [], effects: { held: 0, again: 0, setAside: 0 } },
    ]);
    expect(view.inDoubt.map(({ device, since }) => [device, since])).toEqual([['b', NOW - 60_000]]);
    expect(view.inFlight.map(({ device, taskId }) => [device, taskId])).toEqual([['a', 'task-1']]);
  });
});

describe('debt', () => {
  it('is that of its own policy', () => {
    const debt = { devices: 2, oldest: NOW - 9 * DAY, oldestDevice: 'b', breached: 1 };
    const debts = new Map([[AT.policy, debt]]);
    expect(status({ changes: [RUN], debts }).policies[0]?.debt).toEqual(debt);
    expect(status({ changes: [RUN] }).policies[0]).not.toHaveProperty('debt');
  });
});

describe('a task that has not ended', () => {
  const HOUR = DAY / 24;
  const lostIn = (attemptedAt: number, phase: 'running' | 'inDoubt') => {
    const intents = [anOpenIntent('a', { attemptedAt, phase })];
    const memory = aMemory(intents);
    const plan = {
      changes: [],
      notes: [],
      waves: [],
      verdicts: [],
      warnings: [],
    } as unknown as Plan;
    const { inFlight, inDoubt } = fleetStatus({
      plan,
      debts: new Map(),
      memory,
      lostAfter: () => DAY,
      now: NOW,
    });
    return [...inFlight, ...inDoubt].map(({ lost }) => lost);
  };

  it('for longer than its limit is for a person to look at', () => {
    expect(lostIn(NOW - DAY - 1, 'running')).toEqual([true]);
    expect(lostIn(NOW - HOUR, 'running')).toEqual([undefined]);
    expect(lostIn(NOW - 2 * DAY, 'inDoubt')).toEqual([undefined]);
  });
});

describe('an onboarding that ended unverified', () => {
  const task = 'onboardDevice' as const;
  const unverified = anIntent('disc-1', { task, verdict: 'unverified' });
  const isListed = (device: string): boolean => device !== 'disc-1';

  it('is shown as long as the service does not list its device', () => {
    const [one] = status({ intents: [unverified], isListed }).unseen ?? [];
    expect(one).toMatchObject({ device: 'disc-1', intentId: unverified.id });
    expect(status({ intents: [unverified] }).unseen).toBeUndefined();
  });

  it('is left out after a later onboarding of the device, or the decision of a person', () => {
    const later = anIntent('disc-1', { task, target: 'again' });
    expect(status({ intents: [unverified, later], isListed }).unseen).toBeUndefined();
    const resolved = { ...unverified, verdict: 'notDone' as const };
    expect(status({ intents: [resolved], isListed }).unseen).toBeUndefined();
  });
});
