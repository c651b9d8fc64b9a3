import {
  type Contradiction,
  OLDEST,
  isDistrusted,
  toNotices,
  contradictions,
  compactFacts,
  withoutContradiction,
} from '../../facts/belief.ts';
import type { Fact } from '../../facts/fact.ts';
import { type ReadingQuota, countRenewals, isTooSlow } from '../../facts/reading-list.ts';
import { type Known, knownFacts } from '../../facts/known-facts.ts';
import { type ReadingChoice, openChoice } from '../../facts/read-choice.ts';
import { RecordedReads } from '../../live/recorded.ts';
import { WorldError } from '../../model/error.ts';
import type { FactNotices, Need, Snapshot } from '../../model/fleet/snapshot.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { LedgerStore, Service } from '../../model/ports.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { WantedRead } from '../../plan/needed-reads.ts';
import {
  factStoreWords,
  factsTooSlowWords,
  type StoreProblem,
} from '../../render/words/commands.ts';
import { printMessages } from '../../shell/messages.ts';
import type { Shell } from '../../shell/shell.ts';
import type { FactStore } from '../../store/facts-file.ts';
import { type FactStores, chooseFactStores } from '../../store/store.ts';
import type { Connection } from '../connect.ts';
import { MAX_AGE, READING_SECONDS, type ReadingLimits } from './reading-limits.ts';
import { openDatabase } from '../ground/open-store.ts';
import { documentsFolder, type LedgerHere } from '../here.ts';
import { readFleetFacts } from '../../live/facts.ts';
import { stoppable } from '../../apply/stop.ts';
import { ledgerRemote } from '../../git/ledger-remote.ts';
import { mergeFacts } from '../../facts/fact-lines.ts';

export interface Published {
  /** Digest of the shared file; absent where none was written. */
  readonly facts?: string;
  /** What reads of this run proved wrong: no earlier fact of these kinds is believed any more (semantics M25). */
  readonly disproved: readonly Contradiction[];
}

/** The known values of the devices of one reading. */
export interface HeldFacts {
  /** The rows with what is believed of them, as if it had been read. */
  readonly known: Snapshot;
  /**
   * Which of the needed reads to make now, and what is known without them.
   * @param only the device whose reads are made, all of them; absent: within the limit, whatever they are of
   */
  choose(
    wanted: readonly WantedRead[],
    only?: string,
  ): (answered: ReadonlySet<string>) => ReadingChoice;
}

/** The limits of a command, and the share of its reads that busy nights leave for what is not due. */
export interface BookLimits extends ReadingLimits {
  readonly reserved?: number;
}

/** The ledger and facts of a rehearsal, in memory: nothing outside of it is read or written. */
export interface InMemory {
  readonly ledger: LedgerStore;
  /** What the real ledger says, after whose head this one goes on. */
  readonly memory: Memory;
  readonly facts: FactStores;
}

export interface BookParts extends LedgerHere, Omit<Connection, 'close'> {
  /** Set in a rehearsal: the facts that it begins with, and those of its runs. */
  readonly inMemory?: InMemory;
}

/**
 * Opens the facts of earlier runs. Whatever is wrong with them is said on stderr and costs requests; it is never an
 * error of the command (semantics N14).
 */
export async function openFactBook(
  parts: BookParts,
  memory: BookMemory,
  limits: BookLimits = {},
): Promise<FactBook> {
  const { shell, client: service, dialect } = parts;
  const { maxAge = MAX_AGE } = limits;
  const since = shell.clock.now() - Math.min(maxAge, OLDEST);
  const stores = parts.inMemory?.facts ?? (await openStores(parts, memory, since));
  const stored = await readStores(shell, stores);
  const earlier = stored.filter((fact) => !isDistrusted(fact, memory));
  let merged: ReadonlyMap<string, Fact> | undefined;
  const known = (): ReadonlyMap<string, Fact> => (merged ??= mergeFacts(earlier));
  const reads = { service, clock: shell.clock, dialect, known: (key: string) => known().get(key) };
  const recorded = new RecordedReads(reads);
  return new FactBook({ parts, memory, limits, stores, earlier, known, recorded });
}

