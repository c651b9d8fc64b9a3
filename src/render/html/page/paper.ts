import { ACTION_LABELS, PAGE_WORDS } from '../words.ts';
import { REASON_LABELS } from '../../words/review/reason-labels.ts';
import { fill, grouped } from '../../words/phrase.ts';
import { byId, isolated, make } from './dom.ts';
import type { Grid } from './grid.ts';
import { type ReportRows, rowEntry, rowWord } from './report-rows.ts';
import { RISK_WORDS, TASK_WORDS } from '../../words/terms.ts';
import { findWord as known } from '../../words/entry.ts';

/** The maximum number of printed rows and groups. */
const PRINTED = 400;

/**
 * Prints with every fold open, and of the table what it shows: its first rows; if there are more,
 * all of them in groups with exact counts before the rows. The page says so, and how to print every
 * row.
 */
export function printOnPaper(rows: ReportRows, grid: Grid, viewNow: () => Uint32Array): void {
  const note = byId('printed', HTMLElement);
  const kinds = byId('kinds', HTMLElement);
  let folded: readonly HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const fold of folded) fold.open = true;
    const view = viewNow();
    const isCut = view.length > PRINTED;
    const params = {
      shown: grouped(Math.min(PRINTED, view.length)),
      view: grouped(view.length),
      all: grouped(rows.length),
    };
    note.textContent = fill(isCut ? PAGE_WORDS.printedPart : PAGE_WORDS.printedAll, params, String);
    kinds.replaceChildren(...(isCut ? [kindTable(groupRows(rows, view))] : []));
    grid.print(PRINTED);
  });
  addEventListener('afterprint', () => {
    for (const fold of folded) fold.open = false;
    kinds.replaceChildren();
    grid.print();
  });
}

function kindTable(kinds: readonly Kind[]): HTMLElement {
  const head = PAGE_WORDS.kinds.map((label) => make('th', { scope: 'col' }, label));
  const body = kinds.slice(0, PRINTED).map(({ count, texts }) => kindRow(count, texts));
  const rest = kinds.slice(PRINTED);
  const left = rest.reduce((sum, { count }) => sum + count, 0);
  const others = fill(PAGE_WORDS.otherKinds, { kinds: grouped(rest.length) }, String);
  return make(
    'table',
    {},
    make('thead', {}, make('tr', {}, ...head)),
    make('tbody', {}, ...body, ...(left > 0 ? [kindRow(left, [others])] : [])),
  );
}

function kindRow(count: number, texts: readonly string[]): HTMLElement {
  const cells = texts.map((text) => make('td', {}, isolated(text)));
  return make('tr', {}, make('td', { class: 'n' }, grouped(count)), ...cells);
}

/** Equal rows, counted. */
interface Kind {
  readonly count: number;
  /** Action, task, risk, policy, wave and reason, as displayed. */
  readonly texts: readonly string[];
}

/** Every row of a view in groups with exact counts, in the order of the plan. */
function groupRows(rows: ReportRows, view: Uint32Array): readonly Kind[] {
  const { action, task, risk, place, wave } = rows.codes;
  const counts = new Map<string, { row: number; count: number }>();
  for (const row of view) {
    const { code } = rowEntry(rows, 'reason', row);
    const key = `${action[row]} ${task[row]} ${risk[row]} ${place[row]} ${wave[row]} ${code}`;
    const met = counts.get(key);
    if (met) met.count += 1;
    else counts.set(key, { row, count: 1 });
  }
  return [...counts.values()].map(({ row, count }) => ({ count, texts: groupTexts(rows, row) }));
}

function groupTexts(rows: ReportRows, row: number): readonly string[] {
  const { code } = rowEntry(rows, 'reason', row);
  return [
    ACTION_LABELS[rowWord.action(rows, row)],
    TASK_WORDS[rowWord.task(rows, row)],
    RISK_WORDS[rowWord.risk(rows, row)],
    rowEntry(rows, 'place', row).policy,
    rowEntry(rows, 'wave', row),
    known<string>(REASON_LABELS, code) ?? code,
  ];
}
