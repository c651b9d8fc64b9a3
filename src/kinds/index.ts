import type { TaskType } from '../model/fleet/task.ts';
import type { Kind } from './kind.ts';
import { onboardDevice } from './onboard-device.ts';
import { restartDevice } from './restart-device.ts';
import { rotatePassword } from './rotate-password.ts';
import { rotateSslCertificate } from './rotate-ssl-certificate.ts';
import { understood } from './understood.ts';
import { upgradeFirmware } from './upgrade-firmware.ts';

/** The registry: every task type and what it does differently from the others. */
export const KINDS: Readonly<Record<TaskType, Kind>> = {
  rotateSslCertificate: understood(rotateSslCertificate),
  rotatePassword: understood(rotatePassword),
  upgradeFirmware: understood(upgradeFirmware),
  restartDevice: understood(restartDevice),
  onboardDevice: understood(onboardDevice),
};
