import { describe, expect, it } from 'vitest';
import type { PolicyProgress, ProgressEvent } from '../../../../../src/model/progress.ts';
import { createProgress } from '../../../../../src/render/progress/progress.ts';
import { textWidth } from '../../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../../support/hostile.ts';
import { LOOK } from '../../../../support/render-look.ts';
import { NOW } from '../../../../support/render-plan.ts';
import { screenOf } from '../../../../support/screen.ts';

const MINUTE = 60_000;

/** Where the passwords of a site with 598 devices stand. */
function passwords(done: number, running: number, failed = 0): PolicyProgress {
  const startable = 598 - done - running - failed;
  const requests = running + startable * 2 + Math.ceil(startable / 10);
  const policy = 'rotations.camera-passwords-of-campus-munich';
  return { policy, done, running, failed, later: startable, person: 0, startable, requests };
}

const CERTIFICATES: PolicyProgress = {
  policy: 'rotations.certificates',
  done: 0,
  running: 0,
  failed: 0,
  later: 8,
  person: 4,
  startable: 0,
  requests: 0,
};

/** The events of a run of an hour: after so many minutes. */
const COURSE: readonly (readonly [minutes: number, event: ProgressEvent])[] = [
  [0, { type: 'phase', name: 'applying', policies: [passwords(0, 0), CERTIFICATES], perSecond: 1 }],
  [
    0.5,
    { type: 'phase', name: 'applying', policies: [passwords(0, 50), CERTIFICATES], perSecond: 1 },
  ],
  [
    4,
    { type: 'phase', name: 'applying', policies: [passwords(50, 50), CERTIFICATES], perSecond: 1 },
  ],
  [
    8,
    {
      type: 'phase',
      name: 'applying',
      policies: [passwords(99, 50, 1), CERTIFICATES],
      perSecond: 1,
    },
  ],
  [
    8.5,
    {
      type: 'phase',
      name: 'applying',
      policies: [passwords(110, 40, 1), CERTIFICATES],
      perSecond: 1,
    },
  ],
  [
    8.6,
    {
      type: 'phase',
      name: 'applying',
      policies: [passwords(111, 0, 1), CERTIFICATES],
      perSecond: 1,
      isLast: true,
    },
  ],
];

function drawn(tty: boolean, width = 80, course = COURSE): string {
  const { draw } = createProgress({ ...LOOK, width, tty });
  return course.map(([minutes, event]) => draw(event, NOW + minutes * MINUTE)).join('');
}

/** The same without its end. */
const UNDER_WAY = COURSE.slice(0, -1);

describe('the policies of a run', () => {
  it('are one line in a log, each half minute, and none at the end', () => {
    expect(drawn(false)).toBe(
      [
        '0 running, 606 later, 4 need you, 0 verified, 0 failed, at least 21 minutes left',
        '50 running, 556 later, 4 need you, 0 verified, 0 failed, at least 20 minutes left',
        '50 running, 506 later, 4 need you, 50 verified, 0 failed, about 44 minutes left',
        '50 running, 456 later, 4 need you, 99 verified, 1 failed, about 40 minutes left',
        '40 running, 455 later, 4 need you, 110 verified, 1 failed, about 37 minutes left',
        '',
      ].join('\n'),
    );
  });

  it('are a table on a terminal, in place of the bars of their tasks', () => {
    const screen = screenOf(drawn(true, 80, UNDER_WAY));
    expect(screen.slice(0, 2)).toEqual([
      '                                                             NEEDS',
      'POLICY                                       RUNNING  LATER    YOU  DONE    LEFT',
    ]);
    expect(screen[2]).toMatch(/^rotations\.camera-passwords-of-campus-munich +40 +447 +1 +\+110 /);
    expect(screen[3]).toMatch(/^rotations\.certificates +- +8 +4 +- /);
  });

  it('are gone from a terminal at the end, and stay so whatever comes after the result', () => {
    const after: readonly ProgressEvent[] = [
      { type: 'phase', name: 'reading', what: 'devices', rows: 5, total: 10 },
      { type: 'waiting', until: NOW + MINUTE, reason: 'pace' },
    ];
    const course = [...COURSE, ...after.map((event) => [9, event] as const)];
    expect(screenOf(drawn(true))).toEqual([]);
    expect(screenOf(drawn(true, 80, course))).toEqual([]);
  });

  it.each([60, 80, 160])('keep within %i columns', (width) => {
    for (const line of screenOf(drawn(true, width, UNDER_WAY)))
      expect(textWidth(line)).toBeLessThanOrEqual(width);
  });

  it('obey no name', () => {
    for (const policy of hostileNames(60)) {
      const event: ProgressEvent = {
        type: 'phase',
        name: 'applying',
        policies: [{ ...passwords(1, 1), policy }],
        perSecond: 1,
      };
      const text = createProgress({ ...LOOK, tty: true }).draw(event, NOW);
      for (const line of screenOf(text)) expect(line).not.toMatch(FORBIDDEN);
    }
  });
});
