import { createTwin, type Twin } from '../../src/twin/twin.ts';

/** The service of each organization, as its documents name it. */
export const HOSTS = { acme: 'api.example.com', globex: 'api.globex.example' } as const;

export type Organization = keyof typeof HOSTS;

export const OLD = '11.8.61';
export const NEW = '11.11.160';

/**
 * The service of an organization: eight cameras of one model at one site. After the first night `dev-1`, `dev-2` and
 * `dev-3` have the new firmware.
 */
export function serviceOf(organization: Organization, isAfterFirstNight: boolean): Twin {
  const clock = { now: () => Date.now() };
  const world = createTwin({ clock, devices: 60, sites: 1, seed: 1, organization }).save();
  const model = world.devices.find((one) => one.vendor === 'Axis' && one.model.startsWith('P3265'));
  if (!model) throw new Error('the seed has no such camera');
  const devices = world.devices.slice(0, 8).map(({ serial, host, ipAddress, macAddress }, nth) => {
    const own = {
      id: `dev-${nth + 1}`,
      name: `cam-${nth + 1}`,
      serial,
      host,
      ipAddress,
      macAddress,
    };
    const firmwareVersion = isAfterFirstNight && nth < 3 ? NEW : OLD;
    const state = {
      firmwareVersion,
      maintenance: false,
      condition: 'well',
      silent: false,
    } as const;
    return { ...structuredClone(model), ...own, ...state };
  });
  // What is drawn goes on, so that no task has the ID of one of the first night.
  const random = isAfterFirstNight ? world.random + 1 : world.random;
  const later = { ...world, devices, random, discovered: [] };
  return createTwin({ clock, world: later, timeScale: 1200 });
}
