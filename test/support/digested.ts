import type { Recorded } from '../../src/operations/plan.ts';
import { snapshotDigest, snapshotFileDigest } from '../../src/live/snapshot-lines.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';

/** A snapshot with the digests under which it is on record. */
export function digested(snapshot: Snapshot): Required<Recorded> {
  return { snapshot, digest: snapshotDigest(snapshot), file: snapshotFileDigest(snapshot) };
}
