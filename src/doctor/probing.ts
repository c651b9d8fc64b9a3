import { countIn } from '../lib/count.ts';
import type { Instant } from '../lib/time.ts';
import type { Params, WorldCode } from '../model/error.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { memberAt, objectsIn } from '../lib/objects.ts';

/** An object of an answer, nothing of which has been checked. */
export type AnswerRow = Readonly<Record<string, unknown>>;

/** A request of the doctor. There is no other: nothing it sends can change anything. */
export type ProbeRequest =
  | { readonly kind: 'read'; readonly path: string; readonly query: Query }
  | { readonly kind: 'token'; readonly path: string; readonly body: Dialect['tokenBody'] }
  /** Sends nothing: later reads carry this token. */
  | { readonly kind: 'bear'; readonly token: string };

export type Query = Readonly<Record<string, string>>;

/** What came back. Every answer is a value; none is thrown. */
export interface ProbeAnswer {
  /** 0 if nothing came back. */
  readonly status: number;
  /** The JSON of the answer; undefined if it is none. */
  readonly value: unknown;
  readonly text: string;
  readonly contentType: string;
  /** Why nothing came back; `stopped` if the limit of requests is reached. */
  readonly failure?: { readonly code: WorldCode; readonly params: Params };
}

/** An exchange with the service, for what no single answer shows. */
export interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly sentAt: Instant;
  readonly answeredAt: Instant;
  readonly date?: Instant;
  readonly retryAfter?: string;
  readonly encoding?: string;
}

/** Sends requests by yielding them, and returns what it makes of the answers. */
export type Probing<T> = Generator<ProbeRequest, T, ProbeAnswer>;

export const PROBED_PATHS = {
  devices: '/v1/devices',
  sites: '/v1/sites',
  deviceSources: '/v1/deviceSources',
  discoveredDevices: '/v1/discoveredDevices',
  firmwarePaths: '/v1/firmwarePaths',
  tasks: '/v1/tasks',
} as const;

export function* probe(path: string, query: Query = {}): Probing<ProbeAnswer> {
  return yield { kind: 'read', path, query };
}

export function isOk({ status }: ProbeAnswer): boolean {
  return status >= 200 && status < 300;
}

export interface ListRead {
  readonly answer: ProbeAnswer;
  /** Undefined if the answer has no list of this name. */
  readonly rows: readonly AnswerRow[] | undefined;
  readonly total: number | undefined;
}

export function* readPage(
  collection: 'devices' | 'sites' | 'deviceSources' | 'discoveredDevices',
  query: Query,
): Probing<ListRead> {
  const answer = yield* probe(PROBED_PATHS[collection], query);
  const value = isOk(answer) ? answer.value : undefined;
  const list = memberAt(value, collection);
  const total = countIn(memberAt(value, 'total'));
  return {
    answer,
    rows: Array.isArray(list) || (list === undefined && total === 0) ? objectsIn(list) : undefined,
    total,
  };
}

/** The value at a dotted path; the empty path is the value itself. */
export function valueAt(value: unknown, path: string): unknown {
  return path === '' ? value : memberAt(value, ...path.split('.'));
}

/** An id as text; undefined for anything that is none, or that no path can hold. */
export function idText(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) ? String(value) : value;
  const isUsable = typeof id === 'string' && /^(?!\.+$)[^/\\%\p{C}]{1,128}$/u.test(id);
  return isUsable ? id : undefined;
}

/** The path of one device, or of what the service shows below it. */
export function devicePath(id: string, below = ''): string {
  return `${PROBED_PATHS.devices}/${encodeURIComponent(id)}${below}`;
}
