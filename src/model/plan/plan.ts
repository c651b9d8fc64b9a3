import type { Action, Cause, Changes, DeviceLabel, ChangeGroup, NoteClass } from './change.ts';
import type { Coverage } from './coverage.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import type { PlanForecast } from './plan-forecast.ts';
import type { PlanHours } from './hours.ts';
import type { PlanPart } from './part.ts';
import type { LineOrigin } from '../documents/origin.ts';
import type { VerdictLimit } from '../documents/guardrail.ts';
import type { PlanScope } from './scope.ts';
import type { ReasonCode, ReasonWhy } from './reason.ts';
import type { Confidence } from '../fleet/snapshot.ts';
import type { PauseTerms } from '../ledger/record.ts';
import type { At, SourceLocation } from '../documents/source.ts';

/** Version of the plan format; a reader refuses another. */
export const PLAN_VERSION = 1;

/** The inputs of a plan, so that anyone can check later what its decisions were based on. */
export interface PlanInputs {
  readonly tool: string;
  readonly service: {
    readonly baseUrl: string;
    readonly organization: string;
    /** Where the service URL was set. */
    readonly from: 'document' | 'environment' | 'flag';
    /** sha256 of origin and organization: the ledger belongs to it. */
    readonly fingerprint: string;
  };
  readonly commit?: string;
  readonly dirty?: boolean;
  readonly documents: string;
  readonly snapshot: {
    readonly digest: string;
    /**
     * Digest of the file that the reading was saved in, with its time; absent where it was not
     * saved.
     */
    readonly file?: string;
    readonly takenAt: string;
    readonly confidence: Confidence;
    /** For an inconsistent read: how many devices were then read by ID, and the result. */
    readonly repair?: {
      readonly present: number;
      readonly absent: number;
      readonly unknown: number;
    };
    readonly devices: number;
    readonly sites: number;
    readonly discovered: number;
  };
  /** The values of single devices; absent in a plan of an older version. */
  readonly facts?: FactsSummary;
  readonly ledger: { readonly seq: number; readonly hash: string };
  /** The newest approved commit; absent where there is none (semantics N73). */
  readonly approved?: string;
}

/** How much of a plan uses reads of earlier runs, and how much no run has read (semantics N25). */
export interface FactsSummary {
  /** Devices whose values an earlier run read. */
  readonly used: number;
  /** The instant of the oldest of these reads. */
  readonly oldest?: string;
  /** Decisions that no run has read the value for. */
  readonly notRead: number;
  /** How many single reads the run could make; absent where it made none, as on a saved snapshot. */
  readonly budget?: number;
}

/** The verdict on one limit of one guardrail entry. */
export interface GuardrailVerdict {
  readonly guardrail: string;
  readonly limit: VerdictLimit;
  /** The limit in force, as the entry or the exception that raised it has it. */
  readonly value: number;
  /** The number of devices, changes or sites; `of` is the total that a percentage refers to. */
  readonly number: number;
  readonly allowed: number;
  readonly of?: number;
  /** The site that a per-site limit counted, or the task that devices have lost. */
  readonly scope?: string;
  /** Devices for which the last record has that task as offered. */
  readonly before?: number;
  readonly passed: boolean;
  readonly at?: SourceLocation;
  /** The `allow` exception that raised the limit, if one did. */
  readonly raisedBy?: At;
  /**
   * How many of them are counted without a change of this plan: due within a day, attempted in the
   * last one, not read yet, or weighed by a run of another part (semantics N39, N48). Absent: none.
   */
  readonly unlisted?: number;
  /** How many of those only runs of other parts have counted (semantics N39). Absent: none. */
  readonly inParts?: number;
  /** Up to three policies that count most in a refused plan (semantics N52). */
  readonly policies?: readonly PolicyShare[];
  /** What most of a refused plan waits for. */
  readonly waits?: { readonly reason: ReasonCode; readonly number: number };
}

/** How much one policy counts. */
export interface PolicyShare {
  readonly policy: string;
  readonly number: number;
  /** `generationRaised`, where that is why. */
  readonly why?: ReasonWhy;
}

export interface PlanWave {
  readonly policy: string;
  readonly name: string;
  /** The number of wanted changes in it. */
  readonly changes: number;
  /** The soak before the next wave opens, where there is one: `24h`. */
  readonly soak?: string;
  /** The earlier wave that must pass first; absent where this wave is open or stopped. */
  readonly after?: string;
  /** The earliest instant at which it may open; absent where a gate needs more than time. */
  readonly opens?: string;
  /** The `allow: {gate}` that it needs (`ROLLOUT/WAVE`); absent where it needs none or has it. */
  readonly approval?: string;
  /** A stop rule, or a person, has stopped the whole rollout, until a person lifts that. */
  readonly stopped?: 'paused' | 'aborted';
}

