import type { Socket } from 'node:net';

/** The longest informational answer; a longer one is left to the parser, which refuses it. */
const MOST_BYTES = 16 * 1024;

/** `HTTP/1.1 100`: as long as a status line is known to be. */
const STATUS_LENGTH = 12;

/** Any status from 100 to 199 but 101, which changes the protocol. */
const INFORMATIONAL = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

const END_OF_HEAD = '\r\n\r\n';

/**
 * Passes over informational answers before the final one, as every client must (RFC 9110, 15.2), on a
 * connection of a single request. undici breaks the connection at `100 Continue` unless the request asked
 * for it; the task of such a POST would be in doubt, although the service accepted it.
 */
export function passOverInformational(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let begun: Buffer = Buffer.alloc(0);
  let isFinal = false;
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk = read(size);
      if (isFinal || chunk === null) return chunk;
      begun = withoutInformational(Buffer.concat([begun, chunk]));
      isFinal = begun.length >= STATUS_LENGTH && !isIncomplete(begun);
      if (isFinal) return begun;
    }
  };
}

/** The bytes from the first head on that is not informational, or not complete. */
function withoutInformational(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInformational(rest)) {
    const end = rest.indexOf(END_OF_HEAD);
    if (end === -1) return rest;
    rest = rest.subarray(end + END_OF_HEAD.length);
  }
  return rest;
}

function isInformational(bytes: Buffer): boolean {
  return INFORMATIONAL.test(bytes.toString('latin1', 0, STATUS_LENGTH));
}

/** Whether more bytes may end an informational head. */
function isIncomplete(bytes: Buffer): boolean {
  return isInformational(bytes) && bytes.length <= MOST_BYTES;
}
