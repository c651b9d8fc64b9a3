import type { Approval, PlannerInput, Planned } from '../plan/plan.ts';
import type { Memory } from '../model/memory.ts';
import type { PlanInputs } from '../model/plan.ts';
import type { Documents } from '../model/policy.ts';
import type { OnProgress } from '../model/progress.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Instant, Milliseconds } from '../model/time.ts';
import type { Connection } from './connect.ts';
import type { Shell } from './shell.ts';
import { toolVersion } from './version.ts';

/** What a survey needs beside the service. */
export interface SurveyParts {
  readonly shell: Shell;
  readonly documents: Documents;
  readonly connection: Connection;
  readonly commit: { readonly commit: string; readonly dirty: boolean } | undefined;
  readonly expiresAfter: Milliseconds;
  /** The instant to plan for, where it is not now. The fleet is read as it is. */
  readonly at?: Instant;
  /** Another commit, to say which changes come from the documents since. */
  readonly base?: Base;
  /** What a run of apply may do at most. */
  readonly approved?: Approval;
  readonly onProgress: OnProgress;
}

/** A commit to compare with; without documents where it has none. */
export interface Base {
  readonly ref: string;
  readonly commit: string;
  readonly documents?: Documents;
}

export interface Survey extends Planned {
  readonly snapshot: Snapshot;
  readonly input: PlannerInput;
}

/**
 * Reads the fleet, asks the planner which further reads the decision wants, makes them, and plans. The only place
 * where reading and deciding meet; every command that plans goes through it.
 */
export async function survey(parts: SurveyParts, memory: Memory): Promise<Survey> {
  const { shell, connection, onProgress } = parts;
  const [{ capture }, { readFacts, withFacts }, { snapshotDigest }, { needs, plan }, ...tools] =
    await Promise.all([
      import('../live/capture.ts'),
      import('../live/facts.ts'),
      import('../live/store.ts'),
      import('../plan/plan.ts'),
      import('../guard/guard.ts'),
      import('../desired/select.ts'),
    ]);
  const { client: service } = connection;
  const { clock, random } = shell;
  const before = parts.base?.documents && { ...parts, documents: parts.base.documents };
  const sides = before ? [parts, before] : [parts];
  const discovered = sides.some((side) => side.documents.onboarding.size > 0);
  const want = { sites: true, sources: true, discovered };
  const rows = await capture({ service, clock, random, want, onProgress });
  const wanted = sides.flatMap((side) =>
    needs({ ...inputOf(side, memory, rows), inputs: inputsOf(side, memory, rows, '') }),
  );
  const facts = await readFacts({ service, needs: wanted, clock, onProgress });
  const snapshot = withFacts(rows, facts);
  const digest = snapshotDigest(snapshot);
  const inputFor = (side: SurveyParts): PlannerInput => {
    const inputs = inputsOf(side, memory, snapshot, digest);
    return { ...inputOf(side, memory, snapshot), inputs };
  };
  const input = inputFor(parts);
  const planned = judged(plan(input), input, tools);
  onProgress({ kind: 'planned', ...planned.plan.counts });
  if (!parts.base) return { ...planned, snapshot, input };
  const { compareWithBase } = await import('../plan/counterfactual.ts');
  const base = before && plan(inputFor(before)).plan;
  return { ...planned, plan: compareWithBase(planned.plan, base, parts.base), snapshot, input };
}

type GuardTools = readonly [
  typeof import('../guard/guard.ts'),
  typeof import('../desired/select.ts'),
];

/** The plan with what the guardrails say of it. */
function judged(planned: Planned, input: PlannerInput, tools: GuardTools): Planned {
  const [{ judge }, { compileSelector }] = tools;
  const { documents, snapshot, memory, now } = input;
  const verdicts = judge({
    documents,
    snapshot,
    memory,
    now,
    changes: planned.plan.changes,
    members: (selector) => compileSelector(selector, { documents, snapshot }),
  });
  return { ...planned, plan: { ...planned.plan, verdicts } };
}

function inputOf(
  parts: SurveyParts,
  memory: Memory,
  snapshot: Snapshot,
): Omit<PlannerInput, 'inputs'> {
  const { documents, connection, expiresAfter, shell, approved, at = shell.clock.now() } = parts;
  return {
    ...(approved && { approved }),
    documents,
    snapshot,
    memory,
    now: at,
    dialect: connection.dialect,
    expiresAfter,
  };
}

/** What a plan says it was made from. */
export function inputsOf(
  parts: SurveyParts,
  memory: Memory,
  snapshot: Snapshot,
  snapshotDigest: string,
): PlanInputs {
  return {
    tool: toolVersion(),
    service: parts.connection.target,
    ...parts.commit,
    documents: parts.documents.digest,
    snapshot: {
      digest: snapshotDigest,
      takenAt: new Date(snapshot.takenAt).toISOString(),
      confidence: snapshot.confidence,
      devices: snapshot.devices.length,
      sites: snapshot.sites.length,
      discovered: snapshot.discovered.length,
    },
    ledger: memory.head,
  };
}
