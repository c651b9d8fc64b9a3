import { compileSelector } from '../desired/select.ts';
import { judge } from '../guard/guard.ts';
import { passEnd } from '../guard/pass-end.ts';
import { Bug } from '../lib/bug.ts';
import type { Device, DiscoveredDevice } from '../model/fleet/device.ts';
import { WorldError } from '../model/error.ts';
import type { Collection, Collections, ServiceFilter, Pass } from '../model/ports.ts';
import type { ReadDevice, Snapshot } from '../model/fleet/snapshot.ts';
import type { Selector } from '../model/documents/policy.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Change } from '../model/plan/change.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Planned } from '../plan/input.ts';
import type { BudgetTracker } from '../rollout/budgets/budget-tracker.ts';
import { openBudgetBook, type BudgetBook } from '../rollout/budgets/budgets.ts';
import { findOutages, type Outages } from '../rollout/budgets/outage.ts';
import { openSchedule, type Schedule } from '../plan/decide/schedule.ts';
import { openOrphans, type Orphans } from '../rollout/progress/orphans.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { Predecessors } from '../rollout/progress/predecessor.ts';
import type { Ports } from './ports.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** A fresh reading of the fleet and its plan, with the ledger's state at that time. */
export interface Survey extends Planned {
  readonly snapshot: Snapshot;
}

/** Rollouts by the address of their policy. */
export type Rollouts = ReadonlyMap<string, Followed>;

/** One pass over all devices, and when its first page was requested: the age of its rows. */
export interface WholePass {
  /** The row of a device; undefined where the pass does not show it. */
  rowOf(deviceId: string): ReadDevice | undefined;
  readonly since: { readonly wall: Instant; readonly monotonic: Milliseconds };
}

/** The number of passes for a list that changes while it is read. */
const PASSES = 3;

/**
 * The fleet as this run knows it: its last reading, which the next one replaces, and the later
 * reads of single devices and short lists.
 */
export class Reading {
  readonly #ports: Pick<Ports, 'clock' | 'documents' | 'journal'>;
  #survey: Survey | undefined;
  #work: readonly Change[] = [];
  /** Devices that were read by id, or in a list, since the last reading of the fleet. */
  readonly reads = new Map<string, ReadDevice>();
  /** Devices that the last look listed as down. */
  down: ReadonlyMap<string, ReadDevice> = new Map();
  /** When these were requested, where they may serve more than one batch. */
  downSince: WholePass['since'] | undefined;
  /** The last whole pass over the devices; undefined before the first since the last reading. */
  pass: WholePass | undefined;
  /** The budgets of the last reading, and the devices that were read again since they last moved. */
  #budgets: BudgetBook | undefined;
  readonly #readAgain = new Set<string>();
  /** Until when the guardrails pass, if no rollout is recorded. */
  #passed: { readonly until: Instant; readonly rollouts: Memory['rollouts'] } | undefined;
  /** Finds what the ledger has of addresses that no policy has; undefined before the first look since the reading. */
  #orphans: ReturnType<typeof openOrphans> | undefined;
  /** Devices whose row failed with a status at its last read by ID. */
  readonly failing = new Set<string>();
  #schedule: Schedule | undefined;

  constructor(ports: Pick<Ports, 'clock' | 'documents' | 'journal'>) {
    this.#ports = ports;
  }

  /** Replaces everything with a new reading. */
  replace(survey: Survey): void {
    this.#survey = survey;
    this.reads.clear();
    this.down = new Map();
    this.downSince = undefined;
    this.pass = undefined;
    this.#budgets = undefined;
    this.#readAgain.clear();
    this.#passed = undefined;
    this.#orphans = undefined;
    this.#schedule = undefined;
  }

  /** The last reading; undefined before the first. */
  get survey(): Survey | undefined {
    return this.#survey;
  }

  /** The lists of the last reading with the newest row of each device. */
  listsNow(): Snapshot {
    const { snapshot } = this;
    const newer = [...this.down.values(), ...this.reads.values()];
    newer.sort((a, b) => a.readAt - b.readAt);
    return { ...snapshot, devices: snapshot.devices.with(newer.map(({ device }) => device)) };
  }

