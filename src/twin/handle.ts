import { Refusal } from './call.ts';
import type { RequestFault } from './fault-script.ts';
import { occasionOf } from './faults.ts';
import { familyOf, type Limiter } from './limits.ts';
import { respond, router, type Service } from './routes.ts';

/** How the world outside reaches the service. */
export interface Line {
  readonly latencyMs: number;
  readonly limiter: Limiter;
  /** Resolves after so many milliseconds on the twin's clock. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * A connection that broke. `LostAnswer`: the request took effect. `LostRequest`: it never arrived.
 */
export class LostConnection extends Error {
  override readonly name: 'LostAnswer' | 'LostRequest';

  constructor(name: 'LostAnswer' | 'LostRequest') {
    super(`the connection broke: ${name}`);
    this.name = name;
  }
}

/**
 * The whole service as one function. Resolves with an answer whatever its status; rejects with a
 * `LostConnection` where the fault script breaks the connection. Every answer carries the twin's
 * own `Date`.
 */
export function handlerOf(service: Service, line: Line): (request: Request) => Promise<Response> {
  const route = router(service);
  return async (request) => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const body = await request.text();
    const faults = service.faults.forRequest(occasionOf(method, path, body));
    await delay(line, faults);
    const answer = early(faults) ?? overRate(service, line, path) ?? (await route(request, body));
    return dated(await late(answer, faults), service.now());
  };
}

async function delay({ latencyMs, wait }: Line, faults: readonly RequestFault[]): Promise<void> {
  const added = faults.map((fault) => (fault.type === 'latency' ? fault.ms : 0));
  const ms = added.reduce((sum, one) => sum + one, latencyMs);
  if (ms > 0) await wait(ms);
}

/** What answers in the service's place; the request has no effect. */
function early(faults: readonly RequestFault[]): Response | undefined {
  for (const fault of faults) {
    switch (fault.type) {
      case 'lostRequest':
        throw new LostConnection('LostRequest');
      case '401':
      case '500':
        return respond(new Refusal(Number(fault.type), 'by the fault script').answer);
      case '429':
        return tooMany(fault.retryAfter);
      case 'html':
        return new Response(PROXY_PAGE, { headers: { 'Content-Type': 'text/html' } });
      case 'latency':
      case 'truncated':
      case 'lostAnswer':
    }
  }
  return undefined;
}

/** What happens to an answer on its way back; the request has had its effect. */
async function late(answer: Response, faults: readonly RequestFault[]): Promise<Response> {
  if (faults.some(({ type }) => type === 'lostAnswer')) throw new LostConnection('LostAnswer');
  if (!faults.some(({ type }) => type === 'truncated')) return answer;
  const text = await answer.text();
  const { status, headers } = answer;
  return new Response(text.slice(0, Math.ceil(text.length / 2)), { status, headers });
}

function overRate(service: Service, { limiter }: Line, path: string): Response | undefined {
  const waitMs = limiter(familyOf(path), service.now());
  return waitMs === 0 ? undefined : tooMany(Math.ceil(waitMs / 1000));
}

function tooMany(retryAfter: number | undefined): Response {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return respond(new Refusal(429, 'too many requests', headers).answer);
}

function dated(answer: Response, now: number): Response {
  answer.headers.set('Date', new Date(now).toUTCString());
  return answer;
}

const PROXY_PAGE =
  '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';
