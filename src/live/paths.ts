import { WorldError } from '../model/error.ts';
import { firmwareKey, isFirmwareKey } from '../model/fleet/need.ts';
import type { FirmwarePath, Service } from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { ApprovedFirmware, Facts, Need } from '../model/fleet/snapshot.ts';

/** The list of all paths pays off only from this many different firmware reads on. */
const WORTH_IT = 3;

/**
 * Approved firmware by need key, from the list of all paths. Empty if the user may not read the
 * list, if it is unusable, if answers differ per device, or if few reads are needed. A key that the
 * list does not contain needs a read of its own.
 */
export async function approvedByPath(
  service: Service,
  needs: readonly Need[],
  onProgress?: OnProgress,
): Promise<ReadonlyMap<string, Facts>> {
  const wanted = new Set(needs.map(({ key }) => key).filter(isFirmwareKey));
  if (wanted.size < WORTH_IT) return new Map();
  const paths = await tryReadPaths(service, onProgress);
  if (paths === 'forbidden') return new Map();
  const approved = new Map<string, ApprovedFirmware[]>();
  for (const path of paths) {
    const key = firmwareKey(path.vendor, path.model, path.from);
    if (!wanted.has(key)) continue;
    const list = approved.get(key) ?? [];
    list.push(approvedBy(path));
    approved.set(key, list);
  }
  return new Map([...approved].map(([key, list]) => [key, { targetFirmware: list }]));
}

/** Services whose list was unusable. It is not read again, and this is reported once. */
const NO_HELP = new WeakSet<Service>();

/**
 * The list only saves requests: if it fails or is not understood, single reads give the same
 * answers. If the service refuses our credentials, single reads fail too.
 */
async function tryReadPaths(
  service: Service,
  onProgress: OnProgress | undefined,
): ReturnType<Service['firmwarePaths']> {
  if (NO_HELP.has(service)) return 'forbidden';
  try {
    return await service.firmwarePaths();
  } catch (error) {
    if (!(error instanceof WorldError) || error.code === 'credentialsRefused') throw error;
    NO_HELP.add(service);
    const { code, params } = error;
    onProgress?.({ kind: 'pathsUnread', failure: { code, params } });
    return 'forbidden';
  }
}

/** The versions of a path, target last, whether or not the service repeats it there. */
function approvedBy({ to, path }: FirmwarePath): ApprovedFirmware {
  return { version: to, hops: path.at(-1) === to ? path : [...path, to] };
}
