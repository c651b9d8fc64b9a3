import { describe, expect, it } from 'vitest';
import { accept } from '../../src/ledger/acceptor.ts';
import { fold } from '../../src/ledger/fold.ts';
import { Bug } from '../../src/model/bug.ts';
import type { RunReport } from '../../src/model/outcome.ts';
import type { StopPoint } from '../support/effects.ts';
import { runOnce } from '../support/rehearsal.ts';
import { admitted, doneTwice, endsOf, unannounced } from '../support/rehearsal-laws.ts';
import {
  createWorld,
  pass,
  readRehearsal,
  START,
  type Rehearsal,
  type RehearsalWorld,
} from '../support/rehearsal-world.ts';

/** Rehearsals whose every effect is a point to die at. */
const FOLDERS = [
  'happy-batch',
  'lost-answer-settled',
  'lost-request-in-doubt',
  'failing-device',
  'too-many-requests',
  'three-tasks',
  'vanished-task',
  'token-refused',
];

/** Runs after the script, with time between them, so that everything settles that ever will. */
const SETTLING = [{ after: '40m' }, { after: '1d' }, {}, {}];

interface Lived {
  readonly world: RehearsalWorld;
  readonly effects: readonly string[];
  /** How many effects each process had. */
  readonly counts: readonly number[];
  readonly last: RunReport | undefined;
  /** What the last process appended. */
  readonly tail: readonly string[];
}

/** Of these, every request and append also seems to fail once, though it has happened. */
const FAILING = ['happy-batch', 'failing-device', 'three-tasks'];

describe.each(FOLDERS)('%s, stopped before and after every effect', (name) => {
  it('does nothing twice, loses nothing, and ends where the undisturbed run ends', async () => {
    await expectLaws(name, pointsOf);
  }, 300_000);
});

describe.each(FAILING)('%s, with every effect failing once', (name) => {
  it('does nothing twice, loses nothing, and ends where the undisturbed run ends', async () => {
    await expectLaws(name, failuresOf);
  }, 300_000);
});

async function expectLaws(name: string, choose: typeof pointsOf): Promise<void> {
    const rehearsal = readRehearsal(name);
    const undisturbed = await live(rehearsal);
    const wanted = endsOf(undisturbed.world.twin.world, START);
    const points = undisturbed.counts
      .slice(0, rehearsal.script.runs.length)
      .flatMap((count, run) => choose(run, count));
    for (const { run, stopAt } of points) {
      const where = `run ${run + 1}, ${stopAt.when} effect ${stopAt.n}`;
      const lived = await live(rehearsal, { run, stopAt });
      expectSafe(lived, where);
      expectSettled(lived, where);
      for (const [id, end] of endsOf(lived.world.twin.world, START))
        if (!admitted(lived.last).has(id)) expect(end, where).toEqual(wanted.get(id));
    }
    process.stdout.write(`${name}: ${points.length} points\n`);
}

/**
 * The whole script and what settles after it; where a process dies, another takes its place at
 * once.
 */
async function live(
  rehearsal: Rehearsal,
  death?: { readonly run: number; readonly stopAt: StopPoint },
): Promise<Lived> {
  const world = createWorld(rehearsal.script);
  const effects: string[] = [];
  const counts: number[] = [];
  const onEffect = (what: string): void => void effects.push(what);
  let process = 0;
  let last: RunReport | undefined;
  let length = 0;
  for (const [index, run] of [...rehearsal.script.runs, ...SETTLING].entries()) {
    pass(world, run);
    ({ length } = world.store.records);
    const stopAt = index === death?.run ? death.stopAt : undefined;
    let ran = await runOnce(rehearsal, world, {
      process: ++process,
      onEffect,
      ...(stopAt && { stopAt }),
    });
    counts.push(ran.effects);
    if (!ran.report) ran = await runOnce(rehearsal, world, { process: ++process, onEffect });
    last = ran.report;
    expect(last?.failure).not.toBeInstanceOf(Bug);
  }
  const tail = world.store.records.slice(length).map(({ body }) => body.type);
  return { world, effects, counts, last, tail };
}

/**
 * Before each effect, and after the last: after one is before the next, since nothing lies between
 * them.
 */
function pointsOf(run: number, count: number): readonly { run: number; stopAt: StopPoint }[] {
  const before = Array.from({ length: count }, (_, index) => index + 1).map((n) => {
    return { run, stopAt: { n, when: 'before' as const } };
  });
  return [...before, { run, stopAt: { n: count, when: 'after' } }];
}

/** Every effect of a run, as one that happens and seems to fail. */
function failuresOf(run: number, count: number): ReturnType<typeof pointsOf> {
  return Array.from({ length: count }, (_, index) => {
    return { run, stopAt: { n: index + 1, when: 'fails' } };
  });
}

function expectSafe({ world, effects }: Lived, where: string): void {
  expect(doneTwice(world.twin.world), where).toEqual([]);
  expect(unannounced(effects), where).toEqual([]);
  expect(accept(world.store.records), where).toEqual([]);
}

/**
 * Every intent is closed or reported, and a further run in an unchanged world only takes and gives
 * back the lease (I18).
 */
function expectSettled({ world, last, tail }: Lived, where: string): void {
  expect(
    tail.filter((type) => !['LOCK', 'BEAT', 'RELEASE'].includes(type)),
    where,
  ).toEqual([]);
  const open = fold(world.store.records)
    .open()
    .map(({ device }) => device);
  expect(
    open.filter((device) => !admitted(last).has(device)),
    where,
  ).toEqual([]);
}
