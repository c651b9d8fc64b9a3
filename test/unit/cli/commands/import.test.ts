import { describe, expect, it } from 'vitest';
import { createNight, type Night } from '../../../support/night.ts';

const FIRST = 'import --service https://twin.test --organization acme --time-zone Europe/Berlin';
const SERVICE = 'service: {baseUrl: "https://twin.test", organization: acme}\n';

const files = ['service', 'sites', 'windows', 'groups', 'firmware', 'rotations'];
const readAll = (night: Night): string[] => files.map((name) => night.read(`fleet/${name}.yaml`));

function setVersion(night: Night, index: number, version: string): void {
  Object.assign(night.twin.world.state.devices[index] ?? {}, { firmwareVersion: version });
}

const fleet = (): Night =>
  createNight({
    devices: 20,
    sites: 2,
    every: () => ({
      vendor: 'Axis',
      model: 'P3265-V',
      firmwareVersion: '11.8.61',
      deviceType: 'camera',
      condition: 'well',
      tasks: ['upgradeFirmware', 'rotatePassword', 'rotateSslCertificate'],
    }),
  });

describe('import', () => {
  it('writes valid documents that a plan starts nothing for, with reads alone', async () => {
    const night = fleet();
    const first = await night.run(FIRST);
    expect(first.exit, first.err).toBe(0);
    expect(first.out).toContain('The next plan: no changes.\n');
    expect(first.requests.every((sent) => sent.startsWith('GET ') || sent.includes('/auth/'))).toBe(
      true,
    );
    expect((await night.run('validate')).exit).toBe(0);
    const plan = await night.run('plan --detailed-exitcode');
    expect(plan.exit, plan.out).toBe(0);
    expect(plan.out).toMatch(/^No changes: all 20 devices match\.\n/);
    expect(night.read('fleet/firmware.yaml')).toContain(
      'axis-cameras: {select: {vendor: Axis, deviceType: camera}, minVersion: "11.8.61", priority: 100, windows: nights}',
    );
  });

  it('describes 400 devices in at most 60 lines of at most 120 columns, and the next plan is empty', async () => {
    const night = createNight({ devices: 400, sites: 4 });
    const { exit, out } = await night.run(FIRST);
    expect(exit, out).toBe(0);
    expect(out).toMatch(
      /^\d\d policies for 400 devices, \d+ lines\. The next plan: no changes\.$/m,
    );
    const names = ['groups', 'firmware', 'rotations'];
    const lines = names.flatMap((name) => night.read(`fleet/${name}.yaml`).trimEnd().split('\n'));
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
    expect((await night.run('validate')).exit).toBe(0);
    expect((await night.run('plan --detailed-exitcode')).exit).toBe(0);
  });

  it('tells once of a field that was not understood: what it leaves out, or what is read without it', async () => {
    const night = createNight({
      devices: 6,
      sites: 1,
      every: () => ({ vendor: 'Axis', deviceType: 'camera', tasks: ['upgradeFirmware'] }),
      through: async (request, handle) => {
        const answer = await handle(request);
        if (!new URL(request.url).pathname.endsWith('/v1/devices')) return answer;
        const text = await answer.text();
        return new Response(
          text.replaceAll(/"(firmwareVersion|recordingStatus)":"[^"]*"/g, '"$1":{"odd":true}'),
        );
      },
    });
    const { err } = await night.run(`${FIRST} --dry-run`);
    const text = err.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '6 devices left out of firmware: the field firmwareVersion cannot be read.',
    );
    expect(text).toContain('No key of the dialect covers it');
    expect(text).toContain('Unreadable value on 3 devices: recordingStatus.');
    expect(text).not.toContain('devices: firmwareVersion.');
  });

  it('names the schema for editors from any folder below the current directory, and leaves a copy', async () => {
    const night = fleet();
    await night.run(`${FIRST} --out fleet/acme`);
    expect(night.read('fleet/acme/sites.yaml')).toContain('$schema=../../.fleetform.schema.json\n');
    expect(JSON.parse(night.read('.fleetform.schema.json')).title).toBe('fleetform document');
  });

  it('shows how a changed fleet differs, exits with 2 and writes nothing', async () => {
    const night = fleet();
    await night.run(FIRST);
    const before = readAll(night);
    const same = await night.run('import --time-zone Europe/Berlin');
    expect([same.exit, same.out]).toEqual([0, expect.stringContaining('nothing to do')]);
    setVersion(night, 0, '11.11.160');
    expect((await night.run('import')).exit).toBe(0);
    setVersion(night, 0, '11.5.2');
    const other = await night.run('import');
    expect(other.exit).toBe(2);
    expect(other.out).toMatch(/^ *- .*"11\.8\.61".*\n *\+ .*"11\.5\.2"/m);
    expect((await night.run('plan --detailed-exitcode')).out).toContain('below `minVersion`');
    for (let index = 0; index < 20; index += 1) setVersion(night, index, '11.11.160');
    for (const device of night.twin.world.state.devices.slice(0, 2))
      Object.assign(device, { vendor: 'Bosch' });
    const all = await night.run('import');
    expect(all.out).toContain('firmware.bosch-cameras: not in the documents');
    expect(all.out).toMatch(/^ *- .*"11\.8\.61".*\n *\+ .*"11\.11\.160"/m);
    expect(readAll(night)).toEqual(before);
    expect(other.out + all.out).not.toContain('Written');
    expect(() => night.read('fleet/firmware-imported.yaml')).toThrow();
  });

  it('says which entry nothing in the fleet is like any more', async () => {
    const night = fleet();
    const setVendor = (vendor: string): void => {
      for (const device of night.twin.world.state.devices.slice(0, 2))
        Object.assign(device, { vendor });
    };
    setVendor('Bosch');
    await night.run(FIRST);
    setVendor('Axis');
    const { out, exit } = await night.run('import');
    expect(exit).toBe(2);
    expect(out).toContain('firmware.bosch-cameras: not in this import');
  });

  it('lists discovered devices with --onboarding alone, also after a first import', async () => {
    const night = fleet();
    expect((await night.run(FIRST)).out).toMatch(/discovered\s+devices \(`import --onboarding`\)/);
    const before = readAll(night);
    const { exit, out } = await night.run('import --onboarding');
    expect([exit, out]).toEqual([0, expect.stringContaining('fleet/onboarding.yaml')]);
    expect(readAll(night)).toEqual(before);
    expect(night.read('fleet/onboarding.yaml')).toMatch(/^# {3}.*id: disc-/m);
    expect((await night.run('import')).exit).toBe(0);
  });

  it.each([
    ['a higher priority', 'device: dev-1', '', true],
    ['no higher priority, which would tie', 'device: dev-1', 'priority: 100, ', false],
    ['a higher priority for all', 'vendor: Axis', '', false],
  ])('writes a floor beside a policy of %s', async (_, select, priority, isWritten) => {
    const night = fleet();
    night.write('fleet/service.yaml', SERVICE);
    night.write(
      'fleet/mine.yaml',
      `firmware: {mine: {select: {${select}}, minVersion: "11.8.61", ${priority}windows: anytime}}\n`,
    );
    const { exit, out } = await night.run('import --time-zone Europe/Berlin');
    expect(exit, out).toBe(0);
    expect(out.includes('firmware.mine selects them')).toBe(!isWritten);
    expect(out.includes('fleet/firmware.yaml')).toBe(isWritten);
    expect((await night.run('plan --detailed-exitcode')).exit).toBe(0);
  });

  it('leaves to existing policies what they select, and to a person the files that exist', async () => {
    const night = fleet();
    night.write('fleet/service.yaml', SERVICE);
    night.write('fleet/sites.yaml', 'sites:\n  HQ Berlin: {timeZone: Europe/Paris}\n');
    const mine = `firmware:
  mine: {select: {vendor: Axis}, version: "11.8.61", windows: anytime}
`;
    night.write('fleet/firmware.yaml', mine);
    const { exit, out } = await night.run('import --time-zone Europe/Berlin');
    expect(exit, out).toBe(0);
    expect(out).toContain('policy for 20 devices: firmware.mine selects them');
    expect(night.read('fleet/firmware.yaml')).toBe(mine);
    expect(night.read('fleet/sites.yaml')).toContain('Europe/Paris');
    expect(night.read('fleet/sites-imported.yaml')).not.toContain('HQ Berlin:');
    expect((await night.run('plan --detailed-exitcode')).exit).toBe(0);
  });

  it('takes the time zone of the city in the name of a site, and asks for that of others', async () => {
    const night = fleet();
    const { out } = await night.run('import --service https://twin.test --organization acme');
    expect(out).toContain('Site "Campus Munich" has no time zone.');
    expect(night.read('fleet/sites.yaml')).toContain('HQ Berlin: {timeZone: Europe/Berlin}\n');
    expect(night.read('fleet/sites.yaml').match(/# FILL IN/g)).toHaveLength(1);
  });

  it('marks the time zone of --time-zone, which may not be that of the site', async () => {
    const night = fleet();
    await night.run(
      'import --service https://twin.test --organization acme --time-zone Asia/Tokyo',
    );
    const sites = night.read('fleet/sites.yaml');
    expect(sites).toContain('Campus Munich: {timeZone: Asia/Tokyo} # check\n');
    expect(sites).toContain('HQ Berlin: {timeZone: Europe/Berlin}\n');
  });

  it('prints the documents and writes none with --dry-run', async () => {
    const night = fleet();
    const { out, err } = await night.run(`${FIRST} --dry-run`);
    expect(out).toContain('# fleet/firmware.yaml\n');
    expect(err).toContain('Not written (--dry-run)');
    expect(() => night.read('fleet/firmware.yaml')).toThrow();
  });

  it('refuses a zone that is none, and documents with errors', async () => {
    const night = fleet();
    expect((await night.run(`${FIRST.replace('Europe/Berlin', 'CET')}`)).err).toContain('CET');
    night.write('fleet/service.yaml', SERVICE);
    night.write('fleet/bad.yaml', 'firmwre: {}\n');
    const refused = await night.run('import');
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('firmwre')]);
    expect(() => night.read('fleet/firmware.yaml')).toThrow();
  });
});
