import { JOB_TOKEN, PAYLOAD_SECRET, CLIENT_SECRETS, search, settle, type Left } from './canary.ts';

/** The variable that payloads of the tests refer to, and what is in it. */
export const PAYLOAD_VARIABLE = 'CANARY_PAYLOAD';

const ALL: readonly string[] = [...Object.values(CLIENT_SECRETS), JOB_TOKEN, PAYLOAD_SECRET];

/** The variables of a process that is played: the secret of payloads, and no other. */
export function payloadSecrets(name: string): string | undefined {
  return name === PAYLOAD_VARIABLE ? PAYLOAD_SECRET : undefined;
}

/**
 * Searches what one life, run or folder left behind at once, so that nothing of it has to be kept:
 * ten thousand lives fit into the memory of one. Throws where a secret was found, after the sum of
 * `npm test` was told.
 */
export function searchNow(left: Iterable<Left>): void {
  settle(search(left, ALL));
}

/** What a run said, as one text: its trace, line by line. */
export function traceOf(): { readonly line: (line: string) => void; readonly text: () => string } {
  const lines: string[] = [];
  return { line: (line) => void lines.push(line), text: () => lines.join('') };
}

/** A value as a ledger, a plan or a report would be written; its errors with what they say. */
export function writtenOf(value: unknown): string {
  const texts = (_: string, one: unknown): unknown =>
    one instanceof Error ? `${one.stack ?? one.message} ${String(one.cause)}` : one;
  return JSON.stringify(value, texts) ?? '';
}
