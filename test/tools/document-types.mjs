// The types of the documents as an author writes them, made from the schemas of the sections.
import { readFile } from 'node:fs/promises';
import openapiTypescript, { astToString } from 'openapi-typescript';

const SECTIONS =
  'service sites groups windows freezes rollouts budgets firmware rotations onboarding restarts incidents exceptions guardrails';

/** Conditions that a type cannot say, or that would only blur it. `not` is also the name of a field of ours. */
const CONDITIONS = [
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'dependentSchemas',
  'dependentRequired',
  'propertyNames',
];

/** Reads every schema under `root`/schemas and returns the text of `src/config/documents.gen.ts`. */
export async function documentTypes(root) {
  const read = async (name) =>
    JSON.parse(await readFile(new URL(`schemas/${name}.schema.json`, root), 'utf8'));
  const schemas = {};
  for (const name of ['common', 'dialect', ...SECTIONS.split(' ')]) {
    const { $defs = {}, ...section } = await read(name);
    for (const [def, schema] of Object.entries($defs)) schemas[def] = typed(schema);
    if (name !== 'common') schemas[name] = typed(section);
  }
  schemas.fleet = typed(await read('fleet'));
  const info = { title: 'fleetform documents', version: '1' };
  const types = await openapiTypescript(
    { openapi: '3.1.0', info, paths: {}, components: { schemas } },
    { immutable: true, defaultNonNullable: false },
  );
  const head = '// Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit.\n';
  return `${head}${astToString(types)}`;
}

/** A schema without conditions, its references pointed at the components of one OpenAPI document. */
function typed(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return { $ref: componentOf(schema.$ref), description: schema.description };
  const kept = Object.entries(schema).filter(
    ([key]) => !CONDITIONS.includes(key) && !key.startsWith('$') && key !== 'default',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, typedMember(key, value)]));
}

function typedMember(key, value) {
  if (key === 'properties')
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, typed(of)]));
  return key === 'items' || key === 'additionalProperties' ? typed(value) : value;
}

function componentOf(reference) {
  const name = /\$defs\/(\w+)$/.exec(reference)?.[1] ?? reference.replace('.schema.json', '');
  return `#/components/schemas/${name}`;
}
