import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/kinds/kind.ts';
import { upgradeFirmware } from '../../../src/kinds/upgrade-firmware.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { FirmwarePolicy, VersionSpec } from '../../../src/model/documents/policy.ts';
import { firmware } from '../../support/desired-documents.ts';
import { able, attempted, brief, caseOf, intent, NOW, seen } from '../../support/kinds-case.ts';

const EXACT: VersionSpec = { is: 'exact', version: '11.11.73' };
const FLOOR: VersionSpec = { is: 'floor', version: '11.9' };
const APPROVED: VersionSpec = { is: 'approved' };
const range = (text: string): VersionSpec => ({ is: 'range', text });

interface Given {
  readonly runs?: string | undefined;
  readonly vendor?: string;
  readonly wish?: VersionSpec;
  readonly policy?: Partial<FirmwarePolicy>;
  readonly list?: readonly string[];
  readonly more?: Partial<Case>;
}

function given({ runs = '11.8.61', vendor = 'Axis', wish = EXACT, ...rest }: Given): Case {
  const approved = rest.list?.map((text) => {
    const hops = text.split(' via ').reverse();
    return { version: hops.at(-1) ?? '', hops };
  });
  return caseOf(firmware('axis', { version: wish, ...rest.policy }), {
    device: able({ firmwareVersion: runs, vendor }),
    facts: approved ? { targetFirmware: approved } : {},
    ...rest.more,
  });
}

const ALLOW = { downgrade: 'allow' } as const;

