import { type Diagnostic, error } from '../model/documents/diagnostic.ts';
import { POLICY_SECTIONS, type Section } from '../model/documents/policy.ts';
import { errorWith } from './findings.ts';
import { badType, badWord, patternFinding, type Meaning, type Problem } from './explain-value.ts';
import { holdsSecret } from './rules/secrets.ts';
import { locate, pointerSegment, pointerSegments, type Source } from './locate.ts';
import type { SchemaError } from './schema.ts';
import { nearest } from '../lib/nearest-name.ts';
import { isObject } from '../lib/objects.ts';

type Explainer = (problem: Problem) => Meaning | undefined;

/**
 * Explanations by JSON Schema keyword. Keywords not listed only repeat another error: `if` repeats
 * `then`, and `propertyNames` is reported with the name.
 */
const MEANINGS: Readonly<Record<string, Explainer>> = {
  additionalProperties: unknownKey,
  required: missingKey,
  dependentRequired: missingKey,
  anyOf: oneOfRequired,
  'false schema': notAllowed,
  propertyNames: badName,
  type: badType,
  enum: badWord,
  const: ({ data }) => ({ code: 'badValue', params: { value: String(data), allowed: 'true' } }),
  pattern: patternFinding,
  minItems: ({ params, data }) =>
    params['limit'] === 1
      ? { code: 'empty', params: {} }
      : outOfRange((data as readonly unknown[]).length, '>=', params['limit']),
  minProperties: () => ({ code: 'empty', params: {} }),
  minLength: () => ({ code: 'empty', params: {} }),
  maxLength: ({ params, data }) => outOfRange(String(data).length, '<=', params['limit']),
  minimum: ({ params, data }) => outOfRange(Number(data), '>=', params['limit']),
  maximum: ({ params, data }) => outOfRange(Number(data), '<=', params['limit']),
  exclusiveMinimum: ({ params, data }) => outOfRange(Number(data), '>', params['limit']),
  uniqueItems: listedTwice,
};

/**
 * For a section, which is never a string, these errors concern its keys; `propertyNames` reports
 * them with the name.
 */
const OF_TEXTS: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength']);

/** A finding, and the pointers of the values that are unreliable because of it. */
export interface Explained {
  readonly pointer: string;
  readonly mistakes: readonly string[];
  readonly finding: Diagnostic;
}

/**
 * Turns the schema errors of one section into findings in the author's terms, without repetition.
 */
export function explainSchemaErrors(
  source: Source,
  section: Section,
  errors: readonly SchemaError[],
): readonly Explained[] {
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  const misspelt = new Set(errors.flatMap(meantKey));
  const missing = new Set(errors.flatMap(missingKeys));
  const shifted = errors.flatMap(
    (one) => besideEntry(one, source, section) ?? belowEntry(one, missing, source, section) ?? [],
  );
  // Of lines that are indented alike the first one is reported.
  const firsts = new Map(shifted.toReversed().map((one) => [one.error.instancePath, one]));
  return errors
    .filter((one) => (firsts.get(one.instancePath)?.error ?? one) === one)
    .filter(({ instancePath }) => !shifted.some(({ path }) => instancePath === path))
    .filter((one) => !missingKeys(one).some((key) => misspelt.has(key)))
    .filter(({ keyword, instancePath }) => keyword === 'type' || !mistyped.has(instancePath))
    .filter(({ keyword, instancePath }) => instancePath !== '' || !OF_TEXTS.has(keyword))
    .flatMap((one) => {
      const pointer = `/${section}${one.instancePath}`;
      const problem = { ...one, source, section, pointer, path: pointerSegments(pointer) };
      const meaning = firsts.get(one.instancePath)?.meaning ?? MEANINGS[one.keyword]?.(problem);
      return meaning ? [finding(problem, meaning)] : [];
    });
}

function finding({ source, pointer, path }: Problem, meaning: Meaning): Explained {
  const { code, below = '', aspect = 'value', related } = meaning;
  const key = path.findLast((part, depth) => depth > 0 && !/^\d+$/.test(part)) ?? path[0] ?? '';
  const params = { ...(key !== '' && { key }), ...meaning.params };
  const at = locate(source, pointer + below, aspect);
  const other = related === undefined ? undefined : locate(source, pointer + related);
  return {
    pointer: pointer + below,
    mistakes: listMistakes(pointer, meaning),
    finding: other ? errorWith(code, [at, other], params) : error(code, at, params),
  };
}

