import { WorldError } from '../../src/model/error.ts';
import type { RequestFault } from '../../src/twin/faults/fault.ts';
import { FAILING_OBSERVER } from '../support/effects.ts';

/** What the client meets; `effect`: the service has done its work all the same. */
export type Injection =
  | {
      readonly throws: 'unsent' | 'sent';
      readonly code: string;
      readonly effect?: true;
      readonly ms?: number;
    }
  | {
      readonly status: number;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly effect?: true;
    }
  /** The true answer, written otherwise. */
  | { readonly edits: (text: string) => string; readonly type?: string }
  | { readonly tampers: RequestFault }
  | { readonly disturbs: RequestFault }
  | { readonly asks: (query: URLSearchParams) => void }
  | { readonly special: 'twice' | 'foreign' | 'stale' }
  /** From then on whoever watches the process throws this, at once or later; the service is well. */
  | { readonly watchers: 'throw' | 'reject'; readonly what: unknown }
  /** What becomes of a device task, from the first POST on. */
  | { readonly works: 'liar' | 'thankless' | 'vanished' | 'unknown60s' };

export type Endpoint =
  'token' | 'list' | 'read device' | 'create task' | 'read task' | 'ledger store';

/** One class of faults. */
export interface FaultClass {
  readonly id: string;
  readonly injection: Injection;
  /** The row of 3.7.1 that a POST of a batch of three comes to. */
  readonly row?: string;
  /** The endpoints that can meet it; all that speak HTTP by default. */
  readonly at?: readonly Endpoint[];
  /** How the ledger's store meets it, where it can. */
  readonly store?: 'unknown' | 'unknownLanded' | 'fails' | 'failsLanded' | 'passes';
}

const LISTS: readonly Endpoint[] = ['list'];
const ROWS: readonly Endpoint[] = ['list', 'read task'];
const POST: readonly Endpoint[] = ['create task'];
const READS: readonly Endpoint[] = ['list', 'read device', 'read task'];
const T_POST = 20_000;
const ELSEWHERE = { location: 'https://elsewhere.example/v1/tasks' };
const HERE = { location: 'https://twin.test/v1/other' };

const unsent = (code: string): Injection => ({ throws: 'unsent', code });
const lost = (code: string): Injection => ({ throws: 'sent', code });
const done = (code: string, ms?: number): Injection => ({
  throws: 'sent',
  code,
  effect: true,
  ...(ms && { ms }),
});
const says = (status: number, headers?: Readonly<Record<string, string>>): Injection => ({
  status,
  text: '{"error":"fault"}',
  ...(headers && { headers }),
  ...(isDoubtful(status) && { effect: true }),
});

/** Where a status leaves open whether the work was done, it was: the worse of both. */
function isDoubtful(status: number): boolean {
  return status < 400 || status === 408 || status === 409 || status >= 500;
}

const transport: readonly FaultClass[] = [
  { id: 'DNS', injection: unsent('ENOTFOUND'), row: 'P01', store: 'fails' },
  { id: 'refuse', injection: unsent('ECONNREFUSED'), row: 'P01', store: 'fails' },
  {
    id: 'connect timeout',
    injection: { throws: 'unsent', code: 'UND_ERR_CONNECT_TIMEOUT', ms: 10_000 },
    row: 'P01',
  },
  { id: 'unknown CA', injection: unsent('SELF_SIGNED_CERT_IN_CHAIN'), row: 'P01' },
  { id: 'expired certificate', injection: unsent('CERT_HAS_EXPIRED'), row: 'P01' },
  { id: 'wrong host', injection: unsent('ERR_TLS_CERT_ALTNAME_INVALID'), row: 'P01' },
  { id: 'handshake cut', injection: unsent('ECONNRESET'), row: 'P01' },
  { id: 'reset before the first byte', injection: lost('EPIPE'), row: 'P11', store: 'unknown' },
  {
    id: 'reset after the request',
    injection: done('ECONNRESET'),
    row: 'P11',
    store: 'unknownLanded',
  },
  { id: 'reset in headers', injection: done('HPE_INVALID_EOF_STATE'), row: 'P11' },
  { id: 'reset in body', injection: done('cut'), row: 'P09', store: 'failsLanded' },
  { id: 'silence', injection: done('timedOut', T_POST), row: 'P11' },
  { id: 'slow headers', injection: done('timedOut', T_POST), row: 'P11' },
  { id: 'slow body', injection: done('timedOut', T_POST), row: 'P11' },
  { id: 'close against keep-alive', injection: lost('UND_ERR_SOCKET'), row: 'P11' },
  { id: 'HTTP/2 GOAWAY', injection: unsent('GOAWAY'), row: 'P02' },
];

