import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * A second service, made from the interface document alone: it shares no code with the client, the
 * twin or their tests, so that all three cannot be wrong in the same way.
 */
export interface SecondService {
  handle(request: Request): Promise<Response>;
  /** Every request as `GET /v1/devices`. */
  readonly seen: readonly string[];
}

export interface SecondServiceOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** How many rows each list has. */
  readonly rows: number;
  readonly now: () => number;
}

type Node = Readonly<Record<string, unknown>>;

const DAY = 86_400_000;
const document = parse(
  readFileSync(new URL('../../schemas/service.openapi.yaml', import.meta.url), 'utf8'),
) as Node;

export function createSecondService(options: SecondServiceOptions): SecondService {
  const seen: string[] = [];
  return {
    seen,
    async handle(request) {
      const url = new URL(request.url);
      seen.push(`${request.method} ${url.pathname}`);
      const found = findOperation(request.method.toLowerCase(), url.pathname);
      const answer =
        typeof found === 'number' ? failure(found) : answerTo(found, { request, url, ...options });
      answer.headers.set('date', new Date(options.now()).toUTCString());
      return answer;
    },
  };
}

interface Operation {
  readonly operation: Node;
  /** The values of the parameters in the path. */
  readonly parts: readonly string[];
}

/** The operation of a path, 405 for a path without this method, or 404. */
function findOperation(method: string, path: string): Operation | 404 | 405 {
  for (const [template, item] of Object.entries(node(document, 'paths'))) {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '([^/]+)')}$`);
    const match = pattern.exec(path);
    if (!match) continue;
    const operation = (item as Node)[method];
    return operation === undefined
      ? 405
      : { operation: operation as Node, parts: match.slice(1).map(decodeURIComponent) };
  }
  return 404;
}

interface Asked extends SecondServiceOptions {
  readonly request: Request;
  readonly url: URL;
}

const TOKEN = 'second-service-token';

function answerTo({ operation, parts }: Operation, asked: Asked): Response {
  const { request, url, rows } = asked;
  const login = request.headers.get('authorization') ?? '';
  const basic = `Basic ${btoa(`${asked.clientId}:${asked.clientSecret}`)}`;
  const isToken = JSON.stringify(operation['security']) === '[{"basic":[]}]';
  if (login !== (isToken ? basic : `Bearer ${TOKEN}`)) return failure(401);
  if (request.method !== 'GET' && !isToken) return failure(403);
  const schema = responseSchema(operation);
  if (isToken) {
    const token = example(schema, { name: 'token', index: 1, asked }) as Node;
    return Response.json({ ...token, access_token: TOKEN });
  }
  const [id] = parts;
  const index = id === undefined ? 1 : Number(id.replace(/\D/g, ''));
  if (id !== undefined && !(index >= 1 && index <= rows)) return failure(404);
  const list = Object.entries(node(schema, 'properties')).find(
    ([, member]) => resolve(member)['type'] === 'array' && 'total' in node(schema, 'properties'),
  );
  if (!list || id !== undefined) return Response.json(example(schema, { name: '', index, asked }));
  return pageOf(list[0], resolve(list[1]), { operation, url, asked });
}

function pageOf(
  name: string,
  list: Node,
  { operation, url, asked }: { operation: Node; url: URL; asked: Asked },
): Response {
  const items = Array.from({ length: asked.rows }, (_, at) =>
    example(list['items'], { name, index: at + 1, asked }),
  );
  const filters = parametersIn(operation).filter((each) => !['limit', 'offset'].includes(each));
  const wanted = [...url.searchParams].filter(([key]) => filters.includes(key));
  const found = items.filter((item) => wanted.every(([key, text]) => matches(item, key, text)));
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const limit = Math.min(1_000, Number(url.searchParams.get('limit') ?? 100));
  return Response.json({ [name]: found.slice(offset, offset + limit), total: found.length });
}

function parametersIn(operation: Node): readonly string[] {
  return ((operation['parameters'] ?? []) as unknown[])
    .map(resolve)
    .filter((each) => each['in'] === 'query')
    .map((each) => String(each['name']));
}

/** A member of this name, at its path or anywhere else, has this value; dates come before or after. */
function matches(item: unknown, name: string, text: string): boolean {
  const [, base = name, side] = /^(.*?)(Before|After)$/.exec(name) ?? [];
  const spelled = base.replace('SSL', 'Ssl').replace('passwordRotation', 'rotatePassword');
  const value = atPath(item, spelled) ?? deep(item, spelled.split('.').at(-1) ?? '');
  if (side !== undefined) {
    const date = Date.parse(String(value));
    return side === 'Before' ? date < Date.parse(text) : date >= Date.parse(text);
  }
  if (typeof value === 'boolean') return value === (text === '1' || text === 'true');
  return String(value) === text;
}

function atPath(item: unknown, path: string): unknown {
  return path.split('.').reduce((found, name) => (isNode(found) ? found[name] : undefined), item);
}

function deep(item: unknown, name: string): unknown {
  if (!isNode(item)) return undefined;
  if (name in item) return item[name];
  return Object.values(item)
    .map((member) => deep(member, name))
    .find((found) => found !== undefined);
}

interface Context {
  readonly name: string;
  readonly index: number;
  readonly asked: Asked;
}

/** A value that fits a schema; the same for the same index, different for most others. */
function example(given: unknown, { name, index, asked }: Context): unknown {
  const schema = resolve(given);
  const words = (schema['enum'] ?? schema['examples']) as readonly unknown[] | undefined;
  if (schema['const'] !== undefined) return schema['const'];
  if (words) return words[index % words.length];
  if (schema['format'] === 'date-time') {
    // What ends, ends after it began.
    const life = name === 'notAfter' ? 365 * DAY : 0;
    return new Date(Math.floor(asked.now() / DAY) * DAY - index * DAY + life).toISOString();
  }
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node(schema, 'properties')).map(([member, inner]) => [
          member,
          // Each list of an example has one entry.
          member === 'total' ? 1 : example(inner, { name: member, index, asked }),
        ]),
      );
    case 'array':
      return [example(schema['items'], { name, index, asked })];
    case 'integer':
    case 'number':
      return schema['default'] ?? index;
    case 'boolean':
      return index % 2 === 0;
    default:
      return /version|^from$|^to$|^path$/i.test(name) ? `1.${index}.0` : `${name}-${index}`;
  }
}

function responseSchema(operation: Node): Node {
  const content = node(
    node(resolve(node(operation, 'responses')['200']), 'content'),
    'application/json',
  );
  return resolve(content['schema']);
}

/** A schema or parameter, with what it refers to. */
function resolve(given: unknown): Node {
  const found = isNode(given) ? given : {};
  const ref = found['$ref'];
  if (typeof ref !== 'string') return found;
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (isNode(at) ? at[name] : undefined), document);
  return resolve(target);
}

function node(parent: Node, name: string): Node {
  const found = parent[name];
  return isNode(found) ? found : {};
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function failure(status: number): Response {
  return Response.json({ error: `status ${status}` }, { status });
}
