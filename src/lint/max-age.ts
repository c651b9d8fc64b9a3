import type { Diagnostic } from '../model/documents/diagnostic.ts';
import { placeOf } from '../model/documents/source.ts';
import { formatDuration, type Milliseconds } from '../lib/time.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { dates, lengthOf } from './freezes.ts';
import type { Provable } from './policy-proofs.ts';
import { gaps, type Proof } from '../calendar/satisfiable.ts';

/**
 * A `maxAge` that is over before freezes and windows leave a start again, in every zone: whatever was
 * changed right before is too old by then (semantics L-maxAgeTooShort).
 */
export function lintAge({ policy, prove }: Provable): readonly Diagnostic[] {
  const { value } = policy;
  if (value.section !== 'rotations' || value.due.is !== 'maxAge') return [];
  const { maxAge } = value.due;
  const worst = prove().map((proof) => longestGap(proof, maxAge));
  const [gap] = worst;
  if (!gap || worst.includes(undefined)) return [];
  const params = {
    policy: value.address,
    maxAge: formatDuration(maxAge),
    ...dates(gap),
  };
  return [{ code: 'maxAgeTooShort', severity: 'error', at: placeOf(policy, '/maxAge'), params }];
}

/** The longest time without a start, if it is longer; where none ever comes that is another finding. */
function longestGap(proof: Proof, than: Milliseconds): OpenSpan | undefined {
  if (proof.starts.length === 0) return undefined;
  return gaps(proof, than + 1).toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}
