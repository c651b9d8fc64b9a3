import type { TaskType } from '../model/fleet/task.ts';
import type { Case, Judgement, Kind } from './kind.ts';
import { onboardDevice } from './onboard-device.ts';
import { restartDevice } from './restart-device.ts';
import { rotatePassword } from './rotate-password.ts';
import { rotateSslCertificate } from './rotate-ssl-certificate.ts';
import { upgradeFirmware } from './upgrade-firmware.ts';
import { findDialectKeys } from '../model/fleet/dialect-keys.ts';
import { undecidedBy } from '../model/fleet/unreadable.ts';
import { unsupported } from './judgements.ts';

/** The registry: every task type and what it does differently from the others. */
export const KINDS: Readonly<Record<TaskType, Kind>> = {
  rotateSslCertificate: understood(rotateSslCertificate),
  rotatePassword: understood(rotatePassword),
  upgradeFirmware: understood(upgradeFirmware),
  restartDevice: understood(restartDevice),
  onboardDevice: understood(onboardDevice),
};

/**
 * A kind that acts on nothing that was not understood (semantics K2, D9): a row of which a field
 * that may decide could not be read is skipped with the name of that field, and no read is made for it.
 * What a read of its own shows is for the kind to judge.
 */
function understood(kind: Kind): Kind {
  return {
    ...kind,
    reads: (theCase) => (undecided(kind, theCase) ? [] : kind.reads(theCase)),
    judge: (theCase) => undecided(kind, theCase) ?? kind.judge(theCase),
  };
}

function undecided(kind: Kind, theCase: Case): Judgement | undefined {
  const field = undecidedField(kind, theCase);
  if (field === undefined) return undefined;
  const isDiscovered = theCase.policy.section === 'onboarding';
  const key = isDiscovered ? findDialectKeys(field, 'discoveredDevices') : undefined;
  const problem = field === 'id' ? 'unusable' : 'unreadable';
  return unsupported('valueUnknown', {}, { field, problem, ...(key && { key }) });
}

/** Of a discovered device every field may decide; who is managed already needs no onboarding. */
function undecidedField(kind: Kind, { policy, device, discovered }: Case): string | undefined {
  if (policy.section === 'onboarding') return discovered?.unreadable?.[0];
  const available = kind.available === undefined ? [] : [`available.${kind.available}`];
  return undecidedBy(device, [...available, ...(kind.restsOn?.(policy) ?? [])]);
}
