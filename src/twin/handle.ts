import type { RequestFault } from './fault.ts';
import { occasionOf } from './faults.ts';
import { largestBody, takeIn } from './inbound.ts';
import { early, late, tooMany } from './forged-result.ts';
import { familyOf, type Limiter } from './limits.ts';
import { issuerOf, respond, router, type Service } from './routes.ts';
import { tampered } from './tampered-answer.ts';

/** How the world outside reaches the service. */
export interface Line {
  readonly latencyMs: number;
  readonly limiter: Limiter;
  /** Resolves after so many milliseconds on the twin's clock. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * The whole service as one function. Resolves with an answer whatever its status; rejects with a
 * `LostConnection` where the fault script breaks the connection. Every answer carries the twin's
 * own `Date`, unless the script writes another.
 */
export function handlerOf(service: Service, line: Line): (request: Request) => Promise<Response> {
  const route = router(service);
  const largest = largestBody(service.manners.maxDevicesPerTask);
  return async (request) => {
    const { method, url } = request;
    const issuer = issuerOf(service);
    const { body, refusal } = await takeIn(request, issuer, largest);
    const faults = refusal ? [] : service.faults.forRequest(occasionOf(method, url, body));
    await delay(line, faults);
    const answer =
      early(faults) ??
      overRate(service, line, new URL(url).pathname) ??
      (refusal
        ? respond(refusal.answer)
        : await tampered(await route(request, { body, faults }), faults));
    return dated(await late(answer, faults), service.now());
  };
}

async function delay({ latencyMs, wait }: Line, faults: readonly RequestFault[]): Promise<void> {
  const added = faults.map((fault) => (fault.type === 'latency' ? fault.ms : 0));
  const ms = added.reduce((sum, one) => sum + one, latencyMs);
  if (ms > 0) await wait(ms);
}

function overRate(service: Service, { limiter }: Line, path: string): Response | undefined {
  const waitMs = limiter(familyOf(path), service.now());
  return waitMs === 0 ? undefined : tooMany(Math.ceil(waitMs / 1000));
}

function dated(answer: Response, now: number): Response {
  if (!answer.headers.has('Date')) answer.headers.set('Date', new Date(now).toUTCString());
  return answer;
}
