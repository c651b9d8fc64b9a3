// The types of the documents, made from the schemas of the sections: as an author writes them (`src/config/documents.gen.ts`),
// and as they are meant, with values read and defaults filled in (`src/model/documents/meant.gen.ts`); and the table that
// `src/config/meaning/read.ts` follows from one to the other.
import { readFile } from 'node:fs/promises';
import { about, definitionIn } from './schema-types.mjs';
import '../support/typescript-register.mjs';

/** Our type of each definition whose text is read; `read.ts` has a reader of the same name for each. */
const TYPES = {
  duration: 'Milliseconds',
  positiveDuration: 'Milliseconds',
  instant: 'Instant',
  dateOrInstant: 'Instant',
  percent: 'number',
  intOrPercent: 'BudgetLimit',
  tasks: 'readonly TaskType[]',
  version: 'VersionSpec',
  globs: 'readonly Glob[]',
  windowNames: 'readonly string[]',
  renamedFrom: 'readonly string[]',
  after: 'readonly After[]',
  probeStates: 'readonly string[]',
  selector: 'Selector',
  span: 'Span',
};

/** Values that mean something only beside others: hand-written code reads them as they are written. */
const WRITTEN = ['stopOn', 'perTask', 'percentOrDuration', 'dialect', 'override'];

const HEAD = '// Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit.\n';

/** The text of `src/config/documents.gen.ts`. */
export async function writtenTypes(root) {
  const entries = Object.entries(await schemas(root)).map(
    ([name, schema]) => `${about(schema)}readonly ${name}: ${writtenText(schema)};\n`,
  );
  return `${HEAD}export interface Authored {\n${entries.join('')}}\n`;
}

/** The text of `src/model/documents/meant.gen.ts`. */
export async function meantTypes(root) {
  const all = Object.entries(await definitions(root));
  const interfaces = all.map(
    ([name, schema]) => `export type ${typeName(name)} = ${typeText(schema)};\n\n`,
  );
  const entries = all.map(([name]) => `  readonly ${name}: ${typeName(name)};\n`);
  return `${HEAD}import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Glob, Selector } from './selector.ts';
import type { After, BudgetLimit, VersionSpec } from './values.ts';
import type { Span } from './window.ts';

${interfaces.join('')}/** The entries of the documents as they are meant: values read, and defaults filled in. */
export interface Meant {
${entries.join('')}}
`;
}

/** The text of `src/config/meaning/fields.gen.ts`. */
export async function meantFields(root) {
  const fields = Object.entries(await definitions(root)).map(([name, schema]) => [
    name,
    fieldOf(schema),
  ]);
  return `${HEAD}export const FIELDS = ${JSON.stringify(Object.fromEntries(fields))} as const;
`;
}

/** The text of `src/model/documents/standard.gen.ts`: what is meant where nobody wrote anything. */
export async function standards(root) {
  const { meant, ms, parsedLimit } = await import(new URL('src/config/meaning/read.ts', root).href);
  const { stopOn, service } = await schemas(root);
  const { pace, ledger } = meant('service', {});
  const limits = Object.entries(stopOn.properties).flatMap(([scope, { default: limit }]) =>
    limit === undefined ? [] : [[scope, parsedLimit(limit)]],
  );
  const values = {
    pace,
    ledger,
    approvalExpires: ms(service.properties.approval.properties.expires.default),
    rollout: meant('rollout', {}),
    stopOn: Object.fromEntries(limits),
  };
  return `${HEAD}/** The defaults of the schemas that code needs where no document is read. */
export const STANDARD = ${JSON.stringify(values)} as const;
`;
}

/** The text of `src/model/documents/sections.gen.ts`: the sections in their order, and the definition of their entries. */
export async function sections(root) {
  const names = await sectionNames(root);
  const entries = names.map(async (name) => {
    const { additionalProperties } = await readSchema(root, name);
    return [name, additionalProperties.$ref ? definitionIn(additionalProperties.$ref) : name];
  });
  const entryOf = Object.fromEntries(await Promise.all(entries));
  return `${HEAD}/** The sections of the documents, in the order they are described in. */
export const SECTIONS = ${JSON.stringify(names)} as const;

/** The schema of the entries of each section. \`service\` has no entries: it is one. */
export const ENTRY_OF = ${JSON.stringify(entryOf)} as const;
`;
}

/** The text of `src/model/documents/units.gen.ts`: what numbers in meant documents count, by the path of their field. */
export async function units(root) {
  const all = await schemas(root);
  const found = {};
  const walk = (schema, at) => {
    const { $ref, pattern = '', type, properties = {}, items } = schema;
    const name = $ref && definitionIn($ref);
    const unit = UNITS.find(([, mark]) => pattern.includes(mark))?.[0];
    // Of a number or a percentage only the number is one.
    if (unit && type === 'string') found[at] = unit;
    if (name && name !== 'selector') walk(all[name], at);
    if (items) walk(items, at);
    for (const [key, each] of Object.entries(properties)) walk(each, `${at}.${key}`);
  };
  for (const name of await sectionNames(root)) {
    const { additionalProperties, properties } = await readSchema(root, name);
    walk(properties ? { properties } : additionalProperties, name);
  }
  return `${HEAD}/** What the numbers of documents count, by their field without names and indexes. */
export const UNITS: Readonly<Record<string, ${UNITS.map(([unit]) => `'${unit}'`).join(' | ')}>> = ${JSON.stringify(found)};
`;
}

