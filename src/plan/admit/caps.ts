import { TASK_OF } from '../../model/fleet/task.ts';
import { mayHaveRun } from '../../kinds/judgements.ts';
import type { Change } from '../../model/plan/change.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { CountPer } from '../../model/documents/policy.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Judged } from '../input.ts';
import { DAY, formatDuration, type Instant } from '../../lib/time.ts';
import { addTo } from '../../lib/maps.ts';

/** A limit on capacity: each change is checked in turn, and counted if all limits allow it. */
export interface Counter {
  /** @param place of the change: in a plan its row, in a batch the number of changes before it */
  refuses(change: Change, place: number): Reason | undefined;
  count?(change: Change): void;
}

/** What a cap reads of a change. */
export interface Capped {
  readonly policy: string;
  readonly device: Pick<Change['device'], 'id'>;
}

/** A limit on the starts of policies that have one, over time. */
export interface Cap extends Counter {
  refuses(change: Capped): Reason | undefined;
  count(change: Capped): void;
}

export interface CapsInput extends Pick<Judged, 'documents' | 'memory'> {
  /** It may move on: each check is at the instant of now. */
  readonly now: Instant;
  /** Ids of the sites of a device, as read. */
  readonly sitesOf: (deviceId: string) => readonly string[];
}

/**
 * Devices that an onboarding policy takes in 24 hours, from the ledger and from this plan's own
 * starts. An attempt that may have had its effect counts.
 */
export function onboardingsPerDay(input: CapsInput): Cap {
  const { documents, memory } = input;
  const accounts = new Map(
    [...documents.onboarding.values()].map(({ value: { address, maxPerDay } }) => [
      address,
      { limit: { count: maxPerDay, per: DAY }, taken: onboardedBy(memory, address) },
    ]),
  );
  return {
    refuses({ policy }) {
      const account = accounts.get(policy);
      const next = account && fullUntil(account.limit, account.taken, input.now);
      if (next === undefined || !account) return undefined;
      const params = { maxPerDay: account.limit.count };
      return { code: 'notDue', why: 'maxPerDay', next, params };
    },
    count: ({ policy }) => void accounts.get(policy)?.taken.push(input.now),
  };
}

/** Restarts at one site, counted in the same way, for all policies together. */
export function restartsPerSite(input: CapsInput): Cap {
  const { documents, memory, sitesOf } = input;
  const limits = new Map(
    [...documents.restarts.values()].map(({ value }) => [value.address, value.maxPerSite]),
  );
  const taken = limits.size > 0 ? restartsBySite(memory) : new Map<string, Instant[]>();
  return {
    refuses({ policy, device }) {
      const limit = limits.get(policy);
      for (const site of limit ? sitesOrNone(sitesOf(device.id)) : []) {
        const next = limit && fullUntil(limit, taken.get(site) ?? [], input.now);
        if (next === undefined) continue;
        const params = { maxPerSite: limit?.count ?? 0, per: formatDuration(limit?.per ?? 0) };
        return { code: 'notDue', why: 'maxPerSite', next, params };
      }
      return undefined;
    },
    count({ policy, device }) {
      if (!limits.has(policy)) return;
      for (const site of sitesOrNone(sitesOf(device.id))) note(taken, site, input.now);
    },
  };
}

/** When there is capacity again, if there is none; times are in order. */
function fullUntil(
  { count, per }: CountPer,
  times: readonly Instant[],
  now: Instant,
): Instant | 'never' | undefined {
  if (count === 0) return 'never';
  const oldest = times.at(-count);
  return oldest !== undefined && oldest > now - per ? oldest + per : undefined;
}

function onboardedBy(memory: Memory, address: string): Instant[] {
  return countedIntents(
    memory,
    ({ task, policy }) => task === TASK_OF.onboarding && policy === address,
  ).map(({ attemptedAt }) => attemptedAt);
}

function restartsBySite(memory: Memory): Map<string, Instant[]> {
  const bySite = new Map<string, Instant[]>();
  for (const { sites, attemptedAt } of countedIntents(
    memory,
    ({ task }) => task === TASK_OF.restarts,
  ))
    for (const site of sitesOrNone(sites)) note(bySite, site, attemptedAt);
  return bySite;
}

function countedIntents(
  { intents }: Memory,
  counts: (intent: IntentState) => boolean,
): readonly IntentState[] {
  return [...intents.values()]
    .filter((intent) => counts(intent) && mayHaveRun(intent))
    .sort((a, b) => a.attemptedAt - b.attemptedAt);
}

/** Devices without a readable site may be at the same one, so they are counted together. */
function sitesOrNone(sites: readonly string[]): readonly string[] {
  return sites.length > 0 ? sites : [''];
}

function note(bySite: Map<string, Instant[]>, site: string, at: Instant): void {
  addTo(bySite, site, at);
}
