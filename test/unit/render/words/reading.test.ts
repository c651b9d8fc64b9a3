import { expect, it } from 'vitest';
import type { PlanInputs } from '../../../../src/model/plan/plan.ts';
import { readingText } from '../../../../src/render/words/reading-words.ts';

const READING: PlanInputs['snapshot'] = {
  digest: '',
  takenAt: '2026-11-10T01:00:00Z',
  confidence: 'torn',
  devices: 5,
  sites: 1,
  discovered: 0,
};

it('says how the fleet was read, and what became of a reading that never held still', () => {
  expect(readingText({ ...READING, confidence: 'one page' })).toMatch(/ in one page$/);
  expect(readingText(READING)).toMatch(/, inconsistent: devices may be missing$/);
  const repair = { present: 3, absent: 1, unknown: 2 };
  expect(readingText({ ...READING, repair })).toMatch(
    /; 6 devices read by ID: 3 present, 1 missing or forbidden, 2 unknown$/,
  );
  expect(readingText({ ...READING, repair: { ...repair, absent: 0, unknown: 0 } })).toMatch(
    /; 3 devices read by ID: 3 present$/,
  );
});
