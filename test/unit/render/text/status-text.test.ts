import { describe, expect, it } from 'vitest';
import { findColumn, PLAN_COLUMNS } from '../../../../src/model/plan/actor.ts';
import type { PolicyStatus, StatusView } from '../../../../src/model/report/status.ts';
import { statusJson } from '../../../../src/render/data/output-json.ts';
import { statusText } from '../../../support/status-text.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { LOOK } from '../../../support/render-look.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import type { DeviceLabel } from '../../../../src/model/plan/change.ts';
import { change, labels, NOW, planOf } from '../../../support/render-plan.ts';
import { utc } from '../../../support/report-fleet.ts';

const AT = utc('2026-11-20T12:00');
const at = (policy: string, line: number) => ({
  file: 'fleet/fleet.yaml',
  line,
  column: 3,
  policy,
});
const none = { converged: 0, notDue: 0, run: 0, wait: 0, skip: 0, noted: 0, waits: [], skips: [] };

/** A policy with its columns, as a tally counts them. */
function counted(policy: Omit<PolicyStatus, 'columns' | 'left'>): PolicyStatus {
  const columns = Object.fromEntries(PLAN_COLUMNS.map((column) => [column, 0]));
  const sums = columns as Record<(typeof PLAN_COLUMNS)[number], number>;
  sums.now = policy.run;
  sums.done = policy.converged + policy.notDue + policy.noted;
  sums.later = policy.notRead ?? 0;
  for (const { reason, count } of [...policy.waits, ...policy.skips])
    sums[findColumn({ action: 'wait', reason })] += count;
  return { ...policy, left: [], columns: sums };
}

const VIEW: StatusView = {
  at: AT,
  pauses: [],
  paused: [
    {
      scope: 'firmware.lts',
      rule: 'canary',
      counts: { failed: 1, bad: 1 },
      at: AT - 7_200_000,
      bad: [{ device: 'dev-7', verdict: 'failed', step: 'waitForBoot', taskId: 'task-1' }],
      effects: { held: 100, again: 1, againFrom: AT + 3_600_000, setAside: 0 },
    },
  ],
  policies: [
    counted({
      ...none,
      at: at('firmware.lts', 5),
      task: 'upgradeFirmware',
      devices: 120,
      converged: 15,
      wait: 100,
      skip: 5,
      verified: 14,
      startedAt: AT - 2 * 86_400_000,
      waves: [
        {
          name: 'canary',
          is: 'passed',
          devices: 5,
          attempted: 5,
          verified: 5,
          since: AT - 86_400_000,
        },
        {
          name: 'early',
          is: 'soaking',
          devices: 10,
          attempted: 10,
          verified: 9,
          bad: 1,
          failed: 1,
          since: AT - 3_600_000,
          until: AT + 86_400_000,
        },
        { name: 'rest', is: 'waiting', devices: 105, attempted: 0, verified: 0 },
        {
          name: 'last',
          is: 'gated',
          devices: 1,
          attempted: 1,
          verified: 0,
          why: 'minSuccess',
          since: AT,
        },
      ],
      waits: [
        {
          count: 100,
          reason: { code: 'waveNotOpen', next: AT + 86_400_000, params: { wave: 'rest' } },
        },
      ],
      skips: [{ count: 5, reason: { code: 'unsupported', why: 'noPath' } }],
      next: AT + 86_400_000,
    }),
    counted({
      ...none,
      at: at('rotations.pw', 9),
      task: 'rotatePassword',
      devices: 40,
      notDue: 37,
      run: 3,
      verified: 0,
      waves: [{ name: 'all', is: 'plain', devices: 3 }],
      debt: {
        devices: 3,
        oldest: AT - 9 * 86_400_000,
        oldestDevice: 'dev-1',
        breachesAt: AT + 86_400_000,
        breached: 0,
      },
      next: AT,
    }),
    counted({
      ...none,
      at: at('rotations.certs', 12),
      task: 'rotateSslCertificate',
      devices: 4,
      notDue: 4,
      verified: 0,
      waves: [],
      nextDue: AT + 86_400_000,
    }),
  ],
  inDoubt: [
    {
      intentId: 'intent-1',
      attemptId: 'run.1',
      task: 'rotatePassword',
      device: 'dev-9',
      policy: 'rotations.pw',
      since: AT - 5_400_000,
    },
  ],
  inFlight: [
    {
      intentId: 'intent-2',
      attemptId: 'run.2',
      taskId: 'task-7',
      task: 'upgradeFirmware',
      device: 'dev-8',
      policy: 'firmware.lts',
      since: AT - 60_000,
    },
  ],
};

