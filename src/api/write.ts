import { WorldError } from '../model/error.ts';
import {
  TransportError,
  type Clock,
  type PostAnswer,
  type Service,
  type Transport,
} from '../model/ports.ts';
import type { Base } from './origin.ts';
import { isBeforeBytes } from './failure.ts';
import { postAnswer, taskBody, type BodyParts } from './post.ts';
import type { Lanes } from './pace.ts';
import { pathOf } from './wire.ts';

/**
 * The one write: a task POST, sent once, or not at all when it is too late by the time its turn
 * has come (protocol I13). What the wire did to it is a value; thrown is only
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
      if (isLate()) return failed(new TransportError('unsent', 'tooLate'));
      return await postAnswer(await send(post), { now: clock.now(), dialect });
    } catch (error) {
      return failed(error);
    }
  };
}

/**
 * Nothing was sent only where a layer says so with a code that is thrown before the first byte, by
 * the closed list of them. Whatever else is thrown, by whomever, may have come after it.
 */
function failed(error: unknown): PostAnswer {
  if (error instanceof WorldError && error.code === 'writeRefused') throw error;
  if (!(error instanceof TransportError)) return { kind: 'failed', phase: 'sent', code: 'failed' };
  const { phase, code } = error;
  const isUnsent = phase === 'unsent' && isBeforeBytes(code);
  return { kind: 'failed', phase: isUnsent ? 'unsent' : 'sent', code };
}
