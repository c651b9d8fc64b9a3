import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

const SOURCE = new URL('../../schemas/service.openapi.yaml', import.meta.url);

/** The contract document as data, references unresolved. */
export function contract(): JsonObject {
  return parse(readFileSync(SOURCE, 'utf8')) as JsonObject;
}

/** The object at a path of keys; throws where the document has none. */
export function at(document: JsonObject, ...keys: readonly string[]): JsonObject {
  return keys.reduce((found, key) => asObject(found[key], key), document);
}

/** The same, but undefined where the document has none. */
export function find(document: JsonObject, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (found, key) => (isObject(found) ? found[key] : undefined),
    document,
  );
}

/** An object, or the object that it refers to. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  const found = asObject(value, 'value');
  const ref = found['$ref'];
  return typeof ref === 'string' ? at(document, ...ref.slice(2).split('/')) : found;
}

/** Every object in the document, with the keys that lead to it. */
export function* objects(
  value: Json | undefined,
  path: readonly string[] = [],
): Generator<readonly [path: readonly string[], value: JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (isObject(value)) yield [path, value];
  for (const [key, child] of Object.entries(value)) yield* objects(child, [...path, key]);
}

/**
 * Says whether an answer is what the contract promises for an operation (`GET /v1/devices/{id}`):
 * the status is one of its responses and the body fits that response's schema. Empty: it is.
 */
export function contractChecker(): (operation: string, status: number, body: unknown) => string[] {
  const document = contract();
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'contract' });
  const validators = new Map<string, ValidateFunction>();
  return (operation, status, body) => {
    const [method = '', path = ''] = operation.split(' ');
    const response = find(document, 'paths', path, method.toLowerCase(), 'responses', `${status}`);
    if (response === undefined) return [`${operation}: no response ${status}`];
    const schema = find(
      resolve(document, response),
      'content',
      'application/json',
      'schema',
      '$ref',
    );
    const ref = `contract${String(schema)}`;
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map((error) => `${operation}: ${ajv.errorsText([error])}`);
  };
}

function asObject(value: Json | undefined, key: string): JsonObject {
  if (!isObject(value)) throw new Error(`the contract has no ${key}`);
  return value;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
