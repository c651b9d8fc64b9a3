import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Governed, Who } from '../../model/report/output.gen.ts';
import {
  data,
  own,
  place,
  say,
  sentence,
  strong,
  type Block,
  type Fact,
  type Inlines,
  type TableBlock,
} from '../tree.ts';
import { grouped } from '../words/phrase.ts';
import { GOVERNING_WORDS, TASK_WORDS } from '../words/terms.ts';
import { deviceText, originFacts, reasonParts } from './naming.ts';

/** How many devices are listed unless all are requested. */
const LISTED = 20;

/** The entry at a line, its author, what refuses it, how many devices it governs in which way, and which. */
export function whoBlocks(who: Who, origin?: LineOrigin): readonly Block[] {
  const { at, refused, governs, total } = who;
  const table: TableBlock = {
    is: 'table',
    label: 'Devices',
    kind: 'governed',
    columns: ['Device', 'Site', 'Task', 'How'].map((title) => ({ title })),
    rows: governs.map((each) => ({ cells: cellsOf(each, refused !== undefined) })),
    most: LISTED,
    noun: 'device',
  };
  const by = origin ? originFacts([origin]) : [];
  const words = refused ? [reasonParts(refused, {})] : [];
  const refusal = words.flatMap(({ why, next }): readonly Fact[] => [
    { label: 'why', text: why },
    { label: 'next', text: next },
  ]);
  return [
    sentence(say`${strong([data(at.policy)])}  ${place(at)}`),
    { is: 'facts', facts: [...by, ...refusal, ...countFacts(who)] },
    ...(total > 0 ? [table] : []),
  ];
}

/** What is refused takes effect on no device, whether its policy or another one wins. */
function howWords(how: Governed['how'], isRefused: boolean): string {
  return isRefused ? 'refused' : GOVERNING_WORDS[how];
}

function countFacts({ governs, refused }: Who): readonly Fact[] {
  const counts = new Map<string, number>();
  for (const { how, task } of governs) {
    const ways = howWords(how, refused !== undefined);
    const words = task === undefined ? ways : `${TASK_WORDS[task]}, ${ways}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const ways = [...counts].map(([words, count]) => `${grouped(count)}: ${words}`);
  return (ways.length > 0 ? ways : ['none']).map((way) => ({ label: 'devices', text: own(way) }));
}

function cellsOf({ device, task, how, by }: Governed, isRefused: boolean): readonly Inlines[] {
  const winner = how === 'loses' && by && !isRefused ? say` (${by.policy})` : [];
  return [
    deviceText(device),
    device.site === undefined ? [] : [data(device.site)],
    own(task === undefined ? '' : TASK_WORDS[task]),
    say`${own(howWords(how, isRefused))}${winner}`,
  ];
}
