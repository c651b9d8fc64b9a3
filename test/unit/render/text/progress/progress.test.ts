import { describe, expect, it } from 'vitest';
import type { ProgressEvent } from '../../../../../src/model/progress.ts';
import { createProgress } from '../../../../../src/render/progress/progress.ts';
import { textWidth } from '../../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { COLOURED, LOOK, uncoloured } from '../../../../support/render-look.ts';
import { screenOf } from '../../../../support/screen.ts';
import { NOW } from '../../../../support/render-plan.ts';

const ended = (n: number, outcome: 'verified' | 'failed' = 'verified'): ProgressEvent => ({
  type: 'change.ended',
  change: `upgradeFirmware/dev-${n}`,
  policy: 'firmware.axis',
  device: `dev-${n}`,
  outcome,
});

const RUN: readonly ProgressEvent[] = [
  { type: 'phase', name: 'reading', what: 'devices', rows: 0, total: 1000 },
  { type: 'phase', name: 'reading', what: 'devices', rows: 1000, total: 1000 },
  { type: 'phase', name: 'reading', what: 'sites', rows: 12 },
  { type: 'phase', name: 'details', done: 0, total: 40 },
  { type: 'phase', name: 'details', done: 40, total: 40 },
  { type: 'phase', name: 'recovering', open: 1, inDoubt: 0 },
  {
    type: 'attempt.sent',
    task: 'upgradeFirmware',
    attempt: 'n1-1',
    devices: ['dev-1', 'dev-2'],
  },
  {
    type: 'attempt.answered',
    task: 'upgradeFirmware',
    attempt: 'n1-1',
    outcome: 'accepted',
    row: 'P03',
    waves: [{ policy: 'firmware.axis', wave: 'canary' }, { policy: 'firmware.lts' }],
    taskId: 'task-7',
  },
  { type: 'waiting', until: NOW + 30_000, reason: 'poll' },
  { type: 'waiting', until: NOW + 60_000, reason: 'poll' },
  { type: 'task.progress', device: 'dev-1', step: 'downloading' },
  ended(1),
  ended(2, 'failed'),
  { type: 'waiting', until: NOW + 90_000, reason: 'verify' },
  { type: 'phase', name: 'stopping', unrecorded: 0 },
];

function written(events: readonly ProgressEvent[], tty: boolean, width = 80): string {
  const { draw } = createProgress({ ...LOOK, width, tty });
  return events.map((event) => draw(event, NOW)).join('');
}

