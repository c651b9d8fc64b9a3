import { describe, expect, it } from 'vitest';
import { checkApproval } from '../../src/operations/approval.ts';
import { resolveTarget, type ServiceTarget } from '../../src/operations/target.ts';
import { loadTexts } from '../../src/config/load.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { parseInstant } from '../../src/lib/time.ts';
import { planAnnotations } from '../../src/render/data/annotations.ts';
import { planHtml } from '../../src/render/html/pages.ts';
import { PLAIN } from '../../src/render/sinks/paint.ts';
import { COMMENT_LIMIT, planMarkdown, planText } from '../../src/render/outputs/plan.ts';
import { buildPlanView } from '../../src/render/view/view.ts';
import { intersect } from '../../src/plan/compare/compare.ts';
import { compareWithBase } from '../../src/plan/compare/counterfactual.ts';
import { planId } from '../../src/plan/identify.ts';
import { planLines } from '../../src/plan/saved/save.ts';
import { readSavedPlan, type SavedPlan } from '../../src/plan/saved/saved.ts';
import { aMemory } from '../support/plan-fleet.ts';
import { mended, mutationsOf, signedLines, type Mutation } from '../support/plan-mutations.ts';
import { planNow, runOnce } from '../support/rehearsal.ts';
import { createWorld, type Rehearsal, type RehearsalWorld } from '../support/rehearsal-world.ts';

/** Waves, a window, a policy that loses, a finding, skipped and noted devices: every part of a plan. */
function fleet(version: string): string {
  return `service: {baseUrl: https://twin.test, organization: acme}
sites: {HQ Berlin: {timeZone: Europe/Berlin}, Campus Munich: {timeZone: Europe/Berlin}}
windows: {days: {timeZone: UTC, allow: [{days: mon-sun, from: "00:00", to: "23:59"}]}}
freezes: {later: {from: "2027-01-01T00:00:00", to: "2027-01-02T00:00:00", reason: r, owner: o, ticket: T-1}}
guardrails: {default: {maxPercentOfFleet: 100%, maxChanges: 50, maxPercentOfSite: 100%, maxSitesAtOnce: 9}}
budgets: {default-site: {per: site, maxUnavailable: 100%}, default-fleet: {per: fleet, maxInFlight: 50}}
rollouts: {two: {waves: [{name: canary, size: 3, soak: 1h}, {name: rest, percent: 100%}]}}
firmware:
  p32: {select: {model: P3245-LVE}, version: "${version}", rollout: two, windows: days}
  other: {select: {vendor: Axis}, version: "${version}", priority: 1, rollout: two, windows: anytime}
exceptions:
  bay: {type: hold, select: {device: [dev-6]}, until: "2027-01-31T00:00:00Z", reason: r, owner: o, ticket: T-2}
  gone: {type: hold, select: {device: [dev-4]}, until: "2026-01-31T00:00:00Z", reason: r, owner: o, ticket: T-3}
restarts:
  dark: {when: {status: offline, for: 20m}, select: {vendor: Axis}, windows: anytime}
`;
}

const EVERY = {
  vendor: 'Axis',
  model: 'P3245-LVE',
  deviceType: 'camera',
  firmwareVersion: '11.11.124',
  condition: 'well',
  maintenance: false,
} as const;
const SCRIPT = { about: '', devices: 6, sites: 2, every: EVERY, runs: [] };

const here: Rehearsal = rehearsalOf('11.11.160');
const PLAN = await comparedPlan();
const LINES = [...planLines(PLAN)];
const ORIGINAL = await readSavedPlan(LINES);
const ID = { id: PLAN.id };
const BOTH = { id: PLAN.id, digest: ORIGINAL.digest };

const UNEDITED = JSON.stringify(JSON.parse(LINES.join('\n')));
const ALL = mutationsOf(JSON.parse(UNEDITED) as Plan).filter(
  ({ plan }) => JSON.stringify(plan) !== UNEDITED,
);
/** Each edit as it is, and once more with all sums mended that one can mend. */
const EDITS: readonly Mutation[] = [
  ...ALL,
  ...ALL.map(({ name, kind, plan }) => ({ name, kind: `${kind}, mended`, plan: mended(plan) })),
];

/** What readers take, by the edit. */
const READ = new Map<Mutation, SavedPlan>();
for (const edit of EDITS) {
  const read = await readOrRefuse(edit);
  if (read) READ.set(edit, read);
}

const SUMS =
  /^(id|counts|base\.counts|changes\.\d+\.risk|verdicts\.\d+\.(number|allowed|passed|of|value)$|waves\.\d+(\.changes)?$)/;

/** A percent that allows as many when it is one lower; sites, of which a plan has the names alone. */
const LOOSE = new Set([
  'verdicts.0.value one less',
  'verdicts.2.value one less',
  'verdicts.3.number one more',
]);

