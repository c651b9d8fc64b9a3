import { CLIENT_SECRETS, search, settle } from '../../support/canary.ts';
import { writtenOf } from '../../support/canary-run.ts';
import { SECRET } from '../brief.ts';
import type { End } from '../process.ts';
import type { CaseFile } from './case-file.ts';

/** All that a world told, besides what is in its case file. */
export interface Told {
  readonly ends: readonly { readonly id: number; readonly end: End }[];
  /** Lines of traces, where this world kept them. */
  readonly trace: readonly string[];
}

/**
 * I10, once everything is over: no ledger, report, plan or trace of the world has a secret, however
 * it is written. The twin may know what it was sent; nobody else.
 */
export function auditSecrets(file: CaseFile, { ends, trace }: Told): void {
  const plans = [...file.processes.values()].flatMap(({ plan, approved }) => [plan, approved]);
  const left = [
    { name: 'the ledger', text: writtenOf(file.scene.ledger.records) },
    { name: 'a trace', text: trace.join('') },
    ...ends.map(({ id, end }) => ({ name: `the report of ${id}`, text: writtenOf(end) })),
    ...plans.flatMap((plan) =>
      plan ? [{ name: 'a plan', text: writtenOf({ ...plan, changes: [...plan.changes] }) }] : [],
    ),
  ];
  const found = search(left, [CLIENT_SECRETS.admin, SECRET.value]);
  for (const hit of found.hits) file.violate('I10', `a secret in ${hit}`);
  settle({ ...found, hits: [] });
}
