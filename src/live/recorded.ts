import {
  factKey,
  identityDigest,
  KIND_OF_READ,
  readerDigest,
  targetId,
  type Fact,
  type FactKind,
} from '../facts/fact.ts';
import { againstEarlier } from '../facts/belief.ts';
import { addNewest } from '../facts/fact-lines.ts';
import { toFactValue } from '../facts/fact-values.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import { toReadProblem } from '../model/fleet/device-read.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Dialect } from '../model/fleet/dialect.ts';
import { isFirmwareKey, toNeed } from '../model/fleet/need.ts';
import type { DeviceRead, DeviceTable, Facts } from '../model/fleet/snapshot.ts';
import type {
  Clock,
  Collection,
  Collections,
  PageRows,
  Pass,
  Service,
  ListOptions,
  ServiceFilter,
} from '../model/ports.ts';

interface RecordedInput {
  readonly service: Service;
  readonly clock: Pick<Clock, 'now'>;
  readonly dialect: Dialect;
  /** What earlier runs read, by its key. */
  readonly known?: (key: string) => Fact | undefined;
}

/** An answer, or why there is none, and when it was asked for. */
interface Shown {
  readonly value: NonNullable<Facts[DeviceRead]>;
  readonly at: Instant;
}

/** So many devices that share an answer must have failed before the failure counts for all of them (semantics N6). */
const SURE_FAILURES = 3;

/**
 * Every single read that a run makes, whatever for, as facts for later runs (semantics N22). Noting changes no answer
 * and never fails one.
 */
export class RecordedReads {
  /** The service, whose single reads are noted. */
  readonly service: Service;
  /** The reads of this run so far, the newest of each key. */
  readonly facts = new Map<string, Fact>();
  /** How many single reads were made. */
  count = 0;
  readonly #input: RecordedInput;
  readonly #rows = new Map<string, Device>();
  readonly #failures = new Map<string, Set<string>>();
  readonly #readers = new Map<FactKind, string>();
  #devices: DeviceTable | undefined;
  /** How far the clock of the service is ahead of ours, by its last answer with a date; 0 before any. */
  skew: Milliseconds = 0;

  constructor(input: RecordedInput) {
    const { service } = input;
    this.#input = input;
    this.service = {
      list: (...list) => this.#list(...list),
      firmwarePaths: () => service.firmwarePaths(),
      holdToken: (atLeast) => service.holdToken(atLeast),
      createTask: (request, options) => service.createTask(request, options),
      task: (taskId, options) => service.task(taskId, options),
      device: async (deviceId) => {
        const answer = await service.device(deviceId);
        this.#date(answer);
        if (answer.value) this.#rows.set(deviceId, answer.value);
        return answer;
      },
      targetFirmware: (id) => this.#read('targetFirmware', id, () => service.targetFirmware(id)),
      passwords: (id) => this.#read('passwords', id, () => service.passwords(id)),
      certificates: (id) => this.#read('certificates', id, () => service.certificates(id)),
    };
  }

  /** The rows of the list: a fact belongs to the device as it was when it was read. */
  see(devices: DeviceTable): void {
    this.#devices = devices;
    this.#rows.clear();
  }

  async *#list<C extends Collection>(
    collection: C,
    filter?: ServiceFilter,
    options?: ListOptions,
  ): AsyncGenerator<PageRows<Collections[C]>, Pass> {
    const pass = yield* this.#input.service.list(collection, filter, options);
    this.#date(pass);
    return pass;
  }

  #date({ date }: { readonly date?: Instant }): void {
    if (date !== undefined) this.skew = date - this.#input.clock.now();
  }

  /** Dated when it is sent: what a fact shows is never younger than the fact (semantics N5). */
  async #read<T extends NonNullable<Facts[DeviceRead]>>(
    read: DeviceRead,
    deviceId: string,
    answer: () => Promise<T>,
  ): Promise<T> {
    this.count += 1;
    const at = Math.floor((this.#input.clock.now() + this.skew) / 1_000) * 1_000;
    try {
      const value = await answer();
      this.#note(read, deviceId, { value, at });
      return value;
    } catch (error) {
      const problem = toReadProblem(error);
      if (problem !== undefined) this.#note(read, deviceId, { value: problem, at });
      throw error;
    }
  }

  /** A read is an answer to the run first: what cannot be noted is not known to the next run. */
  #note(read: DeviceRead, deviceId: string, shown: Shown): void {
    try {
      this.#record(read, deviceId, shown);
    } catch {
      // The run goes on with the answer.
    }
  }

  #record(read: DeviceRead, deviceId: string, { value: shown, at }: Shown): void {
    const { dialect } = this.#input;
    const device = this.#deviceOf(deviceId);
    const value = device && toFactValue(deviceId, shown, device);
    if (!value) return;
    const kind = KIND_OF_READ[read];
    const reader = getOrAdd(this.#readers, kind, () => readerDigest(kind, dialect));
    if (!isFirmwareKey(toNeed(read, device, dialect).key)) {
      this.#add({ kind, id: deviceId, at, reader, who: identityDigest(device), value });
      return;
    }
    const { vendor = '', model = '', firmwareVersion = '' } = device;
    const id = targetId(vendor, model, firmwareVersion);
    if (value.is === 'problem' && !this.#isSure(id, deviceId)) return;
    this.#add({ kind, id, at, reader, value });
  }

  /**
   * A problem keeps the instant of the first read in a row that gave no value (semantics N8). The
   * reads of one run count once, so that the next run tries again. A value keeps the earlier fact that it contradicts
   * (semantics M25).
   */
  #add(fact: Fact): void {
    const { at, value } = fact;
    const key = factKey(fact);
    const before = this.#input.known?.(key);
    if (value.is !== 'problem') {
      const own = this.facts.get(key);
      return addNewest(this.facts, againstEarlier(fact, own?.contradicts ? own : before));
    }
    const isSame = before?.value.is === 'problem' && before.who === fact.who && before.at < at;
    const since = isSame ? (before.value.since ?? before.at) : undefined;
    addNewest(this.facts, since === undefined ? fact : { ...fact, value: { ...value, since } });
  }

  /** Whether enough of the devices that share an answer failed to give it. */
  #isSure(id: string, deviceId: string): boolean {
    const failed = getOrAdd(this.#failures, id, () => new Set<string>());
    return failed.add(deviceId).size >= SURE_FAILURES;
  }

  #deviceOf(id: string): Device | undefined {
    const row = this.#devices?.rowOf(id);
    return this.#rows.get(id) ?? (row === undefined ? undefined : this.#devices?.at(row));
  }
}
