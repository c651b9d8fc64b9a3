import type { components } from '../../service.gen.ts';
import { versionForRead } from './stale-reads.ts';
import { Refusal, notFound, ok, type Answer, type Call } from '../call.ts';
import { connectivityStatus } from '../world/connectivity.ts';
import { filtered } from './filter.ts';
import { DEVICE_FILTERS, DISCOVERED_FILTERS, SITE_FILTERS, SOURCE_FILTERS } from './filters.ts';
import { selectPage } from './pages.ts';
import type { Version } from '../world/past-states.ts';
import type { DeviceState, Status } from '../world/state.ts';
import { seesSite, visibleItems, visibleDevice, visibleSources } from './users.ts';
import {
  certificatesOnWire,
  deviceOnWire,
  discoveredOnWire,
  passwordsOnWire,
  siteOnWire,
  vulnerabilityOnWire,
} from './wire.ts';

type Wire = components['schemas'];

export function listDevices(call: Call): Answer {
  const { world, user, toRow } = call;
  const seen = visibleItems(user, world.state.devices, (device) => device.siteId);
  const page = selectPage(call, filtered(call, seen, DEVICE_FILTERS));
  const devices = page.items.map((device) => {
    const { was: version, at } = versionForRead(call, device);
    return toRow(world, version, at);
  });
  return ok({ devices, total: page.total } satisfies Wire['DeviceList']);
}

export function getDevice(call: Call): Answer {
  const { was: version, at } = readDevice(call);
  return ok(deviceOnWire(call.world, version, at));
}

export function listVulnerabilities(call: Call): Answer {
  const { vendor, model, firmwareVersion } = readDevice(call).was;
  const { flaws } = call.world.firmware.facts(vendor, model, firmwareVersion);
  const vulnerabilities = flaws.map(vulnerabilityOnWire);
  return ok({ vulnerabilities, total: flaws.length } satisfies Wire['VulnerabilityList']);
}

export function listPasswords(call: Call): Answer {
  return ok(passwordsOnWire(readDevice(call).was));
}

export function listCertificates(call: Call): Answer {
  return ok(certificatesOnWire(readDevice(call).was));
}

export function listTargetFirmware(call: Call): Answer {
  const { vendor, model, firmwareVersion } = readDevice(call).was;
  const { targets } = call.world.firmware.facts(vendor, model, firmwareVersion);
  return ok({
    targetFirmware: targets,
    total: targets.length,
  } satisfies Wire['TargetFirmwareList']);
}

/** Requires the role Admin. */
export function listFirmwarePaths(call: Call): Answer {
  if (call.user.role !== 'admin') throw new Refusal(403, 'Admin permission is needed');
  const page = selectPage(call, filtered(call, call.world.firmware.paths(), {}));
  return ok({ firmwarePaths: page.items, total: page.total } satisfies Wire['FirmwarePathList']);
}

export function listSites(call: Call): Answer {
  const { world, user } = call;
  const statuses = siteStatuses(world.state.devices);
  const sites = visibleItems(user, world.state.sites, (site) => site.id).map((site) =>
    siteOnWire(site, statuses.get(site.id) ?? 'unknown'),
  );
  const page = selectPage(call, filtered(call, sites, SITE_FILTERS));
  return ok({ sites: page.items, total: page.total } satisfies Wire['SiteList']);
}

export function getSite({ world, user, id }: Call): Answer {
  const site = world.site(parseNumericId(id));
  if (site === undefined || !seesSite(user, site.id)) throw notFound();
  return ok(siteOnWire(site, siteStatuses(world.state.devices).get(site.id) ?? 'unknown'));
}

export function listDeviceSources(call: Call): Answer {
  const seen = visibleSources(call.world, call.user);
  const page = selectPage(call, filtered(call, seen, SOURCE_FILTERS));
  return ok({ deviceSources: page.items, total: page.total } satisfies Wire['DeviceSourceList']);
}

export function getDeviceSource({ world, user, id }: Call): Answer {
  const source = visibleSources(world, user).find((found) => String(found.id) === id);
  if (source === undefined) throw notFound();
  return ok(source satisfies Wire['DeviceSource']);
}

export function listDiscoveredDevices(call: Call): Answer {
  const { world, user } = call;
  const seen = visibleItems(user, world.state.discovered, ({ device }) => device.siteId);
  const page = selectPage(call, filtered(call, seen, DISCOVERED_FILTERS));
  const discoveredDevices = page.items.map((found) => discoveredOnWire(world, found));
  return ok({ discoveredDevices, total: page.total } satisfies Wire['DiscoveredDeviceList']);
}

/** An ID is compared as text: neither `0x1` nor `01` is site 1. */
function parseNumericId(id: string): number {
  return String(Number(id)) === id ? Number(id) : Number.NaN;
}

function readDevice(call: Call): Version<DeviceState> {
  const device = visibleDevice(call.world, call.user, call.id);
  if (device === undefined) throw notFound();
  return versionForRead(call, device);
}

const ONLINE_SHARE = 0.9;

/**
 * Online if nine in ten devices are, offline if none reports, unknown if none is known, else
 * partial.
 */
function siteStatuses(devices: readonly DeviceState[]): ReadonlyMap<number, Status> {
  const counts = new Map<number, Record<Status, number>>();
  for (const device of devices) {
    const count = counts.get(device.siteId) ?? { online: 0, offline: 0, partial: 0, unknown: 0 };
    count[connectivityStatus(device)] += 1;
    counts.set(device.siteId, count);
  }
  return new Map([...counts].map(([siteId, count]) => [siteId, siteStatus(count)]));
}

function siteStatus({ online, offline, partial, unknown }: Record<Status, number>): Status {
  const known = online + offline + partial;
  if (known === 0) return 'unknown';
  if (offline === known) return 'offline';
  return online >= ONLINE_SHARE * (known + unknown) ? 'online' : 'partial';
}