/** A key that stands beside the entry above, which lacks it; with the path of that entry. */
function besideEntry(wrong: SchemaError, source: Source, section: Section) {
  const [, key = '', ...below] = pointerSegments(`/${section}${wrong.instancePath}`);
  if (wrong.keyword !== 'type' || below.length > 0 || !knownKeys(wrong).includes(key)) return;
  const entries = readMember(source.value, section);
  const names = isObject(entries) ? Object.keys(entries) : [];
  const entry = names[names.indexOf(key) - 1] ?? '';
  const value = readMember(entries, entry);
  if (!isObject(value) || Object.hasOwn(value, key)) return;
  const path = `/${pointerSegment(entry)}`;
  const member = `/${section}${path}/${pointerSegment(Object.keys(value)[0] ?? '')}`;
  const [own, first] = [locate(source, `/${section}${path}`, 'key'), locate(source, member, 'key')];
  if (own.line === first.line) return;
  const params = { key, entry, indent: first.column - 1 };
  const meaning: Meaning = { code: 'wrongType', params, aspect: 'key' };
  return { error: wrong, path, meaning };
}

/** A key that the map around its own lacks; with the path of that map. */
function belowEntry(
  wrong: SchemaError,
  missing: ReadonlySet<string>,
  source: Source,
  section: Section,
) {
  const key = String(wrong.params['additionalProperty']);
  const path = wrong.instancePath.replace(/\/[^/]*$/, '');
  const [map, below] = [`/${section}${wrong.instancePath}`, `/${pointerSegment(key)}`];
  if (!missing.has(`${path}/${key}`)) return;
  const [own, at] = [locate(source, map, 'key'), locate(source, map + below, 'key')];
  if (own.line === at.line) return;
  const params = { key, entry: pointerSegments(path).at(-1) ?? '', indent: own.column - 1 };
  const meaning: Meaning = { code: 'wrongType', params, below, aspect: 'key' };
  return { error: wrong, path, meaning };
}

/** A missing value, or a missing choice of keys, is as unreliable as a wrong one. */
function listMistakes(pointer: string, { code, params, below = '' }: Meaning): readonly string[] {
  const { key, keys, suggestion } = params;
  if (code === 'unknownKey' && suggestion !== undefined)
    return [pointer + below, `${pointer}/${pointerSegment(String(suggestion))}`];
  if (code === 'missingKey') return [`${pointer}/${pointerSegment(String(key))}`];
  if (code === 'windowless') return [`${pointer}/windows`];
  if (code === 'exceptionWithoutExpiry') return [`${pointer}/until`];
  if (code !== 'oneOfRequired') return [pointer + below];
  return String(keys)
    .split(', ')
    .map((each) => `${pointer}/${pointerSegment(each)}`);
}

/** A key that holds a secret is reported by the rule about secrets instead. */
function unknownKey(problem: Problem): Meaning | undefined {
  const { path, data, section } = problem;
  const key = String(problem.params['additionalProperty']);
  if (holdsSecret(section, key, readMember(data, key))) return undefined;
  const known = knownKeys(problem);
  const suggestion = spaced(key, known) ?? nearest(key, known) ?? meantBy(key, known);
  const isDialect = path.join('.') === 'service.dialect';
  return {
    code: isDialect ? 'unknownDialectKey' : 'unknownKey',
    params: {
      key,
      ...(!isDialect && { within: path.join('.'), allowed: known.join(', ') }),
      ...(suggestion !== undefined && { suggestion }),
      ...(SWITCHES.test(key) && { problem: 'switch' }),
    },
    below: `/${pointerSegment(key)}`,
    aspect: 'key',
  };
}

/** Keys of other tools that turn an entry on or off. */
const SWITCHES = /^(?:(?:en|dis)abled?|active)$/i;

/** The key whose last word another key is: `type` is `deviceType`. */
function meantBy(key: string, known: readonly string[]): string | undefined {
  const ending = key.charAt(0).toUpperCase() + key.slice(1);
  const [only, ...others] = known.filter((name) => name.endsWith(ending));
  return others.length === 0 ? only : undefined;
}

