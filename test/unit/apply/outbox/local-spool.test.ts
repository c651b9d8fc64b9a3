import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorldError } from '../../../../src/model/error.ts';
import type { ResultSpool } from '../../../../src/model/ports.ts';
import type { ProgressEvent } from '../../../../src/model/progress.ts';
import { unrecordedText } from '../../../../src/render/progress/progress.ts';
import { resultSpool } from '../../../../src/store/result-spool.ts';
import { localSpool } from '../../../../src/store/store.ts';
import { runOnce } from '../../../support/rehearsal.ts';
import { doneTwice } from '../../../support/rehearsal-laws.ts';
import { linesOf } from '../../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../../support/rehearsal-world.ts';
import { StoreDouble } from '../../../support/store-double.ts';
import { scratchFolder } from '../../../support/scratch.ts';

const folder = scratchFolder('kept');
let files = 0;
const aPath = () => join(folder, 'deeper', `${(files += 1)}.json`);

/** A ledger that takes nothing any more once it holds an ATTEMPT, so often. */
class Failing extends StoreDouble {
  failures = 0;

  override async append(...of: Parameters<StoreDouble['append']>) {
    const isAfterAttempt = this.records.some(({ body }) => body.type === 'ATTEMPT');
    if (isAfterAttempt && this.failures > 0) {
      this.failures -= 1;
      throw new WorldError('storeFailed', { cause: 'ENOSPC' });
    }
    return super.append(...of);
  }
}

function setUp(failures: number) {
  const rehearsal = readRehearsal('happy-batch');
  const store = new Failing();
  store.failures = failures;
  const world = { ...createWorld(rehearsal.script), store };
  const path = aPath();
  const file = resultSpool([path]);
  const { track } = world.clock;
  const kept: ResultSpool = {
    all: () => track(file.all()),
    keep: (result) => track(file.keep(result)),
    forget: (attemptId) => track(file.forget(attemptId)),
  };
  const told: ProgressEvent[] = [];
  const run = (process: number) =>
    runOnce(rehearsal, world, { process, kept, onProgress: (event) => void told.push(event) });
  const unrecorded = () =>
    told.flatMap((event) =>
      event.type === 'warning' && event.code === 'unrecorded' ? [event.parameters] : [],
    );
  return { world, path, kept, run, unrecorded };
}

describe('X16 an acceptance that the ledger cannot take', () => {
  it('is kept and told, and the next run on this machine records it: nothing is in doubt', async () => {
    const { world, path, kept, run, unrecorded } = setUp(1_000);
    const { report } = await run(1);
    expect(report).toMatchObject({ failure: { code: 'storeFailed' } });
    const [task] = world.twin.world.state.tasks;
    expect(await kept.all()).toMatchObject([{ taskId: task?.id }]);
    const [line] = unrecorded().map((event) => JSON.parse(unrecordedText(event)) as unknown);
    expect(line).toMatchObject({ unrecorded: { taskId: task?.id, file: path } });
    world.store.failures = 0;
    world.clock.skip(3_600_000);
    const next = await run(2);
    expect(next.report?.counts).toMatchObject({ inDoubt: 0 });
    const lines = linesOf(world.store.records);
    expect(lines).toContain('RESULT accepted P03');
    expect(lines).not.toContain('RESULT inDoubt P12');
    expect(await kept.all()).toEqual([]);
    expect(doneTwice(world.twin.world)).toEqual([]);
  });

  it('is told once and forgotten where the ledger takes it after all', async () => {
    const { kept, run, unrecorded } = setUp(2);
    await run(1);
    expect(unrecorded()).toHaveLength(1);
    expect(await kept.all()).toEqual([]);
  });

  it('is in doubt on another machine', async () => {
    const { world, kept, run } = setUp(1_000);
    await run(1);
    for (const { attemptId } of await kept.all()) await kept.forget(attemptId);
    world.store.failures = 0;
    await run(2);
    expect(linesOf(world.store.records)).toContain('RESULT inDoubt P12');
  });
});

describe('the file', () => {
  it('is for its owner alone, and what cannot be read of it holds nothing', async () => {
    const path = aPath();
    const kept = resultSpool([path]);
    expect(await kept.all()).toEqual([]);
    await kept.keep({ attemptId: 'a.1', taskId: 't-1' });
    await kept.keep({ attemptId: 'a.2', taskId: 't-2' });
    await kept.keep({ attemptId: 'a.1', taskId: 't-3' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(2);
    await kept.forget('a.2');
    expect(await kept.all()).toEqual([{ attemptId: 'a.1', taskId: 't-3' }]);
  });

  it('is in the state folder of the user where none can be written beside the ledger', async () => {
    const state = join(folder, 'state');
    const full = join(folder, 'full');
    mkdirSync(full, { recursive: true });
    writeFileSync(join(full, '.fleetform'), '');
    const kept = localSpool({ cwd: full, stateFolder: state }, 'f'.repeat(64));
    const place = await kept.keep({ attemptId: 'a.1', taskId: 't-1' });
    expect(dirname(place)).toBe(join(state, 'accepted'));
    expect(await kept.all()).toEqual([{ attemptId: 'a.1', taskId: 't-1' }]);
    rmSync(join(full, '.fleetform'));
    const beside = await kept.keep({ attemptId: 'a.2', taskId: 't-2' });
    expect(dirname(beside)).toBe(join(full, '.fleetform'));
    expect(await localSpool({ cwd: full, stateFolder: state }, 'f'.repeat(64)).all()).toHaveLength(
      2,
    );
    expect(await localSpool({ cwd: folder, stateFolder: state }, 'f'.repeat(64)).all()).toEqual([]);
    await kept.forget('a.1');
    await kept.forget('a.2');
    expect(await kept.all()).toEqual([]);
  });

  it('is nowhere, and that is said, where no place can be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const kept = localSpool({ cwd: file, stateFolder: join(file, 'state') }, 'f'.repeat(64));
    await expect(kept.keep({ attemptId: 'a.1', taskId: 't-1' })).rejects.toThrow('storeFailed');
  });
});
