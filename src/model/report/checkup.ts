import type { DialectValue } from '../../dialect.gen.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Params } from '../error.ts';
import type { DialectKey, WrittenDialect } from '../fleet/dialect.ts';

/** `untellable`: reads cannot show it. `notObserved`: reads could, but nothing there showed it. */
export const VERDICTS = ['differs', 'untellable', 'notObserved', 'confirmed'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What was read about an assumption, or why nothing was. `render/words/doctor/` has the words. */
export type ObservedCode =
  | 'shown'
  | 'elsewhere'
  | 'several'
  | 'absent'
  | 'unneeded'
  | 'otherKind'
  | 'noRows'
  | 'noAnswer'
  | 'refused'
  | 'unnamed'
  | 'form'
  | 'dateForm'
  | 'word'
  | 'tokenAt'
  | 'tokenWith'
  | 'lifetime'
  | 'lifetimeAbsent'
  | 'whole'
  | 'scopeEqual'
  | 'scopeDiffers'
  | 'scopeUnpaired'
  | 'filterHonoured'
  | 'filterInstead'
  | 'filterIgnored'
  | 'filterRefused'
  | 'filterWrong'
  | 'filterEmpty'
  | 'filterUntried'
  | 'postOnly'
  | 'numericIds'
  | 'taskOnly'
  | 'ownerOnly'
  | 'noList';

/** A code with what fills its words. */
export interface Observed {
  readonly code: ObservedCode;
  readonly params: Params;
}

/** One row of the dialect table against what the service showed. */
export interface AssumptionFinding {
  readonly key: DialectKey;
  /** The endpoint or subject of the row. */
  readonly concerns: string;
  readonly assumed: DialectValue;
  readonly verdict: Verdict;
  readonly observed: Observed;
  /** The value to write under `service.dialect`; only if it differs and is known. */
  readonly suggested?: DialectValue;
  /** A value to try, which reads cannot prove. */
  readonly possible?: DialectValue;
}

/** Values that the reader of every command does not understand, with the dialect to write. */
export interface UnreadField {
  /** The endpoint that shows it: `/v1/devices`. */
  readonly endpoint: string;
  /** Its place in a row or an answer, as the dialect has it. */
  readonly field: string;
  /** The keys that name it, or say how it is read; none where every service has the name. */
  readonly keys: readonly DialectKey[];
  /** In how many rows or answers it was not understood, and how many were read. */
  readonly count: number;
  readonly of: number;
  /** One such value, as the start of its JSON. */
  readonly example?: string;
  /** The whole answer is refused because of it: nothing of it is read. */
  readonly isRefused: boolean;
}

/** Everything that is checked beside the dialect table. */
export type CheckSubject =
  | 'connection'
  | 'token'
  | 'rights'
  | 'devices'
  | 'clock'
  | 'pageLimit'
  | 'offset'
  | 'order'
  | 'total'
  | 'ids'
  | 'words'
  | 'statusFilter'
  | 'unknownFilter'
  | 'sites'
  | 'sources'
  | 'discovered'
  | 'deviceReads'
  | 'retryAfter'
  | 'compression'
  | 'heads';

/** `bad`: plan or apply cannot work; `note`: worth knowing. */
export type CheckState = 'good' | 'note' | 'bad' | 'unknown';

export interface Check {
  readonly name: CheckSubject;
  readonly state: CheckState;
  /** Names the words, with what to do next. */
  readonly code: string;
  readonly params: Params;
}

/** A dated change of the interface, and whether this service has it. */
export interface DatedChange {
  /** The day, as the list of changes of the service has it. */
  readonly date: string;
  readonly change: ChangeName;
  readonly state: 'present' | 'lacking' | 'unknown';
}

export type ChangeName =
  | 'probes'
  | 'vulnerabilities'
  | 'availableTask'
  | 'siteStatus'
  | 'credentials'
  | 'tasks'
  | 'onboarding'
  | 'deviceFields'
  | 'firmware'
  | 'complianceFields';

/** The result of `fleetform doctor`. */
export interface Checkup {
  /** `fits`: fleetform reads all of it. `differs`: write `dialect`, or see `unread`. `unusable`: plan and apply cannot work. */
  readonly result: 'fits' | 'differs' | 'unusable';
  readonly requests: {
    readonly sent: number;
    readonly most: number;
    readonly tookMs: Milliseconds;
  };
  readonly at: Instant;
  readonly checks: readonly Check[];
  readonly findings: readonly AssumptionFinding[];
  /** What no value of the dialect lets fleetform read. */
  readonly unread: readonly UnreadField[];
  readonly changes: readonly DatedChange[];
  /** All that belongs under `service.dialect`: what is written there and holds, and what differs. */
  readonly dialect: WrittenDialect;
  /** Whether that is already written. */
  readonly isWritten: boolean;
}
