import type { Dialect } from '../model/fleet/dialect.ts';
import type { Service, Transport } from '../model/ports.ts';
import { harmless } from '../model/progress.ts';
import { compose } from './compose.ts';
import { createDecoders } from './decode.ts';
import { createFactReaders } from './facts.ts';
import { parseBase } from './origin.ts';
import type { Pace } from './pace.ts';
import { createRawReads, type RawReads } from './raw.ts';
import { createRead } from './read.ts';
import { createRedactor } from './redact.ts';
import { createReads } from './reads.ts';
import type { RetryParts } from './retry.ts';
import type { Credentials } from './tokens.ts';
import { createWrite } from './write.ts';

export interface ClientOptions extends RetryParts {
  readonly transport: Transport;
  /** https, or http on loopback; a path is kept. */
  readonly baseUrl: string;
  readonly organization: string;
  readonly credentials: Credentials;
  readonly dialect: Dialect;
  readonly pace: Pace;
  /** The value of a secret that a payload refers to. */
  readonly secrets: (name: string) => string | undefined;
  /** Hears one line of JSON for each request, secrets removed. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Refuses everything but reads. */
  readonly readOnly?: boolean | undefined;
  /** Ends every wait for a token: what is not sent yet is not sent any more. */
  readonly hurry?: AbortSignal | undefined;
  /** Ends every read; a write is never cut off. */
  readonly signal?: AbortSignal | undefined;
}

/** The service, and its reads as they come for `get`. */
export type Client = Service & RawReads;

/**
 * A client of the service on any transport. Throws `baseUrlUnsafe` and `idUnsafe`; sends
 * nothing by itself.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, dialect } = options;
  const base = parseBase(options.baseUrl);
  const redactor = createRedactor();
  redactor.learn(options.credentials.clientSecret);
  const { send, post, lanes, tokens } = compose({
    ...options,
    base,
    redactor,
    trace: options.trace && harmless(options.trace),
    onRetry: options.onRetry && harmless(options.onRetry),
  });
  const read = createRead({ send, base, signal: options.signal });
  return {
    ...createReads({
      read,
      dialect,
      decoders: createDecoders(dialect),
      facts: createFactReaders(dialect),
    }),
    ...createRawReads({ read, dialect }),
    createTask: createWrite({
      send: post,
      lanes,
      base,
      clock,
      body: {
        dialect,
        secrets: options.secrets,
        onSecret: (value) => redactor.learn(value),
      },
    }),
    holdToken: (atLeast) => tokens.hold(atLeast),
  };
}
