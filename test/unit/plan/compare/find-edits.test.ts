import { expect, it } from 'vitest';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import { findEdits } from '../../../../src/plan/compare/changed-entries.ts';

it.each<[readonly string[], readonly string[], readonly string[]]>([
  [['firmware.axis', 'groups.guardrails'], [], []],
  [['exceptions.quiet', 'guardrails.most', 'service'], [], ['service', 'guardrails', 'exceptions']],
  [[], ['.github/workflows/fleet-plan.yml'], ['workflows']],
  [[], ['ci/any-ci.sh'], ['workflows']],
  [[], ['.gitlab-ci.yml', 'pnpm-lock.yaml'], ['workflows', 'lockFile']],
  [[], ['infra/package-lock.json', 'yarn.lock', 'npm-shrinkwrap.json'], ['lockFile']],
  [[], ['package.json', 'vendor/fleetform.tgz', '.npmrc'], ['package']],
])('entries %j and code %j are %j', (entries, code, edits) => {
  expect(findEdits(entries, code)).toEqual(edits);
});

it.each([
  ['acme', ['service.notifications', 'exceptions']],
  ['globex', ['service', 'exceptions']],
])('names the notifications of a service where its organization is %s', (organization, edits) => {
  const side = (value: object) => ({ documents: { service: { value } } as unknown as Documents });
  const sides = [
    side({ organization: 'acme' }),
    side({ organization, notifications: [{ kind: 'slack', url: 'FLEET_URL' }] }),
  ];
  expect(findEdits(['service', 'exceptions.bug'], [], sides)).toEqual(edits);
  expect(findEdits(['exceptions.bug'], [], sides)).toEqual(['exceptions']);
});