/** Each unit with what its patterns have in them. */
const UNITS = [
  ['duration', '[smhdw]'],
  ['percent', ')%$'],
  ['instant', 'T\\d{2}:'],
];

async function sectionNames(root) {
  const { properties } = await readSchema(root, 'fleet');
  return Object.keys(properties).filter((name) => properties[name].$ref);
}

async function readSchema(root, name) {
  return JSON.parse(await readFile(new URL(`schemas/${name}.schema.json`, root), 'utf8'));
}

/** Every definition by its name; a section without named entries is one. */
async function schemas(root) {
  const all = {};
  for (const name of ['common', 'dialect', ...(await sectionNames(root))]) {
    const { $defs = {}, ...section } = await readSchema(root, name);
    Object.assign(all, $defs, section.properties && { [name]: section });
  }
  return all;
}

/** Every definition that has members and a meaning, with its references resolved one step. */
async function definitions(root) {
  const all = await schemas(root);
  const isMeant = ([name, { properties }]) => properties && !TYPES[name] && !WRITTEN.includes(name);
  const found = Object.entries(all).filter(isMeant);
  return Object.fromEntries(found.map(([name, schema]) => [name, resolved(schema, all)]));
}

/** A schema whose references are definitions in place, each with its name; those beside `$ref` win. */
function resolved(schema, all) {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, properties, items, ...own } = schema;
  const name = $ref && definitionIn($ref);
  if (TYPES[name] || WRITTEN.includes(name)) return { ...all[name], ...own, name };
  if (name)
    return { ...resolved({ ...all[name], ...own }, all), ...(all[name].properties && { name }) };
  const members = Object.entries(properties ?? {}).map(([key, each]) => [key, resolved(each, all)]);
  return {
    ...own,
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(items && { items: resolved(items, all) }),
  };
}

/** A schema as a type, without its conditions: a type could not say them, or would only be blurred by them. */
function writtenText(schema) {
  if (schema.$ref) return `Authored['${definitionIn(schema.$ref)}']`;
  if (schema.enum) return schema.enum.map((word) => `'${word}'`).join(' | ');
  return [schema.type ?? 'unknown']
    .flat()
    .map((type) => writtenAs(type, schema))
    .join(' | ');
}

function writtenAs(type, { properties, items, required = [] }) {
  if (type === 'array') return `readonly (${writtenText(items)})[]`;
  if (type !== 'object') return type === 'integer' ? 'number' : type;
  if (!properties) return '{ readonly [key: string]: unknown }';
  const members = Object.entries(properties).map(([key, each]) => {
    return `${about(each)}readonly ${key}${required.includes(key) ? '' : '?'}: ${writtenText(each)};\n`;
  });
  return `{\n${members.join('')}}`;
}

const typeName = (name) => `Meant${name.charAt(0).toUpperCase()}${name.slice(1)}`;

function typeText(schema) {
  const { name, type, properties, items, required = [] } = schema;
  if (TYPES[name]) return TYPES[name];
  if (name) return typeName(name);
  const words = schema.enum ?? schema.then?.enum;
  if (words) return words.map((word) => `'${word}'`).join(' | ');
  if (properties) {
    const members = membersOf(schema).map(([key, each]) => {
      const mark = required.includes(key) || isFilled(each) ? '' : '?';
      return `${about(each)}readonly ${key}${mark}: ${typeText(each)};\n`;
    });
    return `{\n${members.join('')}}`;
  }
  if (items) return `readonly (${typeText(items)})[]`;
  if (type === 'object') return 'Readonly<Record<string, unknown>>';
  return type === 'integer' ? 'number' : type;
}

/** The members that a schema gives a meaning of their own. */
function membersOf({ properties }) {
  return Object.entries(properties).filter(
    ([, each]) =>
      (!WRITTEN.includes(each.name) && !Array.isArray(each.type ?? 'string')) || TYPES[each.name],
  );
}

/** Whether a value is there although nobody wrote it. */
function isFilled({ default: standard, properties, name }) {
  if (standard !== undefined) return true;
  return !TYPES[name] && Object.values(properties ?? {}).some(isFilled);
}

/** What \`read.ts\` does with a value: undefined where it is left as it is. */
function fieldOf(schema) {
  const { name, default: standard, properties, items } = schema;
  const is = TYPES[name] && name;
  const members =
    properties && !is ? membersOf(schema).map(([key, each]) => [key, fieldOf(each)]) : [];
  const item = items && !is ? fieldOf(items) : undefined;
  return {
    ...(is && { is }),
    ...(standard !== undefined && { default: standard }),
    ...(properties &&
      !is && { members: Object.fromEntries(members), ...(isFilled(schema) && { isFilled: true }) }),
    ...(item && Object.keys(item).length > 0 && { items: item }),
  };
}
