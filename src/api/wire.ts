import type { Collection, HttpRequest } from '../model/ports.ts';
import type { BaseUrl } from './base-url.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { paths } from '../service.gen.ts';

/** Every endpoint but the token endpoint, whose path the dialect gives. */
export const PATHS = {
  devices: '/v1/devices',
  device: '/v1/devices/{id}',
  vulnerabilities: '/v1/devices/{id}/vulnerabilities',
  passwords: '/v1/devices/{id}/passwords',
  certificates: '/v1/devices/{id}/certificates',
  targetFirmware: '/v1/devices/{id}/targetFirmware',
  firmwarePaths: '/v1/firmwarePaths',
  sites: '/v1/sites',
  site: '/v1/sites/{id}',
  deviceSources: '/v1/deviceSources',
  deviceSource: '/v1/deviceSources/{id}',
  discoveredDevices: '/v1/discoveredDevices',
  tasks: '/v1/tasks',
  task: '/v1/tasks/{id}',
} as const satisfies Record<string, keyof paths>;
export type ServiceEndpoint = keyof typeof PATHS;

/** Endpoints that return one page of a list. */
export type ListEndpoint = Collection | 'firmwarePaths' | 'task';

/** Requests that share a pace: the service counts requests per endpoint. */
export type Family = Collection | 'deviceReads' | 'tasks' | 'firmwarePaths' | 'token';

/** The role that an endpoint requires, if not every user may use it. */
export const REQUIRED_ROLES: Readonly<Partial<Record<ServiceEndpoint, string>>> = {
  firmwarePaths: 'Admin',
  tasks: 'Admin or Operator',
};

export const PAGE_LIMIT = 1_000;

const FAMILIES: ReadonlySet<string> = new Set<Family>([
  'devices',
  'sites',
  'deviceSources',
  'discoveredDevices',
  'tasks',
  'firmwarePaths',
]);

/** No ID of the service is longer. */
const LONGEST_ID = 128;

/** The form of most IDs, which need no further check. */
const PLAIN = /^[\w-]{1,128}$/;

/** Invisible characters and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The segments of the path of a request below a base URL: `v1`, `devices`, `dev-1`. */
export function pathSegments({ url }: HttpRequest, { origin, prefix }: BaseUrl): readonly string[] {
  const [path = ''] = url.slice(origin.length + prefix.length + 1).split('?', 1);
  return path.split('/');
}

/** The family of a path below the base; an unknown path belongs to the token endpoint. */
export function requestFamily([, collection = '', , read]: readonly string[]): Family {
  if (collection === 'devices' && read !== undefined) return 'deviceReads';
  return FAMILIES.has(collection) ? (collection as Family) : 'token';
}

/**
 * The path of an endpoint below the base. Throws `idUnsafe` for an ID that could lead elsewhere.
 */
export function endpointPath(endpoint: ServiceEndpoint, id?: string): string {
  const template = PATHS[endpoint];
  return id === undefined ? template : template.replace('{id}', () => pathSegment(id, endpoint));
}

export function tokenEndpointPath(dialect: Dialect, organization: string): string {
  const template = dialect.tokenPath;
  return template.replace('{organization}', () => pathSegment(organization, 'organization'));
}

/**
 * An ID as exactly one path segment: encoded, and checked to survive URL parsing. Throws `idUnsafe`
 * with the reason.
 */
function pathSegment(id: string, what: string): string {
  const why = unsafeReason(id);
  if (why !== undefined)
    throw new WorldError('idUnsafe', { what, id: id.slice(0, LONGEST_ID), why });
  return encodeURIComponent(id);
}

export function isSafeId(id: string): boolean {
  return unsafeReason(id) === undefined;
}

/**
 * Why an ID cannot be part of a path; undefined if it can. Blanks, slashes, braces and umlauts are
 * encoded; but after a proxy decodes them, dots between two slashes must not lead elsewhere.
 */
export function unsafeReason(
  id: string,
): 'empty' | 'long' | 'unseen' | 'dots' | 'address' | undefined {
  if (PLAIN.test(id)) return undefined;
  if (id === '') return 'empty';
  if (id.length > LONGEST_ID) return 'long';
  if (UNSEEN.test(id)) return 'unseen';
  if (id.split(/[/\\]/).some((part) => /^\.{1,2}$/.test(part.trim()))) return 'dots';
  if (/%[0-9a-f]{2}/i.test(id)) return 'address';
  const path = `/${encodeURIComponent(id)}/`;
  return new URL(path, 'https://any').pathname === path ? undefined : 'address';
}

export function listField(endpoint: ListEndpoint, dialect: Dialect): string {
  if (endpoint === 'task') return 'deviceTasks';
  return endpoint === 'firmwarePaths' ? dialect.firmwarePathsListField : endpoint;
}

/** The name of the ID in a row of a list; undefined if its rows have none. */
export function idField(endpoint: ListEndpoint, dialect: Dialect): string | undefined {
  if (endpoint === 'firmwarePaths') return undefined;
  if (endpoint === 'task') return 'deviceTaskId';
  return endpoint === 'discoveredDevices' ? dialect.discoveredIdField : 'id';
}
