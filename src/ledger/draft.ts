import type { Lease, Stop } from '../model/memory.ts';
import type { LedgerRecord, RecordBody } from '../model/record.ts';
import type { TaskType } from '../model/task.ts';
import { parseInstant, type Instant } from '../model/time.ts';
import { headOf } from './chain.ts';
import { IntentLog } from './intents.ts';
import type { Coverage, Parts } from './parts.ts';
import { TASK_LOST } from './transitions.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;

/**
 * The fold at work: takes records one after another and ends as new `Parts`, leaving the old ones
 * as they were. It follows whatever it is given; whether a record was allowed is the acceptor's
 * question.
 */
export class Draft {
  readonly #from: Parts;
  readonly intents: IntentLog;
  #last: LedgerRecord | undefined;
  #ledgerId: string;
  #fingerprint: string;
  #lastVisible: number | undefined;
  #coverage: Map<string, Coverage>;
  #accepted: Set<TaskType>;
  epoch: number;
  lease: Lease | undefined;
  stops: Map<string, Stop>;

  constructor(from: Parts) {
    this.#from = from;
    this.intents = new IntentLog(from);
    this.#ledgerId = from.ledgerId;
    this.#fingerprint = from.fingerprint;
    this.#lastVisible = from.lastVisible;
    this.#coverage = new Map(from.coverage);
    this.#accepted = new Set(from.accepted);
    this.epoch = from.epoch;
    this.lease = from.lease;
    this.stops = new Map(from.stops);
  }

  apply(record: LedgerRecord): void {
    this.#last = record;
    this.#renew(record);
    const { body } = record;
    const at = parseInstant(record.at) ?? 0;
    if (body.type === 'GENESIS') this.#begin(body);
    else if (body.type === 'LOCK') this.#lock(record.epoch, body, at);
    else if (body.type === 'RELEASE') this.#release(record.epoch);
    else if (body.type === 'PLAN') this.#lastVisible = body.counts.devices;
    else if (body.type === 'ROLLOUT') this.#cover(body);
    else if (body.type === 'STOP') this.stops.set(body.scope, stopOf(body, at));
    else if (body.type === 'LIFT') this.stops.delete(body.scope);
    else this.#ofIntents(record, at);
  }

  finish(): Parts {
    return {
      ledgerId: this.#ledgerId,
      fingerprint: this.#fingerprint,
      head: headOf(this.#last === undefined ? [] : [this.#last], this.#from.head),
      epoch: this.epoch,
      lease: this.lease,
      ...this.intents.finish(),
      coverage: this.#coverage,
      accepted: this.#accepted,
      lastVisible: this.#lastVisible,
      stops: this.stops,
    };
  }

  #ofIntents({ body, epoch }: LedgerRecord, at: Instant): void {
    if (body.type === 'ATTEMPT') this.intents.attempt(body, { epoch, at });
    if (body.type === 'SETTLED') this.intents.settle(body, at);
    if (body.type === 'ANOMALY' && body.what === TASK_LOST) this.intents.loseTask(body.ids);
    if (body.type !== 'RESULT') return;
    const task = this.intents.answer(body);
    if (task !== undefined) this.#accepted.add(task);
  }

  /** Every record of the holder renews its lease; a late RESULT of a run before it does not. */
  #renew({ epoch }: LedgerRecord): void {
    if (this.lease?.epoch !== epoch) return;
    this.lease = { ...this.lease, renewals: this.lease.renewals + 1 };
  }

  #begin(body: Body<'GENESIS'>): void {
    if (this.#ledgerId !== '') return;
    this.#ledgerId = body.ledgerId;
    this.#fingerprint = body.fingerprint;
  }

  #lock(epoch: number, body: Body<'LOCK'>, takenAt: Instant): void {
    const { nonce, label, ttl, host, pid, process } = body;
    this.intents.leave(epoch - 1);
    this.epoch = epoch;
    this.lease = { epoch, nonce, label, host, pid, process, ttl, takenAt, renewals: 0 };
  }

  #release(epoch: number): void {
    if (this.lease?.epoch !== epoch) return;
    this.intents.leave(epoch);
    this.lease = undefined;
  }

  #cover({ policy, targetDigest, base }: Body<'ROLLOUT'>): void {
    const before = this.#coverage.get(policy);
    const running = before?.targetDigest === targetDigest ? before.devices : [];
    this.#coverage.set(policy, { targetDigest, devices: new Set([...running, ...base]) });
  }
}

function stopOf({ scope, rule, counts }: Body<'STOP'>, at: Instant): Stop {
  return { scope, rule, counts, at };
}
