import { ACTION_LABELS, REASON_LABELS } from '../words.ts';
import { RISK_WORDS, TASK_WORDS } from '../../words/terms.ts';
import { wordOf as known } from '../../words/entry.ts';
import { entryOf, wordOf, type Rows } from './rows.ts';

/** Rows that a reader would call the same, counted. */
export interface Kind {
  readonly count: number;
  /** Action, task, risk, policy, wave and reason, as people read them. */
  readonly texts: readonly string[];
}

/** Every row of a view in kinds with exact counts, the first met first: the plan is in its order. */
export function kindsOf(rows: Rows, view: Uint32Array): readonly Kind[] {
  const { action, task, risk, place, wave } = rows.codes;
  const counts = new Map<string, { row: number; count: number }>();
  for (const row of view) {
    const { code } = entryOf(rows, 'reason', row);
    const key = `${action[row]} ${task[row]} ${risk[row]} ${place[row]} ${wave[row]} ${code}`;
    const met = counts.get(key);
    if (met) met.count += 1;
    else counts.set(key, { row, count: 1 });
  }
  return [...counts.values()].map(({ row, count }) => ({ count, texts: textsOf(rows, row) }));
}

function textsOf(rows: Rows, row: number): readonly string[] {
  const { code } = entryOf(rows, 'reason', row);
  return [
    ACTION_LABELS[wordOf.action(rows, row)],
    TASK_WORDS[wordOf.task(rows, row)],
    RISK_WORDS[wordOf.risk(rows, row)],
    entryOf(rows, 'place', row).policy,
    entryOf(rows, 'wave', row),
    known<string>(REASON_LABELS, code) ?? code,
  ];
}
