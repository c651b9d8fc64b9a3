import { checkChain, EMPTY_HEAD, encodeRecord, hashRecord, isSameHead } from '../ledger/chain.ts';
import { sha256 } from '../lib/canonical.ts';
import { isPassing, WorldError, type Params } from '../model/error.ts';
import type { DatabaseRow, LedgerDatabase } from '../model/ledger/ledger-database.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import type { LedgerStore } from '../model/ports.ts';
import { parseAppend } from './layout.ts';

/** The version of the tables that `fleetform ledger schema` prints. */
const VERSION = 2;

/** A character that no text of PostgreSQL can hold: U+0000, or half of a pair. */
const UNHELD = /(?<!\\)(?:\\\\)*\\u(?:0000|d)/;

/**
 * A ledger in a PostgreSQL database (protocol J20), under its key. Only functions of the database write, and they decide
 * who may append what; what is read is checked here again.
 */
export function postgresStore(database: LedgerDatabase, key: string): LedgerStore {
  const { place } = database;
  /** How far this process has read or written. */
  let known = EMPTY_HEAD;
  const unfit = (why: string, more: Params = {}): WorldError =>
    new WorldError('ledgerUnfit', { place, why, ...more });

  /** Without a grant every ledger looks empty, and a run would begin another one. */
  async function rowsOf(statement: string, ...values: readonly number[]) {
    const rows = await database.query(statement, [key, ...values]);
    const [{ version, granted, login } = {}] = rows;
    if (version !== VERSION) throw unfit('tables');
    const name = String(login).replaceAll("'", "''");
    const grant = `INSERT INTO fleetform.grants VALUES ('${key}', '${name}');`;
    if (granted !== true) throw unfit('notGranted', { grant });
    return rows;
  }

  /** The records of rows that lead from a head to the one that this process knows from now on. */
  function follow(rows: readonly DatabaseRow[], from: LedgerHead) {
    const [{ head_seq: seen, head_hash: hash } = {}] = rows;
    const head = typeof seen === 'number' ? { seq: seen, hash: String(hash) } : EMPTY_HEAD;
    const records = head.seq < known.seq ? [] : recordsIn(rows, { from, head, place });
    const same = from === known ? undefined : records[known.seq - 1];
    if (head.seq < known.seq || (same && hashRecord(same) !== known.hash))
      throw new WorldError('ledgerRolledBack', { place, found: head.seq, seen: known.seq });
    known = head;
    return { records, head };
  }

  async function put(
    statement: string,
    head: readonly unknown[],
    records: readonly LedgerRecord[],
    checkpoint: readonly (string | undefined)[] = [],
  ) {
    const lines = records.map(encodeRecord);
    if (lines.some((line) => UNHELD.test(line))) throw unfit('characters');
    const values = [key, ...head, lines, lines.map(sha256), ...checkpoint];
    const [row] = await database.query(statement, values);
    return row?.['answer'] === 'acknowledged' ? 'acknowledged' : 'lost';
  }

  const write = (...call: Parameters<typeof put>) =>
    put(...call).catch((error: unknown) => {
      if (isPassing(error)) return 'unknown' as const;
      throw error;
    });

  return {
    place,
    async read(afterSeq) {
      const from = afterSeq >= known.seq ? known : EMPTY_HEAD;
      const { records, head } = follow(await rowsOf(READ, from.seq), from);
      return { records: records.filter(({ seq }) => seq > afterSeq), head };
    },
    async readLatest() {
      // What this process has seen may be in older records.
      if (known.seq > 0) return this.read(0);
      const rows = await rowsOf(LATEST);
      const at = rows.findIndex(({ checkpoint }) => typeof checkpoint === 'string');
      const first = rows[at];
      if (!first) return follow(rows, EMPTY_HEAD);
      const approving = rows.slice(0, at).flatMap((row) => {
        const head = { seq: Number(row['seq']), hash: String(row['hash']) };
        return recordsIn([row], { from: headBefore(row), head, place });
      });
      const checkpoint = String(first['checkpoint']);
      return { ...follow(rows.slice(at), headBefore(first)), checkpoint, approving };
    },
    async append(records, onHead, checkpoint) {
      const answer = await write(APPEND, [onHead.seq, onHead.hash], records, [checkpoint]);
      if (answer === 'acknowledged') known = checkChain(records, onHead).head;
      return answer;
    },
    importChain: (records) => write(IMPORT, [], records),
    async probe() {
      const [row] = await rowsOf(READ, Number.MAX_SAFE_INTEGER);
      if (row?.['fsync'] !== 'on') throw unfit('fsyncOff');
      // Shows that the login may append, and that a stale head is refused.
      if ((await put(APPEND, [-1, ''], [], [undefined])) !== 'lost') throw unfit('overwrites');
    },
    async mayAttempt() {
      const [row] = await database.query(MAY_ATTEMPT, []);
      return row?.['may'] !== false;
    },
  };
}