describe('an edited plan with a mended digest', () => {
  it('is another file, so that ID:DIGEST refuses every edit', () => {
    const taken = [];
    for (const edit of EDITS) {
      const read = READ.get(edit);
      if (read && JSON.stringify(edit.plan) !== UNEDITED && accepts(read, BOTH))
        taken.push(`${edit.name} ${edit.kind}`);
    }
    expect(EDITS.length).toBeGreaterThan(2_000);
    expect(taken).toEqual([]);
    expect(accepts(ORIGINAL, BOTH)).toBe(true);
  });

  it('leaves to ID alone nothing that changes what may run', async () => {
    const world = createWorld(SCRIPT);
    const now = await surveyed(world);
    const same = holding(PLAN, now);
    const astray = [];
    const tried = new Map<string, SavedPlan>();
    for (const edit of EDITS) {
      const read = READ.get(edit);
      if (!read || !accepts(read, ID)) continue;
      if (holding(read.plan, now).join() !== same.join()) astray.push(`${edit.name} ${edit.kind}`);
      tried.set(`${edit.name.replaceAll(/\d+/g, 'N')} ${edit.kind.replace(', mended', '')}`, read);
    }
    expect(astray).toEqual([]);
    expect(same.length).toBeGreaterThan(1);
    const sent = await tasksOf(PLAN);
    expect(sent.length).toBeGreaterThan(0);
    for (const [edit, { plan }] of tried) expect([edit, await tasksOf(plan)]).toEqual([edit, sent]);
    expect(tried.size).toBeGreaterThan(100);
  }, 300_000);

  it('is told in every format where readers take it: no code of another version ends one', () => {
    const told = new Set<string>();
    for (const [{ name, kind }, { plan }] of READ) {
      const edit = `${name.replaceAll(/\d+/g, 'N')} ${kind.replace(', mended', '')}`;
      if (told.has(edit)) continue;
      told.add(edit);
      const view = buildPlanView(plan);
      const texts = [
        [...planText(view, { paint: PLAIN, width: 80 })].join(' '),
        planMarkdown(view, { limit: COMMENT_LIMIT }),
        [...planHtml(view, plan.changes)].join(''),
        planAnnotations(view).join(' '),
      ];
      expect([edit, texts.join(' ')]).toEqual([edit, expect.not.stringContaining('undefined')]);
    }
    expect(told.size).toBeGreaterThan(100);
  }, 120_000);

  it('is refused by every reader where what it sums up does not follow from its changes', () => {
    const isSum = ({ name, kind }: Mutation): boolean => SUMS.test(name) && kind !== 'turned round' && !LOOSE.has(`${name} ${kind}`);
    const taken = [];
    for (const edit of ALL.filter(isSum))
      if (READ.get(edit)) taken.push(`${edit.name} ${edit.kind}`);
    expect(taken).toEqual([]);
  });
});

function rehearsalOf(version: string): Rehearsal {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet/fleet.yaml', text: fleet(version) }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return { name: 'mutated', script: SCRIPT, documents };
}

async function comparedPlan(): Promise<Plan> {
  const base = await planNow(rehearsalOf('11.11.124'), createWorld(SCRIPT));
  const plan = await planNow(here, createWorld(SCRIPT));
  const service = resolveTarget(here.documents.service.value, undefined, {});
  const compared = compareWithBase(plan, base, { ref: 'main', commit: 'c'.repeat(40) });
  const id = planId(compared.changes, service.fingerprint, compared.part);
  return { ...compared, id, inputs: { ...compared.inputs, service } };
}

async function readOrRefuse({ plan }: Mutation): Promise<SavedPlan | undefined> {
  return readSavedPlan(signedLines(plan)).catch((error: unknown) => {
    if ((error as { readonly code?: string }).code?.startsWith('plan') === true) return undefined;
    throw error;
  });
}

function accepts({ plan, digest }: SavedPlan, approved: typeof ID): boolean {
  const now = parseInstant(PLAN.evaluatedAt) ?? 0;
  try {
    // Its expiry is what an id does not bind.
    const held = { ...plan, expiresAt: PLAN.expiresAt };
    checkApproval(held, { target: PLAN.inputs.service as ServiceTarget, approved, digest, now });
    return true;
  } catch {
    return false;
  }
}

async function surveyed(world: RehearsalWorld) {
  const plan = await planNow(here, world);
  return { plan, diagnostics: [], noted: () => undefined, snapshot: NO_SNAPSHOT };
}

type Current = Parameters<typeof intersect>[1];
const NO_SNAPSHOT = {
  devices: { rowOf: () => undefined },
  discovered: [],
} as unknown as Current['snapshot'];

/** What of an approved plan holds now. */
function holding(plan: Plan, now: Current): readonly string[] {
  return intersect(plan, now, aMemory([]))
    .filter(({ state }) => state === 'same')
    .map(({ approved }) => approved.id)
    .sort();
}

/** What is sent for a plan, in its order. */
async function tasksOf(approved: Plan): Promise<readonly string[]> {
  const world = createWorld(SCRIPT);
  const expiresAt = PLAN.expiresAt;
  await runOnce(here, world, { process: 1, approved: { ...approved, expiresAt } });
  return world.twin.world.state.tasks.map(({ type, deviceTasks }) =>
    JSON.stringify([type, deviceTasks.map(({ deviceId, payload }) => [deviceId, payload])]),
  );
}