const JUDGED: readonly (readonly [string, Given, string])[] = [
  ['approved and reached in one hop', { list: ['11.11.73'] }, 'due versionDiffers'],
  ['approved, two hops away', { list: ['11.11.73 via 11.10.1'] }, 'due nextHop'],
  [
    'two hops away, past the first of them',
    { list: ['11.11.73 via 10.12.236'] },
    'due versionDiffers',
  ],
  [
    'past a hop that the policy would skip',
    { policy: { path: 'direct' }, list: ['11.11.73 via 10.12.236'] },
    'due versionDiffers',
  ],
  ['on a path that leads back', { list: ['11.11.73 via 12.0'] }, 'unsupported noPath'],
  [
    'on a path through a version without an order',
    { list: ['11.11.73 via golden'] },
    'unsupported downgradeUnclear',
  ],
  [
    'on a path through two spellings of one version',
    { runs: '1.28.9', wish: APPROVED, list: ['1.31.5 via 1.30.3 via 1.303'] },
    'unsupported downgradeUnclear',
  ],
  [
    'older and allowed, on a path that starts at a newer version',
    { runs: '12.0', policy: ALLOW, list: ['11.11.73 via 12.1'] },
    'due versionDiffers',
  ],
  ['not approved', { list: ['11.10.61'] }, 'unsupported noTargetFirmware'],
  ['nothing approved', { list: [] }, 'unsupported noTargetFirmware'],
  ['running', { runs: '11.11.73' }, 'converged alreadyConverged'],
  ['running in another spelling', { runs: '11.11.73.0' }, 'converged alreadyConverged'],
  ['older than what runs', { runs: '12.0' }, 'unsupported downgrade'],
  ['older, and allowed', { runs: '12.0', policy: ALLOW, list: ['11.11.73'] }, 'due versionDiffers'],
  [
    'not comparable with what runs, and listed',
    { runs: 'golden', list: ['11.11.73'] },
    'unsupported downgradeUnclear',
  ],
  [
    'not comparable with what runs, listed, and newer by the order of the policy',
    { runs: 'golden', policy: { order: ['golden', '11.11.73'] }, list: ['11.11.73'] },
    'due versionDiffers',
  ],
  [
    'newer, and older by the order of the policy',
    { policy: { order: ['11.11.73', '11.8.61'] }, list: ['11.11.73'] },
    'unsupported downgrade',
  ],
  [
    'another spelling of what runs',
    { runs: '11.11.73', wish: { is: 'exact', version: '11.11.73_2' }, list: ['11.11.73_2'] },
    'unsupported downgradeUnclear',
  ],
  [
    'not comparable with what runs, and not listed',
    { runs: 'golden', list: ['11.10.61'] },
    'unsupported noTargetFirmware',
  ],
  ['not comparable, the list not read', { runs: 'golden' }, 'notRead notRead'],
  [
    'not comparable and pinned, and listed',
    { runs: 'golden', wish: range('11.x'), more: { pin: 'blue-2' }, list: ['blue-1', 'blue-2'] },
    'unsupported downgradeUnclear',
  ],
  [
    'not comparable and pinned, with an order',
    {
      runs: 'golden',
      wish: range('11.x'),
      policy: { order: ['blue-1', 'golden', 'blue-2'] },
      more: { pin: 'blue-2' },
      list: ['blue-1', 'blue-2'],
    },
    'due pinned',
  ],
  [
    'pinned to a version that may be below the floor',
    { policy: { minVersion: '11.0', ...ALLOW }, more: { pin: 'blue-2' }, list: ['blue-2'] },
    'unsupported notComparable',
  ],
  [
    'pinned to a version that may be below the floor, and the risk is accepted',
    {
      policy: { minVersion: '11.0', ...ALLOW },
      more: { pin: 'blue-2', acceptsRisk: true },
      list: ['blue-2'],
    },
    'due pinned',
  ],
  [
    'the newest approved, not comparable with what runs',
    { runs: 'golden', wish: APPROVED, list: ['11.11.73'] },
    'unsupported downgradeUnclear',
  ],
  [
    'not comparable where no order is needed',
    { runs: 'golden', policy: ALLOW, list: ['11.11.73'] },
    'due versionDiffers',
  ],
  [
    'over a floor that cannot be compared',
    { runs: 'golden', policy: { ...ALLOW, minVersion: '11.0' }, list: ['11.11.73'] },
    'unsupported notComparable',
  ],
  [
    'in a range over a floor that cannot be compared',
    {
      runs: 'golden',
      wish: APPROVED,
      policy: { ...ALLOW, minVersion: '11.0' },
      list: ['11.11.73'],
    },
    'unsupported notComparable',
  ],
  ['over its floor', { policy: { minVersion: '11.9' }, list: ['11.11.73'] }, 'due belowMinVersion'],
  ['pinned', { more: { pin: '11.9.1' }, list: ['11.9.1', '11.11.73'] }, 'due pinned'],
  ['pinned, at the pin', { runs: '11.9.1', more: { pin: '11.9.1' } }, 'converged alreadyConverged'],
  [
    'in a range: the newest',
    { wish: range('11.x'), list: ['11.9', '11.10'] },
    'due versionDiffers',
  ],
  [
    'in a range, newest runs',
    { wish: range('11.8.x'), list: ['11.8.2', '12.0'] },
    'converged alreadyConverged',
  ],
  ['in a range, none left', { wish: range('11.8.x'), list: [] }, 'converged alreadyConverged'],
  [
    'in a range, satisfied below the floor',
    { wish: range('11.8.x'), list: [], policy: { minVersion: '11.8.70' } },
    'unsupported noTargetFirmware',
  ],
  [
    'in a range that none fits',
    { wish: range('>=12'), list: ['11.9'] },
    'unsupported noTargetFirmware',
  ],
  [
    'in a range without an order',
    { runs: 'x1', wish: range('>=12'), list: [] },
    'unsupported notComparable',
  ],
  [
    'in a range, approved without an order',
    { wish: range('>=12'), list: ['golden'] },
    'unsupported notComparable',
  ],
  ['in a range, only older fits', { wish: range('<11'), list: ['10.1'] }, 'unsupported downgrade'],
  ['the newest approved', { wish: APPROVED, list: ['11.9', '11.10'] }, 'due versionDiffers'],
  [
    'the newest approved, running',
    { wish: APPROVED, list: ['11.8.61'] },
    'converged alreadyConverged',
  ],
  ['nothing newer approved', { wish: APPROVED, list: [] }, 'converged alreadyConverged'],
  [
    'none approved, where we brought it',
    { wish: APPROVED, list: [], more: { past: [intent({ target: '11.8.61' })] } },
    'converged alreadyConverged',
  ],
  [
    'the newest of a list of which two older ones have no order',
    { wish: APPROVED, list: ['11.9_1', '11.9', '11.10'] },
    'due versionDiffers',
  ],
  [
    'the newest by the order of the policy',
    { wish: APPROVED, policy: { order: ['11.8.61', 'b', 'a'] }, list: ['a', 'b'] },
    'due versionDiffers',
  ],
  [
    'in a range by the order of the policy',
    {
      runs: 'b',
      wish: range('>=b'),
      policy: { order: ['c', 'b', 'a'] },
      list: ['a', 'c'],
    },
    'due versionDiffers',
  ],
  [
    'two approved without an order',
    { wish: APPROVED, list: ['a', 'b'] },
    'unsupported notComparable',
  ],
  [
    'below a floor, whatever is approved',
    { wish: FLOOR, policy: { minVersion: '11.9' }, list: ['11.11.73'] },
    'unsupported belowFloor',
  ],
  [
    'at a floor in another spelling',
    { runs: '11.9.0', wish: FLOOR, policy: { minVersion: '11.9' } },
    'converged alreadyConverged',
  ],
  [
    'above a floor that an order states',
    { runs: 'red', wish: FLOOR, policy: { minVersion: 'blue', order: ['blue', 'red'] } },
    'converged alreadyConverged',
  ],
  [
    'at a floor, past its end of support and not offered',
    {
      wish: FLOOR,
      policy: { minVersion: '11.8' },
      more: {
        device: {
          ...able({ lifeCycle: 'eos' }),
          vendor: 'Axis',
          firmwareVersion: '11.8.61',
          available: {},
        },
      },
    },
    'converged alreadyConverged',
  ],
  [
    'without an order with a floor',
    { runs: 'golden', wish: FLOOR, policy: { minVersion: '11.9' } },
    'unsupported notComparable',
  ],
  [
    'below a floor, and pinned',
    { wish: FLOOR, policy: { minVersion: '11.9' }, more: { pin: '11.11.73' }, list: ['11.11.73'] },
    'due pinned',
  ],
  [
    'of a vendor with variants of one version',
    {
      vendor: 'Dahua',
      runs: '2.620.00AC000.0.R',
      wish: APPROVED,
      list: ['2.622.00AC000.0.R', '2.622.00AD000.0.R'],
    },
    'unsupported notComparable',
  ],
];

