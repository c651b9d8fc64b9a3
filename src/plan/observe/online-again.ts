import { sightingOf } from '../../model/ledger/sightings.ts';
import {
  coverageOf,
  ONLINE_AGAIN,
  ONLINE_APART,
  unverifiedOn,
} from '../../rollout/budgets/down.ts';
import type { Observer } from '../observer.ts';

/**
 * Devices that an intent left unverified and that read online again: coverage needs them up, twice
 * and ten minutes apart; the stop rules deal with the missing target (semantics B8).
 */
export const onlineAgain: Observer = function* ({ snapshot: { devices, takenAt }, memory }) {
  for (const intent of memory.intents.values()) {
    const row = intent.verdict === 'unverified' ? devices.rowOf(intent.device) : undefined;
    if (row === undefined || unverifiedOn(memory, intent.device) !== intent) continue;
    if (takenAt < (intent.settledAt ?? takenAt) || coverageOf(devices.at(row), takenAt) !== 'up')
      continue;
    const seen = sightingOf(memory, ONLINE_AGAIN, intent.id);
    const sighting = { what: ONLINE_AGAIN, subject: intent.id, seenAt: takenAt } as const;
    if (!seen) yield { ...sighting, value: 'once' };
    else if (seen.value === 'once' && takenAt - seen.firstAt >= ONLINE_APART)
      yield { ...sighting, value: 'twice' };
  }
};
