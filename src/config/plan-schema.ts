import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Whether parts of a saved plan fit their schema. */
export interface PlanSchema {
  /** Everything but the changes. */
  fitsHead(head: unknown): boolean;
  fitsChange(change: unknown): boolean;
}

const FILE = new URL('../../schemas/plan.schema.json', import.meta.url);
const NO_DIGEST = '0'.repeat(64);

/** The schema of saved plans, compiled: for a plan from a place that is not trusted. */
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
