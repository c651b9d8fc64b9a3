import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTexts } from '../../src/config/load.ts';
import { withVerdicts, guardFindings } from '../../src/guard/guard.ts';
import { compileSelector } from '../../src/desired/select.ts';
import { readFleetFacts, withFacts } from '../../src/live/facts.ts';
import { readSnapshot, snapshotDigest, snapshotLines } from '../../src/live/snapshot-lines.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { Memory } from '../../src/model/ledger/memory.ts';
import type { Diagnostic } from '../../src/model/documents/diagnostic.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Snapshot } from '../../src/model/fleet/snapshot.ts';
import { formatInstant, parseInstant, type Instant } from '../../src/lib/time.ts';
import { resolvePart, type PartFlags } from '../../src/plan/part/resolve-part.ts';
import { underPresentNames } from '../../src/plan/present-names.ts';
import { plan, withFindings, type Planned, type PlannerInput } from '../../src/plan/plan.ts';
import { needs } from './needs.ts';
import { fleetOf, type LiveFile } from './plan-live.ts';
import { schemaErrors, SNAPSHOT } from './plan-laws.ts';
import { approvedDocuments, withApprovals } from './plan-approvals.ts';
import { memoryOf, type Past, type PausesFile } from './plan-past.ts';
import { createVirtualClock } from './virtual-clock.ts';

const FOLDER = fileURLToPath(new URL('../scenarios/', import.meta.url));

/**
 * A scenario as its folder has it: documents, a fleet, what the ledger remembers, and the moment.
 */
export interface Scenario extends Past {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly live: LiveFile;
  readonly now: Instant;
  /** When entries of lists were committed, by `file:line`. */
  readonly committed?: Readonly<Record<string, string>>;
  /** The part of the fleet that is planned; the whole without. */
  readonly part?: PartFlags;
  /** Codes of the errors that a look at the fleet finds; such a plan is not applied. */
  readonly errors: readonly string[];
  /** Something falls due in the hour after `now`, so that the plan is another one then. */
  readonly fallsDueWithinAnHour: boolean;
}

let all: readonly Scenario[] | undefined;

/** Every scenario, by name; read once. */
export function scenarios(): readonly Scenario[] {
  return (all ??= readScenarios());
}

