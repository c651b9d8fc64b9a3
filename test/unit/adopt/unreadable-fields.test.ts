import { expect, it } from 'vitest';
import { DEVICE } from '../../../src/model/fleet/device.ts';
import { findDialectKeys } from '../../../src/model/fleet/dialect-keys.ts';
import { adoptAndPlan, unexpected } from '../../support/adopted.ts';
import { aDevice, aSnapshot, NOW } from '../../support/plan-fleet.ts';

const DAY = 86_400_000;

/** Five devices alike; a field of each has another shape than fleetform knows. */
const imported = (field: string) =>
  adoptAndPlan(
    aSnapshot(
      Array.from({ length: 5 }, (_, at) => ({
        ...aDevice(`cam-${at}`),
        firmwareVersion: '11.8.61',
        passwordChangedAt: NOW - 10 * DAY,
        unreadable: [field],
      })),
    ),
  );

/** What decides about any task on a device, or about its firmware and its passwords. */
const NEEDED = new Set(
  `id sites sources available maintenanceMode unreadable vendor model firmwareVersion deviceType status lastSeen
  storageServer passwordExpiresAt passwordChangedAt sslCertificateExpiresAt`.split(/\s+/),
);

it.each(Object.keys(DEVICE).filter((field) => !NEEDED.has(field)))(
  'an optional field of another shape blocks nothing that does not need it: %s, for import and plan',
  async (field) => {
    const { adopted, plan } = await imported(field);
    const sections = adopted.entries.map(({ section }) => section);
    expect(sections).toEqual(expect.arrayContaining(['firmware', 'rotations']));
    expect(adopted.notices.map(({ code }) => code)).not.toContain('fieldUnreadable');
    expect(unexpected(plan)).toEqual([]);
  },
);

it.each([
  ['firmwareVersion', ['firmware']],
  ['passwordChangedAt', ['passwords']],
  ['vendor', ['firmware', 'certificates', 'passwords']],
])('an import names %s, which it needs', async (field, needing) => {
  const { adopted } = await imported(field);
  const key = findDialectKeys(field, 'devices');
  expect(adopted.notices.filter(({ code }) => code === 'fieldUnreadable')).toEqual(
    needing.map((what) => ({
      code: 'fieldUnreadable',
      what,
      field,
      devices: 5,
      ...(key !== undefined && { key }),
    })),
  );
});
