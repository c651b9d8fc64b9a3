import { digest } from '../lib/canonical.ts';
import type { GroundTerms } from '../model/ledger/ground.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';

/** The tenant that a ledger belongs to: sha256 of the origin and the organization, in hex (protocol A5). */
export function tenantFingerprint({ origin, organization }: GroundTerms['service']): string {
  return digest([origin, organization]);
}

/** The terms of the last GROUND; undefined where there is none. */
export function lastGround(records: readonly LedgerRecord[]): GroundTerms | undefined {
  const body = records.findLast((record) => record.body.type === 'GROUND')?.body;
  return body?.type === 'GROUND' ? body : undefined;
}

/** The service and organization that records belong to: those of the last GROUND, else of GENESIS (protocol A5). */
export function ownerOf(records: readonly LedgerRecord[]): string {
  const ground = lastGround(records);
  if (ground) return tenantFingerprint(ground.service);
  const genesis = records.find(({ body }) => body.type === 'GENESIS')?.body;
  return genesis?.type === 'GENESIS' ? genesis.fingerprint : '';
}
