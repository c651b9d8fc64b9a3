import { expect, it } from 'vitest';
import { askWords } from '../../../../src/render/words/commands.ts';
import { causeWords } from '../../../../src/render/words/review/rehearsal-words.ts';

it.each([
  [{ now: 2, later: 3 }, 0, 'Apply 2 changes now and 3 later'],
  [{ now: 1, later: 0 }, 0, 'Apply 1 change now'],
  [{ now: 0, later: 18 }, 0, 'No change can start now, 18 later. Run anyway'],
  [{ now: 0, later: 18 }, 600_000, 'Wait up to 10 minutes and start up to 18 changes'],
  [{ now: 0, later: 0 }, 600_000, 'No change can start. Finish the running tasks'],
])('apply asks about %o, with a wait of %d', (counts, wait, question) => {
  expect(askWords(counts, wait)).toBe(`${question}? Type "yes": `);
});

it('the window that holds late work is named, and why', () => {
  const policy = {
    policy: 'firmware.a',
    heldBy: [{ code: 'windowClosed', count: 3, window: 'nights' }],
  } as unknown as Parameters<typeof causeWords>[0];
  const used = { window: 'nights', policy: 'firmware.a', closedWithWork: 2, mostLeft: 9 };
  expect(causeWords(policy, { windows: [used] })).toContain(
    'Window nights is too short or too rare: it closed 2 times with up to 9 changes left.',
  );
  expect(causeWords(policy, { windows: [] })).toContain(
    'Window nights opens next after the end of the rehearsal.',
  );
});