/** One statement reads the grant, the head and the records of one moment. */
const reading = (records: string, more = '') =>
  `SELECT f.version, session_user AS login, current_setting('fsync') AS fsync,
    EXISTS (SELECT FROM fleetform.grants g WHERE g.ledger = $1 AND g.member = session_user) AS granted,
    h.seq::float8 AS head_seq, h.hash AS head_hash, r.seq::float8 AS seq, r.type, r.hash, r.line${more}
  FROM fleetform.format f LEFT JOIN fleetform.heads h ON h.ledger = $1
    LEFT JOIN fleetform.checkpoints c ON c.ledger = h.ledger
    LEFT JOIN fleetform.records r ON r.ledger = h.ledger AND ${records}
  ORDER BY r.seq`;
const READ = reading('r.seq > $2');

/** From the newest checkpoint on; before it what its writer may not append, or take back (protocol J20). */
const LATEST = reading(
  `(r.seq >= coalesce(c.seq, 0) OR r.type IN ('APPROVED', 'WITHDRAWN', 'GROUND'))`,
  `, r.line::jsonb ->> 'prev' AS prev, CASE WHEN r.seq = c.seq THEN c.text END AS checkpoint`,
);

const APPEND = 'SELECT fleetform.append($1, $2, $3, $4, $5, $6) AS answer';
const IMPORT = 'SELECT fleetform.import_chain($1, $2, $3) AS answer';
const MAY_ATTEMPT = `SELECT pg_has_role(session_user, 'fleetform_write', 'MEMBER') AS may`;

function headBefore({ seq, prev }: DatabaseRow): LedgerHead {
  return { seq: Number(seq) - 1, hash: String(prev) };
}

/** The records of rows that lead from one head to another. Throws `ledgerBroken` where anything of them was changed. */
function recordsIn(
  rows: readonly DatabaseRow[],
  { from, head, place }: { from: LedgerHead; head: LedgerHead; place: string },
): readonly LedgerRecord[] {
  const written = rows.filter(({ line }) => typeof line === 'string');
  if (written.length === 0 && isSameHead(from, head)) return [];
  const lines = written.map(({ line }) => line).join(',');
  const text = `{"hash":${JSON.stringify(head.hash)},"records":[${lines}]}\n`;
  const where = { place, file: 'fleetform.records' };
  const { records } = parseAppend(Buffer.from(text), where, from);
  const hashes = [...records.slice(1).map(({ prev }) => prev), head.hash];
  const due = records.map(({ seq, body }, index) => [seq, body.type, hashes[index]]);
  const found = written.map(({ seq, type, hash }) => [seq, type, hash]);
  if (JSON.stringify(due) === JSON.stringify(found) && due.at(-1)?.[0] === head.seq) return records;
  throw new WorldError('ledgerBroken', { ...where, seq: from.seq + 1, why: 'content' });
}
