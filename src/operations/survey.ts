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

/** What a survey needs, besides the connection. */
export interface SurveyParts extends DecideParts {
  readonly shell: Shell;
  readonly connection: Connection;
  /** The instant to plan for; now if absent. The fleet is read as it is. */
  readonly at?: Instant;
  /** Whether there is time to repeat reads that an inconsistent reading left open. */
  readonly patient?: boolean;
  /**
   * Throws if the lists alone show that the plan cannot succeed, before single devices are read.
   */
  readonly check?: (rows: Snapshot) => void;
  /**
   * Saves the snapshot before anything is decided on it. Returns the digest of the file, if one was
   * written.
   */
  readonly keep?: (snapshot: Snapshot) => Promise<string | undefined>;
}

/**
 * Reads the fleet, makes the further reads that the planner requests, and plans. This is the only
 * place where reading and deciding meet; every command that plans on a fresh reading calls it.
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
    perSecond: parts.documents.service.value.pace.requestsPerSecond,
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
