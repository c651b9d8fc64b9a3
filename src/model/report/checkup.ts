import type { WrittenDialect } from '../fleet/dialect.ts';
import type {
  AssumptionFinding,
  Check,
  CheckupReport,
  DatedChange,
  Observed,
} from './output.gen.ts';

export type { AssumptionFinding, Check, DatedChange, Observed, UnreadField } from './output.gen.ts';

/** `untellable`: reads cannot show it. `notObserved`: reads could, but nothing there showed it. */
export const VERDICTS = ['differs', 'untellable', 'notObserved', 'confirmed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What was read about an assumption, or why nothing was. `render/words/doctor/` has the words. */
export type ObservedCode = Observed['code'];

/** Everything that is checked beside the dialect table. */
export type CheckSubject = Check['name'];
export type CheckState = Check['state'];
export type ChangeName = DatedChange['change'];

/** The result of `fleetform doctor`. */
export interface Checkup extends Omit<CheckupReport, 'assumptions'> {
  readonly findings: readonly AssumptionFinding[];
  /** All that belongs under `service.dialect`: what is written there and holds, and what differs. */
  readonly dialect: WrittenDialect;
  /** Whether that is already written. */
  readonly isWritten: boolean;
}
