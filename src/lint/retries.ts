import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { Entries } from '../model/documents/policy.ts';
import type { RetrySpec, RolloutSpec } from '../model/documents/rollout.ts';
import { placeOf } from '../model/documents/source.ts';
import { formatDuration, type Milliseconds } from '../lib/time.ts';
import { HORIZON } from '../calendar/calendar.ts';
import type { Provable } from './policy-proofs.ts';
import type { Proof } from '../calendar/satisfiable.ts';

/**
 * Attempts that are asked for in one window and do not fit the longest one in any zone, each of them
 * as long as it may be, and so the waits between them (semantics L-retriesOutlastWindow).
 * Only where a rollout says how it tries again: what is built in is content with the next window.
 */
export function lintRetries(
  { policy, prove }: Provable,
  rollouts: Entries<RolloutSpec>,
): readonly Diagnostic[] {
  const { address, rollout: name, section, task } = policy.value;
  const rollout = rollouts.get(name ?? '');
  // Rotations get one attempt in a window, whatever is written.
  if (!rollout?.places.has('/retry') || section === 'rotations') return [];
  const { retry, timeouts } = rollout.value;
  const attempts = retry.maxAttemptsPerWindow;
  const after = lastStartAfter(retry, timeouts.running[task]);
  const room = Math.max(...prove({ freezes: [], autoCutoff: timeouts.running[task] }).map(roomIn));
  if (room === 0 || after < room) return [];
  const lengths = { after: formatDuration(after), room: formatDuration(room) };
  return [
    {
      code: 'retriesOutlastWindow',
      severity: 'warning',
      at: placeOf(rollout, '/retry/maxAttemptsPerWindow'),
      params: { rollout: rollout.name, policy: address, attempts, ...lengths },
      related: [placeOf(policy, '/windows')],
    },
  ];
}

/** How long after the first attempt the last one may have to start. */
function lastStartAfter({ maxAttemptsPerWindow, backoff }: RetrySpec, each: Milliseconds) {
  let after = 0;
  for (let attempt = 1; attempt < maxAttemptsPerWindow && after < HORIZON; attempt++)
    after += each + Math.min(backoff.max, backoff.initial * backoff.factor ** (attempt - 1));
  return after;
}

/** For how long the longest span takes starts; 0 where none does. */
function roomIn({ starts }: Proof): Milliseconds {
  return starts.reduce((most, { open, lastStart }) => Math.max(most, lastStart - open), 0);
}
