import type { Done, Env, Place } from './blackbox.ts';

export type Role = 'admin' | 'operator' | 'viewer';

/** The line that `fleetform twin --format json` prints when it is ready. */
export interface Ready {
  readonly url: string;
  readonly organization: string;
  readonly users: readonly {
    readonly role: Role;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly sites: readonly string[];
  }[];
}

/** A twin that runs as a process of its own. */
export interface TwinProcess {
  readonly ready: Ready;
  /** The environment in which commands speak to this twin as the user of a role. */
  as(role: Role): Env;
  /** Ends it like Ctrl-C does and waits; with `--world` the world is in its file then. */
  stop(): Promise<Done>;
}

export interface TwinSettings {
  readonly devices?: number;
  readonly port?: number;
  /** A fault script, as the twin takes it. */
  readonly faults?: readonly object[];
  /** A file that the world is loaded from and saved to; one of its own if absent. */
  readonly world?: string;
  /** A dialect that the twin speaks. */
  readonly dialect?: object;
}

/**
 * Holds a run in the look before its second POST: it has had one task accepted and none is on the wire, so whoever ends
 * it just then leaves nothing in doubt. A run that ends before that look leaves the delay to a later one, so it is short.
 */
export const HELD_AFTER_ONE = [
  {
    match: { endpoint: 'listDevices', query: 'status=offline', nth: 2 },
    fault: { type: 'latency', ms: 15_000 },
  },
] as const;

/** Starts a twin on loopback, a thousand times faster than life, and waits until it listens. */
export async function startTwin(place: Place, settings: TwinSettings = {}): Promise<TwinProcess> {
  const { devices = 60, port = 0, faults, world = newWorld(), dialect } = settings;
  const flags = ['--port', port, '--devices', devices, '--time-scale', 1200, '--format', 'json'];
  flags.push('--world', world);
  if (faults) {
    place.write('faults.json', JSON.stringify(faults));
    flags.push('--faults', 'faults.json');
  }
  if (dialect) {
    place.write('dialect.json', JSON.stringify(dialect));
    flags.push('--dialect', 'dialect.json');
  }
  const running = place.start(`twin ${flags.join(' ')}`);
  const line = await running.says(/^\{.*\}\n/);
  const ready = JSON.parse(line) as Ready;
  return {
    ready,
    as: (role) => envOf(ready, role),
    stop: () => {
      running.signal('SIGINT');
      return running.done;
    },
  };
}

let worlds = 0;

function newWorld(): string {
  worlds += 1;
  return `twin-world-${worlds}.json`;
}

function envOf({ url, users }: Ready, role: Role): Env {
  const user = users.find((each) => each.role === role);
  if (!user) throw new Error(`the twin has no ${role}`);
  return {
    FLEETFORM_BASE_URL: url,
    FLEETFORM_CLIENT_ID: user.clientId,
    FLEETFORM_CLIENT_SECRET: user.clientSecret,
  };
}
