import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { isLoopback } from './proxy.ts';
import { TruncatedAnswer, TooLarge } from './failure.ts';

/** How much larger than what came an answer may become; a list of devices comes to some forty times. */
const MOST_TIMES = 200;

/** Below this size any ratio will do. */
const ALWAYS_BYTES = 1024 * 1024;

/** Encodings of one answer, one over the other; nobody has a reason for more. */
const MOST_ENCODINGS = 2;

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gzip: Unpack = promisify(gunzip);
const zlib: Unpack = promisify(inflate);
const bare: Unpack = promisify(inflateRaw);

/** Two things are called deflate: what RFC 9110 says, and what some servers send. */
const deflate: Unpack = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib(bytes, options) : bare(bytes, options);

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip,
  'x-gzip': gzip,
  deflate,
  br: promisify(brotliDecompress),
};

/** What to ask for: packed answers where the line is slow, plain ones on this very machine. */
export function acceptEncoding(url: string): string | undefined {
  return isLoopback(new URL(url).hostname) ? undefined : 'gzip, br, deflate';
}

/**
 * The bytes of an answer as they were before they were packed. Throws `TooLarge` where they come to
 * more than the cap or to two hundred times what came, and `CutShort` for what cannot be unpacked.
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
