import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { DialectKey } from '../../model/fleet/dialect.ts';
import { placeIn, type AuthoredFleet } from '../authored.ts';
import { error } from '../findings.ts';
import { nearest } from '../../lib/nearest-name.ts';

/** The waves of the built-in rollout. */
const BUILT_IN_WAVES = ['canary', 'early', 'broad', 'rest'];

/** An approval must name a wave of its rollout. Another rule checks that the rollout exists. */
export function* gatesHaveWaves(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('exceptions')) {
    const [rollout = '', name = ''] = entry.value.allow?.gate?.split('/') ?? [];
    const known = waveNames(fleet, rollout);
    if (!known || known.includes(name)) continue;
    const suggestion = nearest(name, known);
    const params = { section: 'waves', name, ...(suggestion !== undefined && { suggestion }) };
    yield error('nameUnknown', placeIn(entry, '/allow/gate'), params);
  }
}

/** A check that no reading can answer would block its gate forever. */
export function* checksAreShown(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [service] = fleet.of('service');
  const key = 'recordingStatusField' satisfies DialectKey;
  const dialect: Readonly<Record<string, unknown>> = service?.value.dialect ?? {};
  if (dialect[key] !== '') return;
  for (const entry of fleet.of('rollouts')) {
    const index = entry.value.gate?.checks?.indexOf('recording') ?? -1;
    const params = { what: 'whether a camera records', key };
    if (index >= 0) yield error('fieldNotMapped', placeIn(entry, `/gate/checks/${index}`), params);
  }
}

function waveNames(fleet: AuthoredFleet, rollout: string): readonly string[] | undefined {
  const written = fleet.of('rollouts').find(({ name }) => name === rollout);
  if (written) return written.value.waves?.map(({ name }) => name) ?? BUILT_IN_WAVES;
  const isBuiltIn = rollout === 'default' && !fleet.all('rollouts').some(isDefault);
  return isBuiltIn ? BUILT_IN_WAVES : undefined;
}

function isDefault({ name }: { readonly name: string }): boolean {
  return name === 'default';
}
