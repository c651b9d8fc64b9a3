import type { TaskResult } from './state.ts';

/** When a fault happens. Everything given must hold; nothing given: always. */
export interface FaultMatch {
  readonly method?: string;
  /** `*` stands for one segment, `**` at the end for all that follow. */
  readonly path?: string;
  readonly taskType?: string;
  readonly deviceId?: string;
  /** From the nth match on, counted from 1; without `times`, that one only. */
  readonly nth?: number;
  /** At most so often. */
  readonly times?: number;
  /** Only this share of the matches, from 0 to 1, by the seed. */
  readonly share?: number;
}

/** What happens to a request. Only `truncated` and `lostAnswer` let it take effect. */
export type RequestFault =
  | { readonly type: 'latency'; readonly ms: number }
  | { readonly type: '429'; readonly retryAfter?: number }
  | { readonly type: '401' | '500' | 'html' | 'truncated' | 'lostAnswer' | 'lostRequest' };

/** What happens to a device task. A liar reports success and does nothing. */
export type TaskFault =
  | { readonly type: 'failingDevice'; readonly result: Exclude<TaskResult, 'succeeded'> }
  | { readonly type: 'stuckTask' | 'vanishedTask' | 'liar' };

export type Fault = RequestFault | TaskFault;

export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
}

/** A fault script that cannot be understood; the message says which rule and why. */
export class FaultScriptError extends Error {
  override readonly name = 'FaultScriptError';
}

/**
 * Reads a fault script: a JSON list of `{match, fault}`. Throws a `FaultScriptError`; nothing
 * unknown passes.
 */
export function parseFaults(text: string): readonly FaultRule[] {
  const rules = parsed(text);
  if (!Array.isArray(rules)) throw new FaultScriptError('a fault script is a JSON list of rules');
  return rules.map((rule: unknown, index) => {
    const { match = {}, fault, ...rest } = fieldsOf(rule, index);
    const [extra] = Object.keys(rest);
    if (extra !== undefined) throw problem(index, `unknown key ${extra}`);
    return { match: matchOf(fieldsOf(match, index), index), fault: faultOf(fault, index) };
  });
}

const MATCH_KEYS: Readonly<Record<keyof FaultMatch, 'string' | 'number'>> = {
  method: 'string',
  path: 'string',
  taskType: 'string',
  deviceId: 'string',
  nth: 'number',
  times: 'number',
  share: 'number',
};

/** For each fault, the keys that it has beside its type. */
const FAULT_KEYS: Readonly<Record<Fault['type'], readonly string[]>> = {
  latency: ['ms'],
  '429': ['retryAfter'],
  '401': [],
  '500': [],
  html: [],
  truncated: [],
  lostAnswer: [],
  lostRequest: [],
  stuckTask: [],
  vanishedTask: [],
  failingDevice: ['result'],
  liar: [],
};

function matchOf(match: Fields, index: number): FaultMatch {
  const types: Readonly<Record<string, string>> = MATCH_KEYS;
  for (const [key, value] of Object.entries(match)) {
    if (!Object.hasOwn(types, key)) throw problem(index, `unknown match ${key}`);
    if (typeof value !== types[key]) throw problem(index, `${key} must be a ${types[key]}`);
  }
  return match;
}

function faultOf(value: unknown, index: number): Fault {
  const fault = fieldsOf(value, index);
  const type = Object.keys(FAULT_KEYS).find((known) => known === fault['type']);
  if (!isFaultType(type)) throw problem(index, `unknown fault ${String(fault['type'])}`);
  const extra = Object.keys(fault).find((key) => key !== 'type' && !FAULT_KEYS[type].includes(key));
  if (extra !== undefined) throw problem(index, `${type} has no ${extra}`);
  if (type === 'latency') return { type, ms: numberOf(fault['ms'], 'ms', index) };
  if (type === '429') return tooMany(fault['retryAfter'], index);
  return type === 'failingDevice' ? { type, result: resultOf(fault['result'], index) } : { type };
}

function isFaultType(type: string | undefined): type is Fault['type'] {
  return type !== undefined && Object.hasOwn(FAULT_KEYS, type);
}

function tooMany(retryAfter: unknown, index: number): Fault {
  if (retryAfter === undefined) return { type: '429' };
  return { type: '429', retryAfter: numberOf(retryAfter, 'retryAfter', index) };
}

function resultOf(value: unknown, index: number): Exclude<TaskResult, 'succeeded'> {
  if (value === 'failed' || value === 'rolledBack' || value === 'aborted') return value;
  throw problem(index, 'result must be failed, rolledBack or aborted');
}

function numberOf(value: unknown, key: string, index: number): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw problem(index, `${key} must be a number of at least 0`);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown, index: number): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw problem(index, 'an object is needed');
}

function problem(index: number, message: string): FaultScriptError {
  return new FaultScriptError(`rule ${index + 1}: ${message}`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FaultScriptError(`not JSON: ${String(error)}`, { cause: error });
  }
}
