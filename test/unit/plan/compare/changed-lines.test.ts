import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import { withChangedLines } from '../../../../src/plan/compare/changed-lines.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { plan, type PlannerInput } from '../../../../src/plan/plan.ts';
import { make, readScenario } from '../../../support/plan-scenario.ts';

const HEAD = `service: {baseUrl: https://api.example.com, organization: acme}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
const POLICY = `firmware:
  axis:
    select: {device: cam-1}
    version: "11.11.73"
    windows: anytime
`;
const OTHER = `  spare:
    select: {device: cam-2}
    version: "11.11.73"
    windows: anytime
`;
const FREE = { fleet: HEAD + POLICY };

type Files = Readonly<Record<string, string>>;

/** The fleet of a scenario, four cameras of one model that have an older version, with other documents. */
async function fleet(): Promise<PlannerInput> {
  const scenario = readScenario('01-firmware-upgrade-to-exact-version');
  const defaults = {
    vendor: 'Axis',
    model: 'P3265-V',
    type: 'camera',
    firmware: '11.8.61',
    status: 'online',
    seen: '1m',
    sites: ['HQ Berlin'],
    tasks: ['upgradeFirmware'] as const,
    approved: ['11.11.73', '12.0.1'],
  };
  const live = {
    ...scenario.live,
    sites: ['HQ Berlin'],
    defaults,
    devices: { 'cam-1..4': {} },
    discovered: {},
  };
  const files = [{ path: 'fleet/a.yaml', text: HEAD + POLICY.replace('cam-1', 'cam-*') }];
  const { input } = await make({ ...scenario, live, files });
  return input;
}

/** The lines behind each change between two states of the documents, as `FILE:LINE`. */
async function linesBetween(
  before: Files,
  after: Files,
): Promise<Readonly<Record<string, string>>> {
  const input = await fleet();
  const loaded = (files: Files) => {
    const { documents, diagnostics } = loadTexts(
      Object.entries(files).map(([name, text]) => ({ path: `fleet/${name}.yaml`, text })),
    );
    if (!documents || diagnostics.some(({ severity }) => severity === 'error'))
      throw new Error(JSON.stringify(diagnostics));
    return documents;
  };
  const sides = { before: loaded(before), after: loaded(after) };
  const base = plan({ ...input, documents: sides.before }).plan;
  const now = plan({ ...input, documents: sides.after }).plan;
  const compared = compareWithBase(now, base, { ref: 'main', commit: 'b'.repeat(40) });
  const { snapshot } = input;
  const about = { ...sides, base: 'main', snapshot };
  const { changes, base: held } = withChangedLines(compared, base.changes, about);
  const lines: Record<string, string> = {};
  const told = (places: readonly { readonly file: string; readonly line: number }[]): string =>
    places.map(({ file, line }) => `${file.replace('.yaml', '')}:${line}`).join(' ');
  for (const { device, lines: found } of changes) if (found) lines[device.id] = told(found);
  for (const { devices, lines: found } of held?.gone ?? [])
    if (found) lines[`gone ${devices.map(({ id }) => id).join(' ')}`] = told(found);
  return lines;
}

const LISTED = (devices: readonly string[]): Files => ({
  fleet:
    HEAD +
    POLICY.replace(
      '{device: cam-1}',
      `\n      device:\n${devices.map((id) => `        - ${id}\n`).join('')}`.trimEnd(),
    ),
});

const edit = (from: string, to: string, text = FREE.fleet): Files => {
  if (!text.includes(from)) throw new Error(`not there: ${from}`);
  return { fleet: text.replace(from, to) };
};

describe('the changed lines of what a change uses', () => {
  it.each<[string, Files, Files, Readonly<Record<string, string>>]>([
    [
      'a widened selector, not the version that it spreads',
      FREE,
      edit('cam-1', 'cam-[12]'.replace('[12]', '*')),
      {
        'cam-2': 'fleet/fleet:6',
        'cam-3': 'fleet/fleet:6',
        'cam-4': 'fleet/fleet:6',
      },
    ],
    ['a version', FREE, edit('11.11.73', '12.0.1'), { 'cam-1': 'fleet/fleet:7' }],
    [
      'both lines of a policy',
      FREE,
      { fleet: FREE.fleet.replace('cam-1', 'cam-2').replace('11.11.73', '12.0.1') },
      {
        'cam-2': 'fleet/fleet:6 fleet/fleet:7',
        'gone cam-1': 'fleet/fleet:6 fleet/fleet:7',
      },
    ],
    [
      'a comment beside it makes none',
      FREE,
      {
        fleet: FREE.fleet
          .replace('firmware:', '# about firmware\nfirmware:')
          .replace('11.11.73', '12.0.1'),
      },
      {
        'cam-1': 'fleet/fleet:8',
      },
    ],
    [
      'a new entry is all of its lines, and no other entry',
      FREE,
      { fleet: FREE.fleet + OTHER },
      {
        'cam-2': 'fleet/fleet:9 fleet/fleet:10 fleet/fleet:11 fleet/fleet:12',
      },
    ],
    [
      'a new file with its section',
      FREE,
      { ...FREE, more: `firmware:\n${OTHER}` },
      {
        'cam-2': 'fleet/more:2 fleet/more:3 fleet/more:4 fleet/more:5',
      },
    ],
    [
      'a window, and the line that names it',
      FREE,
      {
        fleet: FREE.fleet.replace('windows: anytime', 'windows: nights'),
        more: 'windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}\n',
      },
      {
        'cam-1': 'fleet/fleet:8 fleet/more:1',
      },
    ],
    [
      'a priority',
      {
        fleet:
          FREE.fleet +
          OTHER.replace('cam-2', 'cam-1')
            .replace('11.11.73', '12.0.1')
            .replace('  spare:', '  spare:\n    priority: 100'),
      },
      {
        fleet:
          FREE.fleet +
          OTHER.replace('cam-2', 'cam-1')
            .replace('11.11.73', '12.0.1')
            .replace('  spare:', '  spare:\n    priority: 900'),
      },
      {
        'cam-1': 'fleet/fleet:10',
      },
    ],
    [
      'an item of a list',
      {
        fleet: `${HEAD}groups:\n  two:\n    devices:\n      - cam-1\n${POLICY.replace('device: cam-1', 'group: two')}`,
      },
      {
        fleet: `${HEAD}groups:\n  two:\n    devices:\n      - cam-1\n      - cam-2\n      - cam-3\n${POLICY.replace('device: cam-1', 'group: two')}`,
      },
      {
        'cam-2': 'fleet/fleet:8',
        'cam-3': 'fleet/fleet:9',
      },
    ],
    [
      'one value that became a list, on the line that has it now',
      FREE,
      edit('{device: cam-1}', '{device: [cam-1, cam-2]}'),
      { 'cam-2': 'fleet/fleet:6' },
    ],
    [
      'a tag of a site',
      {
        fleet: `${HEAD}sites: {HQ Berlin: {tags: [old]}}\n${POLICY.replace('device: cam-1', 'device: cam-1, site: {tag: new}')}`,
      },
      {
        fleet: `${HEAD}sites: {HQ Berlin: {tags: [new]}}\n${POLICY.replace('device: cam-1', 'device: cam-1, site: {tag: new}')}`,
      },
      {
        'cam-1': 'fleet/fleet:4',
      },
    ],
    [
      'a line that was taken away, where the base has it',
      edit('{device: cam-1}', '\n      device: cam-*\n      not: {device: [cam-2, cam-3, cam-4]}'),
      edit('{device: cam-1}', '\n      device: cam-*'),
      {
        'cam-2': 'main:fleet/fleet:8',
        'cam-3': 'main:fleet/fleet:8',
        'cam-4': 'main:fleet/fleet:8',
      },
    ],
    [
      'an exception that was taken away',
      { ...FREE, more: HOLD },
      FREE,
      {
        'cam-1': 'main:fleet/more:2',
      },
    ],
    [
      'a freeze',
      FREE,
      {
        ...FREE,
        more: 'freezes: {all: {from: "2026-11-01T00:00:00", to: "2026-12-01T00:00:00", reason: r, owner: o, ticket: T-1}}\n',
      },
      {
        'cam-1': 'fleet/more:1',
      },
    ],
    [
      'a selector that was narrowed, for what is gone by it',
      edit('cam-1', 'cam-*'),
      {
        fleet: FREE.fleet.replace('firmware:', '# about firmware\nfirmware:'),
      },
      {
        'gone cam-2 cam-3 cam-4': 'fleet/fleet:7',
      },
    ],
    [
      'an entry that was taken away, where the base has it',
      { fleet: FREE.fleet + OTHER },
      FREE,
      {
        'gone cam-2':
          'main:fleet/fleet:9 main:fleet/fleet:10 main:fleet/fleet:11 main:fleet/fleet:12',
      },
    ],
    [
      'an item that left a list, each for the device that it named',
      LISTED(['cam-1', 'cam-2', 'cam-3']),
      LISTED(['cam-1']),
      {
        'gone cam-2 cam-3': 'main:fleet/fleet:9 main:fleet/fleet:10',
      },
    ],
    [
      'two that would each do, together',
      LISTED(['cam-1']),
      LISTED(['cam-1', 'cam-2', 'cam-2*']),
      {
        'cam-2': 'fleet/fleet:9 fleet/fleet:10',
      },
    ],
  ])('%s', async (_, before, after, lines) => {
    expect(await linesBetween(before, after)).toEqual(lines);
  });

  it('is nothing where nothing changed', async () => {
    expect(await linesBetween(FREE, FREE)).toEqual({});
  });
});

const HOLD = `exceptions:
  court: {type: hold, select: {device: cam-1}, task: upgradeFirmware, until: "2026-12-31T00:00:00Z", reason: r, owner: o, ticket: T-1}
`;
