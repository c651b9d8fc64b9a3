import { compileMembership } from '../desired/membership.ts';
import { compileSelector } from '../desired/select.ts';
import { judge } from '../guard/guard.ts';
import { Bug } from '../lib/bug.ts';
import type { Device, DiscoveredDevice } from '../model/fleet/device.ts';
import { WorldError } from '../model/error.ts';
import type { Collection, Collections, ServiceFilter, Pass } from '../model/ports.ts';
import type { ReadDevice, Snapshot } from '../model/fleet/snapshot.ts';
import type { Change } from '../model/plan/change.ts';
import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Planned } from '../plan/input.ts';
import type { BudgetTracker } from '../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../rollout/budgets/budgets.ts';
import { findOutages, type Outages } from '../rollout/budgets/outage.ts';
import { openSchedule, type Schedule } from '../plan/decide/schedule.ts';
import type { Followed } from '../rollout/progress/followed.ts';
import type { Ports } from './ports.ts';

/** A fresh reading of the fleet and the plan made of it, on the journal's memory as it is then. */
export interface Survey extends Planned {
  readonly snapshot: Snapshot;
}

/** Rollouts by the address of their policy. */
export type Rollouts = ReadonlyMap<string, Followed>;

/** A list that changes while it is read is read again, so often. */
const PASSES = 3;

/**
 * What this run knows of the fleet: its last reading, replaced whole by the next, and what single devices
 * and short lists have shown since.
 */
export class Reading {
  readonly #ports: Pick<Ports, 'clock' | 'documents' | 'journal'>;
  #survey: Survey | undefined;
  #work: readonly Change[] = [];
  readonly #reads = new Map<string, ReadDevice>();
  #down: ReadonlyMap<string, ReadDevice> = new Map();
  /** Devices whose row failed with a status when it was last read by id. */
  readonly failing = new Set<string>();

  constructor(ports: Pick<Ports, 'clock' | 'documents' | 'journal'>) {
    this.#ports = ports;
  }

  /** Takes a new reading in the place of everything that is known. */
  replace(survey: Survey): void {
    this.#survey = survey;
    this.#reads.clear();
    this.#down = new Map();
  }

  /** The last reading; undefined before the first. */
  get survey(): Survey | undefined {
    return this.#survey;
  }

  get snapshot(): Snapshot {
    if (!this.#survey) throw new Bug('the fleet was not read yet');
    return this.#survey.snapshot;
  }

  /** The changes of the last reading that were approved and hold: what this run is about. */
  get work(): readonly Change[] {
    return this.#work;
  }

  setWork(changes: readonly Change[]): void {
    this.#work = changes;
  }

  /** Devices that were read by id, or in a list, since the last reading of the fleet. */
  get reads(): ReadonlyMap<string, ReadDevice> {
    return this.#reads;
  }

  /** Keeps what a read of a single device, or of its list, has shown. */
  keep(device: Device): void {
    this.#reads.set(device.id, { device, readAt: this.#ports.clock.now() });
  }

  /** Devices that the last look listed as down. */
  get down(): ReadonlyMap<string, ReadDevice> {
    return this.#down;
  }

  /** Takes a new list of what is down; `isBack` says which single reads it proves to be old. */
  keepDown(down: ReadonlyMap<string, ReadDevice>, isBack: (device: Device) => boolean): void {
    for (const [id, { device }] of this.#reads)
      if (!down.has(id) && isBack(device)) this.#reads.delete(id);
    this.#down = down;
  }

  /** Everything that is newer than the last reading of the fleet. */
  get newer(): ReadonlyMap<string, ReadDevice> {
    return new Map([...this.#reads, ...this.#down]);
  }

  /** A device as it was read last. */
  deviceOf(deviceId: string): Device | undefined {
    return this.#reads.get(deviceId)?.device ?? this.listedDevice(deviceId);
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

  /** Where every rollout stands by the ledger of this moment. */
  followNow(): Rollouts {
    const { clock, journal } = this.#ports;
    const past = { memory: journal.memory, now: clock.now() };
    return this.#survey?.follow?.(past) ?? new Map<string, Followed>();
  }

  /** The budgets of this moment, on the last reading with everything read since laid over it. */
  budgetsNow(): BudgetTracker {
    const { documents, journal, clock } = this.#ports;
    const { snapshot } = this;
    return openBudgetTracker({
      documents,
      snapshot,
      memory: journal.memory,
      now: clock.now(),
      reads: this.newer,
      members: (selector) => compileMembership(selector, { documents, snapshot }),
    });
  }

  /** The sites that are out by the last look. */
  outagesNow(): Outages {
    return findOutages(this.snapshot.devices, this.newer);
  }

  /** Windows and freezes, for the devices of the last reading. */
  scheduleNow(): Schedule {
    const { documents, journal, clock } = this.#ports;
    const { memory } = journal;
    return openSchedule({ documents, snapshot: this.snapshot, memory, now: clock.now() });
  }

  /** The guardrails that refuse changes, on the ledger as it is now (semantics G6). */
  refusals(changes: Iterable<Change>): readonly GuardrailVerdict[] {
    const { documents, journal, clock } = this.#ports;
    const { snapshot } = this;
    const verdicts = judge({
      documents,
      snapshot,
      memory: journal.memory,
      changes,
      now: clock.now(),
      members: (selector) => compileSelector(selector, { documents, snapshot }),
    });
    return verdicts.filter(({ passed }) => !passed);
  }
}

/** All discovered devices, by id; a list that changes while it is read is read again. */
export async function readDiscovered({
  service,
}: Pick<Ports, 'service'>): Promise<ReadonlyMap<string, DiscoveredDevice>> {
  const rows = await readList({ service }, 'discoveredDevices');
  return new Map(rows.map((device) => [device.id, device]));
}

/** All rows of a list, in one pass in which it did not change. Throws `listTorn`. */
export async function readList<C extends Collection>(
  { service }: Pick<Ports, 'service'>,
  collection: C,
  filter?: ServiceFilter,
): Promise<readonly Collections[C][]> {
  let torn: Pass['torn'];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const rows: Collections[C][] = [];
    const pages = service.list(collection, filter);
    let page = await pages.next();
    for (; !page.done; page = await pages.next()) rows.push(...page.value);
    ({ torn } = page.value);
    if (torn === undefined) return rows;
  }
  throw new WorldError('listTorn', { collection, why: torn ?? '' }, { retry: 'safe' });
}
