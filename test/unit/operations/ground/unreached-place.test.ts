import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournalFor } from '../../../../src/operations/ledger.ts';
import { begunRig, refused } from '../../../support/ground-rig.ts';

const PIN = { CI: 'true', FLEETFORM_LEDGER: 'git:origin#fleetform-ledger' };

/** The repository at another place, and nothing at its own. */
async function movedHome() {
  const rig = await begunRig();
  const home = join(rig.root, 'home.git');
  renameSync(rig.hub, home);
  rig.git('remote', 'set-url', 'origin', home);
  return { rig, home };
}

describe('M13 a place that the ledger names', () => {
  it('may be unreachable where the pin and the heads vouch for the present one: a warning', async () => {
    const { rig } = await movedHome();
    const { shell, documents, target, err } = await rig.open(rig.folder, PIN);
    const journal = await openJournalFor({ shell, documents, target });
    await journal.take({ waitMs: 0, takeOver: true, label: 'run' });
    await journal.release();
    const said = err.text().replaceAll(/\s+/g, ' ');
    expect(said.match(/which cannot be reached/g)).toHaveLength(1);
    expect(said).toContain('`fleetform ledger move --adopt --reason R`');
    expect(await rig.move({ isAdopted: true, ...PIN })).toBe(0);
    expect((await rig.read()).at(-1)?.body).toMatchObject({
      type: 'GROUND',
      ledger: { at: join(rig.root, 'home') },
    });
  });

  it('may not be unreachable without the pin, or without heads that match', async () => {
    const { rig, home } = await movedHome();
    await expect(rig.run()).rejects.toEqual(refused('ledgerElsewhere'));
    const heads = 'refs/heads/fleetform-ledger-heads';
    rig.git('-C', home, 'update-ref', heads, 'fleetform-ledger~1');
    await expect(rig.run(PIN)).rejects.toEqual(refused('ledgerElsewhere'));
    rig.git('-C', home, 'update-ref', '-d', heads);
    await expect(rig.run(PIN)).rejects.toEqual(refused('ledgerElsewhere'));
  });

  it('is not that of a copy, whatever pins it, while its own can be reached', async () => {
    const rig = await begunRig();
    const mirror = join(rig.root, 'mirror.git');
    rig.git('clone', '--quiet', '--mirror', rig.hub, mirror);
    rig.git('remote', 'set-url', 'origin', mirror);
    await expect(rig.run(PIN)).rejects.toEqual(refused('ledgerElsewhere'));
    rig.git('-C', rig.hub, 'update-ref', '-d', 'refs/heads/fleetform-ledger');
    await expect(rig.run(PIN)).rejects.toEqual(refused('ledgerElsewhere'));
  });
});
