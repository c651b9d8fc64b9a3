import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { listPolicies } from '../../../src/model/documents/policies.ts';
import { renamesIn, underPresentNames } from '../../../src/plan/present-names.ts';
import { aMemory } from '../../support/plan-fleet.ts';

function documentsWith(renamedFrom: string) {
  const text = `service: {baseUrl: https://api.example.com, organization: acme}
firmware:
  cameras: {select: {vendor: Axis}, version: "11.11.73", ${renamedFrom}windows: anytime}
  others: {select: {vendor: Bosch}, version: "8.0.0", windows: anytime}
`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}

const to = 'firmware.cameras';
const known = (...pairs: readonly (readonly [string, string])[]) =>
  aMemory([], { renamed: new Map(pairs) });

test.each([
  ['that nobody recorded', 'firmware.ax', [], [{ from: 'firmware.ax', to }]],
  ['that is on record', 'firmware.ax', [['firmware.ax', to]], []],
  [
    'to an address that is gone again',
    'firmware.first',
    [['firmware.first', 'firmware.ax']],
    [{ from: 'firmware.ax', to }],
  ],
  ['to another policy', 'firmware.ax', [['firmware.ax', 'firmware.others']], []],
  [
    'after the other, told in one key',
    '[firmware.first, firmware.ax]',
    [],
    [
      { from: 'firmware.first', to },
      { from: 'firmware.ax', to },
    ],
  ],
  ['that there never was', 'none', [], []],
] as const)('M23 a rename %s is to be recorded: %s', (_, told, recorded, expected) => {
  const documents = documentsWith(`renamedFrom: ${told}, `);
  expect(renamesIn({ documents, memory: known(...recorded) })).toEqual(expected);
});

test('M23 a policy has its names of the ledger, without a key too, and nothing else changes', () => {
  const recorded = known(['firmware.first', to], ['firmware.ax', to]);
  const { documents } = underPresentNames({ documents: documentsWith(''), memory: recorded });
  const earlier = listPolicies(documents).map(({ value }) => value.earlier);
  expect(earlier).toEqual([['firmware.first', 'firmware.ax'], undefined]);
  const plain = { documents: documentsWith(''), memory: aMemory() };
  expect(underPresentNames(plain)).toBe(plain);
});
