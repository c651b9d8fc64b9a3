import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { causingLine } from '../../../../src/plan/decide/decide.ts';

const TEXT = `service: {baseUrl: https://a.example, organization: a}
firmware:
  axis:
    select: {vendor: Axis}
    version: "11.11.1"
    minVersion: "11.0.0"
    windows: anytime
rotations:
  words:
    task: rotatePassword
    select: {vendor: Axis}
    maxAge: 180d
    generation: 2
    windows: anytime
  plain: {task: rotatePassword, select: {vendor: Bosch}, windows: anytime}
  papers:
    task: rotateSslCertificate
    select: {vendor: Axis}
    renewBefore: 33%
    windows: anytime
restarts:
  dark:
    select: {vendor: Axis}
    when: {status: offline}
    windows: anytime
onboarding:
  new:
    select: {source: VMS}
    devices:
      - {id: disc-1}
    windows: anytime
exceptions:
  bug:
    type: pin
    select: {device: dev-1}
    task: upgradeFirmware
    version: "11.10.1"
    until: "2026-12-01T00:00:00Z"
    reason: bug
    owner: me
    ticket: T-1
  leak:
    {type: expedite, select: {device: dev-1}, task: rotatePassword, until: "2026-12-01T00:00:00Z", reason: a, owner: b, ticket: c}
`;

describe('the line that a change comes from', () => {
  const documents = loaded();

  it.each([
    ['firmware', 'axis', 'versionDiffers', 5],
    ['firmware', 'axis', 'nextHop', 5],
    ['firmware', 'axis', 'belowMinVersion', 6],
    ['firmware', 'axis', 'pinned', 37],
    ['rotations', 'words', 'ageReached', 12],
    ['rotations', 'words', 'generationRaised', 13],
    ['rotations', 'words', 'expedited', 42],
    ['rotations', 'plain', 'ageReached', 15],
    ['rotations', 'papers', 'renewalDue', 19],
    ['restarts', 'dark', 'symptomHeld', 24],
    ['onboarding', 'new', 'matched', 28],
  ] as const)('%s.%s, %s: line %i', (section, name, why, line) => {
    const entry = documents[section].get(name);
    if (!entry) throw new Error(`no ${name}`);
    const policy = `${section}.${name}`;
    const [pin, expedite] = ['bug', 'leak'].map((each) => documents.exceptions.get(each));
    const exemption = { pin, expedite } as never;
    const at = causingLine(
      { policy: entry, at: { ...entry.at, policy }, exemption },
      { code: 'act', why },
    );
    expect(at).toMatchObject({ file: 'fleet/a.yaml', line, policy });
  });

  it('is the item of the list where a device is listed', () => {
    const entry = documents.onboarding.get('new');
    if (!entry) throw new Error('no entry');
    const at = { file: 'fleet/a.yaml', line: 30, column: 9, policy: 'onboarding.new' };
    expect(
      causingLine({ policy: entry, at, exemption: {} as never }, { code: 'act', why: 'listed' }),
    ).toBe(at);
  });
});

function loaded(): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: TEXT }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}
