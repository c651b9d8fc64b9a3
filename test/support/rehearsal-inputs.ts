import type { Plan } from '../../src/model/plan/plan.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';

/** What the plan of a rehearsal says it was made from. */
export function inputsOf(
  {
    confidence,
    devices,
  }: Pick<Snapshot, 'confidence'> & { readonly devices: { readonly length: number } },
  ledger: Plan['inputs']['ledger'],
): Plan['inputs'] {
  return {
    tool: '0.0.0',
    service: {
      baseUrl: 'https://twin.test',
      organization: 'acme',
      from: 'document',
      fingerprint: '',
    },
    documents: '',
    snapshot: {
      digest: '',
      takenAt: '2026-11-10T01:00:00Z',
      confidence,
      devices: devices.length,
      sites: 0,
      discovered: 0,
    },
    ledger,
  };
}
