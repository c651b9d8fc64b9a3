import { createClient, type Client } from '../../src/api/client.ts';
import type { ClientOptions } from '../../src/api/compose.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { createVirtualClock, type JumpingClock } from './virtual-clock.ts';
import { CLIENT_SECRETS } from './canary.ts';
import { watch } from './canary-watch.ts';
import { overFetch } from '../../src/model/http.ts';

export const START = Date.parse('2026-11-20T20:00:00Z');
export const BASE_URL = 'https://api.test';

/** A request as it reached the far end. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly authorization: string | null;
  readonly body: string;
  readonly at: number;
}

export interface FakeService {
  readonly client: Client;
  readonly clock: JumpingClock;
  readonly seen: readonly Seen[];
  /** What was asked for beside tokens. */
  calls(): readonly Seen[];
}

export type Answer = (seen: Seen, nth: number) => Response | Promise<Response>;

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(value, { status, headers });
}

/** Where a secret has no business: everything but the header that is there to carry it. */
function withoutLogin(seen: Seen): object {
  return { ...seen, authorization: undefined };
}

/**
 * A client whose transport is a function; tokens are given out unless the function wants to
 * answer for them.
 */
export function fakeService(
  answer: Answer,
  options: Partial<ClientOptions> & { tokens?: Answer } = {},
): FakeService {
  const clock = createVirtualClock(START);
  const seen: Seen[] = [];
  const tokens =
    options.tokens ?? ((_, nth) => json({ access_token: `token-${nth}`, expires_in: 3600 }));
  watch('the requests of a client', () => JSON.stringify(seen.map(withoutLogin)));
  const calls = (): Seen[] => seen.filter(({ path }) => !path.includes('/auth/'));
  const transport = overFetch(async (request) => {
    const url = new URL(request.url);
    const one: Seen = {
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      authorization: request.headers.get('authorization'),
      body: await request.text(),
      at: clock.monotonic(),
    };
    seen.push(one);
    const isToken = url.pathname.includes('/auth/');
    return isToken ? tokens(one, seen.length - calls().length) : answer(one, calls().length);
  });
  const client = createClient({
    transport,
    clock,
    random: () => 0.5,
    baseUrl: BASE_URL,
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'ci', clientSecret: CLIENT_SECRETS.admin }),
    dialect: resolveDialect(),
    pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5 },
    secrets: (name) => (name === 'CAMERA_PASSWORD' ? 'hunter2-very-secret' : undefined),
    ...options,
  });
  return { client, clock, seen, calls };
}

/** Reads a pass to its end. */
export async function drain<T, R>(
  pass: AsyncGenerator<Iterable<T>, R>,
): Promise<{ readonly rows: readonly T[]; readonly result: R }> {
  const rows: T[] = [];
  let step = await pass.next();
  for (; !step.done; step = await pass.next()) rows.push(...step.value);
  return { rows, result: step.value };
}

/** A page of a list out of all its rows, by the query that asked for it. */
export function pageOf(name: string, rows: readonly unknown[], query: Seen['query']): Response {
  const offset = Number(query['offset'] ?? 0);
  const limit = Number(query['limit'] ?? 100);
  return json({ [name]: rows.slice(offset, offset + limit), total: rows.length });
}
