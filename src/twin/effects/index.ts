import type {
  TaskType,
  DeviceEffect,
  DeviceState,
  DiscoveredState,
  TaskResult,
} from '../world/state.ts';
import type { SeededRandom } from '../world/random.ts';
import type { Firmware } from '../world/firmware.ts';

export const EFFECTS: Readonly<Record<TaskType, Effect>> = {
  onboardDevice: planOnboarding,
  restartDevice: planRestart,
  rotatePassword: planPasswordRotation,
  rotateSslCertificate: planCertificateRotation,
  upgradeFirmware: planFirmwareUpgrade,
};

/** Plans how a discovered device becomes managed, with a new password and certificate. */
function planOnboarding({ discovered, random }: Situation): Program {
  if (discovered === undefined) {
    return refused('checkDiscovered', 'the device is managed already');
  }
  if (discovered.onboardingStatus !== 'readyToOnboard') {
    return refused('checkDiscovered', `onboarding status is ${discovered.onboardingStatus}`);
  }
  return succeeding([
    { name: 'checkDiscovered', seconds: 2 },
    { name: 'connect', seconds: random.between(5, 15) },
    { name: 'readDevice', seconds: random.between(5, 10) },
    { name: 'setPassword', seconds: random.between(3, 8) },
    { name: 'enrol', seconds: random.between(5, 15), onEnd: [{ do: 'manage' }] },
    { name: 'firstPoll', seconds: random.between(5, 10) },
  ]);
}

/**
 * Plans a reboot: the device is offline for a moment, and a stuck probe recovers. The switch
 * power-cycles a dark device.
 */
function planRestart({ device, random }: Situation): Program {
  if (device.condition === 'dead') {
    return refused('checkDevice', 'neither the device nor its switch answers');
  }
  const isDark = device.condition === 'dark';
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: isDark ? 'powerOff' : 'sendRestart', seconds: 4, onEnd: [{ do: 'silence' }] },
    {
      name: isDark ? 'powerOn' : 'waitForBoot',
      seconds: random.between(45, 90),
      onEnd: [{ do: 'return' }, { do: 'heal' }],
    },
    { name: 'checkProbes', seconds: random.between(5, 10) },
  ]);
}

/** Plans a new password for every account of the device, which updates last change and expiry. */
function planPasswordRotation({ random }: Situation): Program {
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: 'generatePassword', seconds: 1 },
    { name: 'setPassword', seconds: random.between(3, 8), onEnd: [{ do: 'password' }] },
    { name: 'verifyLogin', seconds: random.between(2, 4) },
    { name: 'updateDeviceSources', seconds: random.between(3, 6) },
  ]);
}

/**
 * Plans a new key and certificate with a new fingerprint and validity. The restart of the web
 * server clears a stuck probe.
 */
function planCertificateRotation({ random }: Situation): Program {
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: 'createSigningRequest', seconds: random.between(3, 8) },
    { name: 'signCertificate', seconds: 2 },
    {
      name: 'installCertificate',
      seconds: random.between(5, 10),
      onEnd: [{ do: 'certificate' }],
    },
    { name: 'restartWebServer', seconds: random.between(5, 15), onEnd: [{ do: 'unstick' }] },
    { name: 'verifyCertificate', seconds: 3 },
  ]);
}

/**
 * Plans download, flash (offline meanwhile) and verification, once for each version on the upgrade
 * path. Without `targetVersion` in the payload, the target is the newest approved version. A
 * version on the path to an approved one is a valid target too.
 */
function planFirmwareUpgrade(situation: Situation): Program {
  const { device, firmware, payload, random } = situation;
  const { targets } = firmware.facts(device.vendor, device.model, device.firmwareVersion);
  const wanted = payload['targetVersion'] ?? targets.at(-1)?.version ?? device.firmwareVersion;
  if (wanted === device.firmwareVersion) {
    return succeeding([{ name: 'checkDevice', seconds: 2, message: `already runs ${wanted}` }]);
  }
  const path = pathTo(targets, wanted);
  if (path.length === 0) {
    return refused('checkTarget', `${String(wanted)} is not approved for this device`);
  }
  return succeeding([
    { name: 'checkDevice', seconds: 2 },
    { name: 'backUpSettings', seconds: random.between(5, 10) },
    ...path.flatMap((version) => hop(version, random)),
    { name: 'verifyVersion', seconds: 5 },
  ]);
}

function pathTo(
  targets: readonly { readonly path: readonly string[] }[],
  wanted: unknown,
): readonly string[] {
  const paths = targets.map(({ path }) => path.slice(0, path.findIndex((v) => v === wanted) + 1));
  return paths.find((path) => path.length > 0) ?? [];
}

function hop(version: string, random: SeededRandom): readonly PlannedStep[] {
  return [
    { name: 'downloadFirmware', seconds: random.between(20, 60), message: version },
    {
      name: 'flashFirmware',
      seconds: random.between(60, 150),
      onStart: [{ do: 'silence' }],
      message: version,
    },
    {
      name: 'waitForBoot',
      seconds: random.between(40, 80),
      onEnd: [{ do: 'return' }, { do: 'unstick' }, { do: 'firmware', version }],
    },
  ];
}

/** The input that a task type plans its work from, at the moment the work starts. */
interface Situation {
  readonly device: DeviceState;
  /** Set if the device is discovered and not managed yet. */
  readonly discovered?: DiscoveredState;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly firmware: Firmware;
  readonly random: SeededRandom;
}

/** One named step. `seconds` are on the device's own clock, before the time scale. */
export interface PlannedStep {
  readonly name: string;
  readonly seconds: number;
  readonly onStart?: readonly DeviceEffect[];
  readonly onEnd?: readonly DeviceEffect[];
  readonly fails?: boolean;
  readonly stuck?: boolean;
  readonly message?: string;
}

/**
 * The planned steps and their result. A failing step skips the steps after it, except a rollback.
 */
export interface Program {
  readonly steps: readonly PlannedStep[];
  readonly result: TaskResult;
}

/** Plans the steps of one task type on a device. */
type Effect = (situation: Situation) => Program;

function succeeding(steps: readonly PlannedStep[]): Program {
  return { steps, result: 'succeeded' };
}

/** A program that fails at its first step and changes nothing. */
export function refused(name: string, message: string): Program {
  return { steps: [{ name, seconds: 2, fails: true, message }], result: 'failed' };
}
