import { decidePlan, type DecideParts } from '../../src/operations/plan.ts';
import { provePlans } from '../../src/operations/prove/prove-plan.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { buildAudit } from '../../src/ledger/audit.ts';
import { fold } from '../../src/ledger/fold.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import { planLines } from '../../src/plan/saved/save.ts';
import { readPlan } from '../../src/plan/saved/saved.ts';
import { chanceOf } from '../simulation/chance.ts';
import { digested } from '../support/digested.ts';
import { FINGERPRINT } from '../support/ledger-records.ts';
import { momentOf } from './moment.ts';
import { documentsIn, filesOf, leftBehind, type Kept } from './kept.ts';

/** What one seed came to. */
export interface Replayed {
  readonly seed: number;
  /** Made again from the record the plan has the very bytes, and `audit verify` proves it. */
  readonly isSame: boolean;
  readonly devices: number;
  readonly files: number;
  readonly records: number;
  readonly changes: number;
  readonly hasBase: boolean;
}

const WEEK = 7 * 86_400_000;

/**
 * Plans at a moment of the history of a seed with what the process had in its memory, and again with nothing but
 * what it leaves behind: the documents of its commits, the kept snapshot, and the ledger up to the head that the
 * plan names. Undefined where nobody ever plans.
 */
export async function replayOf(seed: number): Promise<Replayed | undefined> {
  const moment = await momentOf(seed);
  if (!moment) return undefined;
  const { memory, now, snapshot, records } = moment;
  const commits = moment.commits.map((wishes) => documentsIn(filesOf(wishes)));
  const made = (await decidePlan(partsOf(commits), memory, digested(snapshot), now)).plan;
  const saved = [...planLines(made)];
  const kept = await leftBehind(moment, chanceOf(seed, 'left behind'));
  const parts = partsOf(kept.commits);
  const again = (await decidePlan(parts, fold(kept.records), digested(kept.snapshot), now)).plan;
  const isSame = [...planLines(again)].join('\n') === saved.join('\n');
  return {
    seed,
    isSame: isSame && (await isProved(kept, await readPlan(saved))),
    devices: snapshot.devices.length,
    files: commits.at(-1)?.files.length ?? 0,
    records: records.length,
    changes: made.changes.length,
    hasBase: made.base !== undefined,
  };
}

/** The last of the documents, held against the first. */
function partsOf(commits: readonly Documents[]): DecideParts {
  const [first] = commits;
  const documents = commits.at(-1);
  if (!documents) throw new Error('nothing was committed');
  const hasBase = first !== undefined && first !== documents;
  return {
    documents,
    target: {
      baseUrl: 'https://twin.test',
      organization: 'acme',
      from: 'document',
      fingerprint: FINGERPRINT,
    },
    dialect: resolveDialect(documents.service.value.dialect),
    commit: { commit: idOf(commits.length - 1), dirty: false },
    expiresAfter: WEEK,
    onProgress: () => undefined,
    ...(hasBase && { base: { ref: 'first', commit: idOf(0), documents: first } }),
  };
}

function idOf(commit: number): string {
  return commit.toString(16).padStart(40, '0');
}

/** What `audit verify --snapshot --plan` says of the plan. */
async function isProved({ commits, records, snapshot }: Kept, plan: Plan): Promise<boolean> {
  const checks = await provePlans({
    shell: NOBODY,
    fleet: 'fleet',
    records,
    runs: buildAudit(records).runs,
    fingerprint: FINGERPRINT,
    history: { at: async (id) => commits[Number.parseInt(id, 16)] ?? 'gone' },
    snapshot: digested(snapshot),
    plan,
    isOldCopy: false,
  });
  const isBroken = checks.some(({ result }) => result === 'broken');
  return !isBroken && checks.some(({ why }) => why === 'planSame');
}

/** Nothing is asked of git: no plan here names the authors of its lines. */
const NOBODY = {} as Shell;
