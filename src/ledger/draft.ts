import {
  type LastPlanned,
  type Lease,
  type Lift,
  type ObservedFact,
  type StartedRollout,
  type ActiveStop,
  stopKey,
} from '../model/ledger/memory.ts';
import { tenantFingerprint } from './ground-due.ts';
import { pausedAgain, type PersonPause } from '../model/ledger/pauses.ts';
import { renamedTo, underPresentAddress, type PresentNames } from '../model/ledger/renames.ts';
import {
  isLeaseless,
  type Leaseless,
  type LedgerRecord,
  type RecordBody,
} from '../model/ledger/record.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import { ApprovalLog } from './approvals.ts';
import { headAfter } from './chain.ts';
import { IntentLog } from './intents.ts';
import { Knowledge } from './knowledge.ts';
import type { MemoryParts } from './memory-parts.ts';
import { TASK_LOST } from './transitions.ts';
import { sightingKey } from '../model/ledger/sightings.ts';
import type { Layered } from '../lib/layered.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/** Evidence that comes from the service's task alone, not from a read of the device. */
const RESULT_ALONE = 'task';

/** From this format on a run judges the approvals before it, by each commit since (protocol M10). */
const LINEAGE_FORMAT = 3;

/** Caps the lease time in a LOCK: no run works for longer than a day without a record. */
const LONGEST_TTL = 86_400_000;

type OfIntents = Extract<
  RecordBody,
  { readonly type: 'ATTEMPT' | 'RESULT' | 'OBSERVED' | 'SETTLED' | 'ANOMALY' }
>;

/**
 * The fold in progress: takes records one by one and ends as new `MemoryParts`; the old parts do
 * not change. It applies every record; the acceptor decides whether a record was allowed.
 */
export class MemoryDraft {
  readonly #from: MemoryParts;
  readonly intents: IntentLog;
  #last: LedgerRecord | undefined;
  #ledgerId: string;
  #fingerprint: string;
  #format: number;
  #checked: MemoryParts['checked'];
  #planned: MemoryParts['planned'];
  #actedAt: number;
  /** The PLAN of this lease is of a part of the fleet (semantics N39). */
  #isPart: boolean;
  #rollouts: ReadonlyMap<string, StartedRollout>;
  #lifts: Map<string, Lift>;
  readonly #sightings: SightingLog;
  #accepted: Set<TaskType>;
  readonly #moved: Set<string>;
  epoch: number;
  lease: { -readonly [F in keyof Lease]: Lease[F] } | undefined;
  stops: Map<string, ActiveStop>;
  pauses: Map<string, PersonPause>;
  #resumedAt: Map<string, Instant>;
  #renamed: PresentNames;
  readonly #approvals: ApprovalLog;
  readonly #knowledge: Knowledge;
  #checkpointAt: number;

  constructor(from: MemoryParts) {
    this.#from = from;
    this.intents = new IntentLog(from);
    this.#ledgerId = from.ledgerId;
    this.#fingerprint = from.fingerprint;
    this.#format = from.format;
    this.#checked = from.checked;
    this.#planned = from.planned;
    this.#actedAt = from.actedAt;
    this.#isPart = from.isPart;
    this.#rollouts = from.rollouts;
    this.#lifts = new Map(from.lifts);
    this.#sightings = new SightingLog(from);
    this.#accepted = new Set(from.accepted);
    this.#moved = new Set(from.moved);
    this.epoch = from.epoch;
    this.lease = from.lease && { ...from.lease };
    this.stops = new Map(from.stops);
    this.pauses = new Map(from.pauses);
    this.#resumedAt = new Map(from.resumedAt);
    this.#renamed = from.renamed;
    this.#approvals = new ApprovalLog(from.approvals);
    this.#knowledge = new Knowledge(from);
    this.#checkpointAt = from.checkpointAt;
  }

