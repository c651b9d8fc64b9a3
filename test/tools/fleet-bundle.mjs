import { readFile } from 'node:fs/promises';

const SUFFIX = '.schema.json';

/**
 * `schemas/fleet.bundle.schema.json`: the schema of a document with all that it refers to, for editors that load one file.
 * Each description ends with the default and an example, since most editors show nothing else of a field; in Markdown too,
 * for those that show it. A section offers its first example as a snippet.
 */
export async function fleetBundle(root) {
  const read = async (name) =>
    JSON.parse(await readFile(new URL(`schemas/${name}${SUFFIX}`, root), 'utf8'));
  const found = new Map();
  const collect = async (name) => {
    if (found.has(name)) return;
    found.set(name, undefined);
    const { $schema: _schema, $id: _id, ...schema } = await read(name);
    found.set(name, bundled(schema, name));
    for (const other of filesIn(schema)) await collect(other);
  };
  const { $id, ...fleet } = await read('fleet');
  for (const name of filesIn(fleet)) await collect(name);
  const sections = Object.keys(fleet.properties);
  const defs = Object.fromEntries(
    [...found]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, sections.includes(name) ? withSnippet(schema) : schema]),
  );
  const whole = { ...bundled(fleet, ''), $defs: defs };
  const bundle = withoutUnions(withOwnWords(whole, whole));
  const text = JSON.stringify(
    { $id: $id.replace('fleet.schema', 'fleet.bundle.schema'), ...bundle },
    null,
    1,
  );
  return `${text}\n`;
}

/** The names of the files that a schema refers to. */
function filesIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === '$ref' && !each.startsWith('#') ? [each.split(SUFFIX)[0]] : filesIn(each),
  );
}

/** A schema, or a part of one, that refers to the definitions of the bundle; `name` is its file. */
function bundled(value, name) {
  if (Array.isArray(value)) return value.map((each) => bundled(each, name));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([key, each]) => {
    if (key === '$comment') return [];
    if (key === 'default' || key === 'examples' || key === 'const' || key === 'enum')
      return [[key, each]];
    if (key === '$ref') return [[key, bundledRef(each, name)]];
    return [[key, bundled(each, name)]];
  });
  const schema = Object.fromEntries(members);
  const about = describe(value);
  if (about === undefined) return schema;
  const { text, beside } = about;
  return {
    ...schema,
    description: [text, ...beside.map(([word, each]) => `${word}: ${shown(each)}.`)].join(' '),
    markdownDescription: [
      text,
      ...beside.map(([word, each]) => `${word}: \`${shown(each)}\``),
    ].join('\n\n'),
  };
}

