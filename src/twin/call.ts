import type { RequestFault } from './faults/fault.ts';
import type { InjectedOutcome, TaskResult, Time, User } from './world/state.ts';
import type { ToRow } from './http/row-cache.ts';
import type { World } from './world/world.ts';

/** How the twin behaves where the service's documentation is silent. */
export interface Manners {
  /** A `limit` above the maximum: use the maximum, or refuse. */
  readonly overLimit: 'clamp' | 'refuse';
  readonly unknownFilters: 'ignore' | 'refuse' | 'empty';
  readonly maxDevicesPerTask: number;
}

/** One authorized request, with the data that its answer needs. */
export interface Call {
  readonly world: World;
  readonly user: User;
  readonly manners: Manners;
  readonly now: Time;
  /** The ID in the path; empty if there is none. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** The faults that the script applies to this request. */
  readonly faults: readonly RequestFault[];
  readonly injectedFor: (taskType: string, deviceId: string) => TaskFaults;
  readonly toRow: ToRow;
}

/** The faults that a script applies to a new device task. */
export interface TaskFaults {
  readonly mishap?: InjectedOutcome;
  /** The result to report although the work is done. */
  readonly thankless?: Exclude<TaskResult, 'succeeded'>;
  readonly vanishes?: boolean;
  /** How long reads of its task return 404. */
  readonly unknownMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer other than 200, thrown by the first check that fails. */
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
