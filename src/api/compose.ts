import type { Dialect } from '../model/fleet/dialect.ts';
import type { Transport } from '../model/ports.ts';
import { authorize } from './auth.ts';
import { keepOrigin, type Base } from './origin.ts';
import { createLanes, noticing, pace, type Lanes, type Pace } from './pace.ts';
import { readOnly } from './read-only.ts';
import type { Redactor } from './redact.ts';
import { retry, retryAll, type RetryParts } from './retry.ts';
import { createTokens, type Credentials, type Tokens } from './tokens.ts';
import { trace } from './trace.ts';
import { tokenPathOf } from './wire.ts';

export interface Parts extends RetryParts {
  readonly transport: Transport;
  readonly base: Base;
  readonly organization: string;
  readonly credentials: Credentials;
  readonly dialect: Dialect;
  readonly pace: Pace;
  readonly redactor: Redactor;
  /** The value of a secret that a body refers to. */
  readonly secrets: (name: string) => string | undefined;
  /** Where the lines of a trace go; without it nothing is traced. */
  readonly trace?: ((line: string) => void) | undefined;
  /** Ends every wait for a token. */
  readonly hurry?: AbortSignal | undefined;
  /** Refuses everything but reads and the request for a token. */
  readonly readOnly?: boolean | undefined;
}

export interface Composed {
  /** For reads. */
  readonly send: Transport;
  /** For the one write, which waits its turn in `lanes` itself: it may be too late by then. */
  readonly post: Transport;
  readonly lanes: Lanes;
  readonly tokens: Tokens;
}

/**
 * The layers around a transport. A request for data passes, outermost first:
 * retry, authorize, pace, readOnly, keepOrigin, trace, transport.
 * A request for a token passes: retryAll, pace, readOnly, keepOrigin, trace, transport.
 * A task POST passes: authorize, readOnly, keepOrigin, trace, transport.
 */
export function compose(parts: Parts): Composed {
  const { clock, base, dialect, organization, credentials, redactor } = parts;
  const tokenPath = base.prefix + tokenPathOf(dialect, organization);

  const lanes = createLanes({ clock, limits: parts.pace, prefix: base.prefix });
  const open = chain(parts.transport, [
    (next) => (parts.trace ? trace(next, { clock, sink: parts.trace, redactor, tokenPath }) : next),
    (next) => keepOrigin(next, base),
    (next) => (parts.readOnly ? readOnly(next, tokenPath) : next),
  ]);
  const wire = pace(open, lanes);
  const tokens = createTokens({
    send: retryAll(wire, parts),
    clock,
    url: base.origin + tokenPath,
    organization,
    credentials,
    dialect,
    redactor,
    secrets: parts.secrets,
    hurry: parts.hurry,
  });
  return {
    send: retry(authorize(wire, tokens), parts),
    post: authorize(noticing(open, lanes), tokens),
    lanes,
    tokens,
  };
}

/** Innermost first. */
function chain(
  transport: Transport,
  layers: readonly ((next: Transport) => Transport)[],
): Transport {
  return layers.reduce((inner, layer) => layer(inner), transport);
}
