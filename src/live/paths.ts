import { WorldError } from '../model/error.ts';
import { firmwareKey, isFirmwareKey } from '../model/fleet/need.ts';
import type { FirmwarePath, Service } from '../model/ports.ts';
import type { OnProgress } from '../model/progress.ts';
import type { ApprovedFirmware, Facts, Need } from '../model/fleet/snapshot.ts';

/** Below this many different firmware reads the list of all paths costs more than it saves. */
const WORTH_IT = 3;

/**
 * Approved firmware by key of a need, from the one list of all paths. Empty where the user may not
 * read that list or it is no help, where the answer belongs to each device, or where few reads are wanted; a key
 * that the list says nothing about is left to a read of its own.
 */
export async function approvedByPath(
  service: Service,
  needs: readonly Need[],
  onProgress?: OnProgress,
): Promise<ReadonlyMap<string, Facts>> {
  const wanted = new Set(needs.map(({ key }) => key).filter(isFirmwareKey));
  if (wanted.size < WORTH_IT) return new Map();
  const paths = await pathsOf(service, onProgress);
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

/** Services whose list was no help before: it is not asked for again, and that is said once. */
const NO_HELP = new WeakSet<Service>();

/**
 * The list only saves requests: where it fails, or has a shape or a row that is not understood, the
 * reads of single devices say the same. A service that refuses our credentials refuses those too.
 */
async function pathsOf(
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

/** The hops of a path, its target last, whether or not the service repeats it there. */
function approvedBy({ to, path }: FirmwarePath): ApprovedFirmware {
  return { version: to, hops: path.at(-1) === to ? path : [...path, to] };
}
