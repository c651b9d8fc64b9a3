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

/** One way in which sockets fail, and what a POST then comes to (protocol P01 to P11). */
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

const end: Act = { do: 'end' };
const reset: Act = { do: 'reset' };
const says = (write: string): readonly Act[] => [{ write }];

type Row = WireFault['row'];
type More = Pick<WireFault, 'tls' | 'at' | 'gone' | 'endless'>;

/** The POST is on the wire exactly once. */
function once(row: Row, what: string, acts: readonly Act[], more: More = {}): WireFault {
  return { what, row, acts, posts: [1], ...more };
}

/** No byte of it leaves. */
function never(row: Row, what: string, more: More): WireFault {
  return { what, row, posts: [0], ...more };
}

/** It is on the wire once or not at all: the client may notice before it writes. */
function perhaps(row: Row, what: string, acts: readonly Act[], more: More): WireFault {
  return { what, row, acts, posts: [0, 1], ...more };
}

/** Every row has its outcome declared; the POST is on the wire once or not at all in each. */
export const WIRE_FAULTS: readonly WireFault[] = [
  never('P01', 'nobody listens', { gone: true }),
  never('P01', 'TLS: an authority that nobody knows', { tls: 'unknownAuthority' }),
  never('P01', 'TLS: expired', { tls: 'expired' }),
  never('P01', 'TLS: not valid yet', { tls: 'notYet' }),
  never('P01', 'TLS: for another host', { tls: 'otherHost' }),
  never('P01', 'TLS: handshake cut', { tls: 'cut' }),
  never('P01', 'TLS: handshake refused', { tls: 'alert' }),
  never('P01', 'TLS: garbage in its place', { tls: 'garbage' }),
  never('P01', 'TLS: plain HTTP in its place', { tls: 'plain' }),
  never('P01', 'TLS: silence', { tls: 'silent', endless: true }),
  once('P03', 'TLS: good', says(full('200 OK')), { tls: 'good' }),
  once('P11', 'TLS: reset after the request', [reset], { tls: 'good' }),
  once('P09', 'TLS: cut in the body', [...says(cut('200 OK')), end], { tls: 'good' }),
  perhaps('P11', 'closed as soon as it stands', [end], { at: 'connect' }),
  perhaps(['P01', 'P11'], 'reset as soon as it stands', [reset], { at: 'connect' }),
  perhaps('P11', 'half closed as soon as it stands', [{ do: 'halfClose' }], { at: 'connect' }),
  perhaps('P11', 'nobody reads', [{ do: 'deaf' }], { at: 'connect', endless: true }),
  perhaps('P11', 'reset at the first byte', [reset], { at: 'byte' }),
  perhaps('P03', 'answered before the request', says(full('200 OK')), { at: 'connect' }),
  once('P11', 'reset after the request', [reset]),
  once('P11', 'closed after the request', [end]),
  once('P11', 'half closed after the request', [{ do: 'halfClose' }]),
  once('P11', 'silence', [], { endless: true }),
  once('P11', 'reset in the status line', [...says('HTTP/1.1 20'), reset]),
  once('P11', 'closed in the headers', [...says('HTTP/1.1 200 OK\r\ncontent-'), end]),
  once('P11', 'reset in the headers', [...says(`HTTP/1.1 200 OK\r\n${JSON_TYPE}`), reset]),
  once('P11', 'headers that trickle', [{ write: 'HTTP/1.1 200 OK\r\nx: ' }, { trickle: 'y' }], {
    endless: true,
  }),
  once(
    'P11',
    'a body that trickles',
    [{ write: head('200 OK', 'content-length: 99999\r\n') }, { trickle: ' ' }],
    { endless: true },
  ),
  once('P11', 'headers and silence', says(head('200 OK', 'content-length: 9\r\n')), {
    endless: true,
  }),
  once('P09', 'a body that is cut', [...says(cut('200 OK')), end]),
  once('P09', 'a body that is reset', [...says(cut('200 OK')), reset]),
  once('P09', 'a chunk that is cut', [...says(chunked('10\r\n{"taskId"')), end]),
  once('P09', 'chunks without their end', [...says(chunked(`10\r\n${ACCEPTED}\r\n`)), end]),
  once('P09', 'a chunk of no size', says(chunked(`zz\r\n${ACCEPTED}`))),
  once('P09', '400 that is cut', [...says(cut('400 Bad Request')), end]),
  once('P09', '401 that is cut', [...says(cut('401 Unauthorized')), end]),
  once('P09', '403 that is cut', [...says(cut('403 Forbidden')), end]),
  once('P09', '429 that is cut', [...says(cut('429 Too Many')), end]),
  once('P03', 'kept alive', says(full('200 OK', ACCEPTED, 'connection: keep-alive\r\n'))),
  once('P03', 'kept alive, then closed', [
    ...says(full('200 OK', ACCEPTED, 'connection: keep-alive\r\n')),
    end,
  ]),
  once('P03', 'closed as it says', [
    ...says(full('200 OK', ACCEPTED, 'connection: close\r\n')),
    end,
  ]),
  once('P03', 'a body that ends with the connection', [
    ...says(`${head('200 OK')}${ACCEPTED}`),
    end,
  ]),
  once('P03', 'a whole body in chunks', says(chunked(`10\r\n${ACCEPTED}\r\n0\r\n\r\n`))),
  once('P03', 'garbage behind the answer', says(`${full('200 OK')}\x7f\x7fgarbage`)),
  once('P03', 'two answers', says(full('200 OK') + full('200 OK', '{"taskId":"t-2"}'))),
  once('P03', '100, then an answer', says(`HTTP/1.1 100 Continue\r\n\r\n${full('200 OK')}`)),
  once('P11', '100, then silence', says('HTTP/1.1 100 Continue\r\n\r\n'), { endless: true }),
  once('P11', '103, then silence', says('HTTP/1.1 103 Early Hints\r\n\r\n'), { endless: true }),
  once('P11', '101', says('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')),
  once('P11', 'garbage', says('\x01\x02garbage\r\n\r\n')),
  once('P11', 'HTTP/2 GOAWAY', [...says(HTTP2_GOAWAY), end]),
  once('P11', 'a body without a head', [...says(ACCEPTED), end]),
  once('P11', 'a status of no digits', says('HTTP/1.1 OK\r\n\r\n')),
  once('P11', 'status 999', says(full('999 Odd'))),
  once('P11', 'two lengths', says(full('200 OK', ACCEPTED, 'content-length: 3\r\n'))),
  once(
    'P11',
    'a length and chunks',
    says(full('200 OK', ACCEPTED, 'transfer-encoding: chunked\r\n')),
  ),
  once('P11', 'headers of 1 MB', [
    { write: 'HTTP/1.1 200 OK\r\n' },
    { write: `x: ${'y'.repeat(1_000)}\r\n`, times: 1_000 },
  ]),
  once('P11', 'a body of 11 MB', [
    { write: head('200 OK') },
    { write: ' '.repeat(1_000_000), times: 11 },
  ]),
  once('P04', 'an empty 200', says(full('200 OK', ''))),
  once('P04', '204', says('HTTP/1.1 204 No Content\r\n\r\n')),
  once('P04', 'a sign-in page', says(full('200 OK', '<html>sign in</html>'))),
  once('P05', '401', says(full('401 Unauthorized', '{}'))),
  once('P10', '408', [...says(full('408 Timeout', '{}', 'connection: close\r\n')), end]),
  once('P10', '302 to the same place', says(full('302 Found', '', SLASH_REDIRECT))),
  once('P10', '307 to the same place', says(full('307 Again', '', SLASH_REDIRECT))),
  once('P10', '502 of a gateway', says(full('502 Bad Gateway', '<html></html>'))),
  once('P10', '503, try again', says(full('503 Busy', '{}', 'retry-after: 1\r\n'))),
];
