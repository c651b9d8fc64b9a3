import { memberSubject } from '../../model/ledger/sightings.ts';
import type { StartedRollout } from '../../model/ledger/memory.ts';
import type { Instant } from '../../lib/time.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { rolloutKey, type TallyInput } from './tally.ts';

interface Running {
  readonly input: Pick<TallyInput, 'policy' | 'seed'> & {
    readonly spec: Pick<RolloutSpec, 'waves'>;
  };
  readonly started: Pick<StartedRollout, 'seq'>;
}

/** The subject of the gate samples of one soak of one wave. */
export function sampleSubject(running: Running, wave: number, soaksSince: Instant): string {
  return `${waveSubject(running, wave)}@${soaksSince}`;
}

/** The subject of a wave that has passed. */
export function waveSubject({ input, started }: Running, wave: number): string {
  return memberSubject(rolloutKey(input, started), `${input.spec.waves[wave]?.name}`);
}
