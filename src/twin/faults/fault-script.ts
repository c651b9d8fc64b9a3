import type { Rules } from '../shape-rules.ts';
import { type Fault, FAULT_FIELDS, type FaultRule, MATCH_FIELDS } from './fault.ts';

/** An invalid fault script; the message gives the place, the reason and the expected value. */
export class FaultScriptError extends Error {
  override readonly name = 'FaultScriptError';
}

/**
 * Reads a fault script: a JSON list of `{match, fault}`. Throws a `FaultScriptError`, also for
 * unknown keys.
 */
export function parseFaults(text: string): readonly FaultRule[] {
  const rules = parsed(text);
  if (!Array.isArray(rules)) throw new FaultScriptError('a fault script is a JSON list of rules');
  return rules.map((rule: unknown, index) => parseRule(rule, `rule ${index + 1}`));
}

function parseRule(value: unknown, place: string): FaultRule {
  const rule = parseFields(value, place);
  knownOnly(rule, ['match', 'fault'], place);
  const match = parseFields(rule['match'] ?? {}, `${place}, match`);
  check(match, MATCH_FIELDS, `${place}, match`);
  const { type, ...fields } = parseFields(rule['fault'], `${place}, fault`);
  if (!isFaultType(type)) {
    const known = Object.keys(FAULT_FIELDS).sort().join(', ');
    const problem = type === undefined ? 'type is missing' : `unknown type ${JSON.stringify(type)}`;
    throw new FaultScriptError(`${place}, fault: ${problem}; use one of ${known}`);
  }
  check(fields, FAULT_FIELDS[type], `${place}, fault ${type}`);
  return { match, fault: { type, ...fields } as Fault };
}

function isFaultType(type: unknown): type is Fault['type'] {
  return typeof type === 'string' && Object.hasOwn(FAULT_FIELDS, type);
}

type Fields = Readonly<Record<string, unknown>>;

function check(fields: Fields, known: Rules, place: string): void {
  knownOnly(fields, Object.keys(known), place);
  for (const [key, rule] of Object.entries(known)) {
    const value = fields[key];
    if (rule(value, key) === undefined) continue;
    const found = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}`;
    throw new FaultScriptError(`${place}: ${key} ${found}; it must be ${rule.wanted}`);
  }
}

function knownOnly(fields: Fields, known: readonly string[], place: string): void {
  const extra = Object.keys(fields).find((key) => !known.includes(key));
  if (extra === undefined) return;
  const next = known.length === 0 ? 'it has none' : `use one of ${known.join(', ')}`;
  throw new FaultScriptError(`${place}: unknown key ${JSON.stringify(extra)}; ${next}`);
}

function parseFields(value: unknown, place: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new FaultScriptError(`${place}: an object is needed`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FaultScriptError(`not JSON: ${String(error)}`, { cause: error });
  }
}
