import { describe, expect, it } from 'vitest';
import { DAY, START, rig, type Wire } from '../../../support/twin-rig.ts';

type Device = Wire['Device'];
type Row = readonly [query: string, oracle: (device: Device) => boolean];

const one = rig({ devices: 1000, sites: 12 });
const all = (await one.get<Wire['DeviceList']>('/v1/devices?limit=1000')).body.devices ?? [];

const soon = new Date(START + 60 * DAY).toISOString();
const before = (text: string | undefined, limit: string) =>
  text !== undefined && Date.parse(text) < Date.parse(limit);
const after = (text: string | undefined, limit: string) =>
  text !== undefined && Date.parse(text) > Date.parse(limit);
const mid = new Date(START - 300 * DAY).toISOString();
const someServer = all.find((device) => device.storageServer)?.storageServer ?? '';
const somePatch = all.find((device) => device.patchedFirmwareVersion)?.patchedFirmwareVersion ?? '';

const TASK_FILTERS: readonly Row[] = [
  ['availableTask.hardenDevice=1', (d) => d.availableTask?.hardenDevice === true],
  ['availableTask.restartDevice=0', (d) => d.availableTask?.restartDevice === false],
  ['availableTask.rotate8021xCertificate=1', (d) => !!d.availableTask?.rotate8021xCertificate],
  ['availableTask.rotatePassword=1', (d) => d.availableTask?.rotatePassword === true],
  ['availableTask.passwordRotation=1', (d) => d.availableTask?.rotatePassword === true],
  ['availableTask.rotateSslCertificate=true', (d) => !!d.availableTask?.rotateSslCertificate],
  ['availableTask.rotateSSLCertificate=false', (d) => !d.availableTask?.rotateSslCertificate],
  ['availableTask.upgradeFirmware=1', (d) => d.availableTask?.upgradeFirmware === true],
];

const STATE_FILTERS: readonly Row[] = [
  ['status=online', (d) => d.status === 'online'],
  ['status=offline', (d) => d.status === 'offline'],
  ['status=partial', (d) => d.status === 'partial'],
  ['status=unknown', (d) => d.status === 'unknown'],
  ['probe.agent=up', (d) => d.probe?.agent === 'up'],
  ['probe.deviceSource=down', (d) => d.probe?.deviceSource === 'down'],
  ['probe.edge=unmonitored', (d) => d.probe?.edge === 'unmonitored'],
  ['probe.host=up', (d) => d.probe?.host === 'up'],
  ['probe.app=down', (d) => d.probe?.app === 'down'],
  ['probe.host=unknown', (d) => d.probe?.host === 'unknown'],
  ['maintenanceMode=1', (d) => d.maintenanceMode === true],
  ['maintenanceMode=false', (d) => d.maintenanceMode === false],
  ['recordingStatus=notRecording', (d) => d.recordingStatus === 'notRecording'],
  [`storageServer=${someServer}`, (d) => d.storageServer === someServer],
  ['orphaned=1', (d) => d.orphaned === true],
  [`onboardingDateBefore=${mid}`, (d) => before(d.onboardingDate, mid)],
  [`onboardingDateAfter=${mid}`, (d) => after(d.onboardingDate, mid)],
  [`lastHardenedBefore=${mid}`, (d) => before(d.lastHardened, mid)],
  [`lastHardenedAfter=${mid}`, (d) => after(d.lastHardened, mid)],
];

const COMPLIANCE_FILTERS: readonly Row[] = [
  ['isFirmwareVulnerable=1', (d) => d.compliance?.vulnerabilitySeverity !== undefined],
  ['isFirmwareVulnerable=0', (d) => d.compliance?.vulnerabilitySeverity === undefined],
  ['isFirmwareUpgradeAvailable=1', (d) => d.compliance?.suggestedFirmwareVersion !== undefined],
  ['lifeCycleStatus=eos', (d) => d.compliance?.lifecycle?.status === 'eos'],
  ['lifeCycleStatus=unknown', (d) => d.compliance?.lifecycle?.status === 'unknown'],
  ['vulnerabilitySeverity=critical', (d) => d.compliance?.vulnerabilitySeverity === 'critical'],
  [`patchedFirmwareVersion=${somePatch}`, (d) => d.patchedFirmwareVersion === somePatch],
  [
    'suggestedFirmwareVersion=11.11.160',
    (d) => d.compliance?.suggestedFirmwareVersion === '11.11.160',
  ],
  [
    'suggestedReplacementModel=P3265-V',
    (d) => d.compliance?.suggestedReplacementModel === 'P3265-V',
  ],
  [`passwordExpiryBefore=${soon}`, (d) => before(d.compliance?.passwordExpiry, soon)],
  [`passwordExpiryAfter=${soon}`, (d) => after(d.compliance?.passwordExpiry, soon)],
  [`sslCertificateExpiryBefore=${soon}`, (d) => before(d.compliance?.sslCertificateExpiry, soon)],
  [`sslCertificateExpiryAfter=${soon}`, (d) => after(d.compliance?.sslCertificateExpiry, soon)],
  [
    'sslCertificateStatus=nonCompliant',
    (d) => d.compliance?.sslCertificateStatus === 'nonCompliant',
  ],
  [
    `dot1xCertificateExpiryBefore=${soon}`,
    (d) => before(d.compliance?.dot1xCertificateExpiry, soon),
  ],
  [`dot1xCertificateExpiryAfter=${soon}`, (d) => after(d.compliance?.dot1xCertificateExpiry, soon)],
  ['dot1xCertificateStatus=compliant', (d) => d.compliance?.dot1xCertificateStatus === 'compliant'],
];

