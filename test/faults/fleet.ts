import { loadTexts } from '../../src/config/load.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Rehearsal, Script } from '../support/rehearsal-world.ts';

const FLEET = `
service: { baseUrl: https://twin.test, organization: acme }
budgets:
  default-site: { per: site, maxUnavailable: 100% }
rollouts:
  at-once: { canary: none, waves: [{ name: all, percent: 100% }] }
firmware:
  axis: { select: { vendor: Axis }, version: 11.11.160, rollout: at-once, windows: anytime }
`;
export const SCRIPT: Script = {
  about: 'four cameras that want a newer firmware: one alone, then three in a batch',
  devices: 4,
  sites: 1,
  every: {
    vendor: 'Axis',
    model: 'P3245-LVE',
    deviceType: 'camera',
    firmwareVersion: '11.11.124',
    condition: 'well',
    maintenance: false,
  },
  runs: [{}],
};

/** The fleet that every cell of the matrix is about. */
export const REHEARSAL: Rehearsal = {
  name: 'faults',
  script: SCRIPT,
  documents: documentsOf(FLEET),
};

function documentsOf(text: string): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}
