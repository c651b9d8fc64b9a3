import { expect, it } from 'vitest';
import { quotable } from '../../../../../src/model/documents/quoted.ts';
import { compareEntryParts } from '../../../../../src/render/outputs/entry-parts.ts';

const FIELDS = ['select', 'version', 'devices', 'timeZone'];
const IN_LINE =
  '  axis: {select: {vendor: Axis, device: [a, "b, c", d]}, version: "11.8", windows: nights}\n';
const IN_BLOCK = `  axis:
    select:
      vendor: Axis
      device:
        - a
        - "b, c"
        - d
    # ours
    version: "11.8"
    rollout: slow
`;

function parts(before: string, after: string) {
  return compareEntryParts(quotable(before), quotable(after), FIELDS);
}

it('two layouts of one entry have the same parts, and fields that an import does not decide are none', () => {
  expect(parts(IN_BLOCK, IN_LINE)).toEqual({ removed: [], added: [] });
});

it.each([
  [IN_LINE, IN_LINE.replace('11.8', '12'), ['version: "11.8"'], ['version: "12"']],
  [
    IN_BLOCK,
    IN_LINE.replace(', d]', ', e, f]'),
    ['select.device: d'],
    ['select.device: e', 'select.device: f'],
  ],
  [
    IN_LINE,
    IN_LINE.replace('[a, "b, c", d]', '{x: [1, {y: 2}], z: "}"}'),
    ['select.device: a', 'select.device: "b, c"', 'select.device: d'],
    ['select.device.x: 1', 'select.device.x.y: 2', 'select.device.z: "}"'],
  ],
  [
    '  "a: b": {timeZone: UTC}\n',
    '  "a: b": {timeZone: Europe/Berlin}\n',
    ['timeZone: UTC'],
    ['timeZone: Europe/Berlin'],
  ],
  [
    '  due: {devices: [\n      a, b, # HQ: x, "y # z"\n      "c#1", # Lyon\n    ]}\n',
    '  due: {devices: [\n      b, c, # HQ: y\n    ]}\n',
    ['devices: a', 'devices: "c#1"'],
    ['devices: c'],
  ],
  ['  Lyon:\n', '  Lyon: {timeZone: UTC}\n', [], ['timeZone: UTC']],
])('shows what one side lacks: %j, %j', (before, after, removed, added) => {
  expect(parts(before, after)).toEqual({ removed, added });
});