function readScenarios(): readonly Scenario[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => readScenario(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function readScenario(name: string): Scenario {
  const folder = join(FOLDER, name);
  const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const known = (file: string, none: unknown): unknown =>
    existsSync(join(folder, file)) ? json(file) : none;
  const { now, ...rest } = json('scenario.json') as { now: string } & Partial<Scenario>;
  return {
    name,
    folder,
    files: readdirSync(join(folder, 'fleet')).map((file) => ({
      path: `fleet/${file}`,
      text: readFileSync(join(folder, 'fleet', file), 'utf8'),
    })),
    live: json('live.json') as LiveFile,
    past: known('ledger.json', []) as Past['past'],
    seen: known('seen.json', {}) as Past['seen'],
    rollouts: known('rollouts.json', {}) as Past['rollouts'],
    pauses: known('pauses.json', []) as PausesFile,
    errors: [],
    fallsDueWithinAnHour: false,
    ...rest,
    now: parseInstant(now) ?? Number.NaN,
  };
}

/** The same scenario in another order or at another moment. */
export interface Twist {
  readonly shuffled?: boolean;
  readonly later?: number;
}

export interface Made {
  readonly planned: Planned;
  readonly input: PlannerInput;
  readonly documents: Documents;
  /** What approvals say besides the plan. */
  readonly findings: readonly Diagnostic[];
}

const known = new Map<Scenario, Promise<Made>>();

/** The plan of a scenario as its folder has it: made once, whichever tests look at it. */
export function madeOnce(scenario: Scenario): Promise<Made> {
  const found = known.get(scenario) ?? make(scenario);
  known.set(scenario, found);
  return found;
}

const loads = new WeakMap<Scenario, ReturnType<typeof loadTexts>>();

/** The documents of a scenario, whatever the moment at which they are planned. */
function loadedOnce(scenario: Scenario): ReturnType<typeof loadTexts> {
  const found = loads.get(scenario) ?? loadTexts(scenario.files);
  loads.set(scenario, found);
  return found;
}

function withCommits(documents: Documents, { committed }: Scenario): Documents {
  if (!committed) return documents;
  const instants = Object.entries(committed).map(
    ([place, at]) => [place, parseInstant(at) ?? Number.NaN] as const,
  );
  return { ...documents, committed: new Map(instants) };
}

/** Plans a scenario as the command line does: load, ask for reads, make them, plan, judge. */
export async function make(scenario: Scenario, twist: Twist = {}): Promise<Made> {
  const { documents: loaded, diagnostics } = twist.shuffled
    ? loadTexts(scenario.files.toReversed())
    : loadedOnce(scenario);
  if (!loaded) throw new Error(`${scenario.name}: ${JSON.stringify(diagnostics, null, 1)}`);
  const documents = withCommits(loaded, scenario);
  const memory = memoryOf(scenario, documents, scenario.now);
  const { snapshot: rows, service } = fleetOf(scenario.live, scenario.now, twist.shuffled ?? false);
  const now = scenario.now + (twist.later ?? 0);
  const part = resolvePart(scenario.part ?? {}, [documents], rows);
  const asked = { ...inputOf(documents, rows, memory, now), ...(part && { part }) };
  const clock = createVirtualClock(now);
  const sides = [documents, ...approvedDocuments(scenario)];
  const wanted = sides.flatMap((side) => needs({ ...asked, documents: side }));
  const facts = await readFleetFacts({ service, needs: wanted, clock });
  const planning = {
    ...inputOf(documents, withFacts(rows, facts), memory, now),
    ...(part && { part }),
  };
  const { input, findings } = withApprovals(planning, scenario);
  return { documents, input, planned: withFindings(judged(input), findings), findings };
}

/** The same plan once more, in another process: from a kept snapshot, and with no read made. */
export async function replay({ documents, input, findings }: Made): Promise<Planned['plan']> {
  const lines = [...snapshotLines(input.snapshot)].flatMap((line) => schemaErrors(line, SNAPSHOT));
  if (lines.length > 0) throw new Error(lines.join('\n'));
  const snapshot = await readSnapshot([...snapshotLines(input.snapshot)]);
  const again = inputOf(documents, snapshot, input.memory, input.now);
  const { part, approvals } = input;
  const limits = { ...(part && { part }), ...(approvals && { approvals }) };
  return withFindings(judged({ ...again, ...limits }), findings).plan;
}

/** The plan of an input, with the verdicts of its guardrails. */
export function judged(input: PlannerInput): Planned {
  const planned = plan(input);
  const members = (select: Parameters<typeof compileSelector>[0]) => compileSelector(select, input);
  const judging = { ...input, members, pending: planned.pending };
  const made = withVerdicts(planned.plan, judging);
  return withFindings({ ...planned, plan: made }, guardFindings(made, judging));
}

function inputOf(
  documents: Documents,
  snapshot: Snapshot,
  memory: Memory,
  now: Instant,
): PlannerInput {
  const { baseUrl, organization, dialect } = documents.service.value;
  return {
    ...underPresentNames({ documents, memory }),
    snapshot,
    now,
    dialect: resolveDialect(dialect),
    expiresAfter: 7 * 86_400_000,
    inputs: {
      tool: 'fleetform 0.0.0',
      service: { baseUrl, organization, from: 'document', fingerprint: 'fingerprint' },
      // What the loader makes of the files is its own matter; a golden is about the plan.
      documents: 'documents',
      snapshot: {
        digest: snapshotDigest(snapshot),
        takenAt: formatInstant(snapshot.takenAt),
        confidence: snapshot.confidence,
        devices: snapshot.devices.length,
        sites: snapshot.sites.length,
        discovered: snapshot.discovered.length,
      },
      ledger: memory.head,
    },
  };
}
