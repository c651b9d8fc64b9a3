import { harmless } from '../model/progress.ts';
import type { Service } from '../model/ports.ts';
import { trialFilter, tryFilter, type KnownRows } from '../model/fleet/filter-trial.ts';
import type { Need, Snapshot } from '../model/fleet/snapshot.ts';
import { capture, type CaptureInput } from './capture.ts';
import { readFleetFacts, withFacts } from './facts.ts';
import type { RepairInput } from './repair.ts';

/** What a reading of the fleet to plan on needs; nothing of it may be left out unsaid. */
export interface FleetInput
  extends
    Pick<CaptureInput, 'service' | 'clock' | 'random' | 'onProgress'>,
    Pick<RepairInput, 'known' | 'patient'> {
  /** Somebody may be onboarded, so that what is discovered counts. */
  readonly onboards: boolean;
  /** Whether a start in a fleet of so many devices rests on the filter for maintenance. */
  restsOnFilter?(devices: number): boolean;
  /** The reads of single devices that a decision on these rows wants. */
  needs(rows: Snapshot): readonly Need[];
}

/**
 * The fleet as a plan wants it: all lists, a torn one repaired by reads of single devices, and the
 * reads per device that the planner asks for. Whoever plans on a fresh reading reads through here, so
 * that a simulated run sees what a real one sees. Throws the `WorldError` of a read that failed, and
 * `permissionsChanged`.
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
    input.restsOnFilter?.(rows.devices.length) && !(await isFiltered(service, rows.devices));
  const needs = input.needs(rows);
  const facts = await readFleetFacts({ service, needs, clock, ...(onProgress && { onProgress }) });
  return withFacts(unfiltered ? { ...rows, unfiltered } : rows, facts);
}

/**
 * Whether a start may rest on the filter for devices that somebody works on: the service neither
 * refuses it nor answers rows of others, and where it shows none, it shows what is known to be there.
 */
async function isFiltered(service: Service, devices: KnownRows): Promise<boolean> {
  const problem = await tryFilter(service, { maintenanceMode: true });
  if (problem !== 'empty') return problem === undefined;
  return (await tryFilter(service, trialFilter(devices))) === undefined;
}
