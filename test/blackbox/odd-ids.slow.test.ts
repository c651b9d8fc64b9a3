import { expect, it } from 'vitest';
import { PATIENCE, createPlace, type Place } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

/** Ids that a path has to escape. */
const ODD = ['hall 1', 'hq/door?a=b#c', '{7b1c-44}', 'Tür-Ö 日本', '100%', "it's"] as const;

/** No path can have it. */
const UNUSABLE = '..';

const ALL = [...ODD, UNUSABLE];

const ROTATIONS = `rotations:
  odd:
    task: rotatePassword
    select: {device: ${JSON.stringify(ALL)}}
    maxAge: 180d
    generation: 2
    rollout: at-once
    windows: anytime
`;

interface Row {
  readonly id: string;
  readonly deviceType?: string;
  readonly maintenanceMode?: boolean;
  readonly availableTask?: { readonly rotatePassword?: boolean };
}

function isFree({ deviceType, maintenanceMode, availableTask }: Row): boolean {
  return deviceType === 'camera' && !maintenanceMode && availableTask?.rotatePassword === true;
}

/** The first cameras that are online bear these ids in this world. */
async function writeWorld(place: Place): Promise<void> {
  const first = await startTwin(place, { world: 'world.json', devices: 120 });
  const { out } = await place.run(
    'get devices -o ndjson --filter status=online',
    first.as('admin'),
  );
  await first.stop();
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
  const ids = rows.filter(isFree).map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(ALL.length);
  const world = ALL.reduce(
    (text, odd, index) => text.replaceAll(JSON.stringify(ids[index]), JSON.stringify(odd)),
    place.read('world.json'),
  );
  place.write('world.json', world);
}

it(
  'ids with blanks, slashes, braces and umlauts are read, changed and read back',
  PATIENCE,
  async () => {
    using place = createPlace();
    await writeWorld(place);
    for (const name of ['firmware', 'onboarding', 'restarts'])
      place.write(`fleet/policies/${name}.yaml`, '{}\n');
    place.write('fleet/policies/rotations.yaml', ROTATIONS);
    const twin = await startTwin(place, { world: 'world.json' });
    const admin = twin.as('admin');
    const run = await place.run('apply --yes --trace t.ndjson', admin);
    expect(run, run.out + run.err).toMatchObject({ code: 4 });
    expect(run.out).toContain('6 devices verified');
    expect(run.out).toContain('Needs you: 1');
    const read = place.trace('t.ndjson').filter(({ status }) => status === 200);
    for (const id of ODD) {
      const path = `/v1/devices/${encodeURIComponent(id)}/passwords`;
      expect(
        read.some((each) => each.path.includes(path)),
        path,
      ).toBe(true);
    }
    const why = await place.run('plan --all', admin);
    expect(why.out).toContain('it cannot be part of a URL');
  },
);
