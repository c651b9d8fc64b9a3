import { withdrawPlan, withdrawPolicy } from '../../src/operations/gate/withdraw.ts';
import { listPolicies } from '../../src/model/documents/policies.ts';
import type { Policy } from '../../src/model/documents/policy.ts';
import { chance } from './rehearsal-chance.ts';
import { groundIn, passGate, showPlan, type Shown } from './rehearsal-gate.ts';
import type { Rehearsal, RehearsalWorld, ScriptedRun } from './rehearsal-world.ts';
import { journalOf, planNow } from './rehearsal.ts';

/** Looks, gates and withdrawals before a run; what a look has shown is kept by its name. */
export async function passGates(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  { look, approve = [], withdraw }: ScriptedRun,
  looks: Map<string, Shown>,
): Promise<void> {
  const shownAs = (name: string): Shown => {
    const shown = looks.get(name);
    if (!shown) throw new Error(`${rehearsal.name}: no look is called ${name}`);
    return shown;
  };
  if (look !== undefined) looks.set(look, await lookNow(rehearsal, world));
  for (const name of approve) await approveNow(rehearsal, world, shownAs(name));
  if (withdraw === undefined) return;
  const policy = listPolicies(rehearsal.documents).find(({ value }) => value.address === withdraw);
  await withdrawNow(world, policy?.value ?? shownAs(withdraw));
}

/** What a look at the newest commit shows; nothing is withdrawn by it here. */
async function lookNow(rehearsal: Rehearsal, world: RehearsalWorld): Promise<Shown> {
  return showPlan(await planNow(rehearsal, world), rehearsal.merged ?? []);
}

/** A gate is passed: the plans are made again, at the commit of the look and at the newest one. */
async function approveNow(
  rehearsal: Rehearsal,
  world: RehearsalWorld,
  shown: Shown,
): Promise<void> {
  const { documents } = shown;
  const again = await planNow({ ...rehearsal, documents }, world);
  const newest = await planNow(rehearsal, world);
  const { clock } = world;
  const options = { process: 3_000 };
  const passing = async (): Promise<void> => {
    const ground = groundIn(rehearsal.merged, options);
    const journal = await journalOf({ ...world, random: chance(3_000), options, ground });
    const plans = { again: again.changes, newest: newest.changes, tip: rehearsal.documents };
    await passGate(journal, shown, plans, { now: clock.now(), run: shown.planId });
  };
  await clock.run(passing());
}

/** A person takes back what a look has shown and its gate approved, or what is approved of a policy. */
async function withdrawNow(world: RehearsalWorld, what: Shown | Policy): Promise<void> {
  const { clock } = world;
  const withdrawing = async (): Promise<void> => {
    const random = chance(3_001);
    const journal = await journalOf({ ...world, random, options: { process: 3_001 } });
    const order = { who: 'Ada', why: 'wrong' };
    if ('planId' in what) await withdrawPlan(journal, what.planId, order);
    else await withdrawPolicy(journal, what, order);
  };
  await clock.run(withdrawing());
}
