import { describe, expect, it } from 'vitest';
import { Bug } from '../../../../../src/lib/bug.ts';
import { WorldError } from '../../../../../src/model/error.ts';
import {
  OUTCOMES,
  type Ending,
  type Outcome,
  type RunReport,
} from '../../../../../src/model/ledger/run-report.ts';
import { runJson } from '../../../../../src/render/data/output-json.ts';
import { runText } from '../../../../support/run-text.ts';
import { textWidth } from '../../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { LOOK } from '../../../../support/render-look.ts';
import { change, labels, NOW } from '../../../../support/render-plan.ts';

const NOTES: RunReport['notes'] = [
  {
    task: 'upgradeFirmware',
    at: { policy: 'firmware.axis-p32', file: 'fleet/a.yaml', line: 1, column: 1 },
    reason: { code: 'alreadyConverged' },
    count: 787,
  },
];

function reportOf(endings: readonly Ending[], other: Partial<RunReport> = {}): RunReport {
  const counts = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, endings.filter((e) => e.outcome === outcome).length]),
  ) as Record<Outcome, number>;
  return { planId: 'kq3v', endings, notes: NOTES, counts, anomalies: [], attempts: 4, ...other };
}

const [one, two, three, four, five, six] = labels(6).map((device) => change(device));
const rotation = { task: 'rotatePassword', risk: 'low' } as const;

const NIGHT: readonly Ending[] = [
  ...labels(40, 'door').map((device) => ({
    change: change(device, rotation),
    outcome: 'verified' as const,
    resultOnly: true,
  })),
  ...(one && two && three && four && five && six
    ? [
        { change: one, outcome: 'verified' as const },
        {
          change: two,
          outcome: 'failed' as const,
          taskId: 'task-7781',
          intentId: 'f3x2abcd',
          detail: 'upload',
        },
        {
          change: three,
          outcome: 'inDoubt' as const,
          reason: { code: 'inDoubt' as const },
          intentId: 'q7mzwxyz',
          detail: 'P11',
        },
        { change: four, outcome: 'unverified' as const, taskId: 'task-7781', detail: 'notOnline' },
        {
          change: five,
          outcome: 'notStarted' as const,
          reason: { code: 'offline' as const, since: NOW - 86_400_000 * 3 },
        },
        {
          change: six,
          outcome: 'skipped' as const,
          reason: { code: 'stale' as const, params: { field: 'firmwareVersion' } },
        },
      ]
    : []),
];

function textOf(report: RunReport, exit: number): string {
  return `${[...runText(report, { ...LOOK, now: NOW, exit })].join('\n')}\n`;
}

/** Changes that were not started, each with when it may go on. */
function waiting(...nexts: readonly (number | 'never' | undefined)[]): RunReport {
  const rest = labels(nexts.length).map((device, index): Ending => {
    const next = nexts[index];
    const code = next === 'never' ? 'rolloutPaused' : 'windowClosed';
    const reason = { code, ...(next !== undefined && { next }) } as const;
    return { change: change(device), outcome: 'notStarted', reason };
  });
  return reportOf(rest);
}

