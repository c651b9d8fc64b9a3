import { describe, expect, it } from 'vitest';
import type { ProgressEvent } from '../../../../../src/model/progress.ts';
import { createProgress } from '../../../../../src/render/progress/progress.ts';
import { textWidth } from '../../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { COLOURED, LOOK, uncoloured } from '../../../../support/render-look.ts';
import { screenOf } from '../../../../support/screen.ts';
import { NOW } from '../../../../support/render-plan.ts';

const ended = (n: number, outcome: 'verified' | 'failed' = 'verified'): ProgressEvent => ({
  kind: 'ended',
  task: 'upgradeFirmware',
  device: `dev-${n}`,
  outcome,
  done: n,
  total: 200,
});

const RUN: readonly ProgressEvent[] = [
  { kind: 'reading', what: 'devices', rows: 0, total: 1000 },
  { kind: 'reading', what: 'devices', rows: 1000, total: 1000 },
  { kind: 'reading', what: 'sites', rows: 12 },
  { kind: 'facts', done: 0, total: 40 },
  { kind: 'facts', done: 40, total: 40 },
  {
    kind: 'planned',
    columns: { now: 12, running: 0, later: 7, person: 1, done: 980, out: 0 },
  },
  { kind: 'recovering', open: 1, inDoubt: 0 },
  { kind: 'attempt', task: 'upgradeFirmware', attemptId: 'n1-1', devices: ['dev-1', 'dev-2'] },
  {
    kind: 'posted',
    task: 'upgradeFirmware',
    attemptId: 'n1-1',
    outcome: 'accepted',
    row: 'P03',
    taskId: 'task-7',
  },
  { kind: 'waiting', until: NOW + 30_000, why: 'poll' },
  { kind: 'waiting', until: NOW + 60_000, why: 'poll' },
  { kind: 'polled', taskId: 'task-7', completed: 1, total: 2 },
  ended(1),
  ended(2, 'failed'),
  { kind: 'waiting', until: NOW + 90_000, why: 'verify' },
  { kind: 'stopping', unrecorded: 0 },
];

function written(events: readonly ProgressEvent[], tty: boolean, width = 80): string {
  const draw = createProgress({ ...LOOK, width, tty });
  return events.map((event) => draw(event, NOW)).join('');
}

