import { expect, it } from 'vitest';
import { stopSteps } from '../../../../src/render/words/review/rehearsal-words.ts';

it('says once for each kind of stop what a person may do', () => {
  const gate = { scope: 'firmware.axis (gate.timeout)' };
  const rule = { scope: 'firmware.axis (canary)' };
  expect(stopSteps([])).toEqual([]);
  expect(stopSteps([gate, gate])).toEqual([expect.stringContaining('`gate.timeout`')]);
  expect(stopSteps([rule])).toEqual([expect.stringContaining('`fleetform unpause SCOPE`')]);
  expect(stopSteps([gate, rule])).toHaveLength(2);
});
