import type { Collection } from '../model/ports.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { WorldError } from '../model/error.ts';
import type { paths } from '../service.gen.ts';

/** Every endpoint beside the one for tokens, whose path is the dialect's. */
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

/** Endpoints that answer with one page of a list. */
export type ListEndpoint = Collection | 'firmwarePaths' | 'task';

/** What shares a pace: the service counts requests per endpoint. */
export type Family =
  | 'devices'
  | 'deviceReads'
  | 'sites'
  | 'deviceSources'
  | 'discoveredDevices'
  | 'tasks'
  | 'firmwarePaths'
  | 'token';

/** Who may use an endpoint, where not everybody may. */
export const REQUIRED_ROLES: Readonly<Partial<Record<ServiceEndpoint, string>>> = {
  firmwarePaths: 'Admin',
  tasks: 'Admin or Operator',
};

/** Items on a page, at the most. */
export const PAGE_LIMIT = 1_000;

const FAMILIES: Readonly<Record<string, Family>> = {
  devices: 'devices',
  sites: 'sites',
  deviceSources: 'deviceSources',
  discoveredDevices: 'discoveredDevices',
  tasks: 'tasks',
  firmwarePaths: 'firmwarePaths',
};
/** No id of any service is longer. */
const LONGEST_ID = 128;

/** What most ids are: nothing in them needs to be looked at again. */
const PLAIN = /^[\w-]{1,128}$/;

/** Characters that nobody sees, and halves of ones that are not whole. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The family of a path below the base; what is no endpoint of ours is the token's. */
export function requestFamily(path: string): Family {
  const [, , collection = '', , read] = path.split('/');
  if (collection === 'devices' && read !== undefined) return 'deviceReads';
  return Object.hasOwn(FAMILIES, collection) ? (FAMILIES[collection] ?? 'token') : 'token';
}

/**
 * The path of an endpoint below the base. Throws `idUnsafe` for an id that could lead anywhere
 * else.
 */
export function pathOf(endpoint: ServiceEndpoint, id?: string): string {
  const template = PATHS[endpoint];
  return id === undefined ? template : template.replace('{id}', () => pathSegment(id, endpoint));
}

export function tokenPathOf(dialect: Dialect, organization: string): string {
  const template = dialect.tokenPath;
  return template.replace('{organization}', () => pathSegment(organization, 'organization'));
}

/**
 * An id as exactly one segment of a path: encoded, and asserted to survive the way URLs are
 * read. Throws `idUnsafe` with the reason.
 */
export function pathSegment(id: string, what: string): string {
  const why = unsafeReason(id);
  if (why !== undefined)
    throw new WorldError('idUnsafe', { what, id: id.slice(0, LONGEST_ID), why });
  return encodeURIComponent(id);
}

export function isSafeId(id: string): boolean {
  return PLAIN.test(id) || unsafeReason(id) === undefined;
}

/**
 * Why an id cannot be a part of a path. Blanks, slashes, braces and umlauts are encoded; but a proxy
 * that undoes that must not be led elsewhere by the dots between two slashes.
 */
export function unsafeReason(
  id: string,
): 'empty' | 'long' | 'unseen' | 'dots' | 'address' | undefined {
  if (id === '') return 'empty';
  if (id.length > LONGEST_ID) return 'long';
  if (UNSEEN.test(id)) return 'unseen';
  if (id.split(/[/\\]/).some((part) => /^\.{1,2}$/.test(part.trim()))) return 'dots';
  if (/%[0-9a-f]{2}/i.test(id)) return 'address';
  const path = `/${encodeURIComponent(id)}/`;
  return new URL(path, 'https://any').pathname === path ? undefined : 'address';
}

/** The name of the list in an answer. */
export function listField(endpoint: ListEndpoint, dialect: Dialect): string {
  if (endpoint === 'task') return 'deviceTasks';
  return endpoint === 'firmwarePaths' ? dialect.firmwarePathsListField : endpoint;
}

/** The name of the id in a row of a list; undefined where rows have none. */
export function idField(endpoint: ListEndpoint, dialect: Dialect): string | undefined {
  if (endpoint === 'firmwarePaths') return undefined;
  if (endpoint === 'task') return 'deviceTaskId';
  return endpoint === 'discoveredDevices' ? dialect.discoveredIdField : 'id';
}
