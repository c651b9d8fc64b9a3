import type {
  IntentState,
  Lease,
  Lift,
  Memory,
  ObservedFact,
  StartedRollout,
  ActiveStop,
} from '../model/ledger/memory.ts';
import type { CoverageRecord } from '../model/ledger/coverage.ts';
import type { Ground } from '../model/ledger/ground.ts';
import type { PersonPause } from '../model/ledger/pauses.ts';
import type { LedgerHead } from '../model/ledger/record.ts';
import type { TaskType } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import { type ApprovalParts, NO_APPROVALS } from './approvals.ts';
import { EMPTY_HEAD } from './chain.ts';
import { Layered } from '../lib/layered.ts';

/** The state that a `Memory` answers from, as values that never change. */
export interface MemoryParts {
  readonly ledgerId: string;
  readonly fingerprint: string;
  readonly format: number;
  readonly head: LedgerHead;
  readonly epoch: number;
  readonly lease: Lease | undefined;
  readonly intents: Layered<IntentState>;
  /** IDs of the intents of a device, oldest first. */
  readonly byDevice: Layered<readonly string[]>;
  readonly open: ReadonlySet<string>;
  /** Attempts without a RESULT, each with its intents that are still open. */
  readonly unanswered: ReadonlyMap<string, readonly string[]>;
  /**
   * The epoch that wrote each attempt without a RESULT: the attempt falls into doubt with that
   * epoch.
   */
  readonly attemptEpochs: ReadonlyMap<string, number>;
  /** The rollout of each policy's latest target, by policy address. */
  readonly rollouts: ReadonlyMap<string, StartedRollout>;
  /** The PLAN of the lease is of a part of the fleet. */
  readonly isPart: boolean;
  readonly accepted: ReadonlySet<TaskType>;
  /** `<task>/<model>` pairs that a device has proved. */
  readonly moved: ReadonlySet<string>;
  readonly stops: ReadonlyMap<string, ActiveStop>;
  readonly lifts: ReadonlyMap<string, Lift>;
  readonly pauses: ReadonlyMap<string, PersonPause>;
  readonly resumedAt: ReadonlyMap<string, Instant>;
  readonly approvals: ApprovalParts;
  readonly sightings: Layered<ObservedFact>;
  readonly checked: NonNullable<Memory['checked']> | undefined;
  readonly ground: Ground | undefined;
  readonly coverage: readonly CoverageRecord[];
  readonly facts: ReadonlyMap<string, Instant>;
  readonly distrusted: ReadonlyMap<string, Instant>;
  readonly renamed: ReadonlyMap<string, string>;
}

export const EMPTY_PARTS: MemoryParts = {
  ledgerId: '',
  fingerprint: '',
  format: 0,
  head: EMPTY_HEAD,
  epoch: 0,
  lease: undefined,
  intents: new Layered(),
  byDevice: new Layered(),
  open: new Set(),
  unanswered: new Map(),
  attemptEpochs: new Map(),
  rollouts: new Map(),
  isPart: false,
  accepted: new Set(),
  moved: new Set(),
  stops: new Map(),
  lifts: new Map(),
  pauses: new Map(),
  resumedAt: new Map(),
  approvals: NO_APPROVALS,
  sightings: new Layered(),
  checked: undefined,
  ground: undefined,
  coverage: [],
  facts: new Map(),
  distrusted: new Map(),
  renamed: new Map(),
};