describe('a filter on devices', () => {
  it.each([...TASK_FILTERS, ...STATE_FILTERS, ...COMPLIANCE_FILTERS])(
    '%s leaves exactly what it says, and counts it',
    async (query, oracle) => {
      const wanted = all.filter(oracle).map(({ id }) => id);
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.length).toBeLessThan(all.length);
      const { body } = await one.get<Wire['DeviceList']>(`/v1/devices?limit=1000&${query}`);
      expect(body.devices?.map(({ id }) => id)).toEqual(wanted);
      expect(body.total).toBe(wanted.length);
    },
  );

  it('combines with the others by AND', async () => {
    const query = 'status=online&availableTask.upgradeFirmware=1&isFirmwareLatest=0';
    const { body } = await one.get<Wire['DeviceList']>(`/v1/devices?limit=1000&${query}`);
    const wanted = all.filter(
      (d) =>
        d.status === 'online' &&
        d.availableTask?.upgradeFirmware === true &&
        d.compliance?.suggestedFirmwareVersion !== undefined,
    );
    expect(body.devices?.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  });

  it('that matches nothing is a 200 with an empty list', async () => {
    const { status, body } = await one.get('/v1/devices?status=online&status=offline');
    expect([status, body]).toEqual([200, { devices: [], total: 0 }]);
  });

  it.each([
    'status=down',
    'probe.agent=on',
    'isFirmwareLatest=yes',
    'availableTask.restartDevice=2',
    'lifeCycleStatus=old',
    'passwordExpiryBefore=soon',
    'vulnerabilitySeverity=bad',
  ])('%s is refused with 400', async (query) => {
    expect((await one.get(`/v1/devices?${query}`)).status).toBe(400);
  });

  it('that does not exist is ignored, or refused or matched by nothing where the twin is told to', async () => {
    const path = '/v1/devices?lifecycleStatus=eos';
    const { body } = await one.get<Wire['DeviceList']>(path);
    expect(body.total).toBe(all.length);
    const strict = rig({ manners: { unknownFilters: 'refuse' } });
    expect((await strict.get(path)).status).toBe(400);
    expect((await strict.get('/v1/devices?limit=5&status=online')).status).toBe(200);
    const silent = rig({ manners: { unknownFilters: 'empty' } });
    expect(await silent.get(path)).toMatchObject({ status: 200, body: { total: 0 } });
  });
});

describe('a filter on another collection', () => {
  const sites = '/v1/sites';
  const found = '/v1/discoveredDevices';
  const year = '2026-11-10T00:00:00Z';

  it.each([
    [`${sites}?name=HQ%20Berlin`, 'sites', ({ name }: Fields) => name === 'HQ Berlin'],
    [`${sites}?status=online`, 'sites', ({ status }: Fields) => status === 'online'],
    ['/v1/deviceSources?name=VMS%20HQ', 'deviceSources', ({ name }: Fields) => name === 'VMS HQ'],
    [`${found}?deviceSources.id=2`, 'discoveredDevices', (d: Fields) => d.deviceSource?.id === 2],
    [`${found}?deviceType=camera`, 'discoveredDevices', (d: Fields) => d.deviceType === 'camera'],
    [`${found}?vendor=Axis`, 'discoveredDevices', ({ vendor }: Fields) => vendor === 'Axis'],
    [
      `${found}?onboardingStatus=archived`,
      'discoveredDevices',
      ({ onboardingStatus }: Fields) => onboardingStatus === 'archived',
    ],
    [
      `${found}?discoveredAfter=${year}`,
      'discoveredDevices',
      (d: Fields) => after(d.discoveredAt, year),
    ],
    [
      `${found}?discoveredBefore=${year}`,
      'discoveredDevices',
      (d: Fields) => before(d.discoveredAt, year),
    ],
  ])('%s leaves exactly what it says', async (path, list, oracle) => {
    const whole = await one.get<Record<string, Fields[]>>(`${path.split('?')[0]}?limit=1000`);
    const wanted = (whole.body[list] ?? []).filter(oracle);
    const { body } = await one.get<Record<string, unknown>>(`${path}&limit=1000`);
    expect(wanted.length).toBeGreaterThan(0);
    expect(body).toEqual({ [list]: wanted, total: wanted.length });
  });

  it('refuses an id that is no number', async () => {
    expect((await one.get(`${found}?deviceSources.id=VMS`)).status).toBe(400);
  });
});

type Fields = Wire['DiscoveredDevice'] & { readonly status?: string };
