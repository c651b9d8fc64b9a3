/** One thing that the server does on the connection of the POST. */
export type Act =
  | { readonly write: string; readonly times?: number }
  /** One byte every few milliseconds, without end. */
  | { readonly trickle: string }
  | { readonly do: 'end' | 'reset' | 'halfClose' | 'deaf' };

/** What the connection of the POST meets before HTTP. */
export type Tls =
  | 'good'
  | 'unknownAuthority'
  | 'expired'
  | 'notYet'
  | 'otherHost'
  | 'cut'
  | 'silent'
  | 'garbage'
  | 'plain'
  | 'alert';

/** One way in which sockets fail, and what a POST then comes to (apply protocol 3.7.1). */
export interface WireFault {
  readonly what: string;
  /** Without it plain HTTP. */
  readonly tls?: Tls;
  /** When the acts begin: the connection stands, its first byte or the whole request has come. */
  readonly at?: 'connect' | 'byte' | 'request';
  readonly acts?: readonly Act[];
  /** Nobody listens any more when the POST is due. */
  readonly gone?: true;
  /** The answer never ends: only the deadline does. */
  readonly endless?: true;
  /** Where the client may or may not have written before it notices, either row. */
  readonly row: string | readonly string[];
  /** How often the POST may appear on the wire. */
  readonly posts: readonly (0 | 1)[];
}

const ACCEPTED = '{"taskId":"t-1"}';
const JSON_TYPE = 'content-type: application/json\r\n';
const head = (status: string, more = ''): string => `HTTP/1.1 ${status}\r\n${JSON_TYPE}${more}\r\n`;
const full = (status: string, body = ACCEPTED, more = ''): string =>
  `${head(status, `content-length: ${body.length}\r\n${more}`)}${body}`;
const cut = (status: string): string => `${head(status, 'content-length: 100\r\n')}{"taskId":"t-1"`;
const chunked = (body: string): string =>
  `${head('200 OK', 'transfer-encoding: chunked\r\n')}${body}`;
const SLASH_REDIRECT = 'location: /v1/tasks\r\n';
const HTTP2_GOAWAY = '\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0';

const once = [1] as const;
const never = [0] as const;
const perhaps = [0, 1] as const;
const end: Act = { do: 'end' };
const reset: Act = { do: 'reset' };
const says = (write: string): readonly Act[] => [{ write }];

