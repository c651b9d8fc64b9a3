import { TransportError, type Transport } from '../model/ports.ts';
import { refusalOf } from './answer.ts';
import { worldOf } from './failure.ts';
import type { Base } from './origin.ts';
import { NEEDS, pathOf, type Endpoint } from './wire.ts';

export interface Ask {
  readonly id?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * The successful answer to a GET, or undefined on 404. Anything else is thrown as a
 * `WorldError`.
 */
export type Read = (endpoint: Endpoint, ask?: Ask) => Promise<Response | undefined>;

/** A reader below a base address. */
export function createRead(parts: {
  readonly send: Transport;
  readonly base: Base;
  /** Ends every read, also one that waits for its turn. */
  readonly signal?: AbortSignal | undefined;
}): Read {
  return async (endpoint, { id, query = {} } = {}) => {
    const path = pathOf(endpoint, id);
    const url = new URL(parts.base.origin + parts.base.prefix + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const response = await answerTo(url, parts);
    if (response.status === 404) return undefined;
    if (response.ok) return response;
    throw refusalOf(response, { path, needs: NEEDS[endpoint] });
  };
}

async function answerTo(
  url: URL,
  { send, signal }: { readonly send: Transport; readonly signal?: AbortSignal | undefined },
): Promise<Response> {
  try {
    return await send(
      new Request(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        ...(signal && { signal }),
      }),
    );
  } catch (error) {
    throw error instanceof TransportError ? worldOf(error, url.href) : error;
  }
}
