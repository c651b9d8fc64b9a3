import type { Memory } from '../model/ledger/memory.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import type { Instant } from '../lib/time.ts';
import type { Connection } from './connect.ts';
import {
  beforeOf,
  decidePlan,
  inputOf,
  inputsOf,
  type DecideParts,
  type PlannedSurvey,
} from './plan.ts';
import type { Shell } from '../cli/shell/shell.ts';

/** What a survey needs beside the service. */
export interface SurveyParts extends DecideParts {
  readonly shell: Shell;
  readonly connection: Connection;
  /** The instant to plan for, where it is not now. The fleet is read as it is. */
  readonly at?: Instant;
  /** There is time to ask again later for what a torn reading left open. */
  readonly patient?: boolean;
  /** Throws where the lists alone show that nothing can come of it, before single devices are read. */
  readonly check?: (rows: Snapshot) => void;
  /** Keeps what was read, before anything is decided on it; returns the digest of the file, where one was written. */
  readonly keep?: (snapshot: Snapshot) => Promise<string | undefined>;
}

/**
 * Reads the fleet, asks the planner which further reads the decision wants, makes them, and plans. The only place
 * where reading and deciding meet; every command that plans on a fresh reading goes through it.
 */
export async function survey(parts: SurveyParts, memory: Memory): Promise<PlannedSurvey> {
  const { shell, connection, onProgress, keep } = parts;
  const [
    { readLiveFleet: readFleet },
    { snapshotDigest },
    { needs },
    { knownDevices },
    { listsBefore, readsWhole, startsNone },
  ] = await Promise.all([
    import('../live/read-fleet.ts'),
    import('../live/store.ts'),
    import('../plan/plan.ts'),
    import('../plan/known-devices.ts'),
    import('../plan/admit/batch.ts'),
  ]);
  const { client: service, dialect } = connection;
  const { clock, random } = shell;
  const now = (): Instant => parts.at ?? clock.now();
  const before = beforeOf(parts);
  const sides = before ? [parts, before] : [parts];
  const snapshot = await readFleet({
    service,
    clock,
    random,
    onProgress,
    onboards: sides.some((side) => side.documents.onboarding.size > 0),
    known: knownDevices(parts.documents, memory),
    patient: parts.patient === true,
    restsOnFilter: (devices) => {
      const lists = listsBefore({ dialect, devices, unfiltered: true });
      return !readsWhole({ dialect }) && startsNone(lists, parts.documents.service.value.pace);
    },
    needs: (rows) => {
      parts.check?.(rows);
      return sides.flatMap((side) => {
        const inputs = inputsOf(side, memory, { snapshot: rows, digest: '' });
        return needs({ ...inputOf(side, memory, rows, now()), inputs });
      });
    },
  });
  const file = await keep?.(snapshot);
  const recorded = {
    snapshot,
    digest: snapshotDigest(snapshot),
    ...(file !== undefined && { file }),
  };
  return decidePlan(parts, memory, recorded, now());
}
