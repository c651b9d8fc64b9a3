import { sha256 } from '../lib/canonical.ts';

/** How every file begins that nobody but `init` should have to edit. */
const WRITTEN = /^# Written by .fleetform init\b/;

const SIGNED = /^([^]*\n)# fleetform init: ([0-9a-f]{16})\n$/;

/** A file of `init` with a last line by which a later `init` sees that nobody edited it. */
export function signed(text: string): string {
  return WRITTEN.test(text) ? `${text}# fleetform init: ${digestOf(text)}\n` : text;
}

/** Whether a file is as `init` wrote it; `unsigned` is a file of a version that signed none. */
export function readSigned(text: string): 'asWritten' | 'edited' | 'unsigned' {
  const [, above, digest] = SIGNED.exec(text) ?? [];
  if (above !== undefined) return digest === digestOf(above) ? 'asWritten' : 'edited';
  return WRITTEN.test(text) ? 'unsigned' : 'edited';
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}
