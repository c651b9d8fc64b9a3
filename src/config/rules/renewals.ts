import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import {
  formatDuration,
  parseDuration,
  type Milliseconds,
  readableDuration,
} from '../../lib/time.ts';
import { placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { TASKS } from '../../model/fleet/task.ts';
import { meant } from '../meaning/read.ts';
import { error } from '../findings.ts';

/** From half of its life on, a certificate would be due again as soon as it is renewed. */
const LOOPING_SHARE = 50;

/**
 * A renewal must leave part of a certificate's life; a password has no life to take a percentage
 * of.
 */
export function* renewalsEnd(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const { task, renewBefore } = entry.value;
    if (renewBefore?.endsWith('%') !== true) continue;
    const at = placeIn(entry, '/renewBefore');
    if (TASKS[task].credential !== 'certificate')
      yield error('badDuration', at, { value: renewBefore });
    else if (Number.parseFloat(renewBefore) >= LOOPING_SHARE)
      yield error('renewalLoop', at, { policy: entry.address, renewBefore });
  }
}

/**
 * A spread must end before the date that it precedes and before its guard (semantics
 * L-spreadTooLong).
 */
export function* spreadsFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const limit = spreadLimit(entry);
    if (!limit) continue;
    const { spread, guard, ahead, isTight } = limit;
    if (isTight ? spread <= ahead : spread + guard < ahead) continue;
    yield error('spreadTooLong', placeIn(entry, culprit(entry)), {
      policy: entry.address,
      spread: formatDuration(spread),
      ...(guard > 0 && { expiryGuard: formatDuration(guard) }),
      ahead: readableDuration(ahead),
    });
  }
}

/** The length of a spread and the time available for it. */
interface SpreadLimit {
  readonly spread: Milliseconds;
  readonly guard: Milliseconds;
  readonly ahead: Milliseconds;
  /** The spread may equal the available time instead of staying below it. */
  readonly isTight: boolean;
}

/** Undefined without a spread, or if it is a percentage of an unknown life. */
function spreadLimit({ value }: AuthoredEntry<'rotations'>): SpreadLimit | undefined {
  const { renewBefore } = value;
  const { task, maxAge, headStart, spread, expiryGuard } = meant('rotation', value);
  if (renewBefore !== undefined) {
    const ahead = parseDuration(renewBefore);
    if (ahead === undefined) return undefined;
    const isCertificate = TASKS[task].credential === 'certificate';
    const guard = isCertificate ? expiryGuard : 0;
    return { spread: spread ?? ahead / 3, guard, ahead, isTight: false };
  }
  const isByAge =
    maxAge !== 'never' && (maxAge !== undefined || TASKS[task].credential !== 'certificate');
  if (!isByAge || spread === undefined) return undefined;
  return { spread, guard: 0, ahead: headStart, isTight: true };
}

/** The key to fix: the authored one that is most likely wrong. */
function culprit({ value }: AuthoredEntry<'rotations'>): string {
  if (value.spread !== undefined) return '/spread';
  return value.expiryGuard === undefined ? '/renewBefore' : '/expiryGuard';
}
