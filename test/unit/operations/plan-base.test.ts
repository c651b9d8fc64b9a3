import { expect, it } from 'vitest';
import { fold } from '../../../src/ledger/fold.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { decidePlan } from '../../../src/operations/plan.ts';
import { chained, GENESIS, lock } from '../../support/ledger-records.ts';
import { NOW } from '../../support/plan-fleet.ts';
import { DOCUMENTS, PARTS, SNAPSHOT } from '../../support/proof-world.ts';

it('a request that changes what is sent to devices causes their changes (semantics N71)', async () => {
  const dialect = { upgradeMembers: { factoryReset: true } };
  const { service } = DOCUMENTS;
  const documents = {
    ...DOCUMENTS,
    service: { ...service, value: { ...service.value, dialect } },
  };
  const base = { ref: 'main', commit: 'b'.repeat(40), documents: DOCUMENTS };
  const memory = fold(chained([GENESIS, lock()]));
  const countsOf = async (more: object) => {
    const { plan } = await decidePlan({ ...PARTS, base, ...more }, memory, SNAPSHOT, NOW);
    return plan.base;
  };
  expect((await countsOf({}))?.counts).toMatchObject({ branch: 0, pending: 3 });
  const changed = await countsOf({ documents, dialect: resolveDialect(dialect) });
  expect(changed?.counts).toMatchObject({ branch: 2, pending: 1 });
  expect(changed?.settings).toEqual([
    { at: 'service.dialect.upgradeMembers.factoryReset', after: 'true' },
  ]);
});