  get snapshot(): Snapshot {
    if (!this.#survey) throw new Bug('the fleet was not read yet');
    return this.#survey.snapshot;
  }

  /**
   * The changes of the last reading that were approved and are still valid: the work of this run.
   */
  get work(): readonly Change[] {
    return this.#work;
  }

  setWork(changes: readonly Change[]): void {
    this.#work = changes;
    this.#passed = undefined;
  }

  /** Keeps the result of reading a single device, or its list. */
  keep(device: Device, readAt = this.#ports.clock.now()): void {
    this.reads.set(device.id, { device, readAt });
    this.#readAgain.add(device.id);
  }

  /**
   * Replaces the list of down devices; `isBack` decides which single reads it shows to be out of
   * date. `since`: when it was requested, where it may serve more than one batch.
   */
  keepDown(
    down: ReadonlyMap<string, ReadDevice>,
    isBack: (device: Device) => boolean,
    since?: WholePass['since'],
  ): void {
    this.downSince = since;
    for (const [id, { device }] of this.reads)
      if (!down.has(id) && isBack(device)) {
        this.reads.delete(id);
        this.#readAgain.add(id);
      }
    for (const list of [this.down, down]) for (const id of list.keys()) this.#readAgain.add(id);
    this.down = down;
  }

  /** A read of a device that is newer than the last reading of the fleet. */
  get newer(): Pick<ReadonlyMap<string, ReadDevice>, 'get'> {
    return { get: (id) => this.down.get(id) ?? this.reads.get(id) };
  }

  /** A device by its latest read. */
  deviceOf(deviceId: string): Device | undefined {
    return this.reads.get(deviceId)?.device ?? this.listedDevice(deviceId);
  }

  /** A device as the last reading of the fleet shows it. */
  listedDevice(deviceId: string): Device | undefined {
    const devices = this.#survey?.snapshot.devices;
    const row = devices?.rowOf(deviceId);
    return row === undefined ? undefined : devices?.at(row);
  }

  /** A discovered device as the last reading of the fleet shows it. */
  listedDiscovered(deviceId: string): DiscoveredDevice | undefined {
    return this.#survey?.snapshot.discovered.find(({ id }) => id === deviceId);
  }

  /** The state of every rollout by the current ledger. */
  followNow(): Rollouts {
    const { clock, journal } = this.#ports;
    const past = { memory: journal.memory, now: clock.now() };
    return this.#survey?.follow?.(past) ?? new Map<string, Followed>();
  }

  /** The current budgets: the last reading, updated with all reads since. */
  budgetsNow(): BudgetTracker {
    const { documents, journal, clock } = this.#ports;
    const { snapshot } = this;
    this.#budgets ??= openBudgetBook({
      documents,
      snapshot,
      members: (selector) => compileSelector(selector, { documents, snapshot }),
    });
    const moment = {
      memory: journal.memory,
      now: clock.now(),
      reads: this.newer,
      readAgain: this.#readAgain,
    };
    const tracker = this.#budgets.at(moment);
    this.#readAgain.clear();
    return tracker;
  }

  /** The sites with an outage by the last look. */
  outagesNow(): Outages {
    return findOutages(this.snapshot.devices, this.newer);
  }

  /** What the ledger has of addresses that no policy has or names (semantics M23). */
  orphansNow(): Orphans | undefined {
    const { documents, journal, clock } = this.#ports;
    this.#orphans ??= openOrphans({ documents, snapshot: this.snapshot });
    return this.#orphans({ memory: journal.memory, now: clock.now() });
  }

  /**
   * How the devices stand that come before others, by the ledger and all reads since the last reading; undefined where
   * no policy has `after`. Only after a last look, which lists what is down.
   */
  predecessorsNow(followed: Rollouts): Predecessors | undefined {
    const { clock, journal } = this.#ports;
    const moment = { memory: journal.memory, now: clock.now(), followed, newer: this.newer };
    return this.#survey?.precede?.({ ...moment, isDown: (id) => this.down.has(id) });
  }

  /** Windows and freezes, for the devices of the last reading and by the attempts that were recorded then. */
  get schedule(): Schedule {
    const { documents, journal } = this.#ports;
    const { snapshot } = this;
    return (this.#schedule ??= openSchedule({ documents, snapshot, memory: journal.memory }));
  }

  /**
   * The guardrails that refuse changes of the last reading by the current ledger (semantics G6). What
   * has passed together passes in part, so until the pass ends `changes` is not even asked. A run that only finishes
   * tasks has not read the fleet: it starts nothing, and none of its devices has vanished.
   */
  refusals(changes: () => Iterable<Change>): readonly GuardrailVerdict[] {
    const { documents, journal, clock } = this.#ports;
    const { snapshot } = this;
    const { memory } = journal;
    const now = clock.now();
    if (this.#survey && !this.#survey.plan.coverage) return [];
    if (this.#passed && this.#passed.rollouts === memory.rollouts && now < this.#passed.until)
      return [];
    const { pending = [] } = this.#survey ?? {};
    const input = {
      documents,
      pending,
      snapshot,
      memory,
      changes: [...changes()],
      now,
    };
    const members = (selector: Selector) => compileSelector(selector, { documents, snapshot });
    const refused = judge({ ...input, members }).filter(({ passed }) => !passed);
    this.#passed =
      refused.length === 0 ? { until: passEnd(input), rollouts: memory.rollouts } : undefined;
    return refused;
  }
}

/** All discovered devices, by id; a list that changes while it is read is read again. */
export async function readDiscovered({
  service,
}: Pick<Ports, 'service'>): Promise<ReadonlyMap<string, DiscoveredDevice>> {
  const rows = await readList({ service }, 'discoveredDevices');
  return new Map(rows.map((device) => [device.id, device]));
}

/**
 * All rows of a list, each once, from a pass in which it did not change. A service that lists a row twice
 * does so in every pass: two passes with that flaw alone and the same rows are as good. Throws `listTorn`.
 */
export async function readList<C extends Collection>(
  { service }: Pick<Ports, 'service'>,
  collection: C,
  filter?: ServiceFilter,
): Promise<readonly Collections[C][]> {
  let torn: Pass['torn'];
  let before = '';
  for (let pass = 0; pass < PASSES; pass += 1) {
    const rows: Collections[C][] = [];
    const pages = service.list(collection, filter);
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) rows.push(...page.value);
    const { torn: flaw, total } = page.value;
    if (flaw === undefined) return rows;
    const seen = JSON.stringify([flaw, total, rows.map(({ id }) => id).sort()]);
    if (flaw === 'duplicate' && seen === before) return rows;
    [torn, before] = [flaw, seen];
  }
  throw new WorldError('listTorn', { collection, why: torn ?? '' }, { retry: 'safe' });
}
