import { type Diagnostic, warning } from '../../model/documents/diagnostic.ts';
import { placeOnly } from '../../model/documents/source.ts';
import type { Change } from '../../model/plan/change.ts';
import { kindsIn, type MaybeColumns } from '../../model/plan/change-rows.ts';

/**
 * Reports policies that renew a certificate at half of its lifetime or earlier, so that each new
 * one would be due again at once (semantics L-renewalLoop). Their devices are skipped: what one
 * device shows refuses no other change. One warning per policy, with the number of devices.
 */
export function renewalLoops(changes: MaybeColumns): readonly Diagnostic[] {
  const found = new Map<string, { readonly first: Change; count: number }>();
  for (const { change, count } of kindsIn(changes)) {
    if (change.reason.why !== 'renewalLoop') continue;
    const known = found.get(change.policy) ?? { first: change, count: 0 };
    known.count += count;
    found.set(change.policy, known);
  }
  return [...found].map(([policy, { first, count }]) => {
    const params = { policy, ...first.reason.params, device: first.device.id, count };
    return warning('renewalLoop', placeOnly(first.at), params);
  });
}