describe('a status', () => {
  it('tells what is paused, each policy, what is in doubt and in flight', async () => {
    const text = `${[...statusText(VIEW, { ...LOOK, all: true })].join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('../goldens/status.txt');
  });

  it('says so when no policy governs a device', () => {
    const empty = { ...VIEW, policies: [], paused: [], inDoubt: [], inFlight: [] };
    const text = [...statusText(empty, LOOK)].join('\n');
    expect(text).toContain('No policy selects a device.');
    expect(text).not.toContain('In doubt');
  });

  it('names policies that select no device', () => {
    const idle = ['firmware.a', 'firmware.b', 'firmware.c', 'rotations.d'].map((policy) => ({
      code: 'selectsNothing' as const,
      severity: 'warning' as const,
      params: { policy },
    }));
    const plan = buildPlanView({ ...planOf([]), warnings: idle });
    expect([...statusText(VIEW, { ...LOOK, plan })]).toContain(
      'Selects no device: firmware.a, firmware.b, firmware.c, 1 more',
    );
  });

  it('says that an inconsistent read may have left devices out', () => {
    const text = [...statusText({ ...VIEW, torn: true }, LOOK)].join('\n');
    expect(text).toContain('The read of the fleet is inconsistent: devices may be missing.');
  });

  it('fits the width and obeys no name', () => {
    for (const name of hostileNames(40)) {
      const [policy] = VIEW.policies;
      const waits = [{ count: 1, reason: { code: 'hold', params: { exception: name } } as const }];
      const waves = [{ name, is: 'paused', why: name, devices: 1 } as const];
      const view: StatusView = {
        ...VIEW,
        run: { is: 'silent', epoch: 1, label: name, host: name, pid: 1, since: AT, lastSignAt: AT },
        paused: [
          {
            scope: name,
            rule: name,
            counts: { [name]: 1 },
            at: AT,
            bad: [{ device: name, verdict: 'failed', step: name, taskId: name }],
          },
        ],
        policies: policy ? [{ ...policy, at: at(name, 1), waits, waves }] : [],
        inDoubt: VIEW.inDoubt.map((open) => ({ ...open, device: name, intentId: name })),
      };
      for (const line of statusText(view, { ...LOOK, all: true })) {
        expect(line).not.toMatch(FORBIDDEN);
        expect(textWidth(line)).toBeLessThanOrEqual(80);
      }
    }
  });

  it('is plain JSON with instants as text and reasons in words', () => {
    expect(statusJson(VIEW)).toMatchObject({
      at: '2026-11-20T12:00:00Z',
      paused: [{ at: '2026-11-20T10:00:00Z' }],
      policies: [
        {
          startedAt: '2026-11-18T12:00:00Z',
          next: '2026-11-21T12:00:00Z',
          waves: { 1: { is: 'soaking', until: '2026-11-21T12:00:00Z' } },
          waits: [{ count: 100, reason: { code: 'waveNotOpen', next: '2026-11-21T12:00:00Z' } }],
        },
        { debt: { oldest: '2026-11-11T12:00:00Z' } },
        { nextDue: '2026-11-21T12:00:00Z' },
      ],
      inDoubt: [{ intentId: 'intent-1', age: '90m' }],
      inFlight: [{ taskId: 'task-7' }],
    });
  });
});

describe('the screen of each morning', () => {
  const changes = labels(30).map((device, n) => {
    const reason = { code: 'windowClosed', next: NOW + 86_400_000 } as const;
    const down = {
      code: 'unsupported',
      why: 'maintenanceMode',
      params: { needsYou: '7d' },
    } as const;
    return change(device, n === 0 ? { action: 'wait', reason: down } : { action: 'wait', reason });
  });
  const plan = buildPlanView(planOf(changes));
  const quiet = { ...VIEW, paused: [], inDoubt: [], inFlight: [] };
  const recent = { classes: { verified: 5, betweenSteps: 2 }, beside: {} };
  const lines = [...statusText({ ...quiet, recent }, { ...LOOK, plan })].map(String);

  it('fits 24 lines: what ended, the table, who has to act, what starts later', async () => {
    expect(lines.slice(0, 2).join(' ')).toMatch(
      /^acme, Fri 20 Nov .*\. Since yesterday: 5 devices verified, 0 failed, 2\s+between steps\./,
    );
    expect(lines).toContain('Needs you: 1');
    expect(lines).toContain('  cam-001 (dev-100) at Lyon: in maintenance mode');
    expect(lines.join('\n')).toMatch(/\nLater: 29 .*\n {2}firmware.axis-p32 {2}29 from /);
    expect(lines.at(-1)).toMatch(/^(?:next: | {6})/);
    expect(lines.length).toBeLessThanOrEqual(24);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/status-morning.txt');
  });

  it('has waves, next steps and tasks in flight with --all', () => {
    const text = (all: boolean) => [...statusText(VIEW, { ...LOOK, plan, all })].join('\n');
    expect(text(true)).toContain('early soaks since');
    expect(text(true)).toContain('In flight: 1');
    expect(text(true)).toContain('next: end maintenance mode');
    expect(text(false)).not.toMatch(/soaks|In flight/);
    expect(text(false)).toContain('In doubt: 1');
  });
});

describe('tasks in doubt', () => {
  it('of one request are told once, each device with the ID that `resolve` takes', () => {
    const [one] = VIEW.inDoubt;
    if (!one) throw new Error('the view has a task in doubt');
    const some = Array.from({ length: 25 }, (_, n) => ({
      ...one,
      device: `dev-${n}`,
      intentId: `intent-${n}`,
    }));
    const other = { ...one, attemptId: 'run.2', device: 'dev-90', intentId: 'intent-90' };
    const view = { ...VIEW, inDoubt: [...some, other] };
    const text = [...statusText(view, { ...LOOK, plan: buildPlanView(planOf([])) })].join('\n');
    const said = text.replaceAll(/\s+/g, ' ');
    expect(said).toContain(
      'In doubt: 26 Rotate password on 25 devices, rotations.pw, since Fri 20 Nov 10:30 UTC (1 hour), request run.1: dev-0 ID intent-0, dev-1 ID intent-1,',
    );
    for (const { device, intentId } of some) expect(said).toContain(`${device} ID ${intentId}`);
    expect(said).toContain('request run.2: dev-90 ID intent-90');
    expect(said.match(/request run/g)).toHaveLength(2);
  });
});

describe('which devices need you', () => {
  const reason = { code: 'unsupported', why: 'endOfSupport' } as const;
  const offline = (since: string) => ({ code: 'offline', since: utc(since) }) as const;
  const textOf = (changes: Parameters<typeof planOf>[0], all = false) => {
    const plan = buildPlanView(planOf(changes), { all });
    return [...statusText(VIEW, { ...LOOK, plan, all })].join('\n').replaceAll(/\s+/g, ' ');
  };

  it('names three and a count, and with --all each of them', () => {
    const changes = labels(12).map((device) => change(device, { action: 'skip', reason }));
    const ids = changes.map(({ device }) => device.id);
    expect(textOf(changes)).toContain(`12 devices (${ids.slice(0, 3).join(', ')}, 9 more on`);
    expect(textOf(changes, true)).toContain(`· ${ids.join(', ')} on`);
    expect(textOf(changes, true)).toContain(
      'next: replace the device, or acknowledge it (`fleetform explain exceptions.reasons`)',
    );
  });

  it('says of each device since when it is offline, the oldest first', () => {
    const [young, old] = labels(2) as [DeviceLabel, DeviceLabel];
    const needs = { needsYou: '7d' };
    const text = textOf([
      change(young, {
        action: 'skip',
        reason: { ...offline('2026-11-02T10:00'), params: needs },
      }),
      change(old, { action: 'skip', reason: { ...offline('2026-10-02T10:00'), params: needs } }),
    ]);
    expect(text).toMatch(
      new RegExp(
        `\\(${old.id}\\).*: offline since Fri 2 Oct 10:00 UTC .*\\(${young.id}\\).*: offline since Mon 2 Nov 10:00 UTC`,
      ),
    );
  });
});

it('says of maintenance mode at least since when: runs saw it then, and it may have begun before', () => {
  const params = { needsYou: '7d' };
  const reason = {
    code: 'busy',
    why: 'maintenanceMode',
    since: utc('2026-11-02T10:00'),
    params,
  } as const;
  const changes = labels(1).map((device) => change(device, { action: 'wait', reason }));
  for (const all of [false, true]) {
    const plan = buildPlanView(planOf(changes), { all });
    const text = [...statusText(VIEW, { ...LOOK, plan, all })].join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('in maintenance mode at least since Mon 2 Nov 10:00 UTC ');
  }
});
