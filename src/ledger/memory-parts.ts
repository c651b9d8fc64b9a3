import type { IntentState, MemoryState, ObservedFact } from '../model/ledger/memory.ts';
import { type ApprovalParts, NO_APPROVALS } from './approvals.ts';
import { EMPTY_HEAD } from './chain.ts';
import { Layered } from '../lib/layered.ts';

/** The state that a `Memory` answers from. */
export interface MemoryParts extends MemoryState {
  readonly intents: Layered<IntentState>;
  /** The intents of a device, oldest first. */
  readonly byDevice: Layered<readonly IntentState[]>;
  readonly open: ReadonlySet<string>;
  /**
   * The epoch that wrote each attempt without a RESULT: the attempt falls into doubt with that
   * epoch.
   */
  readonly attemptEpochs: ReadonlyMap<string, number>;
  /** The PLAN of the lease is of a part of the fleet. */
  readonly isPart: boolean;
  /** `seq` of the last CHECKPOINT that was read from or is newer; 0 where all records were read. No part of the state. */
  readonly checkpointAt: number;
  readonly approvals: ApprovalParts;
  readonly sightings: Layered<ObservedFact>;
}

export const EMPTY_PARTS: MemoryParts = {
  ledgerId: '',
  fingerprint: '',
  format: 0,
  head: EMPTY_HEAD,
  actedAt: 0,
  epoch: 0,
  intents: new Layered(),
  byDevice: new Layered(),
  open: new Set(),
  unanswered: new Map(),
  attemptEpochs: new Map(),
  rollouts: new Map(),
  isPart: false,
  checkpointAt: 0,
  accepted: new Set(),
  moved: new Set(),
  stops: new Map(),
  lifts: new Map(),
  pauses: new Map(),
  resumedAt: new Map(),
  approvals: NO_APPROVALS,
  sightings: new Layered(),
  coverage: [],
  facts: new Map(),
  distrusted: new Map(),
  renamed: new Map(),
};