/** A section whose first example can be inserted: each text in it is a place to fill in. */
function withSnippet(schema) {
  const [example] = schema.examples ?? [];
  if (example === undefined) return schema;
  let places = 0;
  const place = (text) => `\${${++places}:${text}}`;
  const filled = (value, depth = 0) => {
    if (typeof value === 'string') return `^${JSON.stringify(value).replace(value, place(value))}`;
    if (typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((each) => filled(each, depth + 1));
    const isEntry = depth === 0 && isNamed(schema);
    const members = Object.entries(value)
      .slice(0, isEntry ? 1 : undefined)
      .map(([key, each]) => [isEntry ? place(key) : key, filled(each, depth + 1)]);
    return Object.fromEntries(members);
  };
  const label = isNamed(schema) ? 'new entry' : 'first fields';
  const snippet = { label, description: schema.title, body: filled(example) };
  return { ...schema, defaultSnippets: [snippet] };
}

/** Whether the keys of a section are names that its author chooses. */
function isNamed(schema) {
  return schema.properties === undefined;
}

/** What a field may say differently from the definition that it refers to. */
const WORDS = ['title', 'description', 'markdownDescription', 'default', 'examples'];

/**
 * A copy in which a field that refers to a definition and describes itself has the definition in place of the reference:
 * language servers show the description of the definition alone. A definition that contains itself is copied once.
 */
function withOwnWords(value, whole, copied = []) {
  if (Array.isArray(value)) return value.map((each) => withOwnWords(each, whole, copied));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value;
  const members = Object.entries(rest).map(([key, each]) => [
    key,
    withOwnWords(each, whole, copied),
  ]);
  const own = withRequired(Object.fromEntries(members));
  if (typeof $ref !== 'string') return own;
  if (typeof rest.description !== 'string' || copied.includes($ref)) return { $ref, ...own };
  const found = $ref
    .slice(2)
    .split('/')
    .reduce((at, name) => at[name], whole);
  const rules = Object.entries(found).filter(([key]) => !WORDS.includes(key));
  return merged(withOwnWords(Object.fromEntries(rules), whole, [...copied, $ref]), own);
}

/** A definition with what a field says on top. Both restrict the members of an object, so these are merged. */
function merged(definition, own) {
  const isMap = (each) => typeof each === 'object' && each !== null;
  if (!isMap(definition) || !isMap(own)) return own;
  const whole = { ...definition, ...own };
  if (!definition.properties || !own.properties) return whole;
  const properties = Object.entries(own.properties).map(([name, each]) => [
    name,
    Object.hasOwn(definition.properties, name) ? merged(definition.properties[name], each) : each,
  ]);
  return {
    ...whole,
    properties: { ...definition.properties, ...Object.fromEntries(properties) },
  };
}

/** A part that requires keys names them, as ajv's `strictRequired` asks. */
function withRequired(schema) {
  if (!Array.isArray(schema.required)) return schema;
  const missing = schema.required.filter((name) => !Object.hasOwn(schema.properties ?? {}, name));
  if (missing.length === 0) return schema;
  const named = Object.fromEntries(missing.map((name) => [name, true]));
  return { ...schema, properties: { ...schema.properties, ...named } };
}

/** The keywords of each type; any other keyword is for all types. */
const KEYWORDS = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentSchemas',
    'dependentRequired',
  ],
};

/** A value of several types as one alternative for each type, as ajv's `strictTypes` asks (decision 0091). */
function withoutUnions(value) {
  if (Array.isArray(value)) return value.map(withoutUnions);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, isData(key) ? each : withoutUnions(each)]),
  );
  const { type, ...others } = schema;
  if (!Array.isArray(type)) return schema;
  const owned = Object.values(KEYWORDS).flat();
  const common = Object.entries(others).filter(([key]) => !owned.includes(key));
  const own = (name) =>
    Object.entries(others).filter(([key]) => (KEYWORDS[name] ?? []).includes(key));
  const anyOf = type.map((name) => ({ type: name, ...Object.fromEntries(own(name)) }));
  const { anyOf: more, ...rest } = Object.fromEntries(common);
  return { ...rest, ...(more ? { allOf: [...(rest.allOf ?? []), { anyOf: more }] } : {}), anyOf };
}

function isData(key) {
  return ['default', 'examples', 'const', 'enum'].includes(key);
}

function bundledRef(ref, name) {
  const [file, place = ''] = ref.startsWith('#') ? [name, ref.slice(1)] : ref.split(`${SUFFIX}#`);
  return `#/$defs/${file.replace(SUFFIX, '')}${place}`;
}

/** The text of a field, and beside it the default and the first example that differs; undefined where there is nothing to say. */
function describe({ title, description, default: standard, examples, type, $ref }) {
  if (typeof description === 'object' || (type === undefined && $ref === undefined))
    return undefined;
  const example = Array.isArray(examples)
    ? examples.find((each) => !same(each, standard))
    : undefined;
  const says = (word) => new RegExp(`\\b${word}`).test(description ?? '');
  const isBare = description === undefined && standard === undefined && example === undefined;
  const text = description ?? title;
  if (isBare || text === undefined) return undefined;
  return {
    text: sentence(text),
    beside: [
      ...(standard === undefined || says('Default') ? [] : [['Default', standard]]),
      ...(example === undefined || says('Example') ? [] : [['Example', example]]),
    ],
  };
}

function sentence(text) {
  return /[.:]$/.test(text) ? text : `${text}.`;
}

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

function shown(value) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
