import { harmless } from '../model/progress.ts';
import type { Service } from '../model/ports.ts';
import { trialFilter, tryFilter, type KnownRows } from '../model/fleet/filter-trial.ts';
import type { Need, Snapshot } from '../model/fleet/snapshot.ts';
import type { ReadingChoice } from '../facts/read-choice.ts';
import { capture, type CaptureInput } from './capture.ts';
import { readFleetFacts, withFacts } from './facts.ts';
import type { RepairInput } from './repair.ts';

/** The reads of a plan. */
export interface FleetInput
  extends
    Pick<CaptureInput, 'service' | 'clock' | 'random' | 'onProgress' | 'onRows' | 'lists'>,
    Pick<RepairInput, 'known' | 'patient'> {
  /** Whether a policy may onboard devices, so that discovered devices matter. */
  readonly onboards: boolean;
  /** Whether starts in a fleet of this size depend on the maintenance filter. */
  restsOnFilter?(devices: number): boolean;
  /** The pace of single reads, to say beforehand how long they take. */
  readonly perSecond?: number;
  /** The single reads that the decision on these rows needs. */
  needs(rows: Snapshot): readonly Need[];
  /**
   * Chooses among these reads, and says what is known without them; absent: all of them are made.
   * @param answered keys that a list has answered
   */
  choose?(answered: ReadonlySet<string>): ReadingChoice;
}

/**
 * Reads the fleet for a plan: all lists, single reads to repair an inconsistent one, and the facts
 * that the planner needs. Every plan on a fresh reading uses this function, so that a simulated run
 * reads what a real one does. Throws the `WorldError` of a failed read, and `permissionsChanged`.
 */
export async function readLiveFleet(input: FleetInput): Promise<Snapshot> {
  const { service, clock, onboards, known, patient } = input;
  const onProgress = input.onProgress && harmless(input.onProgress);
  const want = { sites: true, sources: true, discovered: onboards };
  const rows = await capture({
    ...input,
    ...(onProgress && { onProgress }),
    want,
    repair: { known, patient },
  });
  const unfiltered =
    !input.lists &&
    input.restsOnFilter?.(rows.devices.length) &&
    !(await isFiltered(service, rows.devices));
  const needs = input.needs(rows);
  const choose = input.choose && { choose: input.choose.bind(input) };
  const facts = await readFleetFacts({
    service,
    needs,
    clock,
    ...choose,
    ...(onProgress && { onProgress }),
    ...(input.perSecond !== undefined && { perSecond: input.perSecond }),
  });
  return withFacts(unfiltered ? { ...rows, unfiltered } : rows, facts);
}

/**
 * Whether a start may depend on the maintenance filter: the service accepts it, returns no other
 * rows, and shows known matches.
 */
async function isFiltered(service: Service, devices: KnownRows): Promise<boolean> {
  const problem = await tryFilter(service, { maintenanceMode: true });
  if (problem !== 'empty') return problem === undefined;
  return (await tryFilter(service, trialFilter(devices))) === undefined;
}
