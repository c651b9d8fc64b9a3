import { digest } from '../lib/canonical.ts';
import type { GroundTerms } from '../model/ledger/ground.ts';

/** The tenant that a ledger belongs to: sha256 of the origin and the organization, in hex (protocol A5). */
export function tenantFingerprint({ origin, organization }: GroundTerms['service']): string {
  return digest([origin, organization]);
}
