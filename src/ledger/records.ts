import { WorldError, type Params } from '../model/error.ts';
import {
  LEDGER_FORMAT,
  type LedgerRecord,
  RECORDS,
  type RecordType,
} from '../model/ledger/record.ts';
import { instant, shaped, type Shape, text, whole, wrongField } from '../lib/shape.ts';

/** No ledger reaches this many records or leases; above it the next number might not be exact (protocol J16). */
const MOST = 2 ** 48;

const ENVELOPE: Shape = {
  seq: (value): value is number => whole(value) && value >= 1 && value <= MOST,
  prev: text,
  epoch: (value): value is number => whole(value) && value <= MOST,
  at: instant,
  tool: text,
  body: shaped({ type: text }),
};

/**
 * Checks every field of a value read from a store and returns it as a record. A record of an
 * unknown type passes, so that reading continues; `newerIn` finds it before a write. Throws
 * `ledgerBroken` with `where` and the wrong field.
 */
export function readRecord(value: unknown, where: Params = {}): LedgerRecord {
  if (!isEnveloped(value)) {
    throw new WorldError('ledgerBroken', { ...where, field: named(wrongField(value, ENVELOPE)) });
  }
  const wrong = isKnown(value.body.type)
    ? wrongField(value.body, RECORDS[value.body.type])
    : undefined;
  if (wrong !== undefined) {
    const field = named(`body.${wrong}`);
    throw new WorldError('ledgerBroken', { seq: value.seq, ...where, field });
  }
  return value;
}

/** The first record of a newer version: an unknown type, or a ledger of a later format. */
export function newerIn(records: readonly LedgerRecord[]): LedgerRecord | undefined {
  return records.find(
    ({ body }) => !isKnown(body.type) || (body.type === 'GENESIS' && body.format > LEDGER_FORMAT),
  );
}

function isEnveloped(value: unknown): value is LedgerRecord {
  return wrongField(value, ENVELOPE) === undefined;
}

function isKnown(type: string): type is RecordType {
  return Object.hasOwn(RECORDS, type);
}

function named(name: string | undefined): string {
  return name === undefined || name === '' ? 'record' : name;
}