describe('the next step after a run', () => {
  const command = "apply 'my plan.json' --approved kq3v:ab";
  const style = { ...LOOK, now: NOW, exit: 7, command, file: 'my plan.json' };
  const end = (report: RunReport, other: Partial<typeof style> = {}): string =>
    [...runText(report, { ...style, width: 400, ...other })].slice(-1).join(' ').trim();

  it('is the same command with its file and approval, from when the first may start', () => {
    const at = NOW + 86_400_000;
    expect(end(waiting(at + 60_000, at))).toBe(
      `next: nothing to do until Sat 21 Nov 01:12 UTC: the first of 2 changes of firmware.axis-p32; then \`fleetform ${command}\``,
    );
    expect(end(waiting(at, undefined))).toContain(`run \`fleetform ${command}\` again when`);
    expect(end({ ...waiting(at), ended: 'interrupted' })).toContain(`fleetform ${command}`);
  });

  it('keeps a command with a digest whole on a narrow screen', () => {
    const digest = `${'i'.repeat(26)}:${'d'.repeat(64)}`;
    const command = `apply plan.json --approved ${digest}`;
    const text = [...runText(waiting(undefined), { ...style, command, width: 80 })];
    const said = text.map(String);
    expect(said.slice(said.indexOf('next: run'), -1)).toEqual([
      'next: run',
      '        fleetform apply plan.json --approved \\',
      `          ${digest}`,
    ]);
  });

  it('is what a person has to do where nothing goes on by itself', () => {
    const said = end(waiting('never', 'never'));
    expect(said).toContain('fleetform unpause');
    expect(said).not.toContain('again');
  });

  it('comes with what is left of the file, in text and JSON', () => {
    const report = waiting('never', 'never');
    const text = [...runText(report, { ...style, width: 400 })].join('\n');
    expect(text).toContain(
      'Remaining in my plan.json: 2 changes: upgradeFirmware/dev-100, upgradeFirmware/dev-101',
    );
    expect(runJson(report, style)).toMatchObject({
      left: {
        file: 'my plan.json',
        changes: ['upgradeFirmware/dev-100', 'upgradeFirmware/dev-101'],
      },
    });
    expect(runJson(report, { ...LOOK, now: NOW, exit: 7 })).not.toHaveProperty('left');
  });
});

