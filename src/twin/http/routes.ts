import { Hono } from 'hono';
import { Refusal, type Answer, type Call, type Manners, notFound, ok } from '../call.ts';
import { advanceWorld } from '../engine.ts';
import { ENDPOINTS, type Operation, type RequestFault } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { ToRow } from './row-cache.ts';
import { applyExternalChanges } from '../faults/external-edit.ts';
import { createTask, getTask } from './tasks.ts';
import { bearerUser, createToken, type Issuer } from './tokens.ts';
import type { Time, DeviceState, Status } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { components } from '../../service.gen.ts';
import { versionForRead } from './stale-reads.ts';
import { connectivityStatus } from '../world/connectivity.ts';
import { filtered } from './filter.ts';
import { DEVICE_FILTERS, DISCOVERED_FILTERS, SITE_FILTERS, SOURCE_FILTERS } from './filters.ts';
import { selectPage } from './pages.ts';
import type { Version } from '../world/past-states.ts';
import { seesSite, visibleItems, visibleDevice, visibleSources } from './users.ts';
import {
  certificatesOnWire,
  deviceOnWire,
  discoveredOnWire,
  passwordsOnWire,
  siteOnWire,
  vulnerabilityOnWire,
} from './wire.ts';

/** What an answer depends on, besides the request. */
export interface RouteContext {
  readonly world: World;
  readonly faults: Faults;
  readonly manners: Manners;
  readonly refreshTokens: boolean;
  readonly now: () => Time;
  readonly toRow: ToRow;
  readonly respond: (answer: Answer) => Response;
}

/** Answers every operation behind a bearer token. */
const ANSWERS: Readonly<Record<Exclude<Operation, 'createToken'>, (call: Call) => Answer>> = {
  listDevices,
  getDevice,
  listVulnerabilities,
  listPasswords,
  listCertificates,
  listTargetFirmware,
  listFirmwarePaths,
  listSites,
  getSite,
  listDeviceSources,
  getDeviceSource,
  listDiscoveredDevices,
  createTask,
  getTask,
};

/** What is known about a request before routing. */
export interface Opened {
  readonly body: string;
  readonly faults: readonly RequestFault[];
}

interface Inbound extends Opened {
  readonly authorization: string;
  readonly query: URLSearchParams;
}

/** Routes requests whose body has been read; resolves with the answer. */
export function router(
  service: RouteContext,
): (request: Request, opened: Opened) => Promise<Response> {
  const app = new Hono<{ Bindings: Opened }>();
  for (const [operation, [method, pattern]] of Object.entries(ENDPOINTS)) {
    const path = pattern.replace('*', ':name');
    app.on(method, path, async (context) => {
      const inbound: Inbound = {
        authorization: context.req.header('authorization') ?? '',
        query: new URL(context.req.url).searchParams,
        body: context.env.body,
        faults: context.env.faults,
      };
      const name = context.req.param('name') ?? '';
      if (!isAnswered(operation))
        return respond(await createToken(currentIssuer(service), name, inbound));
      return service.respond(ANSWERS[operation](await authorizeCall(service, inbound, name)));
    });
    const allowed = { Allow: method === 'GET' ? 'GET, HEAD' : method };
    const { answer } = new Refusal(405, `${path} knows no such method`, allowed);
    app.all(path, () => respond(answer));
  }
  app.notFound(() => respond(new Refusal(404, 'no such path').answer));
  app.onError((error) =>
    respond(error instanceof Refusal ? error.answer : new Refusal(500, error.message).answer),
  );
  return async (request, opened) => app.fetch(request, opened);
}

function isAnswered(operation: string): operation is keyof typeof ANSWERS {
  return operation in ANSWERS;
}

export function currentIssuer({ world, now, refreshTokens }: RouteContext): Issuer {
  return { state: world.state, now: now(), refreshTokens };
}

export function respond({ status, body, headers }: Answer): Response {
  return Response.json(body, { status, headers: { ...headers } });
}

