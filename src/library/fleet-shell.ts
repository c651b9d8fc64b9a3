import { failureCode } from '../api/transport/transport-failure.ts';
import { TransportError, type LedgerStore, type Transport } from '../model/ports.ts';
import { systemClock } from '../shell/clock.ts';
import { identifyProcess } from '../shell/identity.ts';
import type { Output, Shell } from '../shell/shell.ts';
import { userStateFolder } from '../shell/state-folder.ts';
import { createStopSignal } from '../shell/stop-signal.ts';

/** Where the documents are, and how the service is reached. Every function of the library takes it. */
export interface FleetOptions {
  /** Working directory: the ledger of store `directory` is in it. Default: that of the process. */
  readonly directory?: string;
  /** Directory of the documents, relative to `directory`. Default: `fleet`. */
  readonly fleet?: string;
  /** Service URL; overrides `service.baseUrl`. */
  readonly service?: string;
  /** `FLEETFORM_CLIENT_ID` and the like. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Answers every request in the place of the network, for tests and simulators; both are plain objects. */
  readonly transport?: Transport;
  /** Keeps the ledger in the place of the directory by default; the documents name none (protocol J19). */
  readonly ledger?: LedgerStore;
  /** Stops as a first SIGTERM does: no new task starts, and requests in progress are recorded. */
  readonly signal?: AbortSignal;
  /** Receives warnings that the command line prints on stderr. */
  readonly onMessage?: (text: string) => void;
}

/** The documents' directory of these options. */
export function fleetOf({ fleet = 'fleet' }: FleetOptions): string {
  return fleet;
}

/** The outside world of one call: it prints nothing and asks no questions. */
export function createFleetShell(options: FleetOptions): Shell {
  // A copy: what git said in a folder is remembered by the environment of one call.
  const env = { ...(options.env ?? process.env) };
  const { transport, ledger } = options;
  const stateFolder = userStateFolder(env);
  return {
    env,
    cwd: options.directory ?? process.cwd(),
    out: silentOutput(() => undefined),
    err: silentOutput((text) => options.onMessage?.(text)),
    ask: undefined,
    clock: systemClock,
    random: Math.random,
    stop: stopWith(options.signal),
    isQuiet: true,
    identity: identifyProcess(process.pid, env),
    ...(stateFolder !== undefined && { stateFolder }),
    ...(ledger && { ledger }),
    openTransport: async () => {
      if (transport) return { transport: failing(transport), close: () => Promise.resolve() };
      return (await import('../api/transport/transport.ts')).openTransport({ env });
    },
  };
}

/** What a transport of the caller throws is a failure of the network; a POST may have been executed. */
function failing(transport: Transport): Transport {
  const fail = (cause: unknown): never => {
    if (cause instanceof TransportError) throw cause;
    throw new TransportError('sent', failureCode(cause), { cause });
  };
  return (request) => Promise.resolve(request).then(transport).catch(fail);
}

function silentOutput(write: (text: string) => void): Output {
  return { write, isTerminal: false, columns: 80 };
}

function stopWith(signal: AbortSignal | undefined): Shell['stop'] {
  const stop = createStopSignal();
  if (signal?.aborted) stop.request();
  signal?.addEventListener('abort', () => stop.request(), { once: true });
  return stop;
}
