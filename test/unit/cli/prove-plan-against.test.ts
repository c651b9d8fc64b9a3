import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DecideParts } from '../../../src/operations/plan.ts';
import { withOrigins } from '../../../src/operations/origins.ts';
import type { ProofInput } from '../../../src/operations/prove/prove-parts.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { toBasis } from '../../../src/plan/compare/basis.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { DOCUMENTS, OTHER_DOCUMENTS } from '../../support/proof-world.ts';
import { plansWith, sent, withSent, worldOf, type World } from '../../support/proof-world.ts';
import { DIGEST_SAME, NAMED, RECORD, SAME, told } from '../../support/proof-world.ts';
import { scratchFolder } from '../../support/scratch.ts';

const BASE = 'b'.repeat(40);

describe('what a plan made again is held against', () => {
  let made: World;
  beforeAll(async () => {
    made = await worldOf();
  });

  /** Each rule of the proof, what goes against it, and what is then said. */
  const RULES: readonly (readonly [
    string,
    (world: World) => Partial<ProofInput> | Promise<Partial<ProofInput>>,
    readonly string[],
  ])[] = [
    [
      'covers the device of every attempt',
      ({ plan }) => withSent(sent(plan.id, 'dev-9')),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'covers the policy of every attempt',
      ({ plan }) => withSent(sent(plan.id, 'dev-1', 'firmware.other')),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'covers the task of every attempt',
      ({ plan }) => withSent({ ...sent(plan.id, 'dev-1'), task: 'restartDevice' } as RecordBody),
      [NAMED, DIGEST_SAME, 'attempts broken attemptUncovered'],
    ],
    [
      'has nothing to do with attempts at another plan',
      () => withSent(sent('other', 'dev-9')),
      RECORD,
    ],
    [
      'goes by the dialect of its documents',
      async () => {
        const dialect = { storageServerField: '' };
        const value = { ...DOCUMENTS.service.value, dialect };
        const documents = { ...DOCUMENTS, service: { ...DOCUMENTS.service, value } };
        const history = { at: async () => documents };
        return { ...(await worldOf({ documents, dialect: resolveDialect(dialect) })), history };
      },
      [SAME, ...RECORD],
    ],
    [
      'may be made by another version, and come to the same',
      () => worldOf({ tool: '0.0.1' }),
      [SAME, ...RECORD],
    ],
    [
      'is held against a base that had no documents yet',
      async () => ({
        ...(await worldOf({ base: { ref: 'main', commit: BASE } })),
        history: { at: async (id) => (id === BASE ? 'gone' : DOCUMENTS) },
      }),
      [SAME, ...RECORD],
    ],
    [
      'is held against its base',
      () => compared(OTHER_DOCUMENTS, async (id) => (id === BASE ? OTHER_DOCUMENTS : DOCUMENTS)),
      [SAME, ...RECORD],
    ],
    [
      'is not held against another base',
      () => compared(OTHER_DOCUMENTS, async () => DOCUMENTS),
      ['plan broken planOther', ...RECORD],
    ],
    [
      'has the same decisions where its base is gone',
      () => compared(OTHER_DOCUMENTS, async (id) => (id === BASE ? 'gone' : DOCUMENTS)),
      ['plan proved planSameAlone', ...RECORD],
    ],
  ];

  test.each(RULES)('%s', async (_, lie, says) => {
    expect(await told({ ...made, ...(await lie(made)) })).toEqual(says);
  });
});

test('a plan made again has the authors of its lines, where the file names them', async () => {
  const place = scratchFolder('origins');
  const shell = { cwd: place, env: { PATH: process.env['PATH'] } } as unknown as Shell;
  mkdirSync(join(place, 'fleet'));
  writeFileSync(join(place, 'fleet/test.yaml'), '# a line\n'.repeat(99));
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'add', '--all');
  const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  gitIn(place, ...by, 'commit', '--quiet', '-m', 'fleet');
  const commit = gitIn(place, 'rev-parse', 'HEAD');
  const world = await worldOf({ commit: { commit, dirty: false } });
  const documents = { ...DOCUMENTS, folder: join(place, 'fleet') };
  const reading = { ref: commit };
  const plan = await withOrigins({ shell, documents }, world.plan, { reading });
  expect(plan.origins).toContainEqual(expect.objectContaining({ commit, author: 'Ada' }));
  const runs = plansWith(world.runs, { basis: toBasis(plan, { isFile: true }) });
  expect(await told({ ...world, shell, plan, runs })).toEqual([SAME, ...RECORD]);
});

async function compared(
  documents: DecideParts['documents'],
  at: ProofInput['history']['at'],
): Promise<Partial<ProofInput>> {
  const world = await worldOf({ base: { ref: 'main', commit: BASE, documents } });
  return { ...world, history: { at } };
}
