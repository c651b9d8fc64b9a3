import type { DriftView } from '../view/drift-view.ts';
import { counted, grouped } from './phrase.ts';

/** How many devices have moved away from what was done to them. */
export function driftTitle(drifted: number): string {
  return drifted === 0
    ? 'No drift: no device has moved away from what was done to it.'
    : `Drift: ${counted(drifted, 'change')} to bring devices back to what was done to them`;
}

const BESIDE: Readonly<Record<keyof DriftView['beside'], string>> = {
  config: 'that the documents want and that are not rolled out yet',
  clock: 'due by time',
  onboarding: 'for new devices',
  detection: 'for a symptom that was seen',
  retry: 'tried before',
};

/** What is no drift and will be done or waits all the same; nothing where there is none. */
export function besideWords(beside: DriftView['beside']): readonly string[] {
  const parts = Object.entries(BESIDE).flatMap(([cause, words]) => {
    const count = beside[cause as keyof DriftView['beside']];
    return count === 0 ? [] : [`${grouped(count)} ${words}`];
  });
  return parts.length === 0 ? [] : [`Not drift: ${parts.join(', ')}.`];
}
