import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Section } from '../model/documents/policy.ts';
import * as checks from './document-checks.gen.ts';

/** A schema error; `parentSchema` is the schema that reports it. */
export type SchemaError = ErrorObject<string, Record<string, unknown>>;

/** Generated from the schemas: compiled here, they would cost a tenth of a second at each start. */
const CHECKS = checks as unknown as Readonly<Record<Section, ValidateFunction>>;

/** Validates the value of one section. Returns all errors, none if it fits. */
export function schemaErrors(section: Section, value: unknown): readonly SchemaError[] {
  const check = CHECKS[section];
  return check(value) ? [] : ((check.errors ?? []) as SchemaError[]);
}

/**
 * The name of the schema that reports an error: a shared definition such as `duration`, or the
 * field.
 */
export function definitionName({ parentSchema, schemaPath }: SchemaError): string {
  const shared: unknown = parentSchema?.['x-definition'];
  if (typeof shared === 'string') return shared;
  return /(?:\$defs|properties)\/(\w+)\/\w+$/.exec(schemaPath)?.[1] ?? '';
}