  apply(record: LedgerRecord): void {
    this.#last = record;
    const body = this.present(record.body);
    const at = parseInstant(record.at) ?? 0;
    this.#renew(record, at);
    const { epoch, seq } = record;
    if (body.type !== 'FACTS') this.#actedAt = seq;
    switch (body.type) {
      case 'GENESIS':
        return this.#begin(body);
      case 'LOCK':
        return this.#lock(epoch, body, at);
      case 'BEAT':
        return undefined;
      case 'RELEASE':
        this.#knowledge.learn(body, record, at);
        return this.#release(epoch, at);
      case 'PLAN':
        return this.#plan(body, seq);
      case 'ROLLOUT':
        return this.#rollOut(body, { seq, startedAt: at });
      case 'STOP':
        return this.#stop(body, at);
      case 'SEEN':
        return this.#sightings.see(body, at);
      case 'RENAMED':
        return this.#rename(body);
      case 'CHECKPOINT':
        this.#checkpointAt = seq;
        return undefined;
      case 'PAUSE':
      case 'LIFT':
      case 'APPROVED':
      case 'WITHDRAWN':
      case 'GROUND':
      case 'FACTS':
        return this.#ofLeaseless(body, { seq, at });
      default:
        return this.#ofIntents(body, { epoch, at });
    }
  }

  /** A record under the present addresses of its policies. */
  present(body: RecordBody): RecordBody {
    return underPresentAddress(body, this.#renamed);
  }

  targetDigestOf(policy: string): string | undefined {
    return this.#rollouts.get(policy)?.targetDigest;
  }

  finish(): MemoryParts {
    return {
      ledgerId: this.#ledgerId,
      fingerprint: this.#fingerprint,
      format: this.#format,
      checked: this.#checked,
      planned: this.#planned,
      actedAt: this.#actedAt,
      head: headAfter(this.#last === undefined ? [] : [this.#last], this.#from.head),
      epoch: this.epoch,
      lease: this.lease && { ...this.lease },
      ...this.intents.finish(),
      isPart: this.#isPart,
      checkpointAt: this.#checkpointAt,
      rollouts: this.#rollouts,
      accepted: this.#accepted,
      moved: this.#moved,
      stops: this.stops,
      lifts: this.#lifts,
      pauses: this.pauses,
      resumedAt: this.#resumedAt,
      renamed: this.#renamed,
      approvals: this.#approvals.finish(),
      sightings: this.#sightings.finish(),
      ...this.#knowledge.finish(),
    };
  }

  #ofLeaseless(body: Leaseless, { seq, at }: { readonly seq: number; readonly at: Instant }): void {
    switch (body.type) {
      case 'PAUSE':
        return this.#pause(body, at);
      case 'LIFT':
        return this.#lift(body, at);
      case 'APPROVED':
        if (this.#planned) this.#planned = { ...this.#planned, isApprovedSince: true };
        return this.#approvals.approve({ seq }, body, at);
      case 'WITHDRAWN':
        return this.#approvals.withdraw({ seq }, body);
      case 'GROUND':
        this.#fingerprint = tenantFingerprint(body.service);
        return this.#knowledge.stand(body, { seq }, at);
      case 'FACTS':
        return this.#knowledge.learn(body, { seq }, at);
    }
  }

  /** The compiler reports a record type that is missing here. */
  #ofIntents(body: OfIntents, { epoch, at }: { readonly epoch: number; readonly at: Instant }) {
    switch (body.type) {
      case 'ATTEMPT':
        return this.#attempt(body, { epoch, at });
      case 'RESULT':
        return this.#answer(body, at);
      case 'OBSERVED':
        return this.intents.observe(body);
      case 'SETTLED':
        return this.#settle(body, at);
      case 'ANOMALY':
        return body.what === TASK_LOST ? this.intents.loseTask(body.ids, at) : undefined;
      default:
        // A newer version may write types that this one does not know; reading continues without
        // them.
        return void (body satisfies never);
    }
  }

  #answer(body: Extract<RecordBody, { readonly type: 'RESULT' }>, at: Instant): void {
    const task = this.intents.answer(body, at);
    if (task !== undefined) this.#accepted.add(task);
  }

