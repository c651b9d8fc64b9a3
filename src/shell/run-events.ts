import { pick } from '../lib/objects.ts';
import { formatInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import type { RunReport } from '../model/ledger/run-report.ts';
import type { Clock } from '../model/ports.ts';
import { BRIEF, toEnded, type EventBody, type ProgressEvent } from '../model/progress.ts';
import type { RunEvent } from '../model/report/output.gen.ts';
import { toolVersion } from './version.ts';

/**
 * Takes one event; the next one comes after what it returns is settled. What it throws, or that it never settles,
 * changes nothing of the run.
 */
export type OnEvent = (event: RunEvent) => unknown;

/** So many events wait for a slow receiver; beyond that, those of type `task.progress` are left out. */
const MOST = 10_000;

/** How often a device tells its step. */
const STEP_EVERY: Milliseconds = 30_000;

/** How long a run that is over waits for its receiver. */
const PATIENCE: Milliseconds = 10_000;

interface Queued {
  readonly at: Instant;
  readonly body: EventBody;
}

/**
 * The events of one run, in order, for a receiver that may be slow, or never come back: nothing in the run waits for it.
 * `run.started` comes first and `run.ended` last, however the run ends.
 */
export class RunEvents {
  readonly #receive: OnEvent;
  readonly #clock: Pick<Clock, 'now' | 'sleep'>;
  readonly #command: string;
  readonly #queue: Queued[] = [];
  /** How each change ended, as it was told last. */
  readonly #ended = new Map<string, EventBody & { type: 'change.ended' }>();
  readonly #steps = new Map<string, Instant>();
  /** What was told last of where the run is, and of what it waits for. */
  readonly #last: { phase?: string | undefined; waiting?: string | undefined } = {};
  readonly #began: Instant;
  #final: Pick<EventBody & { type: 'run.ended' }, 'counts' | 'next'> = {};
  #organization: string | undefined;
  #seq = 0;
  #steady = 0;
  #dropped = 0;
  #delivering: Promise<void> | undefined;

  constructor(receive: OnEvent, clock: Pick<Clock, 'now' | 'sleep'>, command: string) {
    this.#receive = receive;
    this.#clock = clock;
    this.#command = command;
    this.#began = clock.now();
  }

  /** Says what the run is about, once; what happened before is told after it. */
  start(organization: string, commit: string | undefined): void {
    if (this.#organization !== undefined) return;
    this.#organization = organization;
    const about = { tool: toolVersion(), command: this.#command, ...(commit && { commit }) };
    this.#queue.unshift({ at: this.#began, body: { type: 'run.started', ...about } });
    this.#steady += 1;
    this.#deliver();
  }

  /** Tells what happens, once; what only shows how far a command is says nothing here. */
  readonly take = (event: ProgressEvent): void => {
    const body = this.#news(event);
    if (body) this.#add(body);
  };

  /** Tells how every change of the report ended, where that is not what was told last. */
  settle(report: RunReport, next: string): void {
    const { endings, closedBeside = [], leftOpen = [], counts } = report;
    this.#final = { counts, next };
    for (const { change, ...ending } of endings)
      this.take(
        toEnded({
          ...ending,
          ...pick(change, 'policy'),
          change: change.id,
          device: change.device.id,
        }),
      );
    for (const { task, device, policy, outcome } of [...closedBeside, ...leftOpen]) {
      const change = `${task}/${device}`;
      if (this.#ended.get(change)?.outcome !== outcome)
        this.take(toEnded({ change, policy, device, outcome }));
    }
  }

  /**
   * The run is over. Waits a while until the receiver has it all.
   * @returns whether it has
   */
  async end(exit: number, next = this.#final.next): Promise<boolean> {
    this.start('', undefined);
    this.#add({ type: 'run.ended', exit, ...this.#final, ...(next !== undefined && { next }) });
    const over = new AbortController();
    const late = this.#clock.sleep(PATIENCE, over.signal).then(
      () => false,
      () => false,
    );
    const all = this.#delivering?.then(() => true) ?? true;
    return Promise.race([all, late]).finally(() => over.abort());
  }

  #add(body: EventBody): void {
    this.#queue.push({ at: this.#clock.now(), body });
    if (body.type !== 'task.progress') this.#steady += 1;
    if (this.#queue.length > MOST && this.#steady < this.#queue.length) {
      const at = this.#queue.findIndex(({ body: { type } }) => type === 'task.progress');
      this.#queue.splice(at, 1);
      this.#dropped += 1;
    }
    if (this.#organization !== undefined) this.#deliver();
  }

  #deliver(): void {
    this.#delivering ??= this.#pass();
  }

  /** Begins later: a receiver has no part in what the run does at this moment. */
  async #pass(): Promise<void> {
    for (;;) {
      await Promise.resolve();
      const next = this.#next();
      if (!next) break;
      const { at, body } = next;
      this.#seq += 1;
      const head = { v: 1, seq: this.#seq, at: formatInstant(at), type: body.type } as const;
      const event = { ...head, organization: this.#organization, ...body } as RunEvent;
      try {
        await this.#receive(event);
      } catch {
        // The run is not about its receiver.
      }
    }
    this.#delivering = undefined;
  }

  #next(): Queued | undefined {
    const count = this.#seq > 0 ? this.#dropped : 0;
    this.#dropped -= count;
    if (count > 0) return { at: this.#clock.now(), body: { type: 'dropped', count } };
    const next = this.#queue.shift();
    if (next && next.body.type !== 'task.progress') this.#steady -= 1;
    return next;
  }

  #news(event: ProgressEvent): EventBody | undefined {
    const { phase, waiting } = this.#last;
    switch (event.type) {
      case 'phase':
        this.#last.phase = event.name;
        return event.name === phase ? undefined : pick(event, 'type', 'name');
      case 'waiting':
        if (BRIEF.has(event.reason) || event.reason === waiting) return undefined;
        this.#last.waiting = event.reason;
        return { ...pick(event, 'type', 'reason'), until: formatInstant(event.until) } as EventBody;
      case 'task.progress': {
        const now = this.#clock.now();
        if (now < (this.#steps.get(event.device) ?? -Infinity) + STEP_EVERY) return undefined;
        this.#steps.set(event.device, now);
        return event;
      }
      case 'change.ended': {
        const told = this.#ended.get(event.change);
        this.#ended.set(event.change, event);
        const isSame = told?.outcome === event.outcome && told.evidence === event.evidence;
        return isSame ? undefined : event;
      }
      default:
        this.#last.waiting = undefined;
        return bodyOf(event);
    }
  }
}

function bodyOf(event: Exclude<ProgressEvent, { readonly type: 'phase' | 'waiting' }>): EventBody {
  if (event.type === 'attempt.answered') return pick(event, 'type', 'attempt', 'task', 'outcome');
  if (event.type === 'ledger.lost') return pick(event, 'type', 'place');
  return event;
}
