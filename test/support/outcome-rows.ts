import { TransportError } from '../../src/model/ports.ts';

/** What the service does with a task POST: answers in our place, or breaks the way to it. */
export type Answer = Response | TransportError | 'passes';

/** One observation of a row, and what a whole run makes of it. */
export interface Row {
  readonly row: string;
  readonly what: string;
  readonly answer: () => Answer;
  /** The POSTs that it happens to, counted from 1; the first is for one device, the second for three. */
  readonly posts: readonly number[];
  readonly result: string;
  /** ATTEMPTs of the run, those that came before and after it among them. */
  readonly attempts: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly exit: number;
}

/** An answer in the place of the service; nothing runs. */
export const says = (status: number, text = '{}', headers: Record<string, string> = {}) => {
  return () => new Response(status === 204 ? null : text, { status, headers });
};
const broken = (phase: 'unsent' | 'sent', code: string) => () => new TransportError(phase, code);
const EVERY = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
export const ONE = [1];
const BATCH = [2];
const DONE = { verified: 4 };

const NOT_SENT = { attempts: 3, counts: { notStarted: 4 }, exit: 1, posts: EVERY };
const DOUBT_OF_ONE = { attempts: 3, counts: { inDoubt: 1, verified: 3 }, exit: 5, posts: ONE };
const DOUBT_OF_THREE = { attempts: 2, counts: { inDoubt: 3, verified: 1 }, exit: 5, posts: BATCH };
const REFUSED_ONE = { attempts: 3, counts: { failed: 1, verified: 3 }, exit: 4, posts: ONE };

/** Protocol P01 to P12, each row with what a run of four devices does after it; exits as decided in 0008. */
export const ROWS: readonly Row[] = [
  {
    row: 'P01',
    what: 'no such host, every time',
    answer: broken('unsent', 'ENOTFOUND'),
    result: 'notSent P01',
    ...NOT_SENT,
  },
  {
    row: 'P01',
    what: 'a proxy that refuses, every time',
    answer: broken('unsent', 'PROXY_407'),
    result: 'notSent P01',
    ...NOT_SENT,
  },
  {
    row: 'P01',
    what: 'a refused connection, twice',
    answer: broken('unsent', 'ECONNREFUSED'),
    result: 'notSent P01',
    posts: [1, 2],
    attempts: 4,
    counts: DONE,
    exit: 0,
  },
  {
    row: 'P02',
    what: 'a refused stream, every time',
    answer: broken('unsent', 'REFUSED_STREAM'),
    result: 'notSent P02',
    ...NOT_SENT,
  },
  {
    row: 'P02',
    what: 'a connection that goes away, once',
    answer: broken('unsent', 'GOAWAY'),
    result: 'notSent P02',
    posts: ONE,
    attempts: 3,
    counts: DONE,
    exit: 0,
  },
  {
    row: 'P03',
    what: 'one task id',
    answer: () => 'passes',
    result: 'accepted P03 200',
    posts: ONE,
    attempts: 2,
    counts: DONE,
    exit: 0,
  },
  {
    row: 'P04',
    what: '200 without an id',
    answer: says(200),
    result: 'inDoubt P04 200',
    ...DOUBT_OF_ONE,
  },
  { row: 'P04', what: '204', answer: says(204), result: 'inDoubt P04 204', ...DOUBT_OF_ONE },
  {
    row: 'P04',
    what: 'no JSON',
    answer: says(200, '<p>ok</p>'),
    result: 'inDoubt P04 200',
    ...DOUBT_OF_ONE,
  },
  {
    row: 'P04',
    what: 'two ids',
    answer: says(200, '[{"taskId":"t1"},{"taskId":"t2"}]'),
    result: 'inDoubt P04 200',
    ...DOUBT_OF_ONE,
  },
  {
    row: 'P04',
    what: 'devices that nobody sent',
    answer: says(200, '{"taskId":"t1","devices":["dev-9"]}'),
    result: 'inDoubt P04 200',
    posts: ONE,
    attempts: 1,
    counts: { inDoubt: 1, notStarted: 3 },
    exit: 9,
  },
  {
    row: 'P05',
    what: '401, once',
    answer: says(401),
    result: 'rejected P05 401',
    posts: ONE,
    attempts: 3,
    counts: DONE,
    exit: 0,
  },
  {
    row: 'P05',
    what: '401, with a fresh token too',
    answer: says(401),
    result: 'rejected P05 401',
    posts: EVERY,
    attempts: 2,
    counts: { failed: 1, notStarted: 3 },
    exit: 1,
  },
  {
    row: 'P06',
    what: '403',
    answer: says(403),
    result: 'rejected P06 403',
    posts: ONE,
    attempts: 1,
    counts: { failed: 1, notStarted: 3 },
    exit: 1,
  },
  ...[404, 405, 406, 411, 413, 414, 415, 431, 400, 422].map((status): Row => {
    return {
      row: 'P06',
      what: `${status} for one device`,
      answer: says(status),
      result: `rejected P06 ${status}`,
      ...REFUSED_ONE,
    };
  }),
  {
    row: 'P07',
    what: '429, once',
    answer: says(429, '{}', { 'retry-after': '7' }),
    result: 'rejected P07 429',
    posts: ONE,
    attempts: 3,
    counts: DONE,
    exit: 0,
  },
  {
    row: 'P07',
    what: '429, every time',
    answer: says(429),
    result: 'rejected P07 429',
    posts: EVERY,
    attempts: 10,
    counts: { notStarted: 4 },
    exit: 1,
  },
  ...[400, 409, 422].map((status): Row => {
    return {
      row: 'P08',
      what: `${status} for three devices`,
      answer: says(status),
      result: `inDoubt P08 ${status}`,
      ...DOUBT_OF_THREE,
    };
  }),
  {
    row: 'P08',
    what: '409 for one device',
    answer: says(409),
    result: 'inDoubt P08 409',
    ...DOUBT_OF_ONE,
  },
  {
    row: 'P09',
    what: 'an answer that was cut',
    answer: broken('sent', 'cut'),
    result: 'inDoubt P09',
    ...DOUBT_OF_ONE,
  },
  ...[408, 425, 444, 499, 500, 502, 503, 504, 520, 301, 302, 307, 308, 418, 451, 599].map(
    (status): Row => {
      return {
        row: 'P10',
        what: `${status}`,
        answer: says(status),
        result: `inDoubt P10 ${status}`,
        ...DOUBT_OF_ONE,
      };
    },
  ),
  ...['timedOut', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].map((code): Row => {
    return {
      row: 'P11',
      what: code,
      answer: broken('sent', code),
      result: 'inDoubt P11',
      ...DOUBT_OF_ONE,
    };
  }),
];
