import { readDevice } from '../../model/fleet/device-read.ts';
import type { Service } from '../../model/ports.ts';
import type { Facts, Read } from '../../model/fleet/snapshot.ts';

/**
 * Makes per-device reads now, one request each. What cannot be read is a value; a service that is
 * away is thrown.
 */
export async function readNow(
  service: Service,
  deviceId: string,
  reads: readonly Read[],
): Promise<Facts> {
  let facts: Facts = {};
  for (const read of reads) facts = { ...facts, ...(await readDevice(service, deviceId, read)) };
  return facts;
}
