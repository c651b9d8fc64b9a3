import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Twin } from '../../src/twin/twin.ts';
import { CAMPAIGN_TIMEOUT, countOf } from '../support/campaign.ts';
import { createPlace } from '../support/blackbox.ts';
import { serveFar, type FarServices } from '../support/far-services.ts';
import { HOSTS, NEW, OLD, serviceOf } from './fleet.ts';
import { openForge, type Forge, type Outcome } from './forges.ts';
import { CELLS, extract, publish } from './repositories.ts';

/** Two devices more, which nobody has approved yet. */
const SECOND =
  '  second: {select: {device: [dev-4, dev-5]}, version: "11.11.160", rollout: once, windows: anytime}\n';

/**
 * What must hold when only the package is exchanged, and nothing of a repository: neither its jobs, nor its documents,
 * nor its ledger of format 2. A request's plan, its comment, the gate, the night and drift run as before. Nothing is
 * sent twice, a pause goes on, and what was approved and done before counts. At most one warning is printed, and it names
 * the line to add.
 *
 * Each test goes on where the one before it ended.
 */
describe.each(CELLS.slice(0, countOf('earlier')))(
  'a repository as 57133e52 wrote it, $name',
  { timeout: CAMPAIGN_TIMEOUT },
  (cell) => {
    const { organizations } = cell;
    const names = organizations.length > 0 ? organizations : (['acme'] as const);
    const folders = organizations.length > 0 ? names.map((name) => `fleet/${name}`) : ['fleet'];
    const place = createPlace();
    const warnings = new Set<string>();
    let twins: Readonly<Record<string, Twin>>;
    let far: FarServices;
    let forge: Forge;

    beforeAll(async () => {
      rmSync(place.path('fleet'), { recursive: true });
      extract(place, cell);
      twins = Object.fromEntries(names.map((name) => [HOSTS[name], serviceOf(name, true)]));
      far = await serveFar(place, twins);
      forge = await openForge(place, cell, far.env, twins);
      publish(forge);
    });
    afterAll(async () => {
      forge[Symbol.dispose]();
      await far.close();
      place[Symbol.dispose]();
    });

    /** What jobs printed. Throws where one of them did not end well, or a second warning is told. */
    const good = ({ jobs, said }: Outcome): string => {
      const bad = Object.entries(jobs).filter(([, status]) => status !== 'success');
      expect(bad, said).toEqual([]);
      for (const [line] of said.matchAll(WARNING)) warnings.add(line);
      expect(warnings.size, [...warnings].join('\n')).toBeLessThanOrEqual(1);
      for (const line of warnings) expect(line).toMatch(/FLEETFORM_[A-Z]+/);
      return said;
    };

    const firmware = (id: string): readonly (string | undefined)[] =>
      Object.values(twins).map(({ world }) => world.device(id)?.firmwareVersion);

    const each = <T>(value: T): readonly T[] => names.map(() => value);

    it('a request gets its plan, and a comment for each organization', async () => {
      for (const folder of folders)
        place.write(`${folder}/first.yaml`, place.read(`${folder}/first.yaml`) + SECOND);
      good(await forge.request());
      const second = expect.stringMatching(/firmware\.second/) as string;
      expect(forge.comments()).toEqual(each(second));
    });

    it('the gate shows what is new, and records who let it through', async () => {
      forge.merge();
      const said = good(await forge.gates());
      // The paused device has an approval of before for as long as those last.
      const approved = said.match(/Approved [23] outcomes until .*; approvers: grace/g);
      expect(approved, said).toHaveLength(names.length);
    });

    it('the night starts what was approved, nothing twice, and nothing that is paused', async () => {
      const said = good(await forge.night());
      for (const { world } of Object.values(twins)) {
        const sent = world.state.tasks.flatMap(({ deviceTasks }) =>
          deviceTasks.map(({ deviceId }) => deviceId),
        );
        expect(sent.sort(), said).toEqual(['dev-4', 'dev-5']);
      }
      expect([firmware('dev-4'), firmware('dev-6')]).toEqual([each(NEW), each(OLD)]);
    });

    it('drift finds what no longer is as the version of before left it', async () => {
      for (const { world } of Object.values(twins)) {
        const device = world.device('dev-1');
        if (device) device.firmwareVersion = OLD;
      }
      good(await forge.drift());
      const title = 'Drift: 1 change to restore what fleetform applied';
      expect(forge.openIssues().filter((one) => one.startsWith('Drift'))).toEqual(each(title));
    });

    it('a pause of before is lifted behind the gate', async () => {
      for (const name of names) good(await forge.resume('firmware.held', name));
      expect(good(await forge.night())).not.toMatch(/firmware\.held is paused/);
    });

    it('the ledger is proved from its first record on', async () => {
      for (const folder of folders) {
        const proved = await place.run(`audit verify --fleet ${folder}`, far.env);
        expect(proved.code, proved.out + proved.err).toBe(0);
      }
    });
  },
);

/** In a log: plain, or as a command of GitHub that is not about a line of a document. */
const WARNING = /^(?:warning: |::warning (?!file=)).*$/gm;
