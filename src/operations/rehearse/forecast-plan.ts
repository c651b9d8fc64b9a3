import { formatInstant, type Milliseconds } from '../../lib/time.ts';
import type { PlanForecast, Plan } from '../../model/plan/plan.ts';
import type { PolicyForecast, RehearsalReport } from '../../model/report/rehearsal.ts';
import type { Shell } from '../../shell/shell.ts';
import type { RehearsalInput } from './run-rehearsal.ts';
import { resolveTarget } from '../target.ts';
import { USUAL_SPAN, usualCourses } from './rehearse-documents.ts';

export interface ForecastInput extends Pick<
  RehearsalInput,
  'documents' | 'snapshot' | 'memory' | 'records' | 'from'
> {
  readonly plan: Pick<Plan, 'part'>;
}

/** One run of apply on a larger fleet can take longer than any limit that is looked at between two runs. */
const MOST_DEVICES = 10_000;

const LISTED = 100;

/**
 * Rehearses the documents of a plan for the usual time, at most for `within` milliseconds of the clock
 * of this machine, which is looked at between two runs of a course. Never throws: a forecast is a
 * service to the reviewer, and the plan is right without it.
 */
export async function forecastPlan(
  shell: Shell,
  input: ForecastInput,
  within: Milliseconds,
): Promise<PlanForecast> {
  const { plan, snapshot } = input;
  if (plan.part) return { is: 'leftOut', why: 'part' };
  if (snapshot.devices.length > MOST_DEVICES)
    return { is: 'leftOut', why: 'tooLarge', limit: MOST_DEVICES };
  const end = shell.clock.now() + within;
  const isOver = (): boolean => shell.clock.now() >= end;
  try {
    return readForecast(await rehearsePlan(shell, input, isOver));
  } catch {
    if (!isOver()) return { is: 'leftOut', why: 'failed' };
    return { is: 'leftOut', why: 'tooSlow', limit: Math.ceil(within / 1_000) };
  }
}

async function rehearsePlan(
  shell: Shell,
  { documents, snapshot, memory, records, from }: ForecastInput,
  isOver: () => boolean,
): Promise<RehearsalReport> {
  const target = resolveTarget(documents.service.value, undefined, shell.env);
  const { runRehearsal } = await import('./run-rehearsal.ts');
  return runRehearsal({
    documents,
    target,
    snapshot,
    memory,
    records,
    from,
    until: from + USUAL_SPAN,
    courses: usualCourses(snapshot.devices.length),
    seed: 1,
    faults: [],
    cwd: shell.cwd,
    stop: {
      get requested() {
        return isOver() ? 'drain' : shell.stop.requested;
      },
    },
    onProgress: () => undefined,
  });
}

function readForecast(report: RehearsalReport): PlanForecast {
  const { policies, until, courses, fleet, assumesApproval } = report;
  const more = policies.length - LISTED;
  return {
    is: 'rehearsed',
    until: formatInstant(until),
    courses,
    devices: fleet.devices,
    ...(assumesApproval && { assumesApproval }),
    policies: policies.slice(0, LISTED).map(forecastRow),
    ...(more > 0 && { more }),
  };
}

function forecastRow({ waves: _, heldBy: __, finish, ...row }: PolicyForecast) {
  return {
    ...row,
    ...(finish.p50 !== undefined && { p50: formatInstant(finish.p50) }),
    ...(finish.p95 !== undefined && { p95: formatInstant(finish.p95) }),
  };
}
