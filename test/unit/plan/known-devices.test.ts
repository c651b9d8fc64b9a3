import { expect, it } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { createSnapshot } from '../../../src/live/snapshot.ts';
import type { PlannerInput } from '../../../src/plan/input.ts';
import { knownDevices } from '../../../src/plan/known-devices.ts';
import { unmanagedDevices } from '../../../src/plan/drafts.ts';
import { NOW, aMemory, anIntent, anOpenIntent } from '../../support/plan-fleet.ts';

const TEXT = `
service: {baseUrl: https://twin.test, organization: acme}
groups:
  door: {devices: [in-group]}
  lobby: {select: {device: [in-select, lobby-*]}}
firmware:
  axis: {select: {device: [in-policy]}, version: "1", windows: anytime}
onboarding:
  new: {devices: [{id: disc-1}], windows: anytime}
exceptions:
  held: {type: hold, select: {device: [in-exception]}, until: "2027-01-01T00:00:00Z",
         reason: r, owner: o, ticket: t}
`;

function documentsOf() {
  const { documents } = loadTexts([{ path: 'fleet/a.yaml', text: TEXT }]);
  if (!documents) throw new Error('these documents do not load');
  return documents;
}

it('knows the devices that documents and ledger name by id, and those with something open', () => {
  const memory = aMemory([
    anIntent('settled'),
    anOpenIntent('open'),
    anOpenIntent('disc-2', { task: 'onboardDevice' }),
  ]);
  const { ids, open } = knownDevices(documentsOf(), memory);
  expect([...ids].toSorted()).toEqual(
    ['in-exception', 'in-group', 'in-policy', 'in-select', 'open', 'settled'].toSorted(),
  );
  expect([...open]).toEqual(['open']);
});

it('says without a doubt what two reads by id did not show in a torn reading', () => {
  const reasonWith = (absent: readonly string[]) => {
    const confidence = 'torn';
    const repair = { present: 0, absent, unknown: [] };
    const rows = {
      takenAt: NOW,
      confidence,
      discoveredConfidence: confidence,
      devices: [],
    } as const;
    const input = { documents: documentsOf(), snapshot: createSnapshot({ ...rows, repair }) };
    return [...unmanagedDevices(input as unknown as PlannerInput)].map(({ reason }) => reason);
  };
  const reason = { code: 'unmanaged', params: { entry: 'in-policy' } };
  expect(reasonWith(['in-policy'])).toEqual([reason]);
  expect(reasonWith([])).toEqual([{ ...reason, params: { ...reason.params, confidence: 'torn' } }]);
});
