import { expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { withChangedLines } from '../../../../src/plan/compare/changed-lines.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { plan } from '../../../../src/plan/plan.ts';
import { removedBlocks } from '../../../../src/render/outputs/classes.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { aDevice, aSnapshot } from '../../../support/plan-fleet.ts';
import { make, readScenario } from '../../../support/plan-scenario.ts';
import { LOOK } from '../../../support/render-look.ts';
import { settingsBetween } from '../../../support/changed-settings.ts';

const WHY = 'reason: r, owner: o, ticket: T-1';
const UNTIL = 'until: "2026-12-20T00:00:00Z"';
const HOLD = `  vip-hold: {type: hold, select: {group: vip}, ${UNTIL}, ${WHY}}`;

const FREEZE = `  peak: {hard: true, timeZone: UTC, from: "2026-11-01T00:00:00", to: "2026-12-20T00:00:00", select: {device: [cam-1, cam-2]}, ${WHY}}`;

function loaded(text: string): Documents {
  return load(`service: {baseUrl: "https://api.example.com", organization: acme}\n${text}`);
}

function load(text: string): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text }]);
  if (!documents || diagnostics.some(({ severity }) => severity === 'error'))
    throw new Error(JSON.stringify(diagnostics));
  return documents;
}

const PROTECTED = `sites:
  HQ Berlin: {timeZone: Europe/Berlin, tags: [retail]}
groups:
  vip: {devices: [cam-1, cam-2, cam-3]}
  doors: {select: {site: {tag: retail}, name: name of cam-*}, redundancy: true}
  pair: {devices: [cam-1, cam-2], redundancy: true}
  old: {select: {firmwareVersion: "<11.9"}}
budgets:
  all: {per: fleet, maxUnavailable: 3}
  vips: {select: {group: vip}, per: fleet, maxUnavailable: 1}
  olds: {select: {group: old}, per: fleet, maxUnavailable: 1}
freezes:
  bw: {from: "2026-11-23T00:00:00", to: "2026-12-10T00:00:00", select: {site: {tag: retail}}, ${WHY}}
exceptions:
${HOLD}
  out: {type: exclude, select: {not: {group: vip}}, ${UNTIL}, ${WHY}}
`;

it.each<[what: string, edit: readonly [from: string, to: string], expected: readonly string[]]>([
  ['nothing but a comment', ['sites:', '# ours\nsites:'], []],
  [
    'a group',
    ['[cam-1, cam-2, cam-3]', '[cam-2, cam-3]'],
    ['budgets.vips 3 -> 2', 'exceptions.out 1 -> 2', 'exceptions.vip-hold 3 -> 2'],
  ],
  [
    'as many of a group',
    ['[cam-1, cam-2, cam-3]', '[cam-1, cam-2, cam-4]'],
    [
      'budgets.vips 3 -> 3 (+1 -1)',
      'exceptions.out 1 -> 1 (+1 -1)',
      'exceptions.vip-hold 3 -> 3 (+1 -1)',
    ],
  ],
  ['a tag', [', tags: [retail]', ''], ['freezes.bw 4 -> 0', 'groups.doors 4 -> 0']],
  // One of them has a version that cannot be compared, and counts on both sides.
  ['a rule', ['"<11.9"', '"<11"'], ['budgets.olds 4 -> 1']],
  [
    'one without a selector, which has all',
    ['{per: fleet, maxUnavailable: 3}', '{per: fleet, maxUnavailable: 3, select: {name: other}}'],
    ['budgets.all 4 -> 0'],
  ],
  ['a freeze by taking its selector away', ['select: {site: {tag: retail}}, reason', 'reason'], []],
  ['a hold away', [HOLD, ''], ['exceptions.vip-hold 3 -> undefined']],
  [
    'an exception in',
    [
      HOLD,
      `${HOLD}\n  more: {type: allow, allow: {guardrail: maxPercentOfFleet, value: 90%}, ${UNTIL}, ${WHY}}`,
    ],
    ['exceptions.more undefined -> 4'],
  ],
  [
    'its own selector',
    ['select: {group: vip}, per', 'select: {vendor: Axis}, per'],
    ['budgets.vips 3 -> 4'],
  ],
])(
  'G10 says how many devices a protecting entry had and has where a request edits %s',
  (_, edit, expected) => {
    const devices = [1, 2, 3, 4].map((n) =>
      aDevice(`cam-${n}`, n === 4 ? { firmwareVersion: 'LTS-a' } : {}),
    );
    const [before, after] = [loaded(PROTECTED), loaded(PROTECTED.replace(...edit))];
    const settings = settingsBetween(before, after, aSnapshot(devices));
    const found = settings
      .filter(({ at }) => at.endsWith('.devices'))
      .map(({ at, before: had, after: has }) => `${at.slice(0, -8)} ${had} -> ${has}`);
    expect(found.toSorted()).toEqual(expected);
  },
);

const [SOURCES, SITES] = ['deviceSourcesField: sources', 'siteNameField: ""'];
const BY_SOURCE = `groups:
  vms: {select: {source: VMS*}}
freezes:
  xmas: {from: "2026-12-20T00:00:00", to: "2027-01-05T00:00:00", hard: true, select: {source: VMS*}, ${WHY}}
budgets:
  vms: {select: {not: {group: vms}}, per: fleet, maxUnavailable: 1}
  cams: {select: {deviceType: camera}, per: fleet, maxUnavailable: 1}
exceptions:
  hq: {type: hold, select: {site: HQ*}, ${UNTIL}, ${WHY}}
`;