export const BEHIND = ['merged', 'conflict', 'gitTooOld', 'failed', 'unrelated'] as const;

/**
 * A branch that lacks commits of its base. `merged`: the plan is of the merge of both. Otherwise
 * the plan is of the branch, compared with the commit where it left the base, or with the base
 * itself where they are `unrelated`.
 */
export interface Behind {
  readonly lacks: number;
  readonly is: (typeof BEHIND)[number];
  /** Documents in which both sides changed the same lines. */
  readonly files?: readonly string[];
  /** The commit that `ref` names, where the plan was compared with another one. */
  readonly tip?: string;
}

/** The base of a plan: another commit's documents with the same reading. */
export interface PlanBase {
  /** The branch, tag or commit that the user passed. */
  readonly ref: string;
  readonly commit: string;
  /** Absent where the branch has all commits of the base. */
  readonly behind?: Behind;
  /** Digest of its documents; absent where it has none. */
  readonly documents?: string;
  /**
   * Changes by group. All but `dropped` are changes of the plan. Some of `dropped` are too; `gone`
   * has the others, for which these documents have no change.
   */
  readonly counts: Readonly<Record<ChangeGroup, number>>;
  readonly gone: readonly DroppedClass[];
  /** The scopes that its commits name, judged; absent where no commit names one (semantics G9). */
  readonly scope?: PlanScope;
  /** What an approval is by the base, where the plan's documents change it (semantics N70). */
  readonly approval?: 'commit' | 'plan';
}

/**
 * Changes of the base that the plan does not list, counted; `at` is in the documents of the base commit, and `reason`
 * says why these documents no longer select the device.
 */
export interface DroppedClass extends NoteClass {
  readonly cause: Cause;
  /** The changed lines of the entries that apply to any of them. */
  readonly lines?: readonly SourceLocation[];
  /** The first few devices, in the order of the base's plan. */
  readonly devices: readonly DeviceLabel[];
}

export type Counts = Readonly<Record<Action, number>>;

/** A pause by a person as a plan or a status shows it (semantics N68). */
export interface PauseNote extends PauseTerms {
  readonly since: string;
  /** The address in its scope, where no policy has or names it: all changes of its section wait (semantics M23). */
  readonly orphaned?: string;
}

/** The changes that apply makes, with reasons. The same input gives the same bytes. */
export interface Plan {
  readonly version: typeof PLAN_VERSION;
  /** Hash of what a person approves; independent of the clock. */
  readonly id: string;
  readonly evaluatedAt: string;
  /** After this instant apply refuses the saved file. */
  readonly expiresAt: string;
  readonly inputs: PlanInputs;
  /** What people had paused, oldest first; absent where nothing was. */
  readonly pauses?: readonly PauseNote[];
  /** The part of the fleet that it is of; absent: the whole. */
  readonly part?: PlanPart;
  readonly changes: Changes;
  readonly notes: readonly NoteClass[];
  readonly waves: readonly PlanWave[];
  /** Absent where every wanted change may start at any time. */
  readonly hours?: PlanHours;
  /** What it covers; absent in a plan of an older version. */
  readonly coverage?: Coverage;
  readonly verdicts: readonly GuardrailVerdict[];
  /** Changes by action; `note` counts devices in note classes too. */
  readonly counts: Counts;
  readonly warnings: readonly Diagnostic[];
  /** The commits that the lines of the changes come from; absent outside a repository. */
  readonly origins?: readonly PlanOrigin[];
  /** Who wrote the entries that the changes come from; absent outside a repository. */
  readonly authors?: readonly EntryAuthors[];
  /** Only in a plan that was compared with another commit. */
  readonly base?: PlanBase;
  /** Only in a plan of `ci plan` where a snapshot is at hand. */
  readonly forecast?: PlanForecast;
}

/** An entry, or one device of a list, from its first line to its last, and who wrote any line of it. */
export interface EntryAuthors extends Pick<SourceLocation, 'file' | 'line'> {
  readonly last: number;
  /** The first few commits, each once, newest first. */
  readonly by: readonly LineOrigin[];
  /** The number of further commits. */
  readonly more?: number;
}

/** Who wrote a line that a change refers to. */
export type PlanOrigin = LineOrigin & Pick<SourceLocation, 'file' | 'line'>;
