import { expect, it } from 'vitest';
import type { Who } from '../../../../src/model/report/output.gen.ts';
import { whoBlocks } from '../../../../src/render/outputs/who.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { LOOK } from '../../../support/render-look.ts';

const AT = { policy: 'firmware.axis', file: 'fleet/a.yaml', line: 4, column: 3 };

const governs: Who['governs'] = Array.from({ length: 22 }, (_, n) => ({
  device: { id: `dev-${n}`, name: `cam-${n}`, site: 'Lyon' },
  task: 'upgradeFirmware' as const,
  ...(n === 0
    ? { how: 'loses' as const, by: { ...AT, policy: 'firmware.lts' } }
    : { how: 'wins' as const }),
}));

const textOf = (who: Who, all = false): string =>
  [...printTerminal(whoBlocks(who), { ...LOOK, all })].join('\n');

it('lists the devices of a line, counted by how it governs them', () => {
  const text = textOf({ at: AT, governs, total: 22 });
  expect(text).toMatch(/^firmware\.axis {2}fleet\/a\.yaml:4:3\n/);
  expect(text).toContain('devices    1: Upgrade firmware, another policy wins\n');
  expect(text).toContain('devices    21: Upgrade firmware, wins\n');
  expect(text).toMatch(/^cam-0 \(dev-0\) .* another policy wins \(firmware\.lts\)$/m);
  expect(text).toContain('and 2 more devices');
  expect(textOf({ at: AT, governs, total: 22 }, true)).toContain('cam-21 (dev-21)');
});

it('says so where a line governs no device', () => {
  expect(textOf({ at: AT, governs: [], total: 0 })).toMatch(/devices +none$/);
});

it('says above the devices that the policy is refused, why, and what to write', () => {
  const params = { finding: 'conflict', policy: AT.policy, other: 'firmware.lts', count: 22 };
  const refused = { code: 'refused', next: 'never', params } as const;
  const text = textOf({ at: AT, refused, governs, total: 22 });
  expect(text).toMatch(/why +policy refused: firmware\.axis and firmware\.lts have equal\s/);
  expect(text).toContain('devices    22: Upgrade firmware, refused\n');
  expect(text).not.toMatch(/wins/);
  expect(text).toMatch(/next +raise the `priority`/);
});
