import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { SECTIONS, type Section } from '../model/documents/policy.ts';

/** A schema error; `parentSchema` is the schema that reports it. */
export type SchemaError = ErrorObject<string, Record<string, unknown>>;

/** Validates the value of one section. Returns all errors, none if it fits. */
export function schemaErrors(section: Section, value: unknown): readonly SchemaError[] {
  const check = compileCheck(section);
  return check(value) ? [] : ((check.errors ?? []) as SchemaError[]);
}

/**
 * The name of the schema that reports an error: a shared definition such as `duration`, or the
 * field.
 */
export function definitionName({ parentSchema, schemaPath }: SchemaError): string {
  const shared = parentSchema && SHARED.get(parentSchema);
  return shared ?? /(?:\$defs|properties)\/(\w+)\/\w+$/.exec(schemaPath)?.[1] ?? '';
}

const FOLDER = new URL('../../schemas/', import.meta.url);
const SHARED = new Map<unknown, string>();
const CHECKS = new Map<Section, ValidateFunction>();

/**
 * Compiles a section's schema on first use: about 10 ms for most, 100 ms for all fourteen. Inlining
 * and optimization would cost more than they save for small documents.
 */
const AJV = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  inlineRefs: false,
  code: { optimize: false },
  validateSchema: false,
});

function compileCheck(section: Section): ValidateFunction {
  const known = CHECKS.get(section);
  if (known) return known;
  if (SHARED.size === 0) addShared();
  const check = AJV.compile(readSchema(section));
  CHECKS.set(section, check);
  return check;
}

/** The schemas of the documents: one per section, the shared ones, and the whole. */
export type SchemaName = 'fleet' | 'common' | 'dialect' | (typeof SECTIONS)[number];

/** Reads one of the schemas in `schemas/`. */
export function readSchema(name: SchemaName): Record<string, unknown> {
  const text = readFileSync(new URL(`${name}.schema.json`, FOLDER), 'utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

/** Errors refer to shared definitions by identity. */
function addShared(): void {
  for (const schemas of [readSchema('common'), readSchema('dialect')]) {
    AJV.addSchema(schemas);
    for (const [name, schema] of Object.entries(schemas['$defs'] as object))
      SHARED.set(schema, name);
  }
}
