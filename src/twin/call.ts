import type { RequestFault } from './faults/fault.ts';
import type { InjectedOutcome, TaskResult, Time, User } from './world/state.ts';
import type { World } from './world/world.ts';

/** How the twin answers what the service's documentation leaves open. */
export interface Manners {
  /** `limit` above the maximum: answered with the maximum, or refused. */
  readonly overLimit: 'clamp' | 'refuse';
  /** A filter that does not exist: ignored, refused, or matched by nothing. */
  readonly unknownFilters: 'ignore' | 'refuse' | 'empty';
  /** How many devices one task may name. */
  readonly maxDevicesPerTask: number;
}

/** One authorised request, as its answer needs it. */
export interface Call {
  readonly world: World;
  readonly user: User;
  readonly manners: Manners;
  readonly now: Time;
  /** The id in the path; empty where there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** What the fault script wants of this request. */
  readonly faults: readonly RequestFault[];
  /** How the device tasks of a new task go wrong, by device. */
  readonly injectedFor: (taskType: string, deviceId: string) => TaskFaults;
}

/** What a fault script wants of a new device task. */
export interface TaskFaults {
  readonly mishap?: InjectedOutcome;
  /** Reported so, though the work is done. */
  readonly thankless?: Exclude<TaskResult, 'succeeded'>;
  readonly vanishes?: boolean;
  /** How long its task cannot be found. */
  readonly unknownMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is not a 200; thrown by whatever finds out first. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.answer = { status, body: { error: WORDS[status] ?? 'error', message }, headers };
  }
}

export function ok(body: unknown): Answer {
  return { status: 200, body };
}

export function notFound(): Refusal {
  return new Refusal(404, 'not found, or no access');
}

const WORDS: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'content_too_large',
  429: 'too_many_requests',
  500: 'internal_error',
};
