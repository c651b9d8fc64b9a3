import type { Action, Cause, Changes, DeviceLabel, ChangeGroup, NoteClass } from './change.ts';
import type { Diagnostic } from '../documents/diagnostic.ts';
import type { PlanHours } from './hours.ts';
import type { LineOrigin } from '../documents/origin.ts';
import type { GuardrailLimit } from '../documents/policy.ts';
import type { Reason } from './reason.ts';
import type { Confidence } from '../fleet/snapshot.ts';
import type { At, SourceLocation } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';

/** Version of the plan format; a reader refuses another. */
export const PLAN_VERSION = 1;

/** Everything a plan was made from, so that anybody can say later what it knew. */
export interface PlanInputs {
  readonly tool: string;
  readonly service: {
    readonly baseUrl: string;
    readonly organization: string;
    /** Where the address came from. */
    readonly from: 'document' | 'environment' | 'flag';
    /** sha256 of origin and organisation: what the ledger is pinned to. */
    readonly fingerprint: string;
  };
  readonly commit?: string;
  readonly dirty?: boolean;
  readonly documents: string;
  readonly snapshot: {
    readonly digest: string;
    /** Digest of the file that it was kept in, the moment of its reading included; absent where it was not. */
    readonly file?: string;
    readonly takenAt: string;
    readonly confidence: Confidence;
    /** Of a torn reading: how many devices were then looked for by their id, and what came of it. */
    readonly repair?: {
      readonly present: number;
      readonly absent: number;
      readonly unknown: number;
    };
    readonly devices: number;
    readonly sites: number;
    readonly discovered: number;
  };
  readonly ledger: { readonly seq: number; readonly hash: string };
}

/** The judgement of one limit of one guardrail entry. */
export interface GuardrailVerdict {
  readonly guardrail: string;
  readonly limit: GuardrailLimit;
  /** The limit in force, as it is written: as the entry has it, or the exception that raised it. */
  readonly value: number;
  /** Counted, in devices, changes or sites; `of` is what a percent refers to. */
  readonly number: number;
  readonly allowed: number;
  readonly of?: number;
  /** The site that a per-site limit looked at. */
  readonly scope?: string;
  readonly passed: boolean;
  readonly at?: SourceLocation;
  /** The `allow` exception that raised the limit, if one did. */
  readonly raisedBy?: At;
}

export interface PlanWave {
  readonly policy: string;
  readonly name: string;
  /** Wanted changes in it. */
  readonly changes: number;
  /** How long it has to hold before the next wave opens, where one follows: `24h`. */
  readonly soak?: string;
  /** The wave before it that has to be passed first; absent where it is open, or stopped. */
  readonly after?: string;
  /** The earliest instant at which it may open; absent where a gate asks for more than time. */
  readonly opens?: string;
  /** The `allow: {gate}` that it will wait for (`ROLLOUT/WAVE`); absent where it wants none, or has it. */
  readonly approval?: string;
  /** A stop rule holds the whole rollout. */
  readonly stopped?: 'paused' | 'aborted';
}

export const BEHIND = ['merged', 'conflict', 'gitTooOld', 'failed', 'unrelated'] as const;

/**
 * A branch that lacks commits of its base, and what the plan is of: `merged`: what merging the two would
 * give. Otherwise the branch as it is, compared with the commit where it left the base, or with the base
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

/** What a plan was compared with: another commit's documents on the very same reading. */
export interface PlanBase {
  /** As it was asked for: a branch, a tag, a commit. */
  readonly ref: string;
  readonly commit: string;
  /** Absent where the branch has all commits of the base. */
  readonly behind?: Behind;
  /** Digest of its documents; absent where it has none. */
  readonly documents?: string;
  /**
   * Changes by group. All but `dropped` are changes of the plan; of `dropped` some are, and the
   * others, about which these documents say nothing any more, are in `gone`.
   */
  readonly counts: Readonly<Record<ChangeGroup, number>>;
  readonly gone: readonly DroppedClass[];
}

/** Changes that the base wants and the plan does not even mention, counted. */
export interface DroppedClass {
  readonly task: TaskType;
  /** Where the base wants it: a place in the documents of that commit. */
  readonly at: At;
  readonly cause: Cause;
  /** Why it is gone: these documents select the device no more. */
  readonly reason: Reason;
  /** The changed lines that made the difference for any of them, where they were found. */
  readonly lines?: readonly SourceLocation[];
  readonly count: number;
  /** The first few devices, in the order of the base's plan. */
  readonly devices: readonly DeviceLabel[];
}

export type Counts = Readonly<Record<Action, number>>;

/** What apply would do, with reasons. The same input gives the same bytes. */
export interface Plan {
  readonly version: typeof PLAN_VERSION;
  /** Hash of what a person approves, never of what moves with the clock. */
  readonly id: string;
  readonly evaluatedAt: string;
  /** After this instant apply refuses the saved file. */
  readonly expiresAt: string;
  readonly inputs: PlanInputs;
  readonly changes: Changes;
  readonly notes: readonly NoteClass[];
  readonly waves: readonly PlanWave[];
  /** Absent where every wanted change may start at any time. */
  readonly hours?: PlanHours;
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
}

/** An entry, or one device of a list, from its first line to its last, and who wrote any line of it. */
export interface EntryAuthors extends Pick<SourceLocation, 'file' | 'line'> {
  readonly last: number;
  /** Newest first, each commit once; the first few of them. */
  readonly by: readonly LineOrigin[];
  /** Further commits. */
  readonly more?: number;
}

/** Who wrote a line that a change points at. */
export type PlanOrigin = LineOrigin & Pick<SourceLocation, 'file' | 'line'>;
