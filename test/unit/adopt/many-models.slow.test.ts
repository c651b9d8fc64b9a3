import { expect, it } from 'vitest';
import { adoptAndPlan, unexpected } from '../../support/adopted.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';

it('plans nothing after an import of 50000 devices of as many versions, with a floor for each vendor', async () => {
  const devices = Array.from({ length: 50_000 }, (_, index) => ({
    ...aDevice(`dev-${index}`),
    vendor: `Vendor ${index % 70}`,
    model: `M${index}`,
    firmwareVersion: `${index % 9}.${100_000 + index}`,
    sites: [{ id: `s${index % 300}`, name: `Site ${index % 300}` }],
  }));
  const { plan, files } = await adoptAndPlan(aSnapshot(devices));
  expect(unexpected(plan)).toEqual([]);
  const firmware = files.filter(({ path }) => path.includes('/firmware'));
  const policies = firmware.flatMap(({ text }) => text.match(/^ {2}[^\s#].*:( |$)/gm) ?? []);
  expect(policies).toHaveLength(70);
}, 900_000);
