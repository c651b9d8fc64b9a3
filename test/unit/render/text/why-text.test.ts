import { formatInstant } from '../../../../src/lib/time.ts';
import { describe, expect, it } from 'vitest';
import type { PlanOrigin } from '../../../../src/model/plan/plan.ts';
import type { TaskWhy, Why } from '../../../../src/model/report/output.gen.ts';
import { whyJson } from '../../../../src/render/data/output-json.ts';
import { whyBlocks } from '../../../../src/render/outputs/why.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { LOOK } from '../../../support/render-look.ts';
import { NOW } from '../../../support/render-plan.ts';

const at = (policy: string, line: number) => ({
  policy,
  file: 'fleet/cameras.yaml',
  line,
  column: 3,
});

const FIRMWARE: TaskWhy = {
  task: 'upgradeFirmware',
  winner: { at: at('firmware.axis-lobby', 12), priority: 900 },
  losers: [{ at: at('firmware.axis-p32', 4), priority: 500 }],
  defaults: { downgrade: 'forbid', windows: 'anytime' },
  others: [{ at: at('firmware.bosch', 20), priority: 500, clause: 'vendor' }],
  exemptions: [
    {
      name: 'vendor-bug-77',
      type: 'hold',
      at: { file: 'fleet/exceptions.yaml', line: 3, column: 3 },
      until: Date.parse('2027-01-31T00:00:00Z'),
      reason: 'vendor bug',
      owner: 'secops',
      ticket: 'INC-77',
      effective: true,
    },
  ],
  steps: [
    { code: 'unsupported', verdict: 'passed' },
    { code: 'alreadyConverged', verdict: 'passed' },
    { code: 'blockedVendor', verdict: 'passed' },
    { code: 'hold', verdict: 'bites', params: { exception: 'vendor-bug-77' } },
    { code: 'notDue', verdict: 'notReached' },
    { code: 'act', verdict: 'notReached' },
  ],
  result: {
    action: 'wait',
    cause: 'config',
    reason: { code: 'hold', params: { exception: 'vendor-bug-77', until: '2027-01-31T00:00:00Z' } },
    before: { firmwareVersion: '11.8.61' },
    after: { firmwareVersion: '11.11.73' },
  },
  past: [
    {
      id: 'f3x2abcd',
      target: '11.8.61',
      generation: 1,
      policy: 'firmware.axis-p32',
      phase: 'closed',
      attempts: 1,
      attemptedAt: NOW - 40 * 86_400_000,
      verdict: 'done',
    },
  ],
  needs: [{ read: 'targetFirmware', deviceId: 'dev-7', key: 'Axis P3265-LVE 11.8.61' }],
};

const WHY: Why = {
  device: { id: 'dev-7', name: 'lobby-cam-1', site: 'HQ Berlin', vendor: 'Axis', model: 'P3265' },
  standing: 'managed',
  evaluatedAt: NOW,
  readAt: NOW - 120_000,
  observed: { status: 'online', firmwareVersion: '11.8.61', lastSeen: '2026-11-20T01:09:00Z' },
  tasks: [
    FIRMWARE,
    {
      task: 'rotatePassword',
      losers: [],
      others: [],
      exemptions: [],
      steps: [{ code: 'notSelected', verdict: 'bites' }],
      past: [],
      needs: [],
    },
  ],
};

const ORIGINS: PlanOrigin[] = [
  {
    file: 'fleet/cameras.yaml',
    line: 12,
    is: 'commit',
    commit: '4f1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c',
    author: 'Ada Lovelace',
    subject: 'The lobby moves to 11.11 with the other sites',
    at: formatInstant(NOW - 3 * 86_400_000),
  },
  { file: 'fleet/cameras.yaml', line: 4, is: 'cutOff' },
  { file: 'fleet/exceptions.yaml', line: 3, is: 'notCommitted' },
];

const textOf = (why: Why, all = false) =>
  `${[...printTerminal(whyBlocks(why, { origins: ORIGINS, all }), LOOK)].join('\n')}\n`;

describe('why', () => {
  it('tells the whole chain of one device', async () => {
    await expect(textOf(WHY, true)).toMatchFileSnapshot('../goldens/why.txt');
  });

  it('names the step that decided, and leaves the others to --all', () => {
    const [brief, whole] = [textOf(WHY), textOf(WHY, true)];
    expect(brief).toMatch(/^ +decided +hold, step \d+ of \d+$/m);
    expect(brief).not.toMatch(/^ +(?:passed|later) /m);
    expect(whole).toMatch(/^ +passed +unsupported/m);
    expect(whole).toMatch(/^ +later /m);
  });

  it('begins with the answer: what happens to the device and why', () => {
    const [first = ''] = textOf(WHY).split('\n\n');
    expect(first.replace(/\n +/g, ' ')).toBe(
      'lobby-cam-1 (dev-7): Upgrade firmware, later (firmware.axis-lobby): blocked by exception vendor-bug-77 until Sun 31 Jan 2027 00:00 UTC; when the exception ends or is removed',
    );
  });

  it('ranks an incident in words, and other policies by their priority', () => {
    const winner = { at: at('incidents.leak', 30), priority: 1_795_529_180_000 };
    const text = textOf({ ...WHY, tasks: [{ ...FIRMWARE, winner }] }).replace(/\s+/g, ' ');
    expect(text).toContain('incidents.leak fleet/cameras.yaml:30:3 incident: before all policies');
    expect(text).not.toContain('1795529180000');
    expect(text).toContain('priority 500');
  });

  it('says when nothing touches the device', () => {
    expect(textOf({ ...WHY, tasks: [] })).toMatch(/^lobby-cam-1 \(dev-7\): no policy selects it\n/);
    expect(textOf({ ...WHY, standing: 'unknown' })).toContain('not returned by the service');
  });

  it('fits the width and obeys no name', () => {
    for (const name of hostileNames(60)) {
      const why = {
        ...WHY,
        device: { id: name, name: `${name}!`, site: name, vendor: name, model: name },
        observed: { [name]: name, status: null },
        tasks: [{ ...FIRMWARE, others: [{ at: at(name, 1), priority: 1, clause: name }] }],
      };
      const origins = ORIGINS.map((origin) => ({ ...origin, author: name, subject: name }));
      for (const line of printTerminal(whyBlocks(why, { origins, all: true }), LOOK)) {
        expect(line).not.toMatch(FORBIDDEN);
        expect(textWidth(line)).toBeLessThanOrEqual(80);
      }
    }
  });

  it('is plain JSON with instants as text', () => {
    expect(JSON.parse(JSON.stringify(whyJson(WHY)))).toMatchObject({
      evaluatedAt: '2026-11-20T01:12:00Z',
      readAt: '2026-11-20T01:10:00Z',
      tasks: [
        {
          exemptions: [{ until: '2027-01-31T00:00:00Z' }],
          result: { reason: { code: 'hold', todo: 'when the exception ends or is removed' } },
          past: [{ attemptedAt: '2026-10-11T01:12:00Z' }],
        },
        { task: 'rotatePassword' },
      ],
    });
  });
});
