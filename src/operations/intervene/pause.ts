import { pick } from '../../lib/objects.ts';
import { matchesGlob } from '../../lib/glob.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import { WorldError, policyUnknown, usage } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Site } from '../../model/fleet/device.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { pauseNotes, type PauseResult, type PersonPause } from '../../model/ledger/pauses.ts';
import type { PauseNote } from '../../model/plan/plan.ts';
import type { Leaseless } from '../../model/ledger/record.ts';
import { presentScope } from '../../model/ledger/renames.ts';
import { FLEET, stopScope, stopScopes } from '../../model/ledger/scopes.ts';
import type { Journal } from '../../model/ports.ts';
import { countVerified } from '../../report/status.ts';
import type { Connection } from '../connect.ts';

/** The scope that a person pauses, and the reason. */
export interface PauseOrder extends Omit<PersonPause, 'at'> {
  /** `fleet`, or the address of a policy. */
  readonly scope: string;
  /** The sites that it is limited to; absent: all. */
  readonly sites?: readonly Site[];
}

/**
 * Appends a pause also during a run (protocol N64): the run loses its next ATTEMPT and sends
 * nothing more in this scope.
 */
export async function pauseOn(
  journal: Pick<Journal, 'declare' | 'memory'>,
  order: PauseOrder,
  now: Instant,
): Promise<PauseResult> {
  const { scope, sites, until } = order;
  const scopes =
    sites === undefined ? [scope] : sites.map(({ id }) => stopScope(scope, { site: id }));
  const present = (): readonly string[] =>
    scopes.map((each) => presentScope(each, journal.memory.renamed));
  const ours = (): readonly PauseNote[] =>
    pauseNotes(journal.memory, now, { sites: sites ?? [] }).filter((pause) =>
      present().includes(pause.scope),
    );
  const before = ours();
  await journal.declare(() =>
    scopes.map((each): Leaseless => ({
      type: 'PAUSE',
      scope: each,
      ...pick(order, 'who', 'why', 'ticket'),
      ...(until !== undefined && { until: formatInstant(until) }),
    })),
  );
  const { memory } = journal;
  return {
    pauses: ours(),
    before,
    inFlight: inFlightIn(memory, present()),
    begun: sites === undefined ? [] : begunIn(memory, presentScope(scope, memory.renamed)),
  };
}

function begunIn(memory: Memory, scope: string): readonly string[] {
  const verified = countVerified(memory);
  return [...memory.rollouts].flatMap(([policy, { waves = [], seq, devices }]) => {
    const isIn = scope === FLEET || scope === policy;
    const isOpen = waves.length > 1 && verified(policy, seq) < devices.size;
    return isIn && isOpen ? [policy] : [];
  });
}

function inFlightIn(memory: Memory, scopes: readonly string[]): readonly string[] {
  const found = memory
    .open()
    .filter((intent) => stopScopes(intent).some((scope) => scopes.includes(scope)));
  return [...new Set(found.map(({ device }) => device))].sort();
}

/**
 * Checks the name of a scope against the documents. Throws `policyUnknown`, with the nearest name; for the name of a
 * site, with the arguments that pause it.
 */
export function checkScope(
  { scope, why, ticket }: Pick<PauseOrder, 'scope' | 'why' | 'ticket'>,
  documents: Documents,
): void {
  const known = [FLEET, ...listPolicies(documents).map(({ value }) => value.address)];
  if (known.includes(scope)) return;
  if (!documents.sites.has(scope)) throw policyUnknown(scope, known);
  const under = ticket === undefined ? '' : ` --ticket ${JSON.stringify(ticket)}`;
  const again = `--site ${JSON.stringify(scope)} --reason ${JSON.stringify(why)}${under}`;
  throw new WorldError('policyUnknown', { policy: scope, again });
}

/** The sites of the service. */
export async function readSites({ client }: Pick<Connection, 'client'>): Promise<readonly Site[]> {
  const rows: Site[] = [];
  for await (const page of client.list('sites')) rows.push(...page);
  return rows;
}

/** The sites that a name, a glob or an ID matches. */
export function sitesLike(named: string, sites: readonly Site[]): readonly Site[] {
  return sites.filter(
    ({ id, name }) => id === named || (name !== undefined && matchesGlob(named, name)),
  );
}

/** The sites that any of these matches, by ID. Throws `usage` for one that matches none. */
export function sitesNamed(names: readonly string[], sites: readonly Site[]): readonly Site[] {
  const found = names.flatMap((named) => {
    const like = sitesLike(named, sites);
    if (like.length > 0) return like;
    const suggestion = nearest(
      named,
      sites.flatMap(({ name }) => name ?? []),
    );
    throw usage(`The service does not return a site "${named}"`, suggestion ? { suggestion } : {});
  });
  const rows = new Map(found.map((site) => [site.id, site]));
  return [...rows.keys()].sort().flatMap((id) => rows.get(id) ?? []);
}
