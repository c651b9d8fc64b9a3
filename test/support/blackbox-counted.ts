import { serveTwin } from '../../src/twin/serve.ts';
import { createTwin } from '../../src/twin/twin.ts';
import type { DeviceState, WorldState } from '../../src/twin/world/state.ts';
import type { Env } from './blackbox.ts';
import { CLIENT_SECRETS } from './canary.ts';

/** A twin on a socket that counts what it is asked, whatever the client says of itself. */
export interface CountedTwin {
  readonly env: Env;
  readonly world: WorldState;
  /** What was asked since the last call, as `GET /v1/devices`. */
  taken(): readonly string[];
  close(): Promise<void>;
}

const ADMIN = {
  userName: 'Ada Admin',
  role: 'admin',
  clientId: 'a',
  clientSecret: CLIENT_SECRETS.admin,
} as const;

/** Serves a fleet of a size, a thousand times faster than life. */
export async function startCounted(settings: {
  readonly devices: number;
  readonly sites: number;
  readonly every: (device: DeviceState) => Partial<DeviceState>;
}): Promise<CountedTwin> {
  const { devices, sites } = settings;
  const twin = createTwin({
    clock: { now: () => Date.now() },
    devices,
    sites,
    seed: 1,
    users: [ADMIN],
    timeScale: 1_200,
  });
  for (const device of twin.world.state.devices) Object.assign(device, settings.every(device));
  let requests: string[] = [];
  const counting = {
    ...twin,
    handle: (request: Request) => {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      return twin.handle(request);
    },
  };
  const { url, close } = await serveTwin(counting, 0);
  return {
    env: {
      FLEETFORM_BASE_URL: url,
      FLEETFORM_CLIENT_ID: ADMIN.clientId,
      FLEETFORM_CLIENT_SECRET: ADMIN.clientSecret,
    },
    world: twin.world.state,
    taken() {
      const all = requests;
      requests = [];
      return all;
    },
    close,
  };
}