/** What the ledger says of stored facts. */
type BookMemory = Pick<Memory, 'ledgerId' | 'facts' | 'distrusted'>;

interface BookState {
  readonly parts: BookParts;
  readonly memory: BookMemory;
  readonly limits: BookLimits;
  readonly stores: FactStores;
  readonly earlier: readonly Fact[];
  /** The earlier facts, the newest of each key. */
  readonly known: () => ReadonlyMap<string, Fact>;
  readonly recorded: RecordedReads;
}

/** A reading of the fleet, and the reads of single devices that its plan needed. */
interface LastReading {
  readonly rows: Snapshot;
  readonly wanted: readonly WantedRead[];
  /** How many keys these reads have. */
  readonly keys: number;
}

/** The values of single devices in one command: the facts of earlier runs and its own reads. */
export class FactBook {
  /** The single reads that this command may make for its decisions. */
  readonly most: number;
  readonly maxAge: Milliseconds;
  readonly #state: BookState;
  #isWarned = false;
  #spent = 0;
  #before = 0;
  /** The last reading of the fleet, whose remaining reads are made while the run waits, and after its work. */
  #last: LastReading | undefined;
  /** The reads that the last reading leaves to this run; undefined until something asks for them. */
  #pending: Need[] | undefined;
  /** The keys that this run has read without a change that needed them. */
  readonly #renewed = new Set<string>();

  constructor(state: BookState) {
    const { maxReads, maxAge = MAX_AGE, seconds = READING_SECONDS.read } = state.limits;
    this.#state = state;
    this.maxAge = maxAge;
    this.most = maxReads ?? Math.floor(seconds * this.#perSecond);
  }

  /** When the newest fact of earlier runs was read; undefined where there is none. */
  get newestAt(): Instant | undefined {
    return this.#state.earlier.reduce<Instant | undefined>(
      (last, { at }) => (last === undefined || at > last ? at : last),
      undefined,
    );
  }

  /** The service, whose single reads become facts. */
  get service(): Service {
    return this.#state.recorded.service;
  }

