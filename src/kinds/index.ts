import type { TaskType } from '../model/fleet/task.ts';
import type { Case, Judgement, Kind } from './kind.ts';
import { onboardDevice } from './onboard-device.ts';
import { restartDevice } from './restart-device.ts';
import { rotatePassword } from './rotate-password.ts';
import { rotateSslCertificate } from './rotate-ssl-certificate.ts';
import { upgradeFirmware } from './upgrade-firmware.ts';
import { findDialectKeys } from '../model/fleet/dialect-keys.ts';
import { undecidedBy } from '../model/fleet/unreadable.ts';
import { unclearSelection, unsupported } from './judgements.ts';

/** The registry of task types. Each kind contains everything that differs from the others. */
export const KINDS: Readonly<Record<TaskType, Kind>> = {
  rotateSslCertificate: understood(rotateSslCertificate),
  rotatePassword: understood(rotatePassword),
  upgradeFirmware: understood(upgradeFirmware),
  restartDevice: understood(restartDevice),
  onboardDevice: understood(onboardDevice),
};

/**
 * Wraps a kind so that it never acts on a value that was not understood (semantics K2, D9, M20). If a
 * field of the row that decides is unreadable, or it is unclear whether the policy selects the device,
 * it is skipped with that reason and no further read is made. The kind itself judges the values of its
 * own reads.
 */
function understood(kind: Kind): Kind {
  return {
    ...kind,
    reads: (theCase) => (undecided(kind, theCase) ? [] : kind.reads(theCase)),
    judge: (theCase) => undecided(kind, theCase) ?? kind.judge(theCase),
  };
}

function undecided(kind: Kind, theCase: Case): Judgement | undefined {
  const { unclear, policy } = theCase;
  if (unclear) return unclearSelection(unclear, policy);
  const field = undecidedField(kind, theCase);
  if (field === undefined) return undefined;
  const isDiscovered = theCase.policy.section === 'onboarding';
  const key = isDiscovered ? findDialectKeys(field, 'discoveredDevices') : undefined;
  const problem = field === 'id' ? 'unusable' : 'unreadable';
  return unsupported('valueUnknown', {}, { field, problem, ...(key && { key }) });
}

/**
 * For a discovered device, every field may decide. A device that is already managed needs no
 * onboarding, so no field decides.
 */
function undecidedField(kind: Kind, { policy, device, discovered }: Case): string | undefined {
  if (policy.section === 'onboarding') return discovered?.unreadable?.[0];
  const available = kind.available === undefined ? [] : [`available.${kind.available}`];
  return undecidedBy(device, [...available, ...(kind.decidingFields?.(policy) ?? [])]);
}
