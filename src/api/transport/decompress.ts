import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { isLocalHost } from './proxy.ts';
import { TruncatedAnswer, TooLarge } from './transport-failure.ts';

/**
 * The largest allowed expansion of a compressed answer; a list of devices expands about forty
 * times.
 */
const MOST_TIMES = 200;

/** Below this size any expansion is allowed. */
const ALWAYS_BYTES = 1024 * 1024;

/** The most nested encodings of one answer. */
const MOST_ENCODINGS = 2;

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gzip: Unpack = promisify(gunzip);
const zlib: Unpack = promisify(inflate);
const bare: Unpack = promisify(inflateRaw);

/** `deflate` has two meanings: the one of RFC 9110, and raw deflate, which some servers send. */
const deflate: Unpack = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib(bytes, options) : bare(bytes, options);

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip,
  'x-gzip': gzip,
  deflate,
  br: promisify(brotliDecompress),
};

/** The encodings to request: compressed over a network, plain on loopback. */
export function acceptEncoding(hostname: string): string | undefined {
  return isLocalHost(hostname) ? undefined : 'gzip, br, deflate';
}

/**
 * Decompresses the bytes of an answer. Throws `TooLarge` above the cap or 200 times the received
 * size, and `TruncatedAnswer` for corrupt data.
 */
export async function decompressed(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const names = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length === 0 || bytes.length === 0) return bytes;
  const most = Math.min(maxBytes, Math.max(ALWAYS_BYTES, bytes.length * MOST_TIMES));
  let unpacked = bytes;
  if (names.length > MOST_ENCODINGS) throw new TruncatedAnswer();
  for (const name of names.toReversed()) {
    const unpack = UNPACK[name];
    if (!unpack || !Object.hasOwn(UNPACK, name)) throw new TruncatedAnswer();
    unpacked = Uint8Array.from(await unpack(unpacked, { maxOutputLength: most }).catch(asOurs));
  }
  return unpacked;
}

function asOurs(cause: unknown): never {
  const isLarge =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
  throw isLarge ? new TooLarge() : new TruncatedAnswer({ cause });
}
