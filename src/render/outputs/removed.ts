import { sumCounts } from '../../lib/group-by.ts';
import type { DroppedClass } from '../../model/plan/plan.ts';
import { data, own, place, say, told, type Block, type Inlines, type Item } from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { grouped } from '../words/phrase.ts';
import { reasonWords } from '../words/reasons.ts';
import { planTime } from '../words/review/review-words.ts';
import { CAUSE_WORDS, TASK_WORDS } from '../words/terms.ts';
import { deviceText, requestedLines, some } from './naming.ts';

/** How many removed groups are listed in short. */
const LISTED = 5;

/** Changes of the base that these documents no longer request, with their lines in the base. */
export function removedBlocks(view: PlanView): readonly Block[] {
  const { base } = view;
  if (!base || base.gone.length === 0) return [];
  const items = base.gone.map((each) => removedItem(each, view));
  const list = { is: 'list', items, most: LISTED, noun: 'group' } as const;
  const title = say`Removed since ${base.ref}`;
  return [{ is: 'section', id: 'gone', title, count: sumCounts(base.gone), blocks: [list] }];
}

function removedItem(each: DroppedClass, view: PlanView): Item {
  const { task, at, cause, reason, lines = [], count, devices } = each;
  const why = told((sink) => reasonWords(reason, { ...planTime(view), sink }).summary);
  const named = devices.map(deviceText);
  const line = (reason.why === 'lifted' && lines.at(-1)) || at;
  return {
    count,
    text: say`${at.policy}  ${own(TASK_WORDS[task])}: ${why}  ${place(line)}`,
    details: [
      say`before: ${own(CAUSE_WORDS[cause])}`,
      ...requestedLines({ places: [], lines }, view).map(
        ({ label, text }) => say`${own(label)}: ${text}`,
      ),
      say`devices: ${some(named, { most: named.length, noun: 'device', count })}`,
    ],
  };
}

/** How many reasons of unchanged devices are listed. */
const REASONS = 20;

/** The unchanged devices, with reasons; those with the same words are one row. */
export function noteBlocks(
  view: PlanView,
  { all = false }: { readonly all?: boolean },
): readonly Block[] {
  if (view.notes.length === 0) return [];
  const rows = new Map<string, { policy: string; why: Inlines; count: number }>();
  for (const { at, reason, count } of view.notes) {
    const why = told((sink) => {
      const { summary, detail } = reasonWords(reason, { ...planTime(view), sink });
      return detail === undefined ? summary : `${summary} ${detail}`;
    });
    const key = JSON.stringify([at.policy, why]);
    const before = rows.get(key)?.count ?? 0;
    rows.set(key, { policy: at.policy, why, count: before + count });
  }
  const table = {
    is: 'table',
    label: 'Unchanged devices',
    kind: 'notes',
    columns: [{ title: 'Devices', isNumber: true }, { title: 'Policy' }, { title: 'Why' }],
    rows: [...rows.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ policy, why, count }) => ({
        count,
        cells: [own(grouped(count)), [data(policy)], why],
      })),
    ...(!all && { most: REASONS }),
    noun: 'row',
  } as const;
  const count = sumCounts(view.notes);
  return [
    { is: 'section', id: 'notes', title: own('Noted'), count, isFolded: true, blocks: [table] },
  ];
}
