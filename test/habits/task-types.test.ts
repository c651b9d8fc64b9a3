import { expect, test } from 'vitest';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import { sources } from './sources.ts';

/** Where a task type is named: the list of them all, its kind, what it does in the twin, and its words. */
const HOMES = /^src\/(?:model\/fleet\/task\.ts|kinds\/|twin\/effects\/|render\/words\/terms\.ts)/;

/** Lines that name one all the same, and why: none of them is in the way of a further task type. */
const LEFT: Readonly<Record<string, readonly [lines: number, why: string]>> = {
  'src/config/defaults.ts': [1, 'the first-day duties that a person gets who writes none'],
  'src/twin/dialect/decode-request.ts': [2, 'the dialect has fields for these two requests'],
  'src/twin/dialect/encode-answer.ts': [
    1,
    'the dialect says under which id an onboarded device is',
  ],
  'src/twin/engine.ts': [1, 'a restart alone reaches a device that is offline'],
  'src/twin/fleet/access-products.ts': [3, 'what the service offers on a product'],
  'src/twin/fleet/aging.ts': [1, 'what the service offers on an old device'],
  'src/twin/fleet/camera-products.ts': [1, 'what the service offers on a product'],
  'src/twin/fleet/device.ts': [1, 'a device with a certificate can have another one'],
  'src/twin/fleet/product.ts': [6, 'what the service offers on a product'],
  'src/twin/http/filters.ts': [6, 'the filters of the contract'],
  'src/twin/http/tasks.ts': [
    3,
    'the request to restart, and the list that a discovered device is in',
  ],
  'src/twin/http/wire.ts': [4, 'the members of availableTask in the contract'],
};

const NAMED = new RegExp(
  `['"\`](?:${TASK_TYPES.join('|')})['"\`]|^\\s*(?:${TASK_TYPES.join('|')}):`,
);

test('the name of a task type stands in its homes alone', () => {
  const counted = sources('src')
    .filter(({ path }) => !HOMES.test(path))
    .map(({ path, text }) => [path, text.split('\n').filter(isNaming).length] as const)
    .filter(([, lines]) => lines > 0);
  expect(Object.fromEntries(counted)).toEqual(
    Object.fromEntries(Object.entries(LEFT).map(([path, [lines]]) => [path, lines])),
  );
});

function isNaming(line: string): boolean {
  return NAMED.test(line) && !/^\s*(?:\/\*|\*|\/\/)/.test(line);
}
