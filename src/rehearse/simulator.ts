import { TransportError, type Transport } from '../model/ports.ts';
import { WorldError } from '../model/error.ts';
import { overFetch, parsedAnswer } from '../model/http.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import type { Instant } from '../lib/time.ts';
import type { FaultRule } from '../twin/faults/fault.ts';
import { FaultScriptError, parseFaults } from '../twin/faults/fault-script.ts';
import { LostConnection } from '../twin/faults/replaced-answer.ts';
import { createTwin } from '../twin/twin.ts';
import type { Clone } from './clone.ts';
import type { TaskDurations } from './task-durations.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The script of what goes wrong in a rehearsal. */
export type FaultScript = readonly FaultRule[];

/** Reads a script of faults. Throws `usage` with the place and what is wanted there. */
export function readFaultScript(text: string): FaultScript {
  try {
    return parseFaults(text);
  } catch (error) {
    if (!(error instanceof FaultScriptError)) throw error;
    throw new WorldError('usage', { message: `--faults: ${error.message}` }, { cause: error });
  }
}

export interface SimulatorOptions {
  readonly clone: Clone;
  readonly clock: VirtualClock;
  readonly dialect: Dialect;
  readonly durations: TaskDurations;
  readonly seed: number;
  readonly faults: FaultScript;
  readonly onRequest: (at: Instant) => void;
  /** Hears that a task silences a device of a site, and that the device is back. */
  readonly onOutage: (site: string, isDown: boolean, at: Instant) => void;
}

/** A simulator that lives on a copy of a clone, as a transport: it answers in no time. */
export function openSimulator(options: SimulatorOptions): Transport {
  const { clone, clock, dialect, durations, seed, faults } = options;
  const names = new Map(clone.state.sites.map(({ id, name }) => [id, name]));
  const twin = createTwin({
    clock: { now: () => clock.now(), wait: (ms) => clock.inside.sleep(ms) },
    world: { ...structuredClone(clone.state), random: seed },
    seed,
    faults,
    dialect,
    respond: ({ body, ...init }) => parsedAnswer(body, init),
    watch: {
      duration: (type, model, random) => durations.draw(type, model, random),
      onSilence: ({ siteId }, isSilent, at) =>
        options.onOutage(names.get(siteId) || String(siteId), isSilent, at),
    },
  });
  const send = overFetch((request) => twin.handle(request));
  return (request) => {
    options.onRequest(clock.now());
    return clock.track(send(request).catch(toTransportError));
  };
}

function toTransportError(error: unknown): never {
  if (!(error instanceof LostConnection)) throw error;
  throw new TransportError('sent', 'ECONNRESET', { cause: error });
}

/** The way to the service in a rehearsal, beside the simulator: there is none. */
export const NO_WAY: Transport = () => Promise.reject(new TransportError('unsent', 'ECONNREFUSED'));
