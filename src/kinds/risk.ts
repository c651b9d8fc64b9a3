import { RISKS, type Risk } from '../model/plan/change.ts';
import type { Device } from '../model/fleet/device.ts';

/** A door that stays shut is worse than a camera that does not record: one step higher. */
const DOORS = /access|intercom|door|panel|reader/i;

/** The risk of a task on this device, from what it is on a camera. */
export function riskOn(device: Pick<Device, 'deviceType'>, onCamera: Risk): Risk {
  if (!DOORS.test(device.deviceType ?? '')) return onCamera;
  return RISKS[RISKS.indexOf(onCamera) + 1] ?? 'high';
}