const protocol: readonly FaultClass[] = [
  {
    id: 'wrong content type',
    injection: { edits: (text) => text, type: 'text/plain' },
    row: 'P03',
  },
  { id: 'empty 200', injection: { edits: () => '' }, row: 'P04' },
  { id: '204', injection: { status: 204, effect: true }, row: 'P04' },
  {
    id: 'cut JSON',
    injection: { edits: (text) => text.slice(0, Math.ceil(text.length / 2)) },
    row: 'P04',
  },
  { id: 'trailing bytes', injection: { edits: (text) => `${text} }garbage` }, row: 'P04' },
  {
    id: 'invalid UTF-8',
    injection: { edits: (text) => text.replace('"', '"\ufffd\ufffd') },
    row: 'P04',
  },
  { id: '100 MB', injection: done('tooLarge'), row: 'P11' },
  { id: '1000:1 compression', injection: { edits: () => '\u001f\u008b\b\0\0' }, row: 'P04' },
  { id: 'depth 100,000', injection: { edits: () => '['.repeat(100_000) }, row: 'P04' },
  {
    id: 'duplicate keys',
    injection: {
      edits: (text) => text.replace('{', '{"total":0,"taskId":"other","access_token":"other",'),
    },
    row: 'P04',
  },
  {
    id: '__proto__',
    injection: { edits: (text) => text.replace('{', '{"__proto__":{"polluted":true},') },
    row: 'P03',
  },
  {
    id: 'number > 2^53',
    injection: { edits: (text) => text.replace('{', '{"extra":90071992547409931,') },
    row: 'P03',
  },
  { id: '1xx then silence', injection: done('timedOut', T_POST), row: 'P11' },
  {
    id: 'HTML page',
    injection: { edits: () => '<html>sign in</html>', type: 'text/html' },
    row: 'P04',
  },
];

const FAR = { 'retry-after': '9999999' };
const status: readonly FaultClass[] = [
  ...([[301], [302], [303]] as const).map(([code]): FaultClass => ({
    id: String(code),
    injection: says(code, HERE),
    row: 'P10',
  })),
  { id: '307 to the same origin', injection: says(307, HERE), row: 'P10' },
  { id: '308 to another origin', injection: says(308, ELSEWHERE), row: 'P10' },
  { id: '400', injection: { ...says(400), effect: true }, row: 'P08' },
  { id: '401 once', injection: says(401), row: 'P05' },
  { id: '403', injection: says(403), row: 'P06' },
  { id: '404', injection: says(404), row: 'P06' },
  { id: '405', injection: says(405), row: 'P06' },
  { id: '408', injection: says(408), row: 'P10' },
  { id: '409', injection: says(409), row: 'P08' },
  { id: '413', injection: says(413), row: 'P06' },
  { id: '422', injection: { ...says(422), effect: true }, row: 'P08' },
  { id: '429 without a header', injection: says(429), row: 'P07' },
  { id: '429 with a far header', injection: says(429, FAR), row: 'P07' },
  { id: '500', injection: says(500), row: 'P10' },
  { id: '503', injection: says(503, { 'retry-after': '-1' }), row: 'P10' },
];

const semantic: readonly FaultClass[] = [
  {
    id: 'page one looks finished',
    injection: { asks: (query) => query.set('limit', '1') },
    at: ROWS,
  },
  { id: '404 by lost permission', injection: says(404), at: ['read device', 'read task'] },
  { id: 'accepted and answer lost', injection: done('ECONNRESET'), row: 'P11', at: POST },
  { id: 'answer after the timeout', injection: done('timedOut', 5 * T_POST), row: 'P11', at: POST },
  { id: 'accepted twice', injection: { special: 'twice' }, row: 'P03', at: POST },
  { id: 'id of another task', injection: { special: 'foreign' }, row: 'P03', at: POST },
  { id: 'id unknown for 60 s', injection: { works: 'unknown60s' }, row: 'P03', at: POST },
  { id: 'task vanishes', injection: { works: 'vanished' }, row: 'P03', at: POST },
  {
    id: 'unknown word',
    injection: { tampers: { type: 'word', field: 'status', value: 'sleeping' } },
    at: READS,
  },
  { id: 'success without effect', injection: { works: 'liar' }, row: 'P03', at: POST },
  { id: 'effect without success', injection: { works: 'thankless' }, row: 'P03', at: POST },
  {
    id: 'results missing',
    injection: { tampers: { type: 'rows', change: 'drop', count: 1 } },
    at: ROWS,
  },
  { id: 'stale read', injection: { special: 'stale' }, at: READS },
  {
    id: 'list insert',
    injection: { disturbs: { type: 'churn', change: 'insert', list: 'devices', rows: 1 } },
    at: LISTS,
  },
  {
    id: 'list delete',
    injection: { disturbs: { type: 'churn', change: 'delete', list: 'devices', rows: 1 } },
    at: LISTS,
  },
  { id: 'total lies', injection: { tampers: { type: 'total', by: 3 } }, at: ROWS },
  {
    id: 'device flips',
    injection: { disturbs: { type: 'outsider', deviceId: 'dev-4', set: { condition: 'dead' } } },
    at: READS,
  },
  {
    id: 'values change between plan and apply',
    injection: {
      disturbs: { type: 'outsider', deviceId: 'dev-4', set: { firmwareVersion: '11.11.130' } },
    },
    at: READS,
  },
];

/** Traces and progress that fail: nothing may come of it. */
const watching: readonly FaultClass[] = [
  {
    id: 'trace on a full disk',
    injection: { watchers: 'throw', what: new WorldError('fileUnreadable', { file: 'trace' }) },
    row: 'P03',
    store: 'passes',
  },
  {
    id: 'observer that throws',
    injection: { watchers: 'throw', what: FAILING_OBSERVER },
    row: 'P03',
    store: 'passes',
  },
  {
    id: 'observer that rejects later',
    injection: { watchers: 'reject', what: 'no error at all' },
    row: 'P03',
    store: 'passes',
  },
];

export const FAULT_CLASSES: readonly FaultClass[] = [
  ...transport,
  ...protocol,
  ...status,
  ...semantic,
  ...watching,
];
