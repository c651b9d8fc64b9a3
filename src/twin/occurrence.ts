import { isReporting } from './world/connectivity.ts';
import { createAccount, issueCertificate } from './fleet/device.ts';
import type { DeviceEffect, DeviceState, Time } from './world/state.ts';
import type { World } from './world/world.ts';

interface Occurrence {
  readonly change: DeviceEffect;
  readonly at: Time;
}

/** Applies an effect of a step to its device at that moment. */
export function applyChange(world: World, deviceId: string, { change, at }: Occurrence): void {
  if (change.do === 'manage') return manage(world, deviceId, at);
  const device = world.device(deviceId);
  if (device === undefined) return;
  world.versions.keepDevice(device, at);
  switch (change.do) {
    case 'silence':
      if (isReporting(device)) device.lastSeen = Math.max(device.lastSeen, minute(world, at));
      device.silent = true;
      world.watch.onSilence?.(device, true, at);
      return;
    case 'return':
      device.silent = false;
      world.watch.onSilence?.(device, false, at);
      return;
    case 'unstick':
      if (device.condition === 'stuck') device.condition = 'well';
      return;
    case 'heal':
      device.condition = 'well';
      return;
    case 'firmware':
      device.firmwareVersion = change.version;
      return;
    case 'password':
      device.accounts = renewed(device, at);
      return;
    case 'certificate':
      device.ssl = issueCertificate(world.random, at);
      return;
  }
}

/** Turns the discovered device into a managed one, with its old ID or a new one. */
function manage(world: World, deviceId: string, at: Time): void {
  const found = world.discovered(deviceId);
  if (found === undefined) return;
  const { device } = found;
  world.removeDiscovered(deviceId);
  world.addDevice({
    ...device,
    id: world.onboardedId(deviceId),
    onboardedAt: at,
    lastSeen: minute(world, at),
    accounts: renewed(device, at),
    ...(device.ssl && { ssl: issueCertificate(world.random, at) }),
  });
}

function renewed(device: DeviceState, at: Time): DeviceState['accounts'] {
  return device.accounts.map(({ userName }) => createAccount(userName, at));
}

function minute(world: World, at: Time): Time {
  return Math.floor(at / world.refreshMs) * world.refreshMs;
}