describe('a version', () => {
  it.each(JUDGED)('%s', (_, input, expected) => {
    expect(brief(upgradeFirmware.judge(given(input)))).toBe(expected);
  });

  it.each(JUDGED)('%s: which reads decide is the same whatever its intents', (_, input) => {
    const { list: _list, ...unread } = input;
    const theCase = given(unread);
    const { runs = '11.8.61' } = input;
    const pasts = ['11.11.73', runs].flatMap((target) => [
      intent({ target, verdict: 'done' }),
      intent({ target, phase: 'failed', verdict: 'failed' }),
    ]);
    for (const past of pasts)
      expect(upgradeFirmware.reads({ ...theCase, past: [past] })).toEqual(
        upgradeFirmware.reads({ ...theCase, past: [] }),
      );
  });

  it('that is approved without a path has none', () => {
    const facts = { targetFirmware: [{ version: '11.11.73', hops: [] }] };
    expect(brief(upgradeFirmware.judge(given({ more: { facts } })))).toBe('unsupported noPath');
  });

  it.each([
    ['forbidden', 'unsupported valueUnknown'],
    ['unreadable', 'unsupported valueUnknown'],
    ['notRead', 'notRead notRead'],
    [undefined, 'notRead notRead'],
  ] as const)('whose read is %s is %s (semantics N6)', (problem, expected) => {
    const facts = problem ? { targetFirmware: problem } : {};
    const judgement = upgradeFirmware.judge(given({ more: { facts } }));
    expect(brief(judgement)).toBe(expected);
  });
});

describe('the list of approved versions', () => {
  it.each([
    ['an exact version that runs', { runs: '11.11.73' }, 0],
    ['an exact version that is older', { runs: '12.0' }, 0],
    ['an exact version', {}, 1],
    ['a range that runs', { wish: range('11.x') }, 1],
    ['what is approved', { wish: APPROVED }, 1],
    [
      'a device on which the task is not available',
      { more: { device: able({ available: {} }) } },
      0,
    ],
  ] as const)('for %s is read %s', (_, input, times) => {
    expect(upgradeFirmware.reads(given(input))).toHaveLength(times);
  });
});

describe('an upgrade that is due', () => {
  it('aims at the newest, wherever the list has it', () => {
    const judgement = upgradeFirmware.judge(
      given({ wish: APPROVED, list: ['11.9', '11.10', '11.8'] }),
    );
    expect(judgement).toMatchObject({ target: '11.10' });
  });

  it('aims at the next hop, says where it ends, and remembers what ran', () => {
    expect(upgradeFirmware.judge(given({ list: ['11.11.73 via 11.10.1'] }))).toMatchObject({
      before: { firmwareVersion: '11.8.61' },
      after: { firmwareVersion: '11.10.1', finalVersion: '11.11.73' },
      target: '11.10.1',
      marker: '11.8.61',
    });
  });

  it('leaves out the hops that are not newer than what runs (semantics F11)', () => {
    const list = ['11.11.73 via 11.10.1 via 11.8.61.0 via 10.12.236'];
    expect(upgradeFirmware.judge(given({ runs: '11.8.62', list }))).toMatchObject({
      after: { firmwareVersion: '11.10.1', finalVersion: '11.11.73' },
      target: '11.10.1',
    });
  });

  it('goes on from the hop at which the device rests', () => {
    const list = ['11.11.73 via 11.10.1 via 11.8.61'];
    expect(upgradeFirmware.judge(given({ list }))).toMatchObject({ target: '11.10.1' });
  });

  it.each([
    ['config', 0, []],
    ['drift', 1, [intent()]],
    ['drift', 2, [intent(), intent({ generation: 1 })]],
    ['retry', 0, [intent({ verdict: 'failed' })]],
    ['config', 0, [intent({ target: '11.9' })]],
    ['retry', 1, [intent(), intent({ generation: 1, verdict: 'notDone' })]],
  ] as const)('is %s of generation %s', (cause, generation, past) => {
    const judgement = upgradeFirmware.judge(given({ list: ['11.11.73'], more: { past } }));
    expect(judgement).toMatchObject({ cause, generation });
  });

  it.each([
    ['config', []],
    ['config', [intent({ target: '11.10.1', verdict: 'failed', generation: 9 })]],
    ['drift', [intent()]],
  ] as const)('is %s on its first hop, by what was done before', (cause, past) => {
    const list = ['11.11.73 via 11.10.1'];
    const judgement = upgradeFirmware.judge(given({ list, more: { past } }));
    expect(judgement).toMatchObject({ cause, target: '11.10.1', generation: 0 });
  });

  it('sends the version in the field of the dialect', () => {
    const dialect = resolveDialect({ upgradeVersionField: 'to' });
    expect(upgradeFirmware.payload(firmware('a'), '11.9', dialect)).toEqual({ to: '11.9' });
  });
});

