import { tenantFingerprint } from '../../src/ledger/ground-due.ts';
import type { RecordBody } from '../../src/model/ledger/record.ts';
import { GroundRig } from './ground-rig.ts';

export const CREATED: RecordBody = {
  type: 'GENESIS',
  ledgerId: 'ledger-of-format-2',
  format: 2,
  fingerprint: tenantFingerprint({ origin: 'https://api.example.com', organization: 'acme' }),
};

function planOf(commit: string): RecordBody {
  return {
    type: 'PLAN',
    planId: 'p',
    commit,
    fromFile: false,
    counts: { devices: 1, sites: 1, changes: 1 },
    confidence: 'one page',
  };
}

const LOCK: RecordBody = {
  type: 'LOCK',
  nonce: 'n',
  label: 'old',
  ttl: 1,
  host: 'h',
  pid: 1,
  process: 'p',
};

/** A ledger that an earlier version wrote, with a plan of a commit. */
export async function earlier(
  commit: (rig: GroundRig) => string,
  more: readonly RecordBody[] = [],
) {
  const rig = new GroundRig();
  const planned = commit(rig);
  await rig.forge('fleetform-ledger', CREATED);
  await rig.forge('fleetform-ledger', LOCK, planOf(planned), { type: 'RELEASE' }, ...more);
  return rig;
}

export const grounds = async (rig: GroundRig) =>
  (await rig.recordsAt('fleetform-ledger')).flatMap(({ body }) =>
    body.type === 'GROUND' ? [[body.approval, body.why]] : [],
  );
