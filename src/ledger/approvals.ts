import {
  approvalTerms,
  type ApprovalsOfChange,
  type PlanApproval,
} from '../model/ledger/approval.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import { Layered } from '../lib/layered.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/** A series of APPROVED records that has not ended yet. */
interface Series {
  readonly plan: PlanApproval;
  readonly records: number;
  readonly lastSeq: number;
  readonly changes: readonly Body<'APPROVED'>['changes'][];
}

/** Everything that APPROVED and WITHDRAWN records add up to. */
export interface ApprovalParts {
  readonly plans: readonly PlanApproval[];
  readonly byChange: Layered<ApprovalsOfChange>;
  /** `seq` of the last record that took back what was approved of a policy. */
  readonly withdrawnAt: ReadonlyMap<string, number>;
  /** `seq` of the last record that took back an outcome, by change. */
  readonly takenBack: Layered<ReadonlyMap<string, number>>;
  readonly series: Series | undefined;
}

export const NO_APPROVALS: ApprovalParts = {
  plans: [],
  byChange: new Layered(),
  withdrawnAt: new Map(),
  takenBack: new Layered(),
  series: undefined,
};

/** The approvals of a ledger during a fold (protocol N72). */
export class ApprovalLog {
  #parts: ApprovalParts;

  constructor(from: ApprovalParts) {
    this.#parts = from;
  }

  /**
   * Adds one record of a series. The outcomes of a series count from its last record on, and only
   * if it is complete: consecutive records of one plan, commit and run, as many as the last one
   * says.
   */
  approve({ seq }: Pick<LedgerRecord, 'seq'>, body: Body<'APPROVED'>, at: Instant): void {
    const { series: before } = this.#parts;
    const plan =
      before && isContinued(before, body, seq)
        ? before.plan
        : { seq, at, ...approvalTerms(body), expires: parseInstant(body.expires) ?? 0 };
    const isNew = plan !== before?.plan;
    const series: Series = {
      plan,
      records: isNew ? 1 : before.records + 1,
      lastSeq: seq,
      changes: isNew ? [body.changes] : [...before.changes, body.changes],
    };
    if (body.of === undefined) this.#parts = { ...this.#parts, series };
    else this.#finish(body.of === series.records ? series : undefined);
  }

  /** Takes outcomes back: of the changes that are named, of one plan or both, or of a policy. */
  withdraw({ seq }: Pick<LedgerRecord, 'seq'>, body: Body<'WITHDRAWN'>): void {
    const { planId, policy, ids } = body;
    const { byChange, withdrawnAt, takenBack } = this.#parts;
    if (policy !== undefined) {
      this.#parts = { ...this.#parts, withdrawnAt: new Map([...withdrawnAt, [policy, seq]]) };
      return;
    }
    const changes = new Map<string, ApprovalsOfChange>();
    const taken = new Map<string, ReadonlyMap<string, number>>();
    for (const id of ids.length > 0 ? ids : byChange.keys()) {
      const outcomes = byChange.get(id);
      if (!outcomes) continue;
      const left = without(outcomes, planId);
      changes.set(id, left);
      const gone = [...outcomes.keys()].filter((outcome) => !left.has(outcome));
      if (gone.length === 0) continue;
      const now = gone.map((outcome) => [outcome, seq] as const);
      taken.set(id, new Map([...(takenBack.get(id) ?? []), ...now]));
    }
    this.#parts = {
      ...this.#parts,
      byChange: byChange.with(changes),
      takenBack: takenBack.with(taken),
    };
  }

  finish(): ApprovalParts {
    return this.#parts;
  }

  #finish(series: Series | undefined): void {
    const { plans, byChange } = this.#parts;
    if (!series) {
      this.#parts = { ...this.#parts, series: undefined };
      return;
    }
    const changes = new Map<string, ApprovalsOfChange>();
    for (const [id, outcome] of series.changes.flat()) {
      const outcomes = changes.get(id) ?? byChange.get(id) ?? new Map<string, PlanApproval[]>();
      const approvals = [...(outcomes.get(outcome) ?? []), series.plan];
      changes.set(id, new Map([...outcomes, [outcome, approvals]]));
    }
    const more = { plans: [...plans, series.plan], byChange: byChange.with(changes) };
    this.#parts = { ...this.#parts, ...more, series: undefined };
  }
}

function without(outcomes: ApprovalsOfChange, planId: string | undefined): ApprovalsOfChange {
  if (planId === undefined) return new Map();
  return new Map([...outcomes].filter(([, found]) => found.every((one) => one.planId !== planId)));
}

function isContinued({ plan, lastSeq }: Series, body: Body<'APPROVED'>, seq: number): boolean {
  const { planId, commit, run } = body;
  return (
    seq === lastSeq + 1 && plan.planId === planId && plan.commit === commit && plan.run === run
  );
}
