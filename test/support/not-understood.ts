import { json } from './api-service.ts';

/** An object of an answer. */
export type Json = Readonly<Record<string, unknown>>;

/** Fields of a row that decide about every task. */
export const DECIDES = [
  'vendor',
  'model',
  'deviceType',
  'status',
  'lastSeen',
  'maintenanceMode',
  'sites',
  'deviceSources',
  'storageServer',
  'availableTask',
];

/** How an answer is spoiled as a whole. */
export const ANSWERS: Readonly<Record<string, (body: unknown) => Response>> = {
  'a sign-in page with status 200': () =>
    new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } }),
  'a sign-in page without a name': () => new Response('<!doctype html><p>Sign in'),
  'status 500 for ever': () => json({}, 500),
  'half of it': (body) => new Response(JSON.stringify(body).slice(0, -9)),
  'another content type': (body) =>
    new Response(JSON.stringify(body), { headers: { 'content-type': 'application/xml' } }),
  nothing: () => new Response(''),
  null: () => json(null),
  'an empty object': () => json({}),
  'a number': () => json(7),
  'a text': () => json('ok'),
  'an error in its place': () => json({ error: 'expired' }),
};

/** The same object with another value at a dotted path; undefined takes it away. */
export function spoiled(row: Json, path: string, value: unknown): Json {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...row, [name]: value };
  const below = row[name];
  const inner = typeof below === 'object' && below !== null ? (below as Json) : {};
  return { ...row, [name]: spoiled(inner, rest.join('.'), value) };
}

/** Every path in an object, its objects too; ids are what a row is known by. */
export function pathsIn(row: Json, prefix = ''): readonly string[] {
  return Object.entries(row).flatMap(([name, value]) => {
    const path = prefix + name;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return path === 'id' ? [] : [path, ...(isObject ? pathsIn(value as Json, `${path}.`) : [])];
  });
}

/** Values that say nothing, and such as no field has. `true` is a flag, so it is left to others. */
export const NOTHING: readonly unknown[] = [undefined, null, ''];
export const ODD: readonly unknown[] = [
  7.5,
  { odd: 1 },
  [[7.5]],
  'in other words',
  -1,
  '10/25/2026',
];
/** Where any text is one that the service may say, and where any whole number is one too. */
const isText = (value: unknown): boolean => typeof value === 'string' && !/^\d{4}-/.test(value);
const NAMED_BY_ID = /^(serialNumber|deviceSource|site)(\.id)?$/;

export function oddFor(row: Json, path: string): readonly unknown[] {
  if (NAMED_BY_ID.test(path)) return ODD.filter((odd) => typeof odd === 'object' || odd === 7.5);
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], row);
  return ODD.filter((odd) => !(isText(value) && typeof odd === 'string'));
}
