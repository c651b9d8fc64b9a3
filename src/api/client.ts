import {
  type Clock,
  type PostAnswer,
  type Service,
  type Transport,
  TransportError,
} from '../model/ports.ts';
import { harmless } from '../model/progress.ts';
import { compose, type ClientOptions, type Composed } from './compose.ts';
import { createDecoders } from './decode/decode.ts';
import { createFactReaders } from './decode/facts.ts';
import { type BaseUrl, parseBase } from './base-url.ts';
import type { Lanes } from './pace.ts';
import { type RawReads, createRawReads } from './raw.ts';
import { createRead } from './read.ts';
import { createRedactor } from './redact.ts';
import { createReads } from './reads.ts';
import { WorldError } from '../model/error.ts';
import { isBeforeBytes } from './transport/transport-failure.ts';
import { type BodyParts, postAnswer, taskBody } from './post.ts';
import { endpointPath } from './wire.ts';

/** The service, with the raw reads of `get`. */
export type Client = Service & RawReads & Pick<Composed, 'requests'>;

/**
 * Creates a client on any transport; sends nothing by itself. Throws `baseUrlUnsafe` and
 * `idUnsafe`.
 */
export function createClient(options: ClientOptions): Client {
  const { clock, dialect } = options;
  const base = parseBase(options.baseUrl);
  const redactor = createRedactor();
  const { send, post, lanes, tokens, requests } = compose({
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
    requests,
  };
}

/**
 * The only write: a task POST, sent once, or not at all if it is too late when its turn comes
 * (protocol I13). Transport failures are values; it throws only what prevents the attempt:
 * `secretMissing`, `idUnsafe`, `writeRefused`.
 */
function createWrite(parts: {
  readonly send: Transport;
  readonly lanes: Lanes;
  readonly base: BaseUrl;
  readonly clock: Clock;
  readonly body: BodyParts;
}): Service['createTask'] {
  const { base, clock, lanes, send } = parts;
  const { dialect } = parts.body;
  return async (request, { isLate = () => false } = {}) => {
    const post = {
      method: 'POST',
      url: base.origin + base.prefix + endpointPath('tasks'),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: taskBody(request, parts.body),
    };
    try {
      await lanes.enter(post);
      if (isLate()) return failed(new TransportError('unsent', 'tooLate'));
      return postAnswer(await send(post), { now: clock.now(), dialect });
    } catch (error) {
      return failed(error);
    }
  };
}

/**
 * A request counts as unsent only if a layer threw a code of the closed list before the first byte.
 * Any other error may have come later.
 */
function failed(error: unknown): PostAnswer {
  if (error instanceof WorldError && error.code === 'writeRefused') throw error;
  if (!(error instanceof TransportError)) return { kind: 'failed', phase: 'sent', code: 'failed' };
  const { phase, code } = error;
  const isUnsent = phase === 'unsent' && isBeforeBytes(code);
  return { kind: 'failed', phase: isUnsent ? 'unsent' : 'sent', code };
}
