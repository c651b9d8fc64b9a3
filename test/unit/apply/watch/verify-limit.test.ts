import { expect, test } from 'vitest';
import { verifyLimit } from '../../../../src/apply/watch/timeouts.ts';
import { rotation } from '../../../support/desired-documents.ts';
import { entries, someDocuments } from '../../../support/plan-fleet.ts';

const MINUTE = 60_000;
const rotations = entries({
  own: rotation('own', { verify: { within: 90 * MINUTE } }),
  usual: rotation('usual'),
});

test.each([
  ['its policy says', 'rotations.own', 90],
  ['its kind says where the policy is silent', 'rotations.usual', 15],
  ['its kind says where the policy left the documents', 'rotations.gone', 15],
])('a rotation has to show within what %s', (_, policy, minutes) => {
  expect(verifyLimit(someDocuments({ rotations }), { task: 'rotatePassword', policy })).toBe(
    minutes * MINUTE,
  );
});
