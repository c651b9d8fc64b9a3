import { expect, it } from 'vitest';
import { appendTo } from '../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../src/ledger/fold.ts';
import { directoryStore } from '../../src/store/directory.ts';
import { createPlace, PATIENCE } from '../support/blackbox.ts';

const fleet = (ledger: string) =>
  `service: {baseUrl: "https://api.example.com", organization: acme, ledger: {store: directory, path: ${ledger}}}\n`;
const BY = { epoch: 0, at: '2026-11-05T01:00:00Z', tool: '1' };

it('J21 a false checkpoint is told with both ways to go on', PATIENCE, async () => {
  using place = createPlace();
  place.clear('fleet');
  place.make('fleet/fleet.yaml', fleet('ledger'));
  await place.run('pause fleet --reason dark');
  const store = directoryStore(place.path('ledger'));
  const { records, head } = await store.read(0);
  const { body, text } = writeCheckpoint(continueDraft(fold(records)).finish());
  const seq = head.seq + 1;
  await store.append(appendTo(head, [body], BY), head, text.replace('dark', 'lies'));

  const refused = await place.run('pause fleet --reason again');
  const said = refused.err.replace(/\s+/g, ' ');
  expect([refused.code, said]).toEqual([9, expect.stringContaining('The ledger is corrupt')]);
  expect(said).toContain(
    `at record ${seq}: this checkpoint is not what the records before it add up to.`,
  );
  expect(said).toContain(
    `next: If \`fleetform audit verify\` finds the checkpoint in record ${seq} true, remove its text from the directory or the database: nothing needs it. Else restore the ledger from its last good copy, then run again.`,
  );
});

it(
  'J6 a fleet for the organization of another one is named where its ledger lacks what that one wrote',
  PATIENCE,
  async () => {
    using place = createPlace();
    place.clear('fleet');
    place.make('fleet/north/fleet.yaml', fleet('ledger-north'));
    place.make('fleet/south/fleet.yaml', fleet('ledger-south'));
    expect((await place.run('pause fleet --fleet fleet/north --reason dark')).code).toBe(0);
    const { length } = (await directoryStore(place.path('ledger-north')).read(0)).records;

    const told = await place.run('pause fleet --fleet fleet/south --reason dark');
    const refused = await place.run('audit --fleet fleet/south');
    expect([told.code, refused.code]).toEqual([0, 9]);
    for (const { err } of [told, refused]) {
      const said = err.replace(/\s+/g, ' ');
      expect(said).toContain(
        `Record ${length} may be of another fleet for this organization, which has a ledger of its own.`,
      );
      expect(said).toContain('next: If another folder is for this organization too');
    }
  },
);
