import type { SeededRandom } from '../world/random.ts';
import {
  refused,
  succeeding,
  type PlannedStep,
  type Program,
  type Situation,
} from './task-program.ts';

/**
 * Plans download, flash (offline meanwhile) and verification, once for each version on the upgrade
 * path. Without `targetVersion` in the payload, the target is the newest approved version. A
 * version on the path to an approved one is a valid target too.
 */
export function planFirmwareUpgrade(situation: Situation): Program {
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