  /** A verified device proves that the task works on its model. */
  #settle(body: Body<'SETTLED'>, at: Instant): void {
    const { verdict, by: settledBy, evidence, intentId } = body;
    const { task, model } = this.intents.get(intentId) ?? {};
    const isShown =
      settledBy !== 'person' && evidence.some(({ source }) => source !== RESULT_ALONE);
    if (verdict === 'done' && isShown && task !== undefined && model !== undefined)
      this.#moved.add(`${task}/${model}`);
    this.intents.settle(body, at);
  }

  /**
   * Every record of the holder renews its lease; a late RESULT of an earlier run does not, nor does
   * what a person appends beside the holder (protocol N64).
   */
  #renew({ epoch, body }: LedgerRecord, lastSignAt: Instant): void {
    if (this.lease?.epoch !== epoch || isLeaseless(body)) return;
    this.lease.renewals += 1;
    this.lease.lastSignAt = lastSignAt;
  }

  #begin(body: Body<'GENESIS'>): void {
    this.#format = Math.max(this.#format, body.format);
    if (this.#ledgerId !== '') return;
    this.#ledgerId = body.ledgerId;
    this.#fingerprint = body.fingerprint;
  }

  #lock(epoch: number, body: Body<'LOCK'>, takenAt: Instant): void {
    const { nonce, label, host, pid, process } = body;
    const ttl = Math.min(body.ttl, LONGEST_TTL);
    this.intents.leave(epoch - 1, takenAt);
    this.epoch = epoch;
    this.#isPart = false;
    this.lease = {
      epoch,
      nonce,
      label,
      host,
      pid,
      process,
      ttl,
      takenAt,
      renewals: 0,
      lastSignAt: takenAt,
    };
  }

  #release(epoch: number, at: Instant): void {
    if (this.lease?.epoch !== epoch) return;
    this.intents.leave(epoch, at);
    this.lease = undefined;
  }

  #attempt(body: Body<'ATTEMPT'>, writer: { readonly epoch: number; readonly at: Instant }): void {
    const rolloutOf = (policy: string): number | undefined => this.#rollouts.get(policy)?.seq;
    this.intents.attempt(body, { ...writer, rolloutOf });
  }

  /**
   * A plan of the whole has weighed what runs of a part had weighed before it was made, so that no
   * longer counts with each further part (semantics N39).
   */
  #plan({ part, basis, commit, unmerged }: Body<'PLAN'>, seq: number): void {
    const isMerged = !unmerged && basis?.dirty !== true && commit !== '';
    if (isMerged && this.#format >= LINEAGE_FORMAT) this.#checked = { commit, seq };
    this.#planned = plannedAgain(this.#planned, commit);
    this.#isPart = part !== undefined;
    if (this.#isPart) return;
    const madeAt = basis?.ledger.seq ?? seq;
    for (const [policy, { weighedInParts, ...rollout }] of this.#rollouts) {
      if (!weighedInParts) continue;
      const left = new Map([...weighedInParts].filter(([, weighedAt]) => weighedAt > madeAt));
      const since = left.size > 0 ? { weighedInParts: left } : {};
      this.#setRollout(policy, { ...rollout, ...since });
    }
  }

  /**
   * The first record of a target freezes the base; later records of the same target only add
   * devices.
   */
  #rollOut(body: Body<'ROLLOUT'>, start: Pick<StartedRollout, 'seq' | 'startedAt'>): void {
    const { policy, targetDigest, base, waves, replaced } = body;
    const before = this.#rollouts.get(policy);
    const running: StartedRollout =
      before?.targetDigest === targetDigest
        ? before
        : { targetDigest, ...start, base, ...(waves && { waves }), devices: new Set() };
    const devices = new Set([...running.devices, ...base]);
    const weighed = weighedBy(running, body);
    const places = new Map([...(running.replaced ?? []), ...(replaced ?? [])]);
    const inParts = new Map(running.weighedInParts);
    if (this.#isPart) for (const id of body.weighed ?? base) inParts.set(id, start.seq);
    this.#setRollout(policy, {
      ...running,
      devices,
      ...(weighed && { weighed }),
      ...(places.size > 0 && { replaced: places }),
      ...(inParts.size > 0 && { weighedInParts: inParts }),
    });
  }

  /** The map stays the same one until a rollout changes, which later readers compare. */
  #setRollout(policy: string, rollout: StartedRollout): void {
    this.#rollouts = new Map([...this.#rollouts, [policy, rollout]]);
  }

  /** Whatever was recorded under the old address is of the new one (semantics M23). */
  #rename(rename: Body<'RENAMED'>): void {
    const kept = renamedTo(
      {
        renamed: this.#renamed,
        rollouts: this.#rollouts,
        stops: this.stops,
        lifts: this.#lifts,
        pauses: this.pauses,
        resumedAt: this.#resumedAt,
      },
      rename,
    );
    this.#renamed = kept.renamed;
    this.#rollouts = kept.rollouts;
    this.stops = new Map(kept.stops);
    this.#lifts = new Map(kept.lifts);
    this.pauses = new Map(kept.pauses);
    this.#resumedAt = new Map(kept.resumedAt);
    this.intents.rename(rename);
  }

  #stop({ type: _type, ...stop }: Body<'STOP'>, at: Instant): void {
    this.stops.set(stopKey(stop), { ...stop, at });
  }

  #pause({ type: _type, until, ...pause }: Body<'PAUSE'>, at: Instant): void {
    const later = { ...pause, at, ...(until !== undefined && { until: parseInstant(until) ?? 0 }) };
    this.pauses.set(pause.scope, pausedAgain(this.pauses.get(pause.scope), later));
  }

  /** The end of a person's pause clears no evidence of a rule; a rollout that ends so begins anew, with its canary. */
  #lift({ type: _type, ...lift }: Body<'LIFT'>, at: Instant): void {
    if (lift.what === 'rollout') {
      this.#rollouts = new Map([...this.#rollouts].filter(([policy]) => policy !== lift.scope));
      return;
    }
    if (lift.what === 'pause') {
      this.pauses.delete(lift.scope);
      this.#resumedAt.set(lift.scope, at);
      return;
    }
    this.stops.delete(stopKey(lift));
    this.#lifts.set(lift.scope, { ...lift, at });
  }
}