  /** Holds what is known against the rows of a new reading. */
  hold(rows: Snapshot, memory: Memory): HeldFacts {
    const { recorded } = this.#state;
    this.#before = recorded.count;
    recorded.see(rows.devices);
    const known = this.#known(rows, memory);
    const now = this.#now;
    const made = recorded.facts;
    const quota = { most: this.#left, renewals: 0, reserved: this.#state.limits.reserved ?? 0 };
    return {
      known: { ...rows, facts: (deviceId) => known.facts(deviceId) },
      choose: (wanted, only) => {
        const toKeep = wanted.filter(({ settled }) => settled !== true);
        this.#last = { rows, wanted, keys: new Set(toKeep.map(({ key }) => key)).size };
        this.#pending = undefined;
        let chosen: ReturnType<typeof openChoice> | undefined;
        return (answered) => {
          chosen ??= openChoice(wanted, known, { now, made });
          if (only === undefined) return chosen({ answered, quota });
          const others = chosen({ answered, quota: NO_READS });
          // What a list answers is known of the others, too: its plan is that of `plan`.
          const own = wanted.filter(({ deviceId, key }) => deviceId === only && !answered.has(key));
          return { ...others, read: [...new Map(own.map((need) => [need.key, need])).values()] };
        };
      },
    };
  }

  /**
   * The reading is complete: its single reads count against `most`, those for a POST do not. Returns what is wrong
   * with the values of earlier runs, for its plan.
   */
  async surveyed(): Promise<FactNotices | undefined> {
    const { recorded } = this.#state;
    this.#spent += recorded.count - this.#before;
    const tooSlow = this.#last && this.#tooSlow(this.#last.keys);
    if (tooSlow) this.#warn(tooSlow);
    return toNotices({ tooSlow, contradicted: this.#contradicted, skew: recorded.skew });
  }

  /**
   * Makes the reads that this run has left: what is due or new, then the oldest (semantics N21). The
   * first request to stop ends them, and rejects.
   * @param until while a run waits, the end of its wait: no read starts that could last longer
   */
  async renew(memory: Memory, until?: Instant): Promise<void> {
    if (!this.#last || this.#left === 0) return;
    this.#pending ??= this.#listPending(this.#last, memory);
    const { clock, stop } = this.#state.parts.shell;
    const { onProgress } = this.#state.parts;
    const input = { service: stoppable(this.service, stop), clock };
    this.#before = this.#state.recorded.count;
    const pending = this.#pending;
    const take = (count: number): readonly Need[] => {
      const needs = pending.splice(0, count);
      for (const { key } of needs) this.#renewed.add(key);
      return needs;
    };
    if (until !== undefined)
      while (pending.length > 0 && clock.now() + 2 * this.#perRead <= until)
        await readFleetFacts({ ...input, needs: take(1) });
    else {
      const needs = [...take(Infinity), ...this.#spotChecks(this.#last.wanted)];
      await readFleetFacts({ ...input, needs, onProgress });
    }
    await this.surveyed();
  }

  /** The reads that remain after this reading of the fleet, and the known values to read again. */
  #listPending({ rows, wanted, keys }: LastReading, memory: Memory): Need[] {
    const { earlier, limits } = this.#state;
    const newest = earlier.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
    const renewals = countRenewals(keys, this.#now - newest, this.maxAge) - this.#renewed.size;
    const quota = {
      most: this.#left,
      renewals: Math.max(0, renewals),
      reserved: limits.reserved ?? 0,
    };
    const known = this.#known(rows, memory);
    const made = this.#state.recorded.facts;
    const choose = openChoice(wanted, known, { now: this.#now, made });
    return [...choose({ answered: NONE, quota }).read];
  }

  /** Keeps what was read on this machine (semantics N18). */
  async keep(): Promise<void> {
    await this.#write(this.#state.stores.local, []);
  }

  /**
   * Puts what was read into the store that all machines share. Returns what a record has to say of it; no other machine
   * believes it before (semantics M24).
   */
  async publish(): Promise<Published> {
    const { local, shared } = this.#state.stores;
    const disproved = this.#contradicted.filter(({ isProved }) => isProved);
    const facts = await this.#write(shared ?? local, disproved);
    return { disproved, ...(facts !== undefined && { facts }) };
  }

  get #contradicted(): readonly Contradiction[] {
    const { known, recorded } = this.#state;
    return contradictions(known, recorded.facts);
  }

  /**
   * Some of the known values to read again, as many as a share of what was renewed: chosen at random,
   * so that a forger cannot avoid them (semantics N15).
   */
  #spotChecks(wanted: readonly WantedRead[]): readonly Need[] {
    if (this.#renewed.size === 0) return [];
    const { random } = this.#state.parts.shell;
    const known = wanted.filter(({ key }) => !this.#renewed.has(key));
    const left = [...new Map(known.map((need) => [need.key, need])).values()];
    const most = Math.max(LEAST_CHECKS, Math.ceil(this.#renewed.size * CHECKED));
    const count = Math.min(left.length, most);
    return Array.from({ length: count }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat();
  }

  /** Whether values grow too old before they can be read again (semantics N23). */
  #tooSlow(wanted: number): FactNotices['tooSlow'] | undefined {
    const perDay = Math.floor(READING_SECONDS.apply * this.#perSecond * RUNS_A_DAY);
    return isTooSlow(wanted, perDay, this.maxAge) ? { wanted, perDay } : undefined;
  }

  /** A run of apply shows no warnings of its plan, so it says this once on stderr. */
  #warn({ wanted, perDay }: NonNullable<FactNotices['tooSlow']>): void {
    if (this.#isWarned || this.#state.limits.reserved === undefined) return;
    this.#isWarned = true;
    printMessages(this.#state.parts.shell, [factsTooSlowWords(wanted, perDay)]);
  }

  async #write(store: FactStore, disproved: readonly Contradiction[]): Promise<string | undefined> {
    const { parts, memory, recorded } = this.#state;
    if (recorded.facts.size === 0) return undefined;
    const distrusted = new Map(memory.distrusted);
    for (const { kind, before } of disproved) distrusted.set(kind, before);
    const { maxAge } = this;
    const limits = { now: this.#now, maxAge, perSecond: this.#perSecond, distrusted };
    const compact = (facts: Iterable<Fact>) => compactFacts(facts, limits);
    const facts = Array.from(recorded.facts.values(), (fact) =>
      disproved.some(({ kind }) => kind === fact.kind) ? withoutContradiction(fact) : fact,
    );
    try {
      return await store.write(facts, compact, disproved.length > 0);
    } catch (error) {
      reportFacts(parts.shell, 'unwritten', store.place, error);
      return undefined;
    }
  }

  #known(rows: Snapshot, memory: Memory): Known {
    const { parts, earlier, recorded } = this.#state;
    const facts = mergeFacts(earlier, recorded.facts.values());
    const { devices } = rows;
    const { maxAge } = this;
    return knownFacts({ facts, devices, dialect: parts.dialect, memory, now: this.#now, maxAge });
  }

  get #left(): number {
    return Math.max(0, this.most - this.#spent);
  }

  get #now(): Instant {
    return this.#state.parts.shell.clock.now();
  }

  /** How long the pace gives to a read. */
  get #perRead(): Milliseconds {
    return 1_000 / this.#perSecond;
  }

  get #perSecond(): number {
    return this.#state.parts.documents.service.value.pace.requestsPerSecond;
  }
}

/** Of the reads of a renewal, so many again are spot checks, and never fewer than these. */
const CHECKED = 0.05;
const LEAST_CHECKS = 3;

/** How often apply runs where nothing else is known: from a schedule, each hour. */
const RUNS_A_DAY = 24;

const NONE: ReadonlySet<string> = new Set();

const NO_READS: ReadingQuota = { most: 0, renewals: 0, reserved: 0 };

async function openStores(
  parts: BookParts,
  { ledgerId, facts = new Map() }: BookMemory,
  since: Instant,
): Promise<FactStores> {
  const { shell, documents, target } = parts;
  const owner = { tenant: target.fingerprint, ledger: ledgerId };
  return chooseFactStores(documents.service.value.ledger, owner, {
    workingDirectory: shell.cwd,
    named: { at: facts, since },
    openDatabase: () => openDatabase(shell),
    openRemote: async (remote, branch) => {
      const folder = documentsFolder(parts);
      return ledgerRemote({ folder, env: shell.env, remote, branch });
    },
  });
}

/** The facts of all stores; what cannot be read is as if it were not there. */
async function readStores(shell: Shell, { local, shared }: FactStores): Promise<readonly Fact[]> {
  const all: Fact[] = [];
  for (const store of shared ? [local, shared] : [local]) {
    try {
      const { facts, foreign, unnamed } = await store.read();
      if (foreign === true) reportFacts(shell, 'foreign', store.place);
      if (unnamed === true) reportFacts(shell, 'unnamed', store.place);
      for (const fact of facts.values()) all.push(fact);
    } catch (error) {
      reportFacts(shell, 'unread', store.place, error);
    }
  }
  return all;
}

/** Says what happened to stored facts; a missing remote has been reported already. */
export function reportFacts(
  shell: Shell,
  what: StoreProblem,
  place: string,
  error?: unknown,
): void {
  const { why = '', cause = why } = error instanceof WorldError ? error.params : {};
  if (why === 'noRemote') return;
  printMessages(shell, [factStoreWords(what, place, String(cause))]);
}
