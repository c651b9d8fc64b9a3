import { digest } from '../lib/canonical.ts';
import { WorldError } from '../model/error.ts';
import type { GroundTerms } from '../model/ledger/ground.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Leaseless } from '../model/ledger/record.ts';

/** The tenant that a ledger belongs to: sha256 of the origin and the organization, in hex (protocol A5). */
export function tenantFingerprint({ origin, organization }: GroundTerms['service']): string {
  return digest([origin, organization]);
}

/** What a command proposes as the ground. */
export type Proposal = Omit<GroundTerms, 'why'>;

/**
 * The GROUND that a command appends before all else: the first of a ledger, or one that is stricter. Only a gate
 * lowers a mode, and nothing else changes without `ledger move` (protocol M2, M9). Throws `groundUnrecorded`.
 * @param isKnown whether a ledger without GROUND is known to stand on this one
 */
export function dueGround(
  { head, ground }: Pick<Memory, 'head' | 'ground'>,
  proposed: Proposal,
  isKnown: boolean,
): readonly Leaseless[] {
  if (!ground) {
    if (head.seq > 0 && !isKnown) throw new WorldError('groundUnrecorded');
    return [{ type: 'GROUND', ...proposed, why: head.seq === 0 ? 'first' : 'format' }];
  }
  const approval = proposed.approval === 'plan' ? 'plan' : ground.approval;
  const gate = ground.gate === 'none' ? proposed.gate : ground.gate;
  if (approval === ground.approval && gate === ground.gate) return [];
  const { service, ledger } = ground;
  return [{ type: 'GROUND', ...proposed, service, ledger, approval, gate, why: 'stricter' }];
}

/**
 * The GROUND of a gate that has approved a commit whose documents ask for no approval of plans (protocol M9); none
 * where none was asked for.
 */
export function loweredGround(
  { ground }: Pick<Memory, 'ground'>,
  { commit, who }: Pick<GroundTerms, 'commit' | 'who'>,
): readonly Leaseless[] {
  if (ground?.approval !== 'plan') return [];
  const { service, ledger, gate } = ground;
  return [{ type: 'GROUND', service, ledger, gate, approval: 'commit', commit, who, why: 'gate' }];
}
