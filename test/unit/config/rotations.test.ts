import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';

const DAY = 86_400_000;
const HEAD = `service: {baseUrl: https://api.example.com, organization: acme}
rollouts: {one: {canary: none, waves: [{name: all, percent: 100%}]}}
rotations:
`;

/** What a rotation of these fields is in the model. */
function rotationOf(fields: string) {
  const text = `${HEAD}  a: {select: {vendor: Axis}, rollout: one, windows: anytime, ${fields}}\n`;
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  expect(diagnostics).toEqual([]);
  return documents?.rotations.get('a')?.value;
}

const PASSWORD = 'task: rotatePassword';
const CERTIFICATE = 'task: rotateSslCertificate';
const AGE = { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 14 * DAY };

test.each([
  ['a password by age, spread over two weeks', PASSWORD, AGE],
  [
    'no more spread than head start',
    `${PASSWORD}, headStart: 7d`,
    { ...AGE, headStart: 7 * DAY, spread: 7 * DAY },
  ],
  ['a spread as written', `${PASSWORD}, spread: 0d`, { ...AGE, spread: 0 }],
  ['a certificate in the last third of its life', CERTIFICATE, { is: 'renewShare', percent: 33 }],
  [
    'a share as written',
    `${CERTIFICATE}, renewBefore: 20%, spread: 2d`,
    { is: 'renewShare', percent: 20, spread: 2 * DAY },
  ],
  [
    'a time as written',
    `${CERTIFICATE}, renewBefore: 30d`,
    { is: 'renewBefore', before: 30 * DAY },
  ],
  ['a certificate by age where it is written', `${CERTIFICATE}, maxAge: 180d`, AGE],
  ['never', `${PASSWORD}, maxAge: never, rationale: RA-1`, { is: 'never' }],
])('what is due: %s', (_, fields, due) => {
  expect(rotationOf(fields)?.due).toEqual(due);
});

test('what a rotation leaves out has its default', () => {
  expect(rotationOf(CERTIFICATE)).toMatchObject({ expiryGuard: 3 * DAY, offlineGrace: DAY });
  expect(rotationOf(PASSWORD)).not.toHaveProperty('expiryGuard');
  expect(rotationOf(PASSWORD)).not.toHaveProperty('verify');
});

test('what a rotation writes is carried', () => {
  const written = 'expiryGuard: 1d, offlineGrace: 2d, verify: {within: 90m}, rationale: RA-1';
  expect(rotationOf(`${CERTIFICATE}, ${written}`)).toMatchObject({
    expiryGuard: DAY,
    offlineGrace: 2 * DAY,
    verify: { within: 90 * 60_000 },
    rationale: 'RA-1',
  });
});
