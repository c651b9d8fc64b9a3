import type { Change } from '../../../src/model/plan/change.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import type { DeviceState, TaskState } from '../../../src/twin/world/state.ts';
import { lastSeenAt, connectivityStatus } from '../../../src/twin/world/connectivity.ts';
import type { Asked } from '../process.ts';
import type { Scene } from '../scene.ts';
import type { Wishes } from '../wishes.ts';
import type { RolloutFile } from './trip-rules.ts';

/** The rules of docs/protocol.md that an auditor can see broken. */
export type Rule =
  | `I${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20}`
  | 'P05'
  | 'U3'
  | 'X16'
  | 'Y6'
  | 'Y8';

export interface Violation {
  readonly rule: Rule;
  readonly at: number;
  readonly what: string;
}

export type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/** What a device was in truth when somebody read it. */
export interface Truth {
  readonly status: string;
  readonly firmwareVersion: string;
  readonly passwordAt: number;
  readonly certificate: string;
  /** The last sign of it that the service shows, in milliseconds. */
  readonly lastSeen: number;
}

export interface DeviceRead {
  readonly sentAt: number;
  readonly truth: Truth | undefined;
}

/** What the auditor knows of one attempt. */
export interface AttemptFile {
  readonly body: Body<'ATTEMPT'>;
  readonly seq: number;
  readonly process: number;
  readonly at: number;
  posts: number;
  readonly tasks: TaskState[];
  result?: Body<'RESULT'>;
  /** Whoever sent it has said himself what came of it. */
  isTold?: boolean;
}

/** The states of an intent (protocol J13). */
export type Standing =
  | 'none'
  | 'open'
  | 'running'
  | 'doubt'
  | 'rejected'
  | 'done'
  | 'unverified'
  | 'failed'
  | 'rolledBack'
  | 'aborted'
  | 'notDone'
  | 'unknown';

export interface IntentFile {
  readonly id: string;
  readonly task: string;
  readonly device: string;
  readonly target: string;
  readonly policy: string;
  standing: Standing;
  attemptId: string;
  settledAt: number;
  /** Attempts that may have reached the service. */
  readonly attempts: AttemptFile[];
}

export interface ProcessFile {
  readonly id: number;
  readonly wishes: Wishes;
  readonly approved: Plan | undefined;
  readonly skewMs: number;
  /** It was told to take the lease from whoever has it. */
  readonly takeOver: boolean;
  /** It is told twice to stop: the second time it leaves at once, whatever it knows (protocol Z4). */
  readonly isHasty: boolean;
  /** Its monotonic clock stands still with it, and it knows of no token how old it is. */
  readonly isSuspended: boolean;
  hasEnded: boolean;
  /** Policies for which it has attempted something. */
  readonly policies: Set<string>;
  /** How often in a row a POST of it was refused with 401. */
  refusals: number;
  /** The first plan of the run: without a file all that it may do. */
  plan: Plan | undefined;
  /** The changes that it may make, by id; made when first needed. */
  allowed: ReadonlyMap<string, Change> | undefined;
  readonly reads: Map<string, DeviceRead>;
  /** When it last began to read each list of what is down, and how many rows did not belong there. */
  readonly looks: Map<string, { readonly at: number; readonly strays: number }>;
  /** When it asked for the token that it has. */
  tokenAt: number;
  /** When it saw a device task completed, by task and device. */
  readonly completed: Map<string, number>;
  lastListAt: number;
  attempt: AttemptFile | undefined;
}

/** Who holds the lease, by the records. */
export interface LeaseFile {
  readonly by: number;
  readonly host: string;
  readonly ttl: number;
  /** When its holder last wrote. */
  shownAt: number;
}

/** All that the auditor has seen and concluded in one world. */
export interface CaseFile {
  readonly scene: Scene;
  readonly processes: Map<number, ProcessFile>;
  readonly attempts: Map<string, AttemptFile>;
  readonly intents: Map<string, IntentFile>;
  readonly byDevice: Map<string, IntentFile[]>;
  /** Stops in force, by scope, with the documents of whoever wrote them. */
  readonly stops: Map<string, Wishes>;
  /** The running rollout of each policy, by its address. */
  readonly rollouts: Map<string, RolloutFile>;
  /** The highest generation attempted, by task and device. */
  readonly generations: Map<string, number>;
  /** Devices that somebody else touched, and when last. */
  readonly touched: Map<string, number>;
  /** When each record of the ledger reached it, and by which process. */
  readonly landed: { readonly at: number; readonly by: number }[];
  lease: LeaseFile | undefined;
  readonly violations: Violation[];
  violate(rule: Rule, what: string): void;
}

export function openCase(scene: Scene): CaseFile {
  const violations: Violation[] = [];
  return {
    scene,
    processes: new Map(),
    attempts: new Map(),
    intents: new Map(),
    byDevice: new Map(),
    stops: new Map(),
    rollouts: new Map(),
    generations: new Map(),
    touched: new Map(),
    landed: [],
    lease: undefined,
    violations,
    violate: (rule, what) => void violations.push({ rule, at: scene.clock.now(), what }),
  };
}

/** `lastSeen` moves once a minute. */
const REFRESH_MS = 60_000;

export function truthOf(device: DeviceState, now: number): Truth {
  return {
    status: device.maintenance ? 'maintenance' : connectivityStatus(device),
    firmwareVersion: device.firmwareVersion,
    passwordAt: Math.min(...device.accounts.map(({ lastChanged }) => lastChanged)),
    certificate: device.ssl?.serial ?? '',
    lastSeen: lastSeenAt(device, now, REFRESH_MS),
  };
}

export function isOpen({ standing }: IntentFile): boolean {
  return standing === 'open' || standing === 'running' || standing === 'doubt';
}

/** A record that has just reached the ledger, and by whose hand. */
export interface Written {
  readonly record: LedgerRecord;
  readonly by: ProcessFile;
}

/** A request that a process is about to hand to the wire. */
export interface Sending {
  readonly asked: Asked;
  readonly by: ProcessFile;
}
