import type { TaskType } from '../world/state.ts';
import { onboardDevice } from './onboard-device.ts';
import type { Effect } from './program.ts';
import { restartDevice } from './restart-device.ts';
import { rotatePassword } from './rotate-password.ts';
import { rotateSslCertificate } from './rotate-ssl-certificate.ts';
import { upgradeFirmware } from './upgrade-firmware.ts';

/** One effect per task type. */
export const EFFECTS: Readonly<Record<TaskType, Effect>> = {
  onboardDevice,
  restartDevice,
  rotatePassword,
  rotateSslCertificate,
  upgradeFirmware,
};
