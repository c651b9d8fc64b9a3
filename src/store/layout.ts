import { basename, dirname, join } from 'node:path';
import { type Params, WorldError } from '../model/error.ts';
import { checkChain, type Chained } from '../ledger/chain.ts';
import { isObject } from '../lib/objects.ts';
import { readRecord } from '../ledger/records.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';

const RECORD_NAME = /^(\d{9})\.json$/;
const TEMPORARY_NAME = /^\.(\d{9})\.[0-9a-f-]+\.tmp$/;

/** The folder of an append; 1,000 appends share one. */
export function appendFolder(root: string, append: number): string {
  return join(root, 'records', String(Math.floor(append / 1_000)).padStart(6, '0'));
}

/** The file of an append: `records/<thousands>/<number, 9 digits>.json`. */
export function appendFile(root: string, append: number): string {
  return join(appendFolder(root, append), `${digits(append)}.json`);
}

/** The name under which a file is written before it gets its own. */
export function temporaryFile(file: string, unique: string): string {
  return join(dirname(file), `.${basename(file, '.json')}.${unique}.tmp`);
}

/** The folder of the texts of checkpoints. */
export function checkpointFolder(root: string): string {
  return join(root, 'checkpoints');
}

/** The text of the CHECKPOINT that an append begins with. */
export function checkpointFile(root: string, append: number): string {
  return join(checkpointFolder(root), `${digits(append)}.json`);
}

export function isFolder(name: string): boolean {
  return /^\d{6}$/.test(name);
}

/** The append number of a file name; undefined for any other file. */
export function appendNumber(name: string): number | undefined {
  const match = RECORD_NAME.exec(name);
  return match ? Number(match[1]) : undefined;
}

/** The append that a temporary file was written for. */
export function temporaryAppendNumber(name: string): number | undefined {
  const match = TEMPORARY_NAME.exec(name);
  return match ? Number(match[1]) : undefined;
}

/** The store, and the file in it, for messages. */
type Where = { readonly place: string; readonly file: string };

/**
 * The text of one append: the lines of its records and the hash of the last, so that no byte can change unnoticed. It is
 * canonical JSON.
 */
export function appendText({ lines, head: { hash } }: Chained): string {
  return `{"hash":${JSON.stringify(hash)},"records":[${lines.join(',')}]}\n`;
}

/**
 * Reads the text of one append that follows a head; absent: the one that its first record names. Throws `ledgerBroken`
 * with `where` unless the bytes are exactly those that `appendText` writes for records that continue the chain.
 */
export function parseAppend(
  bytes: Uint8Array,
  where: Where,
  from?: LedgerHead,
): { readonly records: readonly LedgerRecord[]; readonly head: LedgerHead } {
  const first = from ? { ...where, seq: from.seq + 1 } : where;
  const { text, hash, values } = decode(bytes, first);
  const records = values.map((value, at) =>
    readRecord(value, from ? { ...where, seq: from.seq + 1 + at } : where),
  );
  const [{ seq, prev } = { seq: 1, prev: '' }] = records;
  const chained = checkChain(records, from ?? { seq: seq - 1, hash: prev }, where);
  const { head } = chained;
  if (records.length === 0 || head.hash !== hash || appendText(chained) !== text)
    throw new WorldError('ledgerBroken', { ...first, why: 'content' });
  return { records, head };
}

function decode(
  bytes: Uint8Array,
  where: Params,
): { readonly text: string; readonly hash: unknown; readonly values: readonly unknown[] } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (isObject(value) && Array.isArray(value['records']))
      return { text, hash: value['hash'], values: value['records'] };
  } catch (error) {
    throw new WorldError('ledgerBroken', { ...where, why: 'unreadable' }, { cause: error });
  }
  throw new WorldError('ledgerBroken', { ...where, why: 'unreadable' });
}

function digits(append: number): string {
  return String(append).padStart(9, '0');
}
