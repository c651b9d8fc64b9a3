import { Hono } from 'hono';
import { Refusal, type Answer, type Call, type Manners } from '../call.ts';
import { advanceWorld } from '../engine.ts';
import type { RequestFault } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import type { ToRow } from './row-cache.ts';
import { applyExternalChanges } from '../faults/external-edit.ts';
import {
  listCertificates,
  listDeviceSources,
  listDevices,
  listDiscoveredDevices,
  listFirmwarePaths,
  listPasswords,
  listSites,
  listTargetFirmware,
  listVulnerabilities,
  getDevice,
  getDeviceSource,
  getSite,
} from './reads.ts';
import { createTask, getTask } from './tasks.ts';
import { bearerUser, createToken, type Issuer } from './tokens.ts';
import type { Time } from '../world/state.ts';
import type { World } from '../world/world.ts';

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

const TOKEN_PATH = '/v1/auth/:organization';

/** Every operation behind a bearer token. */
const ROUTES: readonly (readonly [method: string, path: string, (call: Call) => Answer])[] = [
  ['GET', '/v1/devices', listDevices],
  ['GET', '/v1/devices/:id', getDevice],
  ['GET', '/v1/devices/:id/vulnerabilities', listVulnerabilities],
  ['GET', '/v1/devices/:id/passwords', listPasswords],
  ['GET', '/v1/devices/:id/certificates', listCertificates],
  ['GET', '/v1/devices/:id/targetFirmware', listTargetFirmware],
  ['GET', '/v1/firmwarePaths', listFirmwarePaths],
  ['GET', '/v1/sites', listSites],
  ['GET', '/v1/sites/:id', getSite],
  ['GET', '/v1/deviceSources', listDeviceSources],
  ['GET', '/v1/deviceSources/:id', getDeviceSource],
  ['GET', '/v1/discoveredDevices', listDiscoveredDevices],
  ['POST', '/v1/tasks', createTask],
  ['GET', '/v1/tasks/:id', getTask],
];

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
  app.post(TOKEN_PATH, async (context) => {
    const issuer = currentIssuer(service);
    const authorization = context.req.header('authorization') ?? '';
    const request = { authorization, body: context.env.body };
    return respond(await createToken(issuer, context.req.param('organization'), request));
  });
  for (const [method, path, answer] of ROUTES) {
    app.on(method, path, async (context) => {
      const inbound: Inbound = {
        authorization: context.req.header('authorization') ?? '',
        query: new URL(context.req.url).searchParams,
        body: context.env.body,
        faults: context.env.faults,
      };
      const call = await authorizeCall(service, inbound, context.req.param('id') ?? '');
      return service.respond(answer(call));
    });
  }
  for (const [path, methods] of allowed()) {
    const answer = new Refusal(405, `${path} knows no such method`, { Allow: methods }).answer;
    app.all(path, () => respond(answer));
  }
  app.notFound(() => respond(new Refusal(404, 'no such path').answer));
  app.onError((error) =>
    respond(error instanceof Refusal ? error.answer : new Refusal(500, error.message).answer),
  );
  return async (request, opened) => app.fetch(request, opened);
}

/** The methods of each path, as in the header `Allow`. */
function allowed(): ReadonlyMap<string, string> {
  const methods = ROUTES.map(
    ([method, path]) => [path, method === 'GET' ? 'GET, HEAD' : method] as const,
  );
  return new Map([[TOKEN_PATH, 'POST'], ...methods]);
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
