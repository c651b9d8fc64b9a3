import { Refusal } from '../call.ts';
import type { ReplacedAnswer, RequestFault } from './fault.ts';

/** A broken connection. `LostAnswer`: the request took effect. `LostRequest`: it never arrived. */
export class LostConnection extends Error {
  override readonly name: 'LostAnswer' | 'LostRequest';

  constructor(name: 'LostAnswer' | 'LostRequest') {
    super(`the connection broke: ${name}`);
    this.name = name;
  }
}

/**
 * The answer that replaces the service's before the request has an effect, or undefined. Throws a
 * `LostConnection` if the request never arrives.
 */
export function answerInstead(faults: readonly RequestFault[]): Response | undefined {
  for (const fault of faults) {
    switch (fault.type) {
      case 'lostRequest':
        throw new LostConnection('LostRequest');
      case '401':
      case '500':
        return refusal(Number(fault.type), 'by the fault script');
      case '429':
        return tooMany(fault.retryAfter);
      case 'html':
        return new Response(PROXY_PAGE, { headers: { 'Content-Type': 'text/html' } });
      case 'answer':
        if (!fault.effect) return buildReplacement(fault);
    }
  }
  return undefined;
}

/**
 * Applies the faults of an answer, after the request has had its effect. Throws a `LostConnection`
 * if the answer is lost.
 */
export async function applyAnswerFaults(
  answer: Response,
  faults: readonly RequestFault[],
): Promise<Response> {
  if (faults.some(losesAnswer)) throw new LostConnection('LostAnswer');
  const replacement = faults.find((fault): fault is ReplacedAnswer => fault.type === 'answer');
  if (replacement) return buildReplacement(replacement);
  if (!faults.some(({ type }) => type === 'truncated')) return answer;
  const text = await answer.text();
  const { status, headers } = answer;
  return new Response(text.slice(0, Math.ceil(text.length / 2)), { status, headers });
}

export function tooMany(retryAfter: number | string | undefined): Response {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return refusal(429, 'too many requests', headers);
}

function losesAnswer(fault: RequestFault): boolean {
  if (fault.type === 'lateExecution') return fault.answer === 'lost';
  return fault.type === 'lostAnswer';
}

/** Statuses without a body, whatever the script gives. */
const EMPTY: readonly number[] = [204, 205, 304];

function buildReplacement(fault: ReplacedAnswer): Response {
  const { status, contentType, headers } = fault;
  const isJson = fault.text === undefined && fault.base64 === undefined;
  const type = contentType ?? (isJson ? 'application/json' : 'text/plain');
  const body = EMPTY.includes(status) ? null : encodeBody(fault);
  return new Response(body, { status, headers: { 'Content-Type': type, ...headers } });
}

function encodeBody({ body, text, base64, padTo = 0 }: ReplacedAnswer): Uint8Array<ArrayBuffer> {
  const bytes =
    base64 === undefined
      ? Buffer.from(text ?? JSON.stringify(body ?? {}))
      : Buffer.from(base64, 'base64');
  const padded = new Uint8Array(Math.max(bytes.length, padTo)).fill(0x20);
  padded.set(bytes);
  return padded;
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const { answer } = new Refusal(status, message, headers);
  return Response.json(answer.body, { status, headers: { ...answer.headers } });
}

const PROXY_PAGE =
  '<!doctype html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';