/** `vendor: Axis` for `vendor:Axis`, `vendor=Axis` and `vendor Axis`, which YAML reads as one key. */
function spaced(key: string, known: readonly string[]): string | undefined {
  const [, name = '', value] = /^(\w+)(?:\s*[:=]\s*|\s+)(\S.*)$/.exec(key) ?? [];
  const meant = known.includes(name) ? name : nearest(name, known);
  return value === undefined || meant === undefined ? undefined : `${meant}: ${value}`;
}

/** The key that an unknown key misspells, which is therefore not missing. */
function meantKey(one: SchemaError): readonly string[] {
  if (one.keyword !== 'additionalProperties') return [];
  const meant = nearest(String(one.params['additionalProperty']), knownKeys(one));
  return meant === undefined ? [] : [`${one.instancePath}/${meant}`];
}

/** The key that is missing, or those of which one is. */
function missingKeys({ keyword, instancePath, params, schema }: SchemaError): readonly string[] {
  const keys = keyword === 'anyOf' ? oneOfKeys(schema) : [String(params['missingProperty'])];
  return keys.map((key) => `${instancePath}/${key}`);
}

function knownKeys({ parentSchema }: SchemaError): readonly string[] {
  return Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
}

/** A missing key is shown at the key of the map that lacks it. */
function missingKey({ params, schemaPath, section, path }: Problem): Meaning | undefined {
  if (/\/anyOf\/\d+\/required$/.test(schemaPath)) return undefined;
  const key = String(params['missingProperty']);
  const within = path.join('.');
  const isPolicy = (POLICY_SECTIONS as readonly string[]).includes(section);
  if (key === 'windows' && isPolicy)
    return { code: 'windowless', params: { policy: within }, aspect: 'key' };
  if (key === 'until' && section === 'exceptions')
    return { code: 'exceptionWithoutExpiry', params: { exception: within }, aspect: 'key' };
  return { code: 'missingKey', params: { key, within }, aspect: 'key' };
}

function oneOfRequired({ schema, path }: Problem): Meaning {
  const keys = oneOfKeys(schema).join(', ');
  return { code: 'oneOfRequired', params: { keys, within: path.join('.') }, aspect: 'key' };
}

function oneOfKeys(schema: unknown): readonly string[] {
  const branches = schema as readonly { readonly required: readonly string[] }[];
  return branches.flatMap(({ required }) => required);
}

/**
 * The schema path names the keys that exclude each other:
 * `dependentSchemas/maxAge/properties/renewBefore/false schema`.
 */
function notAllowed({ schemaPath, path, parentSchema, source, pointer }: Problem): Meaning {
  const key = path.at(-1) ?? '';
  const other = /dependentSchemas\/(\w+)\/properties/.exec(schemaPath)?.[1];
  if (other !== undefined)
    return { code: 'excludesEachOther', params: { key, other }, aspect: 'key' };
  const beside = findDiscriminator(source, pointer, parentSchema);
  return { code: 'notAllowed', params: { key, ...(beside && { beside }) }, aspect: 'key' };
}

/**
 * The key whose value decides which keys a map may have: `type: hold`, `task: rotatePassword`,
 * `store: directory`.
 */
function findDiscriminator(source: Source, pointer: string, parent: unknown): string | undefined {
  const map = pointerSegments(pointer)
    .slice(0, -1)
    .reduce<unknown>((value, part) => readMember(value, part), source.value);
  const limit = readMember(readMember(map, 'allow'), 'guardrail');
  if (limit === 'maxVanished' && readMember(map, 'type') === 'allow') return `guardrail: ${limit}`;
  const name = ['type', 'task', 'store'].find((key) => typeof readMember(map, key) === 'string');
  return parent !== undefined && name !== undefined
    ? `${name}: ${String(readMember(map, name))}`
    : undefined;
}

function readMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function badName({ params, section }: Problem): Meaning {
  const name = String(params['propertyName']);
  const below = `/${pointerSegment(name)}`;
  return { code: 'badName', params: { name, section }, below, aspect: 'key' };
}

function listedTwice({ params, data }: Problem): Meaning {
  const first = Math.min(Number(params['i']), Number(params['j']));
  const second = Math.max(Number(params['i']), Number(params['j']));
  const entry = String((data as readonly unknown[])[second]);
  return { code: 'listedTwice', params: { entry }, below: `/${second}`, related: `/${first}` };
}

function outOfRange(value: number, rule: string, limit: unknown): Meaning {
  return { code: 'outOfRange', params: { value, rule, limit: Number(limit) } };
}
