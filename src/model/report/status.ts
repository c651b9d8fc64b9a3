import type { RunSums } from '../ledger/run-sums.ts';
import type { StatusReport } from './output.gen.ts';

export type {
  DebtStatus,
  OpenStatus,
  PolicyStatus,
  ReasonCount,
  RunStatus,
  WaveStatus,
} from './output.gen.ts';

/** The state of everything in the documents. */
export interface StatusView extends StatusReport {
  /** The attempts of the last 24 hours by how they ended. */
  readonly recent?: Pick<RunSums, 'classes' | 'beside'>;
}
