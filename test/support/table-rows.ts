import type { Change } from '../../src/model/plan/change.ts';
import type { TableHead, TablePart } from '../../src/render/html/format.ts';
import { createReader, type Rows } from '../../src/render/html/page/rows.ts';
import { planTable } from '../../src/render/html/plan-table.ts';
import { tableData, type PageTable } from '../../src/render/html/table-data.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { planOf } from './render-plan.ts';

/** The rows of a table as the script of its page reads them. */
export function readTable<Row>(table: PageTable<Row>, rows: Iterable<Row>): Rows {
  const [head, ...parts] = Array.from(tableData(table, rows), (piece): unknown =>
    JSON.parse(piece.slice(piece.indexOf('>') + 1, piece.lastIndexOf('<'))),
  );
  const reader = createReader(head as TableHead);
  for (const part of parts) reader.take(part as TablePart);
  return reader.rows;
}

/** The rows of a plan with these changes. */
export function readChanges(changes: readonly Change[]): Rows {
  return readTable(planTable(buildPlanView(planOf(changes)), changes.length), changes);
}