it.each([
  ['tokenField: token', []],
  [SOURCES, ['budgets.vms 2', 'freezes.xmas 0']],
  [SITES, ['exceptions.hq 0']],
] as const)(
  'G10 says that %s may have read other devices of what protects',
  (dialect, expected) => {
    const head = (more: string) =>
      `service: {baseUrl: "https://api.example.com", organization: acme${more}}\n`;
    const [before, after] = ['', `, dialect: {${dialect}}`].map((more) =>
      load(head(more) + BY_SOURCE),
    );
    const devices = [aDevice('cam-1'), aDevice('cam-2')];
    const settings = settingsBetween(
      before as Documents,
      after as Documents,
      aSnapshot(devices.map((each) => ({ ...each, sites: [], sources: [] }))),
    );
    const found = settings.filter(({ at }) => at.endsWith('.devices'));
    expect(found.map(({ at, after: is }) => `${at.slice(0, -8)} ${is}`).toSorted()).toEqual(
      expected,
    );
    for (const { before: was } of found) expect(was).toBe('cannot be told in the new dialect');
  },
);

/** What a plan of four cameras that are online prints of the changes that a request removes. */
async function removed(before: string, after: string): Promise<readonly string[]> {
  const scenario = readScenario('01-firmware-upgrade-to-exact-version');
  const { input } = await make({
    ...scenario,
    live: {
      ...scenario.live,
      sites: ['HQ Berlin'],
      defaults: {
        vendor: 'Axis',
        model: 'P3265-V',
        type: 'camera',
        firmware: '11.8.61',
        status: 'online',
        seen: '1m',
        sites: ['HQ Berlin'],
        tasks: ['upgradeFirmware', 'rotatePassword'],
        approved: ['11.11.73'],
      },
      devices: { 'cam-1..4': { passwordChanged: '10d' } },
      discovered: {},
    },
    files: [
      {
        path: 'fleet/a.yaml',
        text: `${'service: {baseUrl: "https://api.example.com", organization: acme}\n'}${before}`,
      },
    ],
  });
  const { snapshot } = input;
  const sides = { before: loaded(before), after: loaded(after) };
  const earlier = plan({ ...input, documents: sides.before }).plan;
  const { plan: now, noted } = plan({ ...input, documents: sides.after });
  const about = { ref: 'main', commit: 'b'.repeat(40), noted };
  const compared = compareWithBase(now, earlier, about);
  const shown = withChangedLines(compared, earlier.changes, {
    ...sides,
    base: 'main',
    snapshot,
    noted,
  });
  return [...printTerminal(removedBlocks(buildPlanView(shown)), { ...LOOK, width: 200 })]
    .map((line) => line.trim())
    .filter((line) => /^\d/.test(line));
}

const ROTATIONS = `groups:
  vip: {devices: [cam-1, cam-2]}
exceptions:
${HOLD}
rotations:
  yearly: {task: rotatePassword, select: {deviceType: camera}, maxAge: 365d, windows: anytime}
`;

it.each<[what: string, before: string, after: string, expected: readonly string[]]>([
  [
    'takes a device out of a held group',
    ROTATIONS,
    ROTATIONS.replace('[cam-1, cam-2]', '[cam-2]'),
    [
      '1  rotations.yearly  Rotate password: not due, and no longer held by exception vip-hold  fleet/a.yaml:3:1',
    ],
  ],
  [
    'removes the hold',
    ROTATIONS,
    ROTATIONS.replace(`exceptions:\n${HOLD}\n`, ''),
    [
      '2  rotations.yearly  Rotate password: not due, and no longer held by exception vip-hold  main:fleet/a.yaml:5:1',
    ],
  ],
  [
    'ends a hard freeze',
    ROTATIONS.replace(`exceptions:\n${HOLD}\n`, `freezes:\n${FREEZE}\n`),
    ROTATIONS.replace(`exceptions:\n${HOLD}\n`, ''),
    [
      '2  rotations.yearly  Rotate password: not due, and no longer held by freeze peak  main:fleet/a.yaml:5:1',
    ],
  ],
  [
    'takes one device out of the group, and another out of the policy',
    ROTATIONS,
    ROTATIONS.replace('[cam-1, cam-2]', '[cam-2]').replace(
      '{deviceType: camera}',
      '{deviceType: camera, not: {device: cam-2}}',
    ),
    [
      '1  rotations.yearly  Rotate password: not due, and no longer held by exception vip-hold  fleet/a.yaml:3:1',
      '1  rotations.yearly  Rotate password: no policy selects it  main:fleet/a.yaml:7:72',
    ],
  ],
  [
    'lowers the version that it wants',
    'firmware:\n  a: {select: {device: cam-1}, version: "11.11.73", windows: anytime}\n',
    'firmware:\n  a: {select: {device: cam-1}, version: "11.8.61", windows: anytime}\n',
    ['1  firmware.a  Upgrade firmware: up to date  main:fleet/a.yaml:3:41'],
  ],
])('a request that %s says why a change is gone', async (_, before, after, expected) => {
  expect(await removed(before, after)).toEqual(expected);
});
