import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { placeIn, type AuthoredFleet } from '../authored.ts';
import { warning } from '../findings.ts';

/** The sections whose policies act once on what a person wants, and not again and again. */
const ONCE = ['firmware', 'onboarding'] as const;

/**
 * A standing approval is meant for rotations by age and for restarts; it lets hardly anything else
 * start (semantics N73).
 */
export function* preapprovedFits(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of ONCE)
    for (const entry of fleet.of(section))
      if (entry.value.approval !== undefined)
        yield warning('preapprovedUnusual', placeIn(entry, '/approval'), {
          policy: entry.address,
          section,
        });
}

/** Approvals are records that a job appends after a gate: it needs a ledger that it can reach (semantics N73). */
export function* approvalsAreShared(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('service')) {
    const { approval = 'commit', ledger } = entry.value;
    if (approval === 'commit' || ledger?.store === 'git') continue;
    yield warning('approvalWithoutGate', placeIn(entry, '/approval'), {
      problem: 'directory',
    });
  }
}
