import { Bug } from '../../lib/bug.ts';
import {
  DEFAULT_ROLLOUT,
  DEFAULT_TIMEOUTS,
  EXPERT_CLASSES,
  simpleStops,
  waveDefaults,
  type SimpleStops,
} from '../../model/documents/rollout-defaults.ts';
import type {
  Gate,
  RetrySpec,
  RolloutSpec,
  WaveExtent,
  StopRule,
  Timeouts,
  Wave,
} from '../../model/documents/rollout.ts';
import { TASK_TYPES, type TaskType } from '../../model/fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { AuthoredEntry, Authored } from '../authored.ts';
import { parsedLimit, ms, percent, selector } from './values.ts';

/**
 * The default checks of a gate. Recording is checked only if the dialect names its field; a guessed
 * name is not used (semantics C10).
 */
export function usualChecks(service: AuthoredEntry<'service'>): Gate['checks'] {
  const { checks } = DEFAULT_ROLLOUT.gate;
  const field = service.value.dialect?.recordingStatusField;
  return field === undefined || field === '' ? checks : [...checks, 'recording'];
}

/** The built-in rollout, if the documents change one of its defaults indirectly. */
export function builtIn(checks: Gate['checks']): RolloutSpec {
  return { ...DEFAULT_ROLLOUT, gate: { ...DEFAULT_ROLLOUT.gate, checks } };
}

/** A rollout completed with the defaults of the built-in one (semantics C8). */
export function rollout({ value }: AuthoredEntry<'rollouts'>, checks: Gate['checks']): RolloutSpec {
  const { canary, assignment, maxInFlight, batch } = value;
  const waves = value.waves?.map(wave) ?? DEFAULT_ROLLOUT.waves;
  return {
    canary: canary ?? DEFAULT_ROLLOUT.canary,
    waves,
    assignment: assignment ?? DEFAULT_ROLLOUT.assignment,
    maxInFlight: maxInFlight ?? DEFAULT_ROLLOUT.maxInFlight,
    batch: batch ?? DEFAULT_ROLLOUT.batch,
    gate: gate(value.gate ?? {}, checks),
    stopOn: stopRules(value.stopOn ?? {}, waves),
    retry: retry(value.retry),
    timeouts: timeouts(value.timeouts),
  };
}

function wave(written: Authored['wave'], index: number): Wave {
  const { name, stratify, soak } = written;
  const usual = waveDefaults(index);
  return {
    name,
    slice: slice(written),
    stratify: stratify ?? usual.stratify,
    soak: soak === undefined ? usual.soak : ms(soak),
  };
}

function slice({ name, size, percent: share, select }: Authored['wave']): WaveExtent {
  if (size !== undefined) return { is: 'size', devices: size };
  if (share !== undefined) return { is: 'percent', percent: percent(share) };
  if (select !== undefined) return { is: 'select', select: selector(select) };
  throw new Bug(`wave ${name} passed every rule and takes nobody`);
}

function gate(written: Authored['gate'], usualOnes: Gate['checks']): Gate {
  const { minReached, minSuccess, checks, consecutiveOk, approval, timeout } = written;
  const usual = DEFAULT_ROLLOUT.gate;
  return {
    minReached: minReached === undefined ? usual.minReached : percent(minReached),
    minSuccess: minSuccess === undefined ? usual.minSuccess : percent(minSuccess),
    checks: checks ?? usualOnes,
    consecutiveOk: consecutiveOk ?? usual.consecutiveOk,
    approval: approval ?? usual.approval,
    timeout: timeout === undefined ? usual.timeout : ms(timeout),
  };
}

/** The map is the simple form; a list gives everything explicitly. */
function stopRules(written: Authored['stopOn'], waves: readonly Wave[]): readonly StopRule[] {
  if (isList(written)) return written.map(expertStop);
  const limits = Object.entries(written).map(
    ([scope, value]) => [scope, parsedLimit(value)] as const,
  );
  return simpleStops(Object.fromEntries(limits) as SimpleStops, waves);
}

function isList(written: Authored['stopOn']): written is readonly Authored['stopRule'][] {
  return Array.isArray(written);
}

function expertStop(written: Authored['stopRule'], index: number): StopRule {
  const { class: classes, max, percent: share, minAttempts, scope, action } = written;
  return {
    name: `stopOn[${index}]`,
    classes: classes ?? EXPERT_CLASSES,
    ...(max !== undefined && { max }),
    ...(share !== undefined && { percent: percent(share) }),
    minAttempts: minAttempts ?? 1,
    scope,
    action: action ?? 'pause',
  };
}

function retry(written: Authored['retry'] = {}): RetrySpec {
  const { classes, maxAttemptsPerWindow, maxWindows, backoff = {} } = written;
  const usual = DEFAULT_ROLLOUT.retry;
  const { initial, factor, max, jitter } = backoff;
  return {
    classes: classes ?? usual.classes,
    maxAttemptsPerWindow: maxAttemptsPerWindow ?? usual.maxAttemptsPerWindow,
    maxWindows: maxWindows ?? usual.maxWindows,
    backoff: {
      initial: initial === undefined ? usual.backoff.initial : ms(initial),
      factor: factor ?? usual.backoff.factor,
      max: max === undefined ? usual.backoff.max : ms(max),
      jitter: jitter ?? usual.backoff.jitter,
    },
  };
}

function timeouts(written: Authored['timeouts'] = {}): Timeouts {
  const { pending, running = {}, verify = {}, lost } = written;
  return {
    pending: pending === undefined ? DEFAULT_TIMEOUTS.pending : ms(pending),
    running: perTask(running, DEFAULT_TIMEOUTS.running),
    verify: perTask(verify, DEFAULT_TIMEOUTS.verify),
    lost: lost === undefined ? DEFAULT_TIMEOUTS.lost : ms(lost),
  };
}

function perTask(
  written: Authored['perTask'],
  usual: Readonly<Record<TaskType, Milliseconds>>,
): Readonly<Record<TaskType, Milliseconds>> {
  const given = TASK_TYPES.flatMap((task) => {
    const text = written[task];
    return text === undefined ? [] : [[task, ms(text)] as const];
  });
  return { ...usual, ...Object.fromEntries(given) };
}
