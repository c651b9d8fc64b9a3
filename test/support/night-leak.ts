import type { Account, DeviceState } from '../../src/twin/world/state.ts';
import { createNight, type Night, type NightSettings } from './night.ts';

/** A camera in good order that offers every task. */
export const CAMERA: Partial<DeviceState> = {
  deviceType: 'camera',
  vendor: 'Axis',
  model: 'P3265-LVE',
  firmwareVersion: '11.11.160',
  monitored: ['host'],
  condition: 'well',
  maintenance: false,
  tasks: ['rotatePassword', 'rotateSslCertificate', 'upgradeFirmware', 'restartDevice'],
};

/** The service at one request a second, and what the site wants in ordinary nights. */
export const SERVICE = `service: {baseUrl: "https://twin.test", organization: acme}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rotations: {passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 3650d, windows: nights}}
`;

/** Cameras whose passwords are known outside since now, with an incident for all of one site. */
export function leakAt(
  settings: Pick<NightSettings, 'devices' | 'sites' | 'faults'> & {
    readonly expect: number;
    readonly every?: (device: DeviceState, atSite: number) => Partial<DeviceState>;
    readonly incident?: string;
  },
): Night {
  let atSite = 0;
  const night = createNight({
    ...settings,
    every: (device) => ({
      ...CAMERA,
      accounts: [ACCOUNT],
      ...(device.siteId === 1 && settings.every?.(device, atSite++)),
    }),
  });
  night.write('fleet/service.yaml', SERVICE);
  night.write('fleet/incident.yaml', incidentText(night, settings.expect, settings.incident));
  return night;
}

const ACCOUNT: Account = {
  userName: 'root',
  lastChanged: Date.parse('2026-05-01T08:00:00Z'),
  expiry: Date.parse('2036-05-01T08:00:00Z'),
};

/** The document of the incident; it begins with the night. */
function incidentText(night: Night, expect: number, more = ''): string {
  const [site] = night.twin.world.state.sites;
  return `incidents:
  leak:
    rotate: password
    select: {site: ${site?.name ?? ''}, deviceType: camera}
    since: "2026-11-23T20:00:00Z"
    until: "2026-11-24T06:00:00Z"
    expect: ${expect}
    reason: password known outside
    owner: secops
    ticket: SEC-9
    ${more}
`;
}

/** Devices whose password was changed since an instant. */
export function changedSince({ twin }: Night, since: number): readonly string[] {
  return twin.world.state.devices
    .filter(({ accounts }) => accounts.some(({ lastChanged }) => lastChanged >= since))
    .map(({ id }) => id);
}
