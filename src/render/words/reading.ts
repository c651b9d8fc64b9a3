import type { PlanInputs } from '../../model/plan/plan.ts';
import { momentOf } from './moment.ts';
import { counted, grouped } from './phrase.ts';
import { wordOf, wordOr } from './entry.ts';

type Reading = PlanInputs['snapshot'];

/** How the fleet was read. */
const CONFIDENCE_TEXT = {
  'one page': 'in one page',
  'two equal passes': 'in two equal passes',
  'clean pass': 'in a clean pass',
  torn: 'in a torn pass: rows may be missing',
} as const satisfies Record<Reading['confidence'], string>;

/** Whether a plan's reading has words here; the plan may come from another version. */
export function isKnown({ confidence }: Pick<Reading, 'confidence'>): boolean {
  return wordOf(CONFIDENCE_TEXT, confidence) !== undefined;
}

/** When and how the fleet was read, and what was done about an inconsistent read. */
export function readingText(reading: Reading): string {
  const when = `${momentOf(reading.takenAt)} ${wordOr(CONFIDENCE_TEXT, reading.confidence)}`;
  return when + repairText(reading);
}

/** The result of repeated reads by ID after an inconsistent read; empty if there were none. */
export function repairText({ repair }: Pick<Reading, 'repair'>): string {
  if (!repair) return '';
  const { present, absent, unknown } = repair;
  const found = [
    `${grouped(present)} there`,
    ...(absent > 0 ? [`${grouped(absent)} absent or forbidden`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
  ];
  return `; ${counted(present + absent + unknown, 'device')} looked for by id: ${found.join(', ')}`;
}
