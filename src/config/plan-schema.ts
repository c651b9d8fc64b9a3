import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Checks parts of a saved plan against its schema. */
export interface PlanSchema {
  /** Checks everything but the changes. */
  fitsHead(head: unknown): boolean;
  fitsChange(change: unknown): boolean;
}

const FILE = new URL('../../schemas/plan.schema.json', import.meta.url);
const NO_DIGEST = '0'.repeat(64);

/** The compiled schema of saved plans, for a plan from an untrusted place. */
export function planSchema(): PlanSchema {
  const schema = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly $id: string };
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  const whole = ajv.compile(schema);
  const change = ajv.compile({ $ref: `${schema.$id}#/$defs/change` });
  return {
    fitsHead: (head) =>
      whole({ ...(head as object), changes: [], count: 0, digest: NO_DIGEST }) === true,
    fitsChange: (value) => change(value) === true,
  };
}
