import { describe, expect, it } from 'vitest';
import { printRows, type GetRequest } from '../../../../../src/operations/rows/print-rows.ts';
import { WorldError } from '../../../../../src/model/error.ts';
import { isTried } from '../../../../support/campaign.ts';
import { fakeService, json } from '../../../../support/api-service.ts';

/** What a service has no business to answer, at the top or in a field. */
const ODD = [null, 5, 'x', true, [], {}, [[]], [null], { a: { b: [1, { c: null }] } }];

/** Fields that columns look below, and those that hold lists. */
const FIELDS = 'id site compliance probe steps security firmware status version paths'.split(' ');
const LISTS = 'devices sites deviceSources discoveredDevices firmwarePaths deviceTasks'.split(' ');

const ROWS = FIELDS.flatMap((name) => ODD.map((value) => ({ id: 'dev-1', [name]: value })));
const SHAPES: readonly unknown[] = [
  ...ODD,
  ...[...LISTS, 'passwords', 'certificates', 'vulnerabilities'].flatMap((list) =>
    [...ODD, ROWS].map((rows) => ({ [list]: rows, total: ROWS.length })),
  ),
  ...ROWS,
];

type Wanted = Partial<GetRequest>;
const REQUESTS: readonly Wanted[] = [
  { resource: 'devices' },
  { resource: 'devices', columns: ['id', 'compliance.lifecycle.status'] },
  { resource: 'devices', countBy: ['compliance.lifecycle.status'] },
  { resource: 'device', id: 'dev-1' },
  { resource: 'sites' },
  { resource: 'sources' },
  { resource: 'discovered' },
  { resource: 'task', id: '7', steps: true },
  { resource: 'vulnerabilities', id: 'dev-1' },
  { resource: 'passwords', id: 'dev-1' },
  { resource: 'certificates', id: 'dev-1' },
  { resource: 'target-firmware', id: 'dev-1' },
  { resource: 'firmware-paths' },
];

/** Asks one client; returns what prints an answer of a shape: the failure, or what was printed. */
function printerOf(request: Wanted): (shape: unknown) => Promise<unknown> {
  let answer: unknown;
  const pace = { requestsPerSecond: 10_000, tokenRequestsPerMinute: 600 };
  const { client } = fakeService(() => json(answer), { pace });
  const whole = { resource: 'devices', filters: [], output: 'csv', ...request } as const;
  return (shape) => {
    answer = shape;
    let text = '';
    const io = { source: client, out: (more: string) => void (text += more), err: () => undefined };
    return printRows(whole, io).then(
      () => text,
      (error: unknown) => error,
    );
  };
}

describe('an answer of another shape', () => {
  it.each(
    REQUESTS.flatMap((request) =>
      (['csv', 'table'] as const).map((output) => ({ ...request, output })),
    ).filter((_, nth) => isTried(nth)),
  )('is printed or refused, and is no bug: $resource as $output', async (request) => {
    const print = printerOf(request);
    for (const shape of SHAPES) {
      const came = await print(shape);
      if (typeof came !== 'string') expect(came, JSON.stringify(shape)).toBeInstanceOf(WorldError);
    }
  });

  it('names the device and the field where something else is on the way', async () => {
    const devices = [{ id: 'dev-7', compliance: 'yes' }];
    expect(await printerOf({})({ devices, total: 1 })).toMatchObject({
      code: 'unexpectedShape',
      params: { path: 'dev-7', at: expect.stringMatching(/^compliance\./) },
    });
  });
});
