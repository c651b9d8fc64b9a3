import type { Params } from '../model/error.ts';
import type { Check, CheckState, CheckSubject } from '../model/report/checkup.ts';
import { isOk, type ListRead, type ProbeAnswer } from './probing.ts';
import { isObject } from '../lib/objects.ts';

/** A check that failed because of an answer: a code for what a person does next. */
export function failureCheck(name: CheckSubject, answer: ProbeAnswer, params: Params): Check {
  const { status, failure } = answer;
  const more = { ...params, ...(status > 0 && { status }), ...failure?.params };
  return check(name, 'bad', failure ? failure.code : answerCode(name, answer), more);
}

export function check(
  name: CheckSubject,
  state: CheckState,
  code: string,
  params: Params = {},
): Check {
  return { name, state, code, params };
}

function answerCode(name: CheckSubject, { status, contentType }: ProbeAnswer): string {
  const isToken = name === 'token';
  if (status >= 300 && status < 400) return 'redirected';
  // A page, whatever its status, comes from a proxy or from a console, not from the service.
  if (/html|xml/i.test(contentType)) return 'notTheService';
  if (status === 401 || (status === 403 && isToken))
    return isToken ? 'credentialsRefused' : 'tokenRefused';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 405) return isToken ? 'noTokenEndpoint' : 'noEndpoint';
  if (status === 429) return 'tooManyRequests';
  if (status >= 500) return 'serviceFailed';
  return status >= 400 ? 'requestRefused' : 'notJson';
}

/** Whether a list can be read at all; its checks are beside the examination of its rows. */
export function listCheck(name: CheckSubject, { answer, rows, total }: ListRead): Check {
  if (!isOk(answer)) return failureCheck(name, answer, {});
  if (rows) return check(name, 'good', 'listRead', { count: total ?? rows.length });
  const members = isObject(answer.value) ? Object.keys(answer.value).sort().join(', ') : '';
  const isPage = /html|xml/i.test(answer.contentType);
  if (isPage || answer.value === undefined) return failureCheck(name, answer, {});
  return check(name, 'bad', 'listUnnamed', { ...(members !== '' && { members }) });
}

/** Whether the reads of single devices work; nothing where there is no device to read. */
export function readsCheck(statuses: Readonly<Record<string, number>>): readonly Check[] {
  const read = Object.entries(statuses).filter(([, status]) => status > 0);
  if (read.length === 0) return [];
  const refused = read.filter(([, status]) => status < 200 || status >= 300);
  if (refused.length === 0) return [check('deviceReads', 'good', 'readsRight')];
  const endpoints = refused.map(([endpoint, status]) => `${endpoint} (${status})`).join(', ');
  return [check('deviceReads', 'note', 'readsRefused', { endpoints })];
}