describe('progress in a log', () => {
  it('is one plain line for what is worth one', async () => {
    await expect(written(RUN, false)).toMatchFileSnapshot('../../goldens/progress.txt');
  });

  it('says that the ledger cannot be written, and that it can be again', () => {
    const place = '.fleetform/a';
    const failure = {
      code: 'storeFailed',
      params: { place: '.fleetform/a', cause: 'ENOSPC' },
    } as const;
    const events: readonly ProgressEvent[] = [
      { type: 'ledger.lost', place, failure },
      { type: 'phase', name: 'stopping', unrecorded: 1 },
      { type: 'ledger.back', place },
    ];
    const lines = [
      'Cannot access the ledger at .fleetform/a (ENOSPC): no new task starts; running tasks are followed, and outcomes are written again until the lock expires',
      'stopping: no new task starts; the ledger lacks 1 outcome, one more try to write',
      'the ledger can be written again',
    ];
    expect(written(events, false)).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(written(events, true, 200)).toContain(`${lines[0]}\n`);
  });

  it('says of a long wait until when, too', () => {
    const waiting = { type: 'waiting', until: NOW + 40 * 60_000, reason: 'window' } as const;
    const until = '40 minutes, until Fri 20 Nov 01:52 UTC';
    expect(written([waiting], false)).toBe(`waiting: a window opens (${until})\n`);
    expect(screenOf(written([waiting], true)).at(-1)).toBe(`Waiting: a window opens (${until})`);
  });

  it('says that a read is tried again, with how often and when', () => {
    const retrying = {
      type: 'waiting',
      reason: 'retrying',
      tried: 1,
      most: 5,
      until: NOW + 2_000,
    } as const;
    expect(written([retrying], false)).toBe('no response, next try in 2 seconds (2 of 5)\n');
    const limited = { ...retrying, status: 429, until: NOW + 15 * 60_000 };
    expect(written([limited], false)).toBe(
      'the service limits requests (429), next try in 15 minutes (2 of 5)\n',
    );
    expect(screenOf(written([retrying], true)).at(-1)).toBe(
      'Waiting: no response, next try in 2 seconds (2 of 5)',
    );
    const after = screenOf(written([retrying, ended(1)], true));
    expect(after.join('\n')).not.toContain('trying again');
  });

  it('says once that nobody answers, why, and how long it goes on trying', () => {
    const away = {
      type: 'waiting',
      reason: 'away',
      failure: { code: 'unreachable', params: { host: 'api.example.com', cause: 'ECONNREFUSED' } },
      until: NOW + 30_000,
      givenUpAt: NOW + 600_000,
    } as const;
    const round: readonly ProgressEvent[] = [
      { type: 'phase', name: 'recovering', open: 1, inDoubt: 0 },
      { type: 'waiting', reason: 'retrying', tried: 1, most: 5, until: NOW + 2_000 },
      away,
    ];
    const said =
      'waiting: Cannot connect to api.example.com (ECONNREFUSED); next try in 30 seconds, last try about Fri 20 Nov 01:22 UTC\n';
    expect(written([away, ...round, ...round], false)).toBe(said);
    expect(screenOf(written([...round, ...round], true)).join(' ')).toContain('last try about');
    expect(written([away, ended(1), away], false).split(said)).toHaveLength(3);
  });

  it('N30 says how long single reads take, then each half minute how fast they go', () => {
    const reads = (done: number, total = 1_715): ProgressEvent => ({
      type: 'phase',
      name: 'details',
      done,
      total,
      perSecond: 1,
    });
    const { draw: log } = createProgress({ ...LOOK, tty: false });
    const at = [0, 10, 31, 40, 63, 1_715];
    expect(at.map((done) => log(reads(done), NOW + done * 1_000)).join('')).toBe(
      [
        '1,715 single reads at 1 a second: about 29 minutes (service.pace)',
        'reading details: 31 of 1,715, 1 a second, 28 minutes left',
        'reading details: 63 of 1,715, 1 a second, 28 minutes left',
        'reading details: 1,715 of 1,715',
        '',
      ].join('\n'),
    );
    const { draw: urgent } = createProgress({ ...LOOK, tty: false });
    expect(urgent({ ...reads(0), due: 240 } as ProgressEvent, NOW)).toContain(
      'about 29 minutes (service.pace); 240 of them needed today\n',
    );
    const { draw: bars } = createProgress({ ...LOOK, tty: true });
    expect(uncoloured(bars(reads(0), NOW))).toBe(
      '1,715 single reads at 1 a second: about 29 minutes (service.pace)\n',
    );
    expect(uncoloured(bars(reads(60), NOW + 60_000))).toMatch(
      /^Read details +░{8} {2}60 of 1,715, 1 a second, 28 minutes left\n$/,
    );
  });

  it('says something at the first event', () => {
    expect(written(RUN.slice(0, 1), false)).toBe('reading the fleet\n');
  });

  it('has at most one line each half minute, whatever the size of the fleet', () => {
    const { draw } = createProgress({ ...LOOK, tty: false });
    const lines = Array.from({ length: 600 }, (_, second) =>
      draw(
        { type: 'phase', name: 'reading', what: 'devices', rows: second * 1_000 },
        NOW + second * 1_000,
      ),
    );
    expect(lines.join('').trimEnd().split('\n')).toHaveLength(20);
    expect(lines[30]).toBe('reading devices: 30,000\n');
  });

  it('obeys no name', () => {
    for (const policy of hostileNames(60)) {
      const event = { ...RUN[7], waves: [{ policy, wave: policy }] } as ProgressEvent;
      expect(event.type).toBe('attempt.answered');
      expect(written([event], false).replace(/\n$/, '')).not.toMatch(FORBIDDEN);
    }
  });
});

describe('progress on a terminal', () => {
  it('is a block of bars that is written over', async () => {
    const screen = screenOf(written(RUN, true));
    expect(screenOf(written(RUN.slice(0, 6), true)).at(-1)).toBe(
      'Finishing earlier runs: 1 open, 0 in doubt',
    );
    expect(screenOf(written(RUN.slice(0, 9), true)).at(-1)).toBe(
      'Waiting: tasks are running (30 seconds)',
    );
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot('../../goldens/progress-bars.txt');
  });

  it('leaves nothing of a line that is gone', () => {
    const screen = screenOf(written([...RUN.slice(0, 4), RUN[8] ?? ended(1), ended(3)], true));
    expect(screen.join('\n')).not.toContain('Waiting');
    expect(screen.filter((line) => line.startsWith('Read details'))).toHaveLength(1);
  });

  it.each([60, 80, 160])('keeps its lines within %i columns', (width) => {
    for (const line of screenOf(written(RUN, true, width)))
      expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('is coloured only by what it is given', () => {
    const { draw } = createProgress({ paint: COLOURED, width: 80, tty: true });
    expect(draw({ type: 'phase', name: 'stopping', unrecorded: 0 }, NOW)).toContain('\u001b[33m');
    expect(written(RUN.slice(-1), true)).not.toContain('\u001b[33m');
  });
});

describe('progress beside what others write', () => {
  it('is gone before it, and drawn again below it', () => {
    const { draw, clear } = createProgress({ ...LOOK, tty: true });
    let text = RUN.map((event) => draw(event, NOW)).join('');
    text += `${clear()}Apply 12 changes? yes\nPlan lhvwlggmpvsy7sjf55ppzo2m7z\n`;
    expect(screenOf(text)).toEqual(['Apply 12 changes? yes', 'Plan lhvwlggmpvsy7sjf55ppzo2m7z']);
    text += draw({ type: 'phase', name: 'reading', what: 'sites', rows: 3 }, NOW);
    expect(screenOf(`${text}${clear()}done\n`)).toEqual([
      'Apply 12 changes? yes',
      'Plan lhvwlggmpvsy7sjf55ppzo2m7z',
      'done',
    ]);
  });
});
