import { readFileSync } from 'node:fs';
import { nearest } from '../../lib/nearest-name.ts';
import type { DocumentField, UnknownField } from '../../model/report/field.ts';
import type { SECTIONS } from '../../model/documents/policy.ts';
import { isObject, memberAt, toList } from '../../lib/objects.ts';

/**
 * Finds a field by its dotted path. Names of entries may be left out or given: `firmware.version` is
 * `firmware.axis-p32.version`. The empty path is the whole document, whose fields are the sections.
 * Fields below the fields of the answer are not listed.
 */
export function findField(path: string): DocumentField | UnknownField {
  let place: Place = {
    path: [],
    node: resolve({ file: 'fleet', schema: readSchema('fleet') }),
    isRequired: false,
  };
  for (const name of path.split('.').filter((part) => part !== '')) {
    const next = step(place, name);
    if (!next || isTypo(name, place, next))
      return {
        unknown: name,
        within: place.path.join('.'),
        known: [...listMembers(place).keys()],
        elsewhere: place.path.length === 0 ? findInSections(place, name) : [],
      };
    place = next;
  }
  const members = [...listMembers(place).values()];
  return {
    ...describe(place),
    fields: members.map((member) => ({ ...describe(member), fields: [] })),
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** A schema without `$ref`, and the file that relative references in it start from. */
interface Node {
  readonly file: SchemaName;
  readonly schema: Schema;
}

interface Place {
  readonly path: readonly string[];
  readonly node: Node;
  readonly isRequired: boolean;
}

/** The fields of this name right below a section. */
function findInSections(root: Place, name: string): readonly string[] {
  return [...listMembers(root)].flatMap(([section, place]) =>
    listMembers(place).has(name) ? [`${section}.${name}`] : [],
  );
}

/** The place of a member; a name that is none is the name of an entry where entries have names. */
function step(place: Place, name: string): Place | undefined {
  const member = listMembers(place).get(name);
  if (member) return member;
  const entry = findEntry(place.node);
  const isNamed = entry && place.path.at(-1) !== 'NAME';
  return isNamed ? { path: [...place.path, 'NAME'], node: entry, isRequired: false } : undefined;
}

/** A name that is nearly a member is taken for it, not for the name of an entry. */
function isTypo(name: string, place: Place, next: Place): boolean {
  const isEntry = next.path.at(-1) === 'NAME' && name !== 'NAME';
  return isEntry && nearest(name, [...listMembers(place).keys()]) !== undefined;
}

/** The members by name; those of one entry or item where the place holds several. */
function listMembers({ path, node }: Place): ReadonlyMap<string, Place> {
  const own = listProperties(node);
  const entry = own.length === 0 ? findEntry(node) : undefined;
  const holder = entry ?? (own.length === 0 ? findItem(node) : undefined) ?? node;
  const below = entry ? [...path, 'NAME'] : path;
  const required = Array.isArray(holder.schema['required']) ? holder.schema['required'] : [];
  return new Map(
    listProperties(holder).map(([name, schema]) => {
      const member = resolve({ file: holder.file, schema });
      return [name, { path: [...below, name], node: member, isRequired: required.includes(name) }];
    }),
  );
}

function listProperties({ schema }: Node): readonly (readonly [string, Schema])[] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, value]) =>
    isObject(value) ? [[name, value] as const] : [],
  );
}

/** One of the named entries of a map. */
function findEntry({ file, schema }: Node): Node | undefined {
  const { additionalProperties } = schema;
  return isObject(additionalProperties)
    ? resolve({ file, schema: additionalProperties })
    : undefined;
}

function findItem({ file, schema }: Node): Node | undefined {
  return isObject(schema['items']) ? resolve({ file, schema: schema['items'] }) : undefined;
}

/** Follows references. A key beside `$ref` overrides the same key of the referenced schema. */
function resolve(node: Node): Node {
  const { $ref, ...own } = node.schema;
  if (typeof $ref !== 'string') return node;
  const [document = '', pointer = ''] = $ref.split('#');
  const file =
    document === '' ? node.file : (document.replace(/\.schema\.json$/, '') as SchemaName);
  const target = memberAt(readSchema(file), ...pointer.split('/').slice(1));
  const { file: at, schema } = resolve({ file, schema: isObject(target) ? target : {} });
  return { file: at, schema: merge(schema, own) };
}

/** A definition with what a field says on top; both restrict the members, so these are merged. */
function merge(definition: Schema, own: Schema): Schema {
  const [ofDefinition, added] = [definition['properties'], own['properties']];
  const whole = { ...definition, ...own };
  if (!isObject(ofDefinition) || !isObject(added)) return whole;
  const members = Object.entries(added).map(([name, value]) => {
    const known = ofDefinition[name];
    return [name, isObject(known) && isObject(value) ? merge(known, value) : value] as const;
  });
  return { ...whole, properties: { ...ofDefinition, ...Object.fromEntries(members) } };
}

function describe({ path, node, isRequired }: Place): Omit<DocumentField, 'fields'> {
  const { title, description, examples } = node.schema;
  const item = findItem(node)?.schema ?? {};
  return {
    path: path.join('.'),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    isRequired,
    types: toList(node.schema['type']).map(String),
    itemTypes: toList(item['type']).map(String),
    values: [...toList(node.schema['enum']), ...toList(item['enum'])],
    ...('default' in node.schema && { default: node.schema['default'] }),
    examples: toList(examples),
  };
}

const FOLDER = new URL('../../../schemas/', import.meta.url);

/** The schemas of the documents: one per section, the shared ones, and the whole. */
type SchemaName = 'fleet' | 'common' | 'dialect' | (typeof SECTIONS)[number];

/** Reads one of the schemas in `schemas/`. */
function readSchema(name: SchemaName): Record<string, unknown> {
  const text = readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}
