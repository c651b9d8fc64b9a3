import { expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { incidentFile, incidentName } from '../../../src/init/incident-file.ts';
import { NOW } from '../../support/plan-fleet.ts';

const FACTS = {
  name: 'campus-munich-passwords',
  rotate: 'password',
  site: 'Campus "Munich": {x}',
  deviceType: 'camera',
  since: NOW,
  until: NOW + 3_600_000,
  expect: 667,
  reason: 'known # outside',
  owner: 'secops',
  ticket: 'SEC-9',
} as const;

test('N54 the file of an incident has at most 12 lines and loads, whatever its texts are', () => {
  const text = incidentFile(FACTS);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  const service = {
    path: 'fleet/s.yaml',
    text: 'service: {baseUrl: https://a.example, organization: acme}\n',
  };
  const { documents, diagnostics } = loadTexts([service, { path: 'fleet/i.yaml', text }]);
  expect(diagnostics).toEqual([]);
  const policy = documents?.incidents.get(FACTS.name)?.value;
  expect(policy?.select).toEqual({ site: { name: [FACTS.site] }, deviceType: ['camera'] });
  expect(policy?.incident).toMatchObject({ since: NOW, expect: 667, reason: 'known # outside' });
});

test.each([
  ['Campus Munich', 'campus-munich-passwords'],
  ['Zürich/Süd 2', 'z-rich-s-d-2-passwords'],
  ['東京', 'site-passwords'],
])('the entry of an incident at %s is called %s', (site, name) => {
  expect(incidentName(site, 'password')).toBe(name);
});