it('availability comes before everything else, even before what runs already', () => {
  const device = able({ available: { upgradeFirmware: false }, firmwareVersion: '11.11.73' });
  expect(brief(upgradeFirmware.judge(given({ more: { device } })))).toBe(
    'unsupported taskUnavailable',
  );
});

it('a device that does not say what it runs is not judged', () => {
  const { firmwareVersion: _, ...device } = able();
  expect(brief(upgradeFirmware.judge(given({ more: { device } })))).toBe(
    'unsupported valueUnknown',
  );
});

it('what runs already is external unless we brought it', () => {
  const external = (past: Case['past']): unknown => {
    const judgement = upgradeFirmware.judge(given({ runs: '11.11.73', more: { past } }));
    return judgement.is === 'converged' && judgement.reason.params?.['external'];
  };
  expect(external([])).toBe(true);
  expect(external([intent()])).toBe(false);
  expect(external([intent({ verdict: 'failed' })])).toBe(true);
});

describe('proof of an upgrade', () => {
  const target = { firmwareVersion: '11.11.73' };
  it.each([
    ['shown', able(target)],
    ['other', able()],
    ['notYet notOnline', able({ ...target, status: 'offline' })],
    ['notYet notOnline', able({ ...target, status: 'rebooting' })],
    ['notYet stale', able({ ...target, lastSeen: NOW - 1_800_000 })],
    ['notYet unreadable', undefined],
  ])('is %s', (expected, device) => {
    const { device: _, ...without } = seen();
    const proof = upgradeFirmware.prove(attempted(), device ? seen({ device }) : without);
    expect('why' in proof ? `${proof.is} ${proof.why}` : proof.is).toBe(expected);
  });

  it('takes equal reads ten minutes apart where a time of the device or of the service is missing', () => {
    const { lastSeen: _, ...device } = able(target);
    const is = (minutes: number, undated: boolean, more = {}): string => {
      const observation = seen({ device: { ...device, ...more }, steadyFor: minutes * 60_000 });
      return upgradeFirmware.prove({ ...attempted(), undated }, observation).is;
    };
    expect([is(9.9, false), is(10, false)]).toEqual(['notYet', 'shown']);
    const { lastSeen = 0 } = able();
    expect([is(9.9, true, { lastSeen }), is(10, true, { lastSeen })]).toEqual(['notYet', 'shown']);
    expect(is(60, false, { lastSeen: NOW - 1_800_000 })).toBe('notYet');
  });

  it('names the version and when it was read', () => {
    expect(upgradeFirmware.prove(attempted(), seen({ device: able(target) }))).toEqual({
      is: 'shown',
      evidence: [
        {
          source: 'device',
          field: 'firmwareVersion',
          value: '11.11.73',
          at: '2026-11-20T12:00:00Z',
        },
      ],
    });
  });

  it('settles a doubt only where the version was another before', () => {
    const device = able(target);
    const found = [{ source: 'device', field: 'firmwareVersion', value: '11.11.73' }];
    expect(upgradeFirmware.settlesDoubt(attempted(), seen({ device }))).toEqual(found);
    expect(upgradeFirmware.settlesDoubt(attempted(), seen())).toEqual([]);
    const offline = { ...device, status: 'offline' };
    expect(upgradeFirmware.settlesDoubt(attempted(), seen({ device: offline }))).toEqual(found);
    const same = attempted({ marker: '11.11.73' });
    expect(upgradeFirmware.settlesDoubt(same, seen({ device }))).toEqual([]);
  });
});
