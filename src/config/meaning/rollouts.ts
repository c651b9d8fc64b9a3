import { Bug } from '../../lib/bug.ts';
import type { MeantWave } from '../../model/documents/meant.gen.ts';
import {
  DEFAULT_ROLLOUT,
  EXPERT_CLASSES,
  simpleStops,
  TRIAL,
  waveDefaults,
  type SimpleStops,
} from '../../model/documents/rollout-defaults.ts';
import type {
  Gate,
  RolloutSpec,
  StopRule,
  Timeouts,
  Wave,
  WaveExtent,
} from '../../model/documents/rollout.ts';
import { isStopList, type AuthoredEntry, type Authored } from '../authored.ts';
import { meant, ms, parsedLimit } from './read.ts';

/**
 * The default checks of a gate. Recording is checked only if the dialect names its field; a guessed
 * name is not used (semantics C10).
 */
export function usualChecks(service: AuthoredEntry<'service'>): Gate['checks'] {
  const { checks } = DEFAULT_ROLLOUT.gate;
  const field = service.value.dialect?.recordingStatusField;
  return field === undefined || field === '' ? checks : [...checks, 'recording'];
}

/** A rollout completed with the defaults of the built-in one (semantics C8). */
export function rollout({ value }: AuthoredEntry<'rollouts'>, checks: Gate['checks']): RolloutSpec {
  const written = meant('rollout', value);
  const waves = written.waves?.map(wave) ?? DEFAULT_ROLLOUT.waves;
  const { running, verify } = value.timeouts ?? {};
  return {
    ...written,
    waves,
    gate: { checks, ...written.gate },
    stopOn: stopRules(value.stopOn ?? {}, waves),
    retry: { classes: DEFAULT_ROLLOUT.retry.classes, ...written.retry },
    timeouts: {
      ...written.timeouts,
      running: { ...DEFAULT_ROLLOUT.timeouts.running, ...perTask(running) },
      verify: { ...DEFAULT_ROLLOUT.timeouts.verify, ...perTask(verify) },
    },
  };
}

function perTask(written: Authored['perTask'] = {}): Partial<Timeouts['running']> {
  return Object.fromEntries(Object.entries(written).map(([task, text]) => [task, ms(text)]));
}

function wave(written: MeantWave, index: number): Wave {
  const { name, stratify, soak } = { ...waveDefaults(index), ...written };
  return { name, slice: slice(written), stratify, soak };
}

function slice({ name, size, percent, select }: MeantWave): WaveExtent {
  if (size !== undefined) return { is: 'size', devices: size };
  if (percent !== undefined) return { is: 'percent', percent };
  if (select !== undefined) return { is: 'select', select };
  throw new Bug(`wave ${name} passed every rule and takes nobody`);
}

/** The map is the simple form; a list gives everything explicitly. */
function stopRules(written: Authored['stopOn'], waves: readonly Wave[]): readonly StopRule[] {
  if (isStopList(written)) return written.map(expertStop);
  const limits = Object.entries(written).map(
    ([scope, value]) => [scope, parsedLimit(value)] as const,
  );
  return simpleStops(Object.fromEntries(limits) as SimpleStops, waves);
}

function expertStop(written: Authored['stopRule'], index: number): StopRule {
  const { class: classes = EXPERT_CLASSES, ...rule } = meant('stopRule', written);
  return { name: `stopOn[${index}]`, classes, ...rule };
}

/**
 * The waves of an incident: a trial of one device for each vendor and model as far as it goes,
 * without a soak, then all others. One bad outcome in the trial pauses it (semantics N59).
 * @param inFlight the most in flight where the incident does not say it
 */
export function incidentRollout(
  { value }: AuthoredEntry<'incidents'>,
  inFlight: number,
): RolloutSpec {
  const { trial, maxInFlight = inFlight } = meant('incident', value);
  const waves: readonly Wave[] = [
    {
      name: TRIAL,
      slice: { is: 'size', devices: trial },
      stratify: ['vendor', 'model'],
      soak: 0,
    },
    { name: 'rest', slice: { is: 'percent', percent: 100 }, stratify: [], soak: 0 },
  ];
  return {
    ...DEFAULT_ROLLOUT,
    canary: 'none',
    waves,
    maxInFlight,
    // A bad outcome pauses the trial by a stop rule. After a lift, its gate must not block the rest.
    gate: { ...DEFAULT_ROLLOUT.gate, minReached: 100, minSuccess: 0, checks: [] },
    stopOn: simpleStops({}, waves).map((rule) =>
      rule.scope === 'canary' ? { ...rule, name: TRIAL, classes: EXPERT_CLASSES } : rule,
    ),
  };
}
