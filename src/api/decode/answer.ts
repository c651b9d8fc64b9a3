import type { DialectKey } from '../../model/fleet/dialect.ts';
import { WorldError, type Params } from '../../model/error.ts';
import { bodyBytes } from '../../model/http.ts';
import type { HttpAnswer } from '../../model/ports.ts';
import type { JsonRow } from './fields.ts';
import { MAX_JSON_DEPTH, parseAnswerJson, type JsonProblem } from './parse-json.ts';
import { isObject } from '../../lib/objects.ts';

/** The path of a request, and the permission it needs unless every user has it. */
interface RequestContext {
  readonly path: string;
  readonly needs?: string | undefined;
}

/** The JSON value of a successful answer. Throws `notJson`, `cut` or `unexpectedShape`. */
export function readJsonValue(answer: HttpAnswer, path: string): unknown {
  const { body, headers } = answer;
  if (typeof body === 'object' && 'value' in body) return body.value;
  const contentType = headers['content-type'] ?? '';
  const parsed = parseAnswerJson(bodyBytes(answer));
  if ('problem' in parsed) throw unreadable(parsed.problem, path, contentType);
  if (!mayBeJson(contentType)) throw new WorldError('notJson', { path, contentType });
  return parsed.value;
}

/** Accepts JSON, plain text, which some services declare for JSON, and a missing content type. */
function mayBeJson(contentType: string): boolean {
  const [type = ''] = contentType.split(';');
  return /^(|text\/plain|(application|text)\/([\w.-]+\+)?json)$/i.test(type.trim());
}

/**
 * The JSON object of a successful answer. Throws the same errors, and `unexpectedShape` if the
 * value is not an object.
 */
export function readJsonRow(answer: HttpAnswer, path: string): JsonRow {
  return asRow(readJsonValue(answer, path), path);
}

/** Throws `unexpectedShape` for a value that is no object. */
export function asRow(value: unknown, path: string): JsonRow {
  if (isObject(value)) return value;
  throw unexpected(path, '');
}

/** The error for an unreadable answer, with the path inside it and the dialect key for it. */
export function unexpected(path: string, at: string, key?: DialectKey): WorldError {
  return new WorldError('unexpectedShape', { path, at: at === '' ? '$' : at, ...(key && { key }) });
}

/** The service timed out while it waited for the request, so a read may be repeated (RFC 9110). */
const TOO_SLOW = 408;

/** The error for an unsuccessful read. The caller handles 404. */
export function refusalError({ status }: HttpAnswer, { path, needs }: RequestContext): WorldError {
  const params: Params = { path, status };
  if (status >= 300 && status < 400) return new WorldError('redirected', params);
  if (status === 401) return new WorldError('credentialsRefused', params);
  if (status === 403) {
    return new WorldError('forbidden', { ...params, method: 'GET', ...(needs && { needs }) });
  }
  if (status === 404) return new WorldError('notFound', params);
  if (status === 429) return new WorldError('tooManyRequests', params, { retry: 'safe' });
  const mayPass = status >= 500 || status === TOO_SLOW;
  return new WorldError('unexpectedStatus', params, mayPass ? { retry: 'safe' } : {});
}

function unreadable(problem: JsonProblem, path: string, contentType: string): WorldError {
  if (problem === 'tooDeep')
    return new WorldError('unexpectedShape', { path, at: '$', depth: MAX_JSON_DEPTH });
  const isMarkup = /html|xml/i.test(contentType);
  return new WorldError(isMarkup ? 'notJson' : problem, { path, contentType });
}