describe('the report of a run', () => {
  it('N77 says how many approved outcomes it has withdrawn', () => {
    const text = [...runText(reportOf([], { withdrawn: 5 }), { ...LOOK, now: NOW, exit: 0 })];
    expect(text.join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'Withdrew 5 approved outcomes: the documents do not require that now,',
    );
  });

  it('says first what needs a person, with the reason and the next step', async () => {
    const report = reportOf(NIGHT, {
      leftOpen: [
        {
          intentId: 'old1intent',
          task: 'restartDevice',
          device: 'dev-9',
          policy: 'restarts.gone-dark',
          outcome: 'inDoubt',
          since: NOW,
        },
      ],
      anomalies: ['foreignDevices: task-7781, dev-77'],
    });
    await expect(textOf(report, 5)).toMatchFileSnapshot('../../goldens/run-night.txt');
  });

  it('is short where all went well', () => {
    const done = NIGHT.filter(({ outcome, resultOnly }) => outcome === 'verified' && !resultOnly);
    expect(textOf(reportOf(done, { notes: [], attempts: 1 }), 0)).toBe(
      [
        '1 task sent: 1 device verified, 0 failed.',
        '',
        'POLICY             NOW  LATER  NEEDS YOU       DONE',
        'firmware.axis-p32    -      -          -  1 (1 new)',
        'next: nothing to do',
        '',
      ].join('\n'),
    );
  });

  it('counts what was settled of earlier runs, a line for each way in which it ended', () => {
    const ways = [
      ['verified', 5],
      ['failed', 1],
    ] as const;
    const closedBeside = ways.flatMap(([outcome, count]) =>
      Array.from({ length: count }, (_, n) => ({
        intentId: `old${n}`,
        task: 'upgradeFirmware' as const,
        device: `${outcome}-${5 - n}`,
        policy: 'firmware.axis',
        outcome,
        ...(outcome === 'failed' && { detail: 'upload' }),
      })),
    );
    const report = reportOf([], { closedBeside });
    const text = textOf(report, 4);
    expect(text).toContain('Finished from earlier runs, not in this plan: 6 devices');
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain('verified · Upgrade firmware · 5 devices · firmware.axis: verified-1, ');
    expect(flat).toMatch(/failed · Upgrade firmware · 1 device · firmware.axis: failed-5 why/);
    expect(flat.indexOf('failed ·')).toBeLessThan(flat.indexOf('verified ·'));
    const json = runJson(report, { now: NOW, exit: 4 });
    expect(json['settledBeside']).toHaveLength(6);
    expect(json['settledBeside']).toContainEqual(expect.objectContaining({ outcome: 'failed' }));
  });

  it('says how to go on after an interruption', () => {
    const text = textOf(reportOf([], { ended: 'interrupted' }), 7);
    expect(text).toContain('The run was interrupted.');
    expect(text).toContain('next: Run `fleetform apply` again');
    const style = { ...LOOK, now: NOW, exit: 1, command: 'recover' } as const;
    const resumed = [...runText(reportOf([], { ended: 'error' }), style)].join(' ');
    expect(resumed.replaceAll(/\s+/g, ' ')).toContain('then run `fleetform recover` again');
    expect(runJson(reportOf([]), { ...style, exit: 7 })).toMatchObject({
      exit: { next: '`fleetform plan` shows what is left' },
    });
  });

  it('leaves out of a reason what its policies do not share', () => {
    const endings = [one, two].flatMap((each, n): Ending[] => {
      const params = { wave: 'rest', before: 'canary', devices: n + 3, first: `dev-${n}` };
      const reason = { code: 'waveNotOpen', why: 'outsidePart', next: 'never', params } as const;
      return each ? [{ change: each, outcome: 'notStarted', reason }] : [];
    });
    const outside = 'wave canary of its rollout is outside this part';
    expect(textOf(reportOf(endings), 7)).toMatch(new RegExp(`2  ${outside}\\n`));
    expect(textOf(reportOf(endings.slice(0, 1)), 7)).toMatch(
      /outside this part \(3 devices,\s+first/,
    );
  });

  it('says why it has more changes than the plan: new devices have some of their own', () => {
    const made = one && { ...one, task: 'onboardDevice' as const };
    const [note] = NOTES;
    if (!made || !note) throw new Error('nothing to report');
    const noted = [{ ...note, count: note.count + 5 }];
    const left = { endings: [], notes: noted };
    const report = reportOf([{ change: made, outcome: 'verified' }], { left });
    expect(textOf(report, 0)).toContain('more than before: changes of the new devices.');
    expect(textOf({ ...report, left: { ...left, notes: NOTES } }, 0)).not.toContain('before');
  });

  it('says of those that may go on at different times when the first may, and when the last', () => {
    const day = 86_400_000;
    const endings = [one, two, three].flatMap((each, n): Ending[] => {
      const params = { window: 'nights', days: n };
      const reason = { code: 'windowClosed', next: NOW + (9 - n * 4) * day, params } as const;
      return each ? [{ change: each, outcome: 'notStarted', reason }] : [];
    });
    const text = textOf(reportOf(endings), 7).replaceAll(/\s+/g, ' ');
    expect(text).toContain('next: not before Sat 21 Nov 01:12 UTC, the last not before Sun 29 Nov');
    expect(text.split('next: not before')).toHaveLength(2);
    const surveyed = { timeZone: 'Europe/Berlin', coverage: { person: [] } };
    const atSites = reportOf(endings, { surveyed } as unknown as RunReport);
    const local = textOf(atSites, 7).replaceAll(/\s+/g, ' ');
    expect(local).toContain(
      'not before Sat 21 Nov 02:12 Europe/Berlin, the last not before Sun 29',
    );
    expect(local).toContain('nothing to do until Sat 21 Nov 02:12 Europe/Berlin:');
    const close = endings
      .slice(1)
      .flatMap((each) => [
        each,
        { ...each, reason: { code: 'windowClosed', next: NOW + 5 * day - 1 } as const },
      ]);
    const once = textOf(reportOf(close.slice(0, 2)), 7).replaceAll(/\s+/g, ' ');
    expect(once).toContain('next: not before Wed 25 Nov ');
    expect(once).not.toContain('the last not before');
    const same = textOf(reportOf(endings.slice(0, 1)), 7).replaceAll(/\s+/g, ' ');
    expect(same).toContain('next: not before Sun 29 Nov');
    expect(same).not.toContain('the last not before');
  });

  it.each([
    ['failed', 'P06 403', 'refused the task (403): it needs the role Admin or Operator'],
    ['failed', 'P06 404', 'the service refused the task (404): no task started'],
    ['failed', 'P06', 'the service refused the task: no task started'],
    ['failed', 'waitForBoot', 'failed at step "waitForBoot"'],
    ['failed', 'wait for boot', 'failed at step "wait for boot"'],
    ['failed', 'P06 of 7', 'failed at step "P06 of 7"'],
    ['rolledBack', 'verify', 'rolled back at step "verify"'],
    ['aborted', 'upload', 'aborted at the service at step "upload"'],
    ['inDoubt', 'P10 502', 'the service returned an error (502); the task may run'],
    ['inDoubt', 'taskLost', 'the service no longer returns the task'],
    ['unverified', 'odd', 'the service reports "odd"'],
  ] as const)('says of %s with %s: %s', (outcome, detail, says) => {
    const text = textOf(reportOf(one ? [{ change: one, outcome, detail }] : []), 4);
    expect(text.replaceAll(/\n +/g, ' ')).toContain(says);
  });

  it.each([
    [{ field: 'firmwareVersion', value: '11.8.61', wanted: '11.11.160' }, 'wanted: 11.11.160'],
    [{ field: 'lastChanged', value: '2026-05-01T00:00:00Z' }, 'wanted: a newer one'],
  ])('V4 names what a device shows instead, and what was wanted: %o', (shown, wanted) => {
    const ending = { outcome: 'unverified', detail: 'mismatch', shown } as const;
    const text = textOf(reportOf(one ? [{ change: one, ...ending }] : []), 4);
    expect(text.replaceAll(/\n +/g, ' ')).toContain(
      `read: ${shown.field} ${shown.value}; ${wanted}`,
    );
  });

  it('advises what helps against a refusal, and not to look for a step', () => {
    const refused = { outcome: 'failed', detail: 'P06 403' } as const;
    const text = textOf(reportOf(one ? [{ change: one, ...refused }] : []), 1);
    expect(text).toContain('next: ask an administrator');
    expect(text).not.toContain('look at the step');
  });

  it('calls a task that outlived its run at work, and one past its deadline timed out', () => {
    const endings: readonly Ending[] = [one, two, three].flatMap((each, n): Ending[] =>
      each ? [{ change: each, outcome: n > 0 ? 'atWork' : 'timedOut' }] : [],
    );
    const report = reportOf(endings, { ended: 'interrupted' });
    const text = textOf(report, 7);
    expect(text).toContain('Running: 3\n');
    expect(text).toMatch(/^ +2 +still running when this run ended\n +running · /m);
    expect(text).toMatch(/^ +1 +started but not finished by its deadline\n +timed out · /m);
    expect(text).not.toContain('before its turn');
    const json = JSON.stringify(runJson(report, { now: NOW, exit: 7 })['endings']);
    expect(json.match(/"outcome":"atWork","means":"still running when this run/g)).toHaveLength(2);
    expect(json).not.toContain('before its turn');
  });

  it('says in text and data alike who has to act on a device that could not be read (Z3)', () => {
    const reason = { code: 'unsupported', why: 'valueUnknown', next: 'never' } as const;
    const endings = one ? [{ change: one, outcome: 'skipped', reason } as const] : [];
    const text = textOf(reportOf(endings), 4);
    expect(text).toContain('Needs you: 1');
    expect(runJson(reportOf(endings), { now: NOW, exit: 4 })).toMatchObject({
      classes: { unreadable: 1 },
      endings: [{ reason: { next: 'never', actor: 'person' } }],
    });
  });

  it('says what a guardrail refused, and the way out', () => {
    const refused = [
      {
        guardrail: 'default',
        limit: 'maxChanges',
        value: 30,
        number: 12,
        allowed: 10,
        passed: false,
      } as const,
    ];
    const text = textOf(reportOf([], { ended: 'guardrail', refused }), 3);
    expect(text).toContain('REFUSED  12 changes; the limit is 10');
    expect(text).toContain('an `allow` exception for');
  });

  it('names every device that needs a look, however many, without a line for each', () => {
    const failed = labels(300).map((device, n): Ending => {
      return { change: change(device), outcome: 'failed', taskId: `task-${n % 12}` };
    });
    const doubts = labels(25, 'gate').map((device, n): Ending => {
      return { change: change(device), outcome: 'inDoubt', detail: 'P11', intentId: `open${n}x` };
    });
    const text = textOf(reportOf([...failed, ...doubts]), 5);
    for (const { change: of } of failed)
      expect(text).toMatch(new RegExp(` ${of.device.id}(?:, |,?\n)`));
    const said = text.replaceAll(/\s+/g, ' ');
    for (const { change: of, intentId } of doubts)
      expect(said).toContain(`${of.device.id} ID ${intentId}`);
    expect(said).toContain(' tasks task-0, task-1, task-2, 9 more ');
    expect(text.split('\n').length).toBeLessThanOrEqual(80);
  });

  it('fits a night of 4,000 devices on two screens, and every change is in one of its sums', () => {
    const reasons = [
      { code: 'offline', since: NOW - 86_400_000 },
      { code: 'unsupported' },
      { code: 'windowClosed', next: NOW + 3_600_000 },
      { code: 'waveNotOpen' },
      { code: 'notDue', next: NOW + 7_200_000 },
      { code: 'exclude' },
    ] as const;
    const endings = labels(4_000).map((device, n): Ending => {
      const reason = reasons[n % reasons.length] ?? reasons[0];
      const outcome = reason.code === 'unsupported' ? 'skipped' : 'notStarted';
      const at = { policy: `firmware.p${n % 8}`, file: 'fleet/a.yaml', line: 4, column: 3 };
      return { change: change(device, { at }), outcome, reason };
    });
    const text = textOf(reportOf(endings), 7);
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
    const sums = [...text.matchAll(/^(?:Needs you|Later): ([\d,]+)$/gm)];
    expect(sums.map(([, sum = '']) => Number(sum.replace(',', '')))).toEqual([667, 2_667]);
    expect(text).toMatch(/^total +- +2,667 +667 +787 +666$/m);
    expect(text).toMatch(/^ +667 {2}offline since .*\n +firmware\.p0 .*, 1 more · 2 sites$/m);
  });

  it('fits the width and obeys no name', () => {
    const endings = hostileNames(120).map((name, n): Ending => {
      const outcome = OUTCOMES[n % OUTCOMES.length] ?? 'failed';
      const device = { id: `dev-${n}${name}`, name, site: name };
      return { change: change(device), outcome, taskId: name, detail: name, intentId: name };
    });
    const report = reportOf(endings, { anomalies: hostileNames(20) });
    for (const line of runText(report, { ...LOOK, now: NOW, exit: 5 })) {
      expect(line).not.toMatch(FORBIDDEN);
      expect(textWidth(line)).toBeLessThanOrEqual(80);
    }
  });

  it('is plain JSON with the same counts and the meaning of the exit code', () => {
    const json = runJson(reportOf(NIGHT), { now: NOW, exit: 5 });
    expect(JSON.parse(JSON.stringify(json))).toMatchObject({
      exit: { code: 5, means: 'some outcomes are in doubt' },
      counts: { verified: 41, inDoubt: 1, failed: 1 },
      noted: 787,
    });
    expect(json['endings']).toHaveLength(NIGHT.length);
    const failed = reportOf([], { ended: 'unfit', failure: new WorldError('forbidden', {}) });
    expect(runJson(failed, { now: NOW, exit: 9 })).toMatchObject({ error: { code: 'forbidden' } });
    const broken = reportOf([], { ended: 'error', failure: new Bug('3 of 4 accounted for') });
    expect(runJson(broken, { now: NOW, exit: 1 })).toMatchObject({
      error: { code: 'bug', detail: '3 of 4 accounted for' },
    });
  });
});
