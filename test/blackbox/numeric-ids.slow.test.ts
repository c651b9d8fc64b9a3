import { expect, it } from 'vitest';
import { PATIENCE, createPlace, type Place } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const NUMERIC = { taskDeviceType: 'number', onboardDeviceType: 'number' };
interface LedgerBody {
  readonly type: string;
  readonly task?: string;
  readonly verdict?: string;
  readonly intentId?: string;
  readonly intents?: readonly { readonly id: string }[];
}

const PACE = /^ {2}pace: .*$/m;

/** Ids of devices and of discovered devices are whole numbers in this world. */
async function numericWorld(place: Place): Promise<string> {
  const first = await startTwin(place, { world: 'world.json' });
  await first.stop();
  const world = place.read('world.json');
  place.write('world.json', world.replace(/"dev-(\d+)"/g, '"$1"').replace(/"disc-/g, '"9000'));
  return 'world.json';
}

it('plans and applies all kinds where ids are numbers in requests', PATIENCE, async () => {
  using place = createPlace();
  const world = await numericWorld(place);
  const service = place.read('fleet/service.yaml');
  place.write(
    'fleet/service.yaml',
    service.replace(PACE, `$&\n  dialect: ${JSON.stringify(NUMERIC)}`),
  );
  for (const id of [4, 5, 6, 7, 8, 9])
    place.edit('fleet/policies/onboarding.yaml', `disc-${id}}`, `"9000${id}"}`);
  place.edit(
    'fleet/policies/rotations.yaml',
    ', site: {tag: pilot}}\n    maxAge: 180d',
    '}\n    maxAge: 90d',
  );
  place.edit(
    'fleet/policies/rotations.yaml',
    ', vendor: Bosch, site: {tag: pilot}}\n    renewBefore: 30d',
    '}\n    renewBefore: 40%',
  );
  const twin = await startTwin(place, { world, dialect: NUMERIC });
  const apply = await place.run('apply --yes --format json', twin.as('admin'));
  expect([0, 7], apply.out + apply.err).toContain(apply.code);
  const records = place.ledger() as readonly LedgerBody[];
  const done = new Set(
    records.filter(({ verdict }) => verdict === 'done').map(({ intentId }) => intentId),
  );
  const verified = records
    .filter(({ type }) => type === 'ATTEMPT')
    .filter(({ intents = [] }) => intents.some(({ id }) => done.has(id)));
  expect([...new Set(verified.map(({ task }) => task))].sort()).toEqual([
    'onboardDevice',
    'restartDevice',
    'rotatePassword',
    'rotateSslCertificate',
    'upgradeFirmware',
  ]);
});
