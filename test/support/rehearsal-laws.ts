import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { LedgerRecord } from '../../src/model/ledger/record.ts';
import type { World } from '../../src/twin/world/world.ts';

/** Where a device ended in truth: what tasks of ours can change on it. */
export interface DeviceEnd {
  readonly device: string;
  readonly firmwareVersion: string;
  readonly condition: string;
  readonly passwordRotated: boolean;
  readonly certificateRotated: boolean;
}

/** The truth about every managed device, by id. */
export function endsOf(world: World, since: number): ReadonlyMap<string, DeviceEnd> {
  return new Map(
    world.state.devices.map((device) => [
      device.id,
      {
        device: device.id,
        firmwareVersion: device.firmwareVersion,
        condition: device.condition,
        passwordRotated: device.accounts.some(({ lastChanged }) => lastChanged > since),
        certificateRotated: (device.ssl?.notBefore ?? 0) > since,
      },
    ]),
  );
}

/**
 * I1, from the twin's truth alone: devices that got a further task of the same type and payload
 * though the one before was not known to have failed.
 */
export function doneTwice(world: World): readonly string[] {
  const before = new Map<string, string | null>();
  const twice: string[] = [];
  for (const task of world.state.tasks) {
    for (const { deviceId, payload, result } of task.deviceTasks) {
      const key = `${task.type} ${deviceId} ${JSON.stringify(payload)}`;
      if (before.has(key) && before.get(key) !== 'failed') twice.push(key);
      before.set(key, result);
    }
  }
  return twice;
}

/**
 * I2: POSTs that were not preceded by an ATTEMPT of their own; `effects` in the order they
 * happened.
 */
export function unannounced(effects: readonly string[]): readonly string[] {
  let announced = false;
  return effects.filter((what) => {
    if (what.startsWith('append') && what.endsWith(' ATTEMPT')) announced = true;
    if (what !== 'POST /v1/tasks') return false;
    const isUnannounced = !announced;
    announced = false;
    return isUnannounced;
  });
}

/** Devices about which a report admits that somebody has to look: in doubt, or running on. */
export function admitted(report: RunReport | undefined): ReadonlySet<string> {
  const open = new Set(['inDoubt', 'timedOut', 'atWork']);
  return new Set([
    ...(report?.endings ?? []).filter(({ outcome }) => open.has(outcome)).map(deviceOfEnding),
    ...(report?.leftOpen ?? []).map(({ device }) => device),
  ]);
}

function deviceOfEnding({ change }: RunReport['endings'][number]): string {
  return change.device.id;
}

/** Devices with an attempt in the ledger. */
export function attempted(records: readonly LedgerRecord[]): ReadonlySet<string> {
  return new Set(
    records.flatMap(({ body }) =>
      body.type === 'ATTEMPT' ? body.intents.map(({ device }) => device) : [],
    ),
  );
}