/** Every row has its outcome declared; the POST is on the wire once or not at all in each. */
export const WIRE_FAULTS: readonly WireFault[] = [
  { what: 'nobody listens', gone: true, row: 'P01', posts: never },
  {
    what: 'TLS: an authority that nobody knows',
    tls: 'unknownAuthority',
    row: 'P01',
    posts: never,
  },
  { what: 'TLS: expired', tls: 'expired', row: 'P01', posts: never },
  { what: 'TLS: not valid yet', tls: 'notYet', row: 'P01', posts: never },
  { what: 'TLS: for another host', tls: 'otherHost', row: 'P01', posts: never },
  { what: 'TLS: handshake cut', tls: 'cut', row: 'P01', posts: never },
  { what: 'TLS: handshake refused', tls: 'alert', row: 'P01', posts: never },
  { what: 'TLS: garbage in its place', tls: 'garbage', row: 'P01', posts: never },
  { what: 'TLS: plain HTTP in its place', tls: 'plain', row: 'P01', posts: never },
  { what: 'TLS: silence', tls: 'silent', endless: true, row: 'P01', posts: never },
  { what: 'TLS: good', tls: 'good', acts: says(full('200 OK')), row: 'P03', posts: once },
  { what: 'TLS: reset after the request', tls: 'good', acts: [reset], row: 'P11', posts: once },
  {
    what: 'TLS: cut in the body',
    tls: 'good',
    acts: [...says(cut('200 OK')), end],
    row: 'P09',
    posts: once,
  },

  { what: 'closed as soon as it stands', at: 'connect', acts: [end], row: 'P11', posts: perhaps },
  {
    what: 'reset as soon as it stands',
    at: 'connect',
    acts: [reset],
    row: ['P01', 'P11'],
    posts: perhaps,
  },
  {
    what: 'half closed as soon as it stands',
    at: 'connect',
    acts: [{ do: 'halfClose' }],
    row: 'P11',
    posts: perhaps,
  },
  {
    what: 'nobody reads',
    at: 'connect',
    acts: [{ do: 'deaf' }],
    endless: true,
    row: 'P11',
    posts: perhaps,
  },
  { what: 'reset at the first byte', at: 'byte', acts: [reset], row: 'P11', posts: perhaps },
  {
    what: 'answered before the request',
    at: 'connect',
    acts: says(full('200 OK')),
    row: 'P03',
    posts: perhaps,
  },

  { what: 'reset after the request', acts: [reset], row: 'P11', posts: once },
  { what: 'closed after the request', acts: [end], row: 'P11', posts: once },
  { what: 'half closed after the request', acts: [{ do: 'halfClose' }], row: 'P11', posts: once },
  { what: 'silence', acts: [], endless: true, row: 'P11', posts: once },
  {
    what: 'reset in the status line',
    acts: [...says('HTTP/1.1 20'), reset],
    row: 'P11',
    posts: once,
  },
  {
    what: 'closed in the headers',
    acts: [...says('HTTP/1.1 200 OK\r\ncontent-'), end],
    row: 'P11',
    posts: once,
  },
  {
    what: 'reset in the headers',
    acts: [...says(`HTTP/1.1 200 OK\r\n${JSON_TYPE}`), reset],
    row: 'P11',
    posts: once,
  },
  {
    what: 'headers that trickle',
    acts: [{ write: 'HTTP/1.1 200 OK\r\nx: ' }, { trickle: 'y' }],
    endless: true,
    row: 'P11',
    posts: once,
  },
  {
    what: 'a body that trickles',
    acts: [{ write: head('200 OK', 'content-length: 99999\r\n') }, { trickle: ' ' }],
    endless: true,
    row: 'P11',
    posts: once,
  },
  {
    what: 'headers and silence',
    acts: says(head('200 OK', 'content-length: 9\r\n')),
    endless: true,
    row: 'P11',
    posts: once,
  },
  { what: 'a body that is cut', acts: [...says(cut('200 OK')), end], row: 'P09', posts: once },
  { what: 'a body that is reset', acts: [...says(cut('200 OK')), reset], row: 'P09', posts: once },
  {
    what: 'a chunk that is cut',
    acts: [...says(chunked('10\r\n{"taskId"')), end],
    row: 'P09',
    posts: once,
  },
  {
    what: 'chunks without their end',
    acts: [...says(chunked(`10\r\n${ACCEPTED}\r\n`)), end],
    row: 'P09',
    posts: once,
  },
  { what: 'a chunk of no size', acts: says(chunked(`zz\r\n${ACCEPTED}`)), row: 'P09', posts: once },
  {
    what: '400 that is cut',
    acts: [...says(cut('400 Bad Request')), end],
    row: 'P09',
    posts: once,
  },
  {
    what: '401 that is cut',
    acts: [...says(cut('401 Unauthorized')), end],
    row: 'P09',
    posts: once,
  },
  { what: '403 that is cut', acts: [...says(cut('403 Forbidden')), end], row: 'P09', posts: once },
  { what: '429 that is cut', acts: [...says(cut('429 Too Many')), end], row: 'P09', posts: once },

  {
    what: 'kept alive',
    acts: says(full('200 OK', ACCEPTED, 'connection: keep-alive\r\n')),
    row: 'P03',
    posts: once,
  },
  {
    what: 'kept alive, then closed',
    acts: [...says(full('200 OK', ACCEPTED, 'connection: keep-alive\r\n')), end],
    row: 'P03',
    posts: once,
  },
  {
    what: 'closed as it says',
    acts: [...says(full('200 OK', ACCEPTED, 'connection: close\r\n')), end],
    row: 'P03',
    posts: once,
  },
  {
    what: 'a body that ends with the connection',
    acts: [...says(`${head('200 OK')}${ACCEPTED}`), end],
    row: 'P03',
    posts: once,
  },
  {
    what: 'a whole body in chunks',
    acts: says(chunked(`10\r\n${ACCEPTED}\r\n0\r\n\r\n`)),
    row: 'P03',
    posts: once,
  },
  {
    what: 'garbage behind the answer',
    acts: says(`${full('200 OK')}\x7f\x7fgarbage`),
    row: 'P03',
    posts: once,
  },
  {
    what: 'two answers',
    acts: says(full('200 OK') + full('200 OK', '{"taskId":"t-2"}')),
    row: 'P03',
    posts: once,
  },
  {
    what: '100, then an answer',
    acts: says(`HTTP/1.1 100 Continue\r\n\r\n${full('200 OK')}`),
    row: 'P11',
    posts: once,
  },
  {
    what: '100, then silence',
    acts: says('HTTP/1.1 100 Continue\r\n\r\n'),
    endless: true,
    row: 'P11',
    posts: once,
  },
  {
    what: '103, then silence',
    acts: says('HTTP/1.1 103 Early Hints\r\n\r\n'),
    endless: true,
    row: 'P11',
    posts: once,
  },
  {
    what: '101',
    acts: says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    row: 'P11',
    posts: once,
  },

  { what: 'garbage', acts: says('\x01\x02garbage\r\n\r\n'), row: 'P11', posts: once },
  { what: 'HTTP/2 GOAWAY', acts: [...says(HTTP2_GOAWAY), end], row: 'P11', posts: once },
  { what: 'a body without a head', acts: [...says(ACCEPTED), end], row: 'P11', posts: once },
  { what: 'a status of no digits', acts: says('HTTP/1.1 OK\r\n\r\n'), row: 'P11', posts: once },
  { what: 'status 999', acts: says(full('999 Odd')), row: 'P11', posts: once },
  {
    what: 'two lengths',
    acts: says(full('200 OK', ACCEPTED, 'content-length: 3\r\n')),
    row: 'P11',
    posts: once,
  },
  {
    what: 'a length and chunks',
    acts: says(full('200 OK', ACCEPTED, 'transfer-encoding: chunked\r\n')),
    row: 'P11',
    posts: once,
  },
  {
    what: 'headers of 1 MB',
    acts: [
      { write: 'HTTP/1.1 200 OK\r\n' },
      { write: `x: ${'y'.repeat(1_000)}\r\n`, times: 1_000 },
    ],
    row: 'P11',
    posts: once,
  },
  {
    what: 'a body of 11 MB',
    acts: [{ write: head('200 OK') }, { write: ' '.repeat(1_000_000), times: 11 }],
    row: 'P11',
    posts: once,
  },

  { what: 'an empty 200', acts: says(full('200 OK', '')), row: 'P04', posts: once },
  { what: '204', acts: says('HTTP/1.1 204 No Content\r\n\r\n'), row: 'P04', posts: once },
  {
    what: 'a sign-in page',
    acts: says(full('200 OK', '<html>sign in</html>')),
    row: 'P04',
    posts: once,
  },
  { what: '401', acts: says(full('401 Unauthorized', '{}')), row: 'P05', posts: once },
  {
    what: '408',
    acts: [...says(full('408 Timeout', '{}', 'connection: close\r\n')), end],
    row: 'P10',
    posts: once,
  },
  {
    what: '302 to the same place',
    acts: says(full('302 Found', '', SLASH_REDIRECT)),
    row: 'P10',
    posts: once,
  },
  {
    what: '307 to the same place',
    acts: says(full('307 Again', '', SLASH_REDIRECT)),
    row: 'P10',
    posts: once,
  },
  {
    what: '502 of a gateway',
    acts: says(full('502 Bad Gateway', '<html></html>')),
    row: 'P10',
    posts: once,
  },
  {
    what: '503, try again',
    acts: says(full('503 Busy', '{}', 'retry-after: 1\r\n')),
    row: 'P10',
    posts: once,
  },
];
