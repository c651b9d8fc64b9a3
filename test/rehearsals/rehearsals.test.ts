import { describe, expect, it } from 'vitest';
import { watch } from '../support/canary-watch.ts';
import { expectedPath, takeCourse } from '../support/rehearsal-course.ts';
import { rehearsals } from '../support/rehearsal-world.ts';

describe.each(rehearsals())('%s', (name) => {
  it('ends as expected, with a ledger that is allowed and sums that are right', async () => {
    const { text, broken, made } = await takeCourse(name);
    watch(`ledger, reports and effects of ${name}`, () => JSON.stringify(made));
    expect(broken).toEqual([]);
    await expect(text).toMatchFileSnapshot(expectedPath(name));
  });
});
