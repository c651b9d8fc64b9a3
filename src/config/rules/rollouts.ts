import { type Diagnostic, error, warning } from '../../model/documents/diagnostic.ts';
import { CANARY, DEFAULT_NAME, DEFAULT_ROLLOUT } from '../../model/documents/rollout-defaults.ts';
import { resolveDialect, type DialectKey } from '../../model/fleet/dialect.ts';
import { isLoopback, readAddress } from '../../lib/address.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { HOUR, parseDuration } from '../../lib/time.ts';
import {
  isStopList,
  placeIn,
  type AuthoredEntry,
  type AuthoredFleet,
  type Authored,
  type DocumentRule,
} from '../authored.ts';
import { errorWith } from '../findings.ts';

export const ROLLOUT_RULES: readonly DocumentRule[] = [
  wavesReachAll,
  batchesFit,
  stopsCount,
  canariesSoak,
  checksAreShown,
  gatesHaveWaves,
];

/**
 * A batch may not exceed the devices per task that the dialect allows, by the documents or by
 * default.
 */
function* batchesFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [service] = fleet.of('service');
  if (!service && (fleet.all('service').length > 0 || fleet.mayHold(''))) return;
  const dialect = service?.value.dialect;
  const key = 'maxDevicesPerTask' satisfies DialectKey;
  const limit = dialect?.[key] ?? resolveDialect()[key];
  for (const entry of fleet.of('rollouts')) {
    const { batch } = entry.value;
    if (batch === undefined || batch <= limit) continue;
    const at = placeIn(entry, '/batch');
    if (!service || dialect?.[key] === undefined)
      yield error('batchTooLarge', at, { batch, limit });
    else {
      const written = placeIn(service, `/dialect/${key}`);
      yield errorWith('batchTooLarge', [at, written], { batch, limit });
    }
  }
}

/**
 * Wave names are unique, `canary` is first, percentages rise, and the last wave includes all
 * devices.
 */
function* wavesReachAll(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rollouts')) {
    const waves = entry.value.waves;
    if (!waves) continue;
    yield* namesOnce(entry);
    yield* sharesRise(entry);
    if (parsePercent(waves.at(-1)?.percent) === 100) continue;
    const last = placeIn(entry, `/waves/${waves.length - 1}`);
    yield error('lastWaveNotAll', last, { rollout: entry.address });
  }
}

function* namesOnce(entry: AuthoredEntry<'rollouts'>): Generator<Diagnostic> {
  const seen = new Map<string, number>();
  for (const [index, { name }] of (entry.value.waves ?? []).entries()) {
    const first = seen.get(name);
    if (name === CANARY && index > 0)
      yield error('reservedName', placeIn(entry, `/waves/${index}/name`), {
        section: 'waves',
        name,
      });
    if (first === undefined) seen.set(name, index);
    else {
      const places = [`/waves/${index}/name`, `/waves/${first}/name`] as const;
      const [second, original] = places.map((below) => placeIn(entry, below));
      if (second && original)
        yield errorWith('duplicateName', [second, original], { section: 'waves', name });
    }
  }
}

function* sharesRise(entry: AuthoredEntry<'rollouts'>): Generator<Diagnostic> {
  let before: string | undefined;
  for (const [index, { percent }] of (entry.value.waves ?? []).entries()) {
    if (percent === undefined) continue;
    const rises = before === undefined || parsePercent(percent) > parsePercent(before);
    if (!rises && before !== undefined)
      yield error('wavesNotRising', placeIn(entry, `/waves/${index}/percent`), {
        rollout: entry.address,
        percent,
        before,
      });
    before = percent;
  }
}

function parsePercent(text: string | undefined): number {
  return Number.parseFloat(text ?? '0');
}

/**
 * A stop rule needs something to count: a canary rule without a canary wave never triggers. An
 * empty list is allowed but seldom intended (semantics H5).
 */
function* stopsCount(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rollouts')) {
    const { stopOn, waves } = entry.value;
    if (stopOn === undefined) continue;
    if (isStopList(stopOn) && stopOn.length === 0)
      yield warning('noStopRule', placeIn(entry, '/stopOn'), { rollout: entry.address });
    const hasCanary = waves?.some(({ name }) => name === CANARY) ?? true;
    if (!hasCanary) yield* canaryRules(entry, stopOn);
  }
}

function* canaryRules(
  entry: AuthoredEntry<'rollouts'>,
  stopOn: Authored['stopOn'],
): Generator<Diagnostic> {
  const params = { rollout: entry.address };
  if (!isStopList(stopOn)) {
    if (stopOn.canary !== undefined)
      yield error('stopWithoutCanary', placeIn(entry, '/stopOn/canary', 'key'), params);
    return;
  }
  for (const [index, { scope }] of stopOn.entries())
    if (scope === CANARY)
      yield error('stopWithoutCanary', placeIn(entry, `/stopOn/${index}/scope`), params);
}

/** A short soak is for a simulator, which is on this machine (semantics L-soakShort). */
function* canariesSoak(fleet: AuthoredFleet): Generator<Diagnostic> {
  const [service] = fleet.of('service');
  const address = readAddress(service?.value.baseUrl ?? '');
  if (!address || isLoopback(address)) return;
  for (const entry of fleet.of('rollouts')) {
    const { name, soak } = entry.value.waves?.[0] ?? {};
    if (name === CANARY && soak !== undefined && (parseDuration(soak) ?? HOUR) < HOUR)
      yield warning('soakShort', placeIn(entry, '/waves/0/soak'), { rollout: entry.address, soak });
  }
}

/** An approval must name a wave of its rollout. Another rule checks that the rollout exists. */
function* gatesHaveWaves(fleet: AuthoredFleet): Generator<Diagnostic> {
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
function* checksAreShown(fleet: AuthoredFleet): Generator<Diagnostic> {
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
  const isBuiltIn =
    rollout === DEFAULT_NAME && !fleet.all('rollouts').some(({ name }) => name === DEFAULT_NAME);
  if (!written && !isBuiltIn) return undefined;
  return (written?.value.waves ?? DEFAULT_ROLLOUT.waves).map(({ name }) => name);
}
