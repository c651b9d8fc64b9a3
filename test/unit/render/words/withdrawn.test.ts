import { describe, expect, it } from 'vitest';
import { withdrawnWords } from '../../../../src/render/words/approval-words.ts';

describe('what follows a withdrawal', () => {
  const scope = 'firmware.axis';

  it('is a new approval at the gate where a plan is the approval', () => {
    const { next } = withdrawnWords({ scope, taken: true, preapproved: false, approval: 'plan' });
    expect(next).toContain('`fleetform ci look`, then its gate');
  });

  it.each([
    [false, '`fleetform pause firmware.axis --reason R`'],
    [0, '`fleetform pause POLICY --reason R`'],
  ])('is a pause where the merged commit is the approval: %s', (taken, command) => {
    const { next } = withdrawnWords({ scope, taken, preapproved: false, approval: 'commit' });
    expect(next).toContain(command);
    expect(next).not.toContain('gate');
  });
});
