import { counted } from './phrase.ts';

/** What a plan on a kept snapshot cannot know. */
export function missingReadsWords(count: number): string {
  return `The snapshot lacks ${counted(count, 'read')} that these documents want: what depends on them is skipped.`;
}
