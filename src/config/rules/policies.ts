import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { CANARY } from '../../model/documents/rollout-defaults.ts';
import { POLICY_SECTIONS } from '../../model/documents/policy.ts';
import { resolveDialect, type DialectKey } from '../../model/fleet/dialect.ts';
import { formatDuration, parseDuration } from '../../lib/time.ts';
import { toList, placeIn, type AuthoredEntry, type AuthoredFleet } from '../authored.ts';
import { meant } from '../meaning/read.ts';
import { error, errorWith } from '../findings.ts';

/** A rotation whose head start equals its age would never end. */
export function* dueRulesFit(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const entry of fleet.of('rotations')) {
    const { maxAge, headStart } = entry.value;
    if (maxAge === undefined || maxAge === 'never') continue;
    const ahead = meant('rotation', entry.value).headStart;
    if (ahead < (parseDuration(maxAge) ?? 0)) continue;
    const below = headStart === undefined ? '/maxAge' : '/headStart';
    const params = { headStart: headStart ?? formatDuration(ahead), maxAge };
    yield error('headStartTooLong', placeIn(entry, below), params);
  }
}

/** `anytime` makes any window beside it pointless. */
export function* anytimeIsAlone(fleet: AuthoredFleet): Generator<Diagnostic> {
  for (const section of POLICY_SECTIONS)
    for (const entry of fleet.of(section)) {
      const windows = toList<string>(entry.value.windows);
      const other = windows.find((name) => name !== 'anytime');
      if (!windows.includes('anytime') || other === undefined) continue;
      const at = placeIn(entry, `/windows/${windows.indexOf('anytime')}`);
      yield error('excludesEachOther', at, { key: 'anytime', other });
    }
}

/**
 * A batch may not exceed the devices per task that the dialect allows, by the documents or by
 * default.
 */
export function* batchesFit(fleet: AuthoredFleet): Generator<Diagnostic> {
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
export function* wavesReachAll(fleet: AuthoredFleet): Generator<Diagnostic> {
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
