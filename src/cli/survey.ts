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
  /** What a run of apply may do at most. */
  readonly approved?: Approval;
  readonly onProgress: OnProgress;
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
  const { shell, documents, connection, onProgress } = parts;
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
  const want = { sites: true, sources: true, discovered: documents.onboarding.size > 0 };
  const rows = await capture({ service, clock, random, want, onProgress });
  const first = { ...inputOf(parts, memory, rows), inputs: inputsOf(parts, memory, rows, '') };
  const facts = await readFacts({ service, needs: needs(first), clock, onProgress });
  const snapshot = withFacts(rows, facts);
  const inputs = inputsOf(parts, memory, snapshot, snapshotDigest(snapshot));
  const input = { ...inputOf(parts, memory, snapshot), inputs };
  const planned = judged(plan(input), input, tools);
  onProgress({ kind: 'planned', ...planned.plan.counts });
  return { ...planned, snapshot, input };
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
