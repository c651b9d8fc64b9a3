import { factKey } from '../facts/fact.ts';
import { factLine, factLines, mergeFacts, readFactLines } from '../facts/fact-lines.ts';
import type { FactsOwner } from '../facts/fact-lines.ts';
import { formatInstant } from '../lib/time.ts';
import type { LedgerDatabase } from '../model/ledger/ledger-database.ts';
import type { FactStore } from './facts-file.ts';

/**
 * Facts as rows of the database that has the ledger, of each key the newest (semantics N17). No record has to name them:
 * the database takes them from the logins alone that may write such a record, too (semantics M24).
 */
export function factsTable(database: LedgerDatabase, owner: FactsOwner): FactStore {
  const { tenant } = owner;
  const read = async () => {
    const rows = await database.query('SELECT line FROM fleetform.facts WHERE ledger = $1', [
      tenant,
    ]);
    return readFactLines(
      [...factLines(owner, []), ...rows.map(({ line }) => String(line))],
      tenant,
    );
  };
  return {
    place: database.place,
    read,
    async write(facts, compact) {
      const own = [...facts];
      const merged = mergeFacts((await read()).facts.values(), own);
      const kept = new Set(Array.from(compact(merged.values()), factKey));
      const news = own.filter((fact) => kept.has(factKey(fact)));
      const dropped = [...merged.keys()].filter((key) => !kept.has(key));
      const times = news.map(({ at }) => formatInstant(at));
      const values = [tenant, dropped, news.map(factKey), times, news.map(factLine)];
      await database.query(WRITE, values);
      return undefined;
    },
  };
}

const WRITE = `WITH dropped AS (DELETE FROM fleetform.facts WHERE ledger = $1 AND key = ANY ($2::text[]))
  INSERT INTO fleetform.facts
    SELECT $1, n.* FROM unnest($3::text[], $4::timestamptz[], $5::text[]) AS n
    ON CONFLICT (ledger, key) DO UPDATE SET read_at = excluded.read_at, line = excluded.line
    WHERE facts.read_at <= excluded.read_at`;
