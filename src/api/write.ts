import { WorldError } from '../model/error.ts';
import {
  TransportError,
  type Clock,
  type PostAnswer,
  type Service,
  type Transport,
} from '../model/ports.ts';
import type { Base } from './origin.ts';
import { postAnswer, taskBody, type BodyParts } from './post.ts';
import type { Lanes } from './pace.ts';
import { pathOf } from './wire.ts';

/**
 * The one write: a task POST, sent once, or not at all when it is too late by the time its turn
 * has come (apply protocol 3.3, I13). What the wire did to it is a value; thrown is only
 * what stops it before it is tried: `secretMissing`, `idUnsafe`, `writeRefused`.
 */
export function createWrite(parts: {
  readonly send: Transport;
  readonly lanes: Lanes;
  readonly base: Base;
  readonly clock: Clock;
  readonly body: BodyParts;
}): Service['createTask'] {
  const { base, clock, lanes, send } = parts;
  const { dialect } = parts.body;
  return async (request, { isLate = () => false } = {}) => {
    const post = new Request(base.origin + base.prefix + pathOf('tasks'), {
      method: 'POST',
      redirect: 'manual',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: taskBody(request, parts.body),
    });
    try {
      await lanes.enter(post);
      if (isLate()) return { kind: 'failed', phase: 'unsent', code: 'tooLate' };
      return await postAnswer(await send(post), { now: clock.now(), dialect });
    } catch (error) {
      return failed(error);
    }
  };
}

/**
 * A `WorldError` comes from a layer of ours before the request is handed on, for example
 * because no token could be had: nothing was sent. Whatever else is thrown may have come after
 * the first byte.
 */
function failed(error: unknown): PostAnswer {
  if (error instanceof WorldError) {
    if (error.code === 'writeRefused') throw error;
    return { kind: 'failed', phase: 'unsent', code: error.code };
  }
  if (error instanceof TransportError) {
    return { kind: 'failed', phase: error.phase, code: error.code };
  }
  return { kind: 'failed', phase: 'sent', code: 'failed' };
}