describe('progress in a log', () => {
  it('is one plain line for what is worth one', async () => {
    await expect(written(RUN, false)).toMatchFileSnapshot('../../goldens/progress.txt');
  });

  it('says that the ledger cannot be written, and that it can be again', () => {
    const failure = {
      code: 'storeFailed',
      params: { place: '.fleetform/a', cause: 'ENOSPC' },
    } as const;
    const events: readonly ProgressEvent[] = [
      { kind: 'unwritable', failure },
      { kind: 'stopping', unrecorded: 1 },
      { kind: 'writable' },
    ];
    const lines = [
      'Cannot access the ledger at .fleetform/a (ENOSPC): no new task starts; running tasks are followed, and outcomes are written again until the lease ends',
      'stopping: no new task starts; the ledger lacks 1 outcome, one more attempt to write',
      'the ledger can be written again',
    ];
    expect(written(events, false)).toBe(lines.map((line) => `${line}\n`).join(''));
    expect(written(events, true, 200)).toContain(`${lines[0]}\n`);
  });

  it('says that an answer was not clear, without codes', () => {
    const posted = { kind: 'posted', task: 'restartDevice', attemptId: 'n1-2' } as const;
    expect(written([{ ...posted, outcome: 'inDoubt', row: 'P11' }], false)).toBe(
      'in doubt, no clear response: Restart, attempt n1-2\n',
    );
  });

  it('says of a long wait until when, too', () => {
    const waiting = { kind: 'waiting', until: NOW + 40 * 60_000, why: 'window' } as const;
    const until = '40 minutes, until Fri 20 Nov 01:52 UTC';
    expect(written([waiting], false)).toBe(`waiting: a window opens (${until})\n`);
    expect(screenOf(written([waiting], true)).at(-1)).toBe(`Waiting: a window opens (${until})`);
  });

  it('says that a read is tried again, with how often and when', () => {
    const retrying = { kind: 'retrying', tried: 1, most: 5, until: NOW + 2_000 } as const;
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
      kind: 'away',
      failure: { code: 'unreachable', params: { host: 'api.example.com', cause: 'ECONNREFUSED' } },
      until: NOW + 30_000,
      givenUpAt: NOW + 600_000,
    } as const;
    const round: readonly ProgressEvent[] = [
      { kind: 'recovering', open: 1, inDoubt: 0 },
      { kind: 'retrying', tried: 1, most: 5, until: NOW + 2_000 },
      away,
    ];
    const said =
      'waiting: Cannot connect to api.example.com (ECONNREFUSED); next attempt in 30 seconds, last attempt about Fri 20 Nov 01:22 UTC\n';
    expect(written([away, ...round, ...round], false)).toBe(said);
    expect(screenOf(written([...round, ...round], true)).join(' ')).toContain('last attempt about');
    expect(written([away, ended(1), away], false).split(said)).toHaveLength(3);
  });

  it('N30 says how long single reads take, then how fast they go, and the last count', () => {
    const reads = (done: number, total = 1_715): ProgressEvent => ({
      kind: 'facts',
      done,
      total,
      perSecond: 1,
    });
    const log = createProgress({ ...LOOK, tty: false });
    const at = [0, 10, 31, 40, 63, 1_715];
    expect(at.map((done) => log(reads(done), NOW + done * 1_000)).join('')).toBe(
      [
        '1,715 single reads at 1 a second: about 29 minutes (service.pace)',
        'reading details: 0 of 1,715',
        'reading details: 31 of 1,715, 1 a second, 28 minutes left',
        'reading details: 63 of 1,715, 1 a second, 28 minutes left',
        'reading details: 1,715 of 1,715',
        '',
      ].join('\n'),
    );
    const urgent = createProgress({ ...LOOK, tty: false });
    expect(urgent({ ...reads(0), due: 240 } as ProgressEvent, NOW)).toContain(
      'about 29 minutes (service.pace); 240 of them needed today\n',
    );
    expect(log(reads(0, 9), NOW)).toBe('reading details: 0 of 9\n');
    const bars = createProgress({ ...LOOK, tty: true });
    expect(uncoloured(bars(reads(0), NOW))).toBe(
      '1,715 single reads at 1 a second: about 29 minutes (service.pace)\n',
    );
    expect(uncoloured(bars(reads(60), NOW + 60_000))).toMatch(
      /^Read details +░{8} {2}60 of 1,715, 1 a second, 28 minutes left\n$/,
    );
  });

  it('N30 says the last count of a list whose length nobody knows', () => {
    const rows = [995, 1_990, 2_985, 4_000].map((read): ProgressEvent => ({
      kind: 'reading',
      what: 'devices',
      rows: read,
    }));
    const planned: ProgressEvent = {
      kind: 'planned',
      columns: { now: 0, running: 0, later: 0, person: 0, done: 4_000, out: 0 },
    };
    expect(
      written([...rows, planned], false)
        .split('\n')
        .slice(0, 2),
    ).toEqual(['reading devices: 995', 'reading devices: 4,000']);
  });

  it('says something at the first event', () => {
    expect(written(RUN.slice(0, 1), false)).toBe('reading devices: 0 of 1,000\n');
  });

  it('stays short for a large fleet, and names every device that went wrong', () => {
    const events = Array.from({ length: 200 }, (_, n) =>
      ended(n + 1, n === 57 ? 'failed' : 'verified'),
    );
    const lines = written(events, false).trimEnd().split('\n');
    expect(lines.length).toBeLessThan(15);
    expect(lines).toContain('failed: Upgrade firmware on dev-58 (58 of 200)');
  });

  it('counts in large steps where nobody knows the total', () => {
    const events = Array.from({ length: 50 }, (_, n): ProgressEvent => ({
      kind: 'reading',
      what: 'devices',
      rows: n * 1000,
    }));
    expect(written(events, false).trimEnd().split('\n')).toHaveLength(5);
  });

  it('obeys no name', () => {
    for (const name of hostileNames(60)) {
      const lines = written([{ ...ended(1, 'failed'), device: name } as ProgressEvent], false);
      expect(lines.replace(/\n$/, '')).not.toMatch(FORBIDDEN);
    }
  });
});

describe('progress on a terminal', () => {
  it('is a block of bars that is written over', async () => {
    const screen = screenOf(written(RUN, true));
    expect(screenOf(written(RUN.slice(0, 7), true)).at(-1)).toBe(
      'Finishing earlier runs: 1 open, 0 in doubt',
    );
    expect(screenOf(written(RUN.slice(0, 10), true)).at(-1)).toBe(
      'Waiting: tasks are running (30 seconds)',
    );
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot('../../goldens/progress-bars.txt');
  });

  it('leaves nothing of a line that is gone', () => {
    const screen = screenOf(written([...RUN.slice(0, -2), ended(3)], true));
    expect(screen.join('\n')).not.toContain('Waiting');
    expect(screen.filter((line) => line.startsWith('Read devices'))).toHaveLength(1);
  });

  it.each([60, 80, 160])('keeps its lines within %i columns', (width) => {
    for (const line of screenOf(written(RUN, true, width)))
      expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('is coloured only by what it is given', () => {
    const draw = createProgress({ paint: COLOURED, width: 80, tty: true });
    expect(draw(ended(1, 'failed'), NOW)).toContain('\u001b[33m');
    expect(written([ended(1, 'failed')], true)).not.toContain('\u001b[33m');
  });
});

describe('progress beside what others write', () => {
  it('is drawn below it, never over it', () => {
    let isInterrupted = false;
    const draw = createProgress({ ...LOOK, tty: true, isInterrupted: () => isInterrupted });
    let text = RUN.map((event) => draw(event, NOW)).join('');
    text += 'Apply 12 changes? yes\nPlan lhvwlggmpvsy7sjf55ppzo2m7z\n';
    isInterrupted = true;
    text += draw(ended(3), NOW);
    isInterrupted = false;
    text += draw(ended(4), NOW);
    const screen = screenOf(text);
    expect(screen).toContain('Apply 12 changes? yes');
    expect(screen).toContain('Plan lhvwlggmpvsy7sjf55ppzo2m7z');
  });
});
