import { resolve } from 'node:path';
import { proxyFor } from '../api/transport/proxy.ts';
import { resolveDialect, type Dialect } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { CredentialSource, Transport } from '../model/ports.ts';
import type { ServiceSettings } from '../model/documents/policy.ts';
import { exposedSecretWords, traceEndedWords } from '../render/words/last-words.ts';
import { openCredentials } from '../shell/credentials.ts';
import { printMessages } from '../shell/messages.ts';
import { fleetFolder, type Shell } from '../shell/shell.ts';
import type { ChosenService } from './ground/parts.ts';
import { resolveTarget, type ServiceTarget } from './target.ts';
import { openTrace, type TraceFile } from '../shell/trace-file.ts';
import { createClient, type Client } from '../api/client.ts';
import { checkReach, standOn } from './ground/ground.ts';
import { simulatorCredentials } from './simulator.ts';
import { showProgress } from '../shell/show-progress.ts';
import type { OnProgress } from '../model/progress.ts';

export interface Connection {
  readonly client: Client;
  readonly target: ServiceTarget;
  readonly dialect: Dialect;
  /** Shows the progress of the command, including waits of the client. */
  readonly onProgress: OnProgress;
  close(): Promise<void>;
}

export interface ConnectFlags {
  readonly fleet: string;
  readonly service?: string;
  readonly trace?: string;
}

export type Settings = ChosenService & Pick<ServiceSettings, 'pace' | 'dialect'>;

/** Whether a command uses the ledger, too: else only the service is judged (protocol M3). */
interface Uses {
  readonly isLedgerless?: boolean;
}

/**
 * Connects to the service that the documents, the environment and the flags select. With `readOnly`
 * the transport refuses everything except reads, and the first request to stop ends them. Throws the
 * refusals of the ground, those of `openCredentials`, `baseUrlUnsafe`, `verificationOff`, or `proxyUnusable`
 * before anything is sent. Without credentials in the environment those of the simulator of this folder are used for it.
 */
export async function connect(
  shell: Shell,
  settings: Settings,
  options: ConnectFlags & Uses & { readonly readOnly: boolean },
): Promise<Connection> {
  const line = await openLine(shell, settings, options);
  const { target, dialect, onProgress, credentials } = line;
  const client = createClient({
    transport: line.transport,
    clock: shell.clock,
    random: shell.random,
    baseUrl: target.baseUrl,
    organization: target.organization,
    credentials,
    dialect,
    pace: settings.pace,
    lanes: shell.lanes,
    secrets: (name) => shell.env[name],
    trace: line.trace,
    readOnly: options.readOnly,
    hurry: shell.stop.draining,
    signal: options.readOnly ? shell.stop.draining : shell.stop.signal,
    onRetry: (retried) => onProgress({ type: 'waiting', reason: 'retrying', ...retried }),
  });
  return { client, target, dialect, onProgress, close: line.close };
}

/** Uses a connection, and closes it again. Throws as `connect`. */
export async function withConnection<T>(
  shell: Shell,
  settings: Settings,
  options: Parameters<typeof connect>[2],
  use: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(shell, settings, options);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** A transport to the service with all that a client needs; nothing has been sent. */
export interface ServiceLink extends Omit<Connection, 'client'> {
  readonly transport: Transport;
  readonly credentials: CredentialSource;
  readonly trace: ((line: string) => void) | undefined;
}

/**
 * Opens the transport of a command, once the rules of the ground let it speak to this service. Throws as `connect`
 * does.
 */
export async function openLine(
  shell: Shell,
  settings: Settings,
  options: ConnectFlags & Uses,
): Promise<ServiceLink> {
  const target = resolveTarget(settings, options.service, shell.env);
  checkWay(target, shell.env);
  const parts = { shell, folder: fleetFolder(shell, options.fleet), settings, target };
  await (options.isLedgerless ? checkReach(parts) : standOn(parts));
  const own = await simulatorCredentials(shell, target.baseUrl);
  const onExposed = (file: string): void => printMessages(shell, [exposedSecretWords(file)]);
  const use = { ...target, env: shell.env, clock: shell.clock, onExposed };
  const credentials = own ? () => Promise.resolve(own) : await openCredentials(use);
  const dialect = resolveDialect(settings.dialect);
  const onProgress = showProgress(shell);
  const trace = options.trace === undefined ? undefined : traceTo(options.trace, shell);
  const { transport, close: closeTransport } = await shell.openTransport();
  const close = async (): Promise<void> => {
    await closeTransport();
    trace?.close();
  };
  return { target, dialect, onProgress, credentials, transport, trace: trace?.write, close };
}

/** The service of a command that does not connect to it: needs no credentials and sends nothing. */
export async function offline(
  shell: Shell,
  settings: Settings,
  service: string | undefined,
): Promise<Pick<Connection, 'target' | 'dialect' | 'onProgress'>> {
  return {
    target: resolveTarget(settings, service, shell.env),
    dialect: resolveDialect(settings.dialect),
    onProgress: showProgress(shell),
  };
}

/** Refuses a connection without certificate verification, and an invalid proxy (threat row T17). */
function checkWay({ baseUrl }: ServiceTarget, env: Shell['env']): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') throw new WorldError('verificationOff');
  proxyFor(new URL(baseUrl).origin, env);
}

function traceTo(name: string, shell: Shell): TraceFile {
  const onEnd = (cause: string): void => printMessages(shell, [traceEndedWords(name, cause)]);
  return openTrace(resolve(shell.cwd, name), onEnd);
}