function plannedAgain(last: LastPlanned | undefined, commit: string): LastPlanned | undefined {
  if (commit === '') return last;
  const before = last?.commit === commit ? last.before : last?.commit;
  return { commit, ...(before !== undefined && { before }), isApprovedSince: false };
}

/** Absent while every record of the rollout has weighed its whole base. */
function weighedBy(
  { weighed, devices }: StartedRollout,
  { base, weighed: added }: Body<'ROLLOUT'>,
): ReadonlySet<string> | undefined {
  if (!weighed && !added) return undefined;
  return new Set([...(weighed ?? devices), ...(added ?? base)]);
}

/** The sightings of a ledger during a fold. */
class SightingLog {
  readonly #from: Layered<ObservedFact>;
  readonly #changed = new Map<string, ObservedFact>();

  constructor({ sightings }: Pick<MemoryParts, 'sightings'>) {
    this.#from = sightings;
  }

  /** Applies a SEEN record; `recordedAt` replaces an instant in it that cannot be read. */
  see(body: Extract<RecordBody, { readonly type: 'SEEN' }>, recordedAt: Instant): void {
    const { what, subject, value = '', seenAt } = body;
    const key = sightingKey(what, subject);
    const at = parseInstant(seenAt) ?? recordedAt;
    const before = this.#changed.get(key) ?? this.#from.get(key);
    const since = before?.value === value ? before.since : at;
    const times = before?.value === value ? before.times + 1 : 1;
    const firstAt = before?.firstAt ?? at;
    this.#changed.set(key, { value, firstAt, lastAt: at, since, times });
  }

  finish(): Layered<ObservedFact> {
    return this.#from.with(this.#changed);
  }
}
