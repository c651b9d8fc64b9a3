import type { TaskType } from '../world/state.ts';
import { planOnboarding } from './onboard-device.ts';
import type { Effect } from './task-program.ts';
import { planRestart } from './restart-device.ts';
import { planPasswordRotation } from './rotate-password.ts';
import { planCertificateRotation } from './rotate-ssl-certificate.ts';
import { planFirmwareUpgrade } from './upgrade-firmware.ts';

export const EFFECTS: Readonly<Record<TaskType, Effect>> = {
  onboardDevice: planOnboarding,
  restartDevice: planRestart,
  rotatePassword: planPasswordRotation,
  rotateSslCertificate: planCertificateRotation,
  upgradeFirmware: planFirmwareUpgrade,
};
