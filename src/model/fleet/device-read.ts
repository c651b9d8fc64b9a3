import { WorldError, type WorldCode } from '../error.ts';
import type { Service } from '../ports.ts';
import type { Facts, DeviceRead, ReadProblem } from './snapshot.ts';

/** Failures that concern one device only; the service itself works. */
const PROBLEMS: Readonly<Partial<Record<WorldCode, ReadProblem>>> = {
  notFound: 'notFound',
  forbidden: 'forbidden',
  cut: 'unreadable',
  notJson: 'unreadable',
  tooLarge: 'unreadable',
  unexpectedShape: 'unreadable',
  unexpectedStatus: 'unreadable',
  idUnsafe: 'unreadable',
};

/**
 * Makes one per-device read. An unreadable answer is a value; throws the `WorldError` of a service
 * that is unreachable or refuses the credentials.
 */
export async function readDeviceFacts(
  service: Service,
  deviceId: string,
  read: DeviceRead,
): Promise<Facts> {
  switch (read) {
    case 'targetFirmware':
      return { targetFirmware: await readValue(service.targetFirmware(deviceId)) };
    case 'passwords':
      return { passwords: await readValue(service.passwords(deviceId)) };
    case 'certificates':
      return { certificates: await readValue(service.certificates(deviceId)) };
  }
}

/** The value of one read, or its problem; throws where the problem concerns the whole service. */
export async function readValue<T>(read: Promise<T>): Promise<T | ReadProblem> {
  try {
    return await read;
  } catch (error) {
    const problem = toReadProblem(error);
    if (problem === undefined) throw error;
    return problem;
  }
}

/** Makes several reads of one device, one request each. */
export async function readAllFacts(
  service: Service,
  deviceId: string,
  reads: readonly DeviceRead[],
): Promise<Facts> {
  let facts: Facts = {};
  for (const read of reads)
    facts = { ...facts, ...(await readDeviceFacts(service, deviceId, read)) };
  return facts;
}

/**
 * The problem of the answer about one device; undefined where the service or its permissions
 * failed, and where a signal ended the read: then nothing is known of the device (semantics N6). A
 * status that may pass, such as 503, is `failed`: the answer itself says nothing of the device.
 */
export function toReadProblem(error: unknown): ReadProblem | undefined {
  if (!(error instanceof WorldError) || error.params['cause'] === 'cancelled') return undefined;
  if (error.code === 'unexpectedStatus' && error.retry === 'safe') return 'failed';
  return PROBLEMS[error.code];
}
