import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { initIncident } from '../../../src/cli/commands/init-incident.ts';
import { loadTexts } from '../../../src/config/load.ts';
import { incidentFile, incidentName } from '../../../src/init/incident-file.ts';
import { errorWords } from '../../../src/render/words/errors.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { NOW } from '../../support/plan-fleet.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { rig, type Rig, type Wire } from '../../support/twin-rig.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { overFetch } from '../../../src/model/http.ts';

const FACTS = {
  name: 'campus-munich-passwords',
  rotate: 'password',
  sites: ['Campus "Munich": {x}'],
  deviceType: 'camera',
  since: NOW,
  until: NOW + 3_600_000,
  expect: 667,
  reason: 'known # outside',
  owner: 'secops',
  ticket: 'SEC-9',
} as const;

test('N54 the file of an incident has at most 12 lines and loads, whatever its texts are', () => {
  const text = incidentFile(FACTS);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  const service = {
    path: 'fleet/s.yaml',
    text: 'service: {baseUrl: https://a.example, organization: acme}\n',
  };
  const { documents, diagnostics } = loadTexts([service, { path: 'fleet/i.yaml', text }]);
  expect(diagnostics).toEqual([]);
  const policy = documents?.incidents.get(FACTS.name)?.value;
  expect(policy?.select).toEqual({ site: { name: FACTS.sites }, deviceType: ['camera'] });
  expect(policy?.incident).toMatchObject({ since: NOW, expect: 667, reason: 'known # outside' });
});

test.each([
  ['Campus Munich', 'campus-munich-passwords'],
  ['Zürich/Süd 2', 'z-rich-s-d-2-passwords'],
  ['東京', 'site-passwords'],
])('the entry of an incident at %s is called %s', (site, name) => {
  expect(incidentName(site, 'password')).toBe(name);
});

type Listed = Wire['Device'];

/** The incident of these flags at the twin's service, and what its selector selects there. */
async function written(
  service: Rig,
  site: readonly string[],
  deviceType?: string,
): Promise<{ readonly select: unknown; readonly expect: number | undefined }> {
  const cwd = scratchFolder('init-incident');
  const origin = 'https://api.example.com';
  mkdirSync(join(cwd, 'fleet'), { recursive: true });
  const lines = `service: {baseUrl: "${origin}", organization: acme}\n`;
  writeFileSync(join(cwd, 'fleet', 's.yaml'), lines);
  const shell = {
    cwd,
    env: { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: CLIENT_SECRETS.admin },
    out: outputDouble(),
    err: outputDouble(),
    clock: createVirtualClock(NOW),
    random: () => 0.5,
    stop: createStopSignal(),
    openTransport: async () => ({
      transport: overFetch((request) => service.twin.handle(request)),
      close: async () => undefined,
    }),
  } as unknown as Shell;
  const flags = { rotate: 'password', ticket: 'SEC-9', reason: 'known', owner: 'me' } as const;
  const name = 'leak';
  await initIncident.run(
    {
      ...flags,
      fleet: 'fleet',
      site,
      name,
      format: 'text',
      ...(deviceType !== undefined && { deviceType }),
    },
    shell,
  );
  const text = readFileSync(join(cwd, 'fleet', `incident-${name}.yaml`), 'utf8');
  const { documents } = loadTexts([
    { path: 'fleet/s.yaml', text: lines },
    { path: 'fleet/i.yaml', text },
  ]);
  const policy = documents?.incidents.get(name)?.value;
  return { select: policy?.select, expect: policy?.incident.expect };
}

test('N54 the sites are names, IDs or globs, and the devices are counted as the selector selects', async () => {
  const service = rig();
  const { body } = await service.get<{ readonly devices: readonly Listed[] }>(
    '/v1/devices?limit=1000',
  );
  const at = (...ids: readonly number[]): readonly Listed[] =>
    body.devices.filter(({ sites = [] }) => sites.some(({ id }) => ids.includes(Number(id))));
  const [one] = at(1)[0]?.sites ?? [];
  const [two] = at(2)[0]?.sites ?? [];
  const names = [one?.name ?? '', two?.name ?? ''];
  expect(new Set([at(1).length, at(2).length, at(1, 2).length, 0, 60]).size).toBeGreaterThan(3);
  const selects = (name: readonly string[]) => ({ site: { name } });
  expect(await written(service, ['*'])).toEqual({ select: selects(['*']), expect: 60 });
  expect(await written(service, names)).toEqual({
    select: selects(names),
    expect: at(1, 2).length,
  });
  const glob = [`*${names[0]?.slice(3)}`];
  expect(await written(service, glob)).toEqual({ select: selects(glob), expect: at(1).length });
  // An ID is written as the name that people read.
  expect(await written(service, ['1'])).toEqual({
    select: selects(names.slice(0, 1)),
    expect: at(1).length,
  });
  const cameras = at(1).filter(({ deviceType }) => deviceType === 'camera').length;
  expect(await written(service, ['1'], 'cam*')).toMatchObject({ expect: cameras });
  await expect(written(service, ['*', 'HQ Berln'])).rejects.toMatchObject({
    code: 'partUnknown',
    params: { flag: '--site', value: 'HQ Berln', suggestion: 'HQ Berlin' },
  });
  await expect(written(service, ['1'], 'drone')).rejects.toMatchObject({ code: 'usage' });
});

test.each([
  [-1, false],
  [0, false],
  [72 * 3_600_000, true],
  [72 * 3_600_000 + 1_000, false],
])('N55 an end %i ms from now is written: %s', async (from, isWritten) => {
  const cwd = scratchFolder('init-incident');
  const shell = { cwd, env: {}, out: outputDouble(), clock: createVirtualClock(NOW) };
  const said = { rotate: 'password', ticket: 'SEC-9', reason: 'known', owner: 'me' } as const;
  const flags = { ...said, fleet: 'fleet', site: ['HQ'], name: 'leak', expect: 5 } as const;
  const until = Math.floor(NOW / 1_000) * 1_000 + from;
  const run = initIncident.run({ ...flags, until, format: 'text' }, shell as unknown as Shell);
  if (isWritten) expect(await run).toBe(0);
  else await expect(run).rejects.toMatchObject({ code: 'usage' });
  expect(existsSync(join(cwd, 'fleet', 'incident-leak.yaml'))).toBe(isWritten);
});

test('the advice beside an incident that exists replaces no other document', () => {
  const { next } = errorWords('fileExists', { file: 'fleet/incident-leak.yaml' });
  expect(next).not.toContain('--force');
});