/**
 * Authorizes the request, then advances the world to now; the world does not move again until the
 * answer is complete.
 */
async function authorizeCall(service: RouteContext, inbound: Inbound, id: string): Promise<Call> {
  const { world, manners } = service;
  const user = await bearerUser(currentIssuer(service), inbound.authorization);
  const now = service.now();
  advanceWorld(world, now);
  const { query, body, faults } = inbound;
  applyExternalChanges(world, faults, now);
  const injectedFor = service.faults.forDeviceTask;
  const { toRow } = service;
  return { world, user, manners, now, id, query, body, faults, injectedFor, toRow };
}

type Wire = components['schemas'];

function listDevices(call: Call): Answer {
  const { world, user, toRow } = call;
  const seen = visibleItems(user, world.state.devices, (device) => device.siteId);
  const page = selectPage(call, filtered(call, seen, DEVICE_FILTERS));
  const devices = page.items.map((device) => {
    const { was: version, at } = versionForRead(call, device);
    return toRow(world, version, at);
  });
  return ok({ devices, total: page.total } satisfies Wire['DeviceList']);
}

function getDevice(call: Call): Answer {
  const { was: version, at } = readDevice(call);
  return ok(deviceOnWire(call.world, version, at));
}

function listVulnerabilities(call: Call): Answer {
  const { vendor, model, firmwareVersion } = readDevice(call).was;
  const { flaws } = call.world.firmware.facts(vendor, model, firmwareVersion);
  const vulnerabilities = flaws.map(vulnerabilityOnWire);
  return ok({ vulnerabilities, total: flaws.length } satisfies Wire['VulnerabilityList']);
}

function listPasswords(call: Call): Answer {
  return ok(passwordsOnWire(readDevice(call).was));
}

function listCertificates(call: Call): Answer {
  return ok(certificatesOnWire(readDevice(call).was));
}

function listTargetFirmware(call: Call): Answer {
  const { vendor, model, firmwareVersion } = readDevice(call).was;
  const { targets } = call.world.firmware.facts(vendor, model, firmwareVersion);
  return ok({
    targetFirmware: targets,
    total: targets.length,
  } satisfies Wire['TargetFirmwareList']);
}

/** Requires the role Admin. */
function listFirmwarePaths(call: Call): Answer {
  if (call.user.role !== 'admin') throw new Refusal(403, 'Admin permission is needed');
  const page = selectPage(call, filtered(call, call.world.firmware.paths(), {}));
  return ok({ firmwarePaths: page.items, total: page.total } satisfies Wire['FirmwarePathList']);
}

function listSites(call: Call): Answer {
  const { world, user } = call;
  const statuses = siteStatuses(world.state.devices);
  const sites = visibleItems(user, world.state.sites, (site) => site.id).map((site) =>
    siteOnWire(site, statuses.get(site.id) ?? 'unknown'),
  );
  const page = selectPage(call, filtered(call, sites, SITE_FILTERS));
  return ok({ sites: page.items, total: page.total } satisfies Wire['SiteList']);
}

function getSite({ world, user, id }: Call): Answer {
  const site = world.site(parseNumericId(id));
  if (site === undefined || !seesSite(user, site.id)) throw notFound();
  return ok(siteOnWire(site, siteStatuses(world.state.devices).get(site.id) ?? 'unknown'));
}

function listDeviceSources(call: Call): Answer {
  const seen = visibleSources(call.world, call.user);
  const page = selectPage(call, filtered(call, seen, SOURCE_FILTERS));
  return ok({ deviceSources: page.items, total: page.total } satisfies Wire['DeviceSourceList']);
}

function getDeviceSource({ world, user, id }: Call): Answer {
  const source = visibleSources(world, user).find((found) => String(found.id) === id);
  if (source === undefined) throw notFound();
  return ok(source satisfies Wire['DeviceSource']);
}

function listDiscoveredDevices(call: Call): Answer {
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
