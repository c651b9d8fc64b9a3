import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import type { PlannerInput } from '../input.ts';

/**
 * Warnings about the values that earlier runs read: they grow too old before they can be read again
 * (semantics N23), or a read of now contradicts them (semantics N15, M25); and about clocks that differ too much for `apply`
 * (protocol Y10). All are of the reading, so that the plan can be made again from its snapshot.
 */
export function* factNotices({
  snapshot: { notices = {} },
  documents: { service },
}: Pick<PlannerInput, 'snapshot' | 'documents'>): Generator<Diagnostic> {
  const { tooSlow, contradicted = [], skew } = notices;
  const { at } = service;
  if (tooSlow) yield warning('factsTooSlow', at, { count: tooSlow.wanted, perDay: tooSlow.perDay });
  for (const value of contradicted) yield warning('factsContradicted', at, { ...value });
  if (skew !== undefined) {
    const seconds = Math.round(Math.abs(skew) / 1_000);
    yield warning('clocksDiffer', at, { seconds });
  }
}
