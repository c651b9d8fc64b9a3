import type { Cell } from './cells.ts';
import type { Aim } from './inject.ts';

/** Of the POSTs of `apply` the second: the first is for one device alone. */
export function firstCall({ endpoint, phase }: Cell): number {
  return endpoint === 'create task' && phase === 'apply' ? 2 : 1;
}

/** Where the fault of a cell strikes. */
export function aimOf({ fault, endpoint, phase }: Cell, nth: Aim['nth']): Aim {
  if (endpoint === 'ledger store') {
    const append = { of: APPENDS[phase], trouble: fault.store ?? 'fails' };
    return { endpoint, nth, from: 'start', append };
  }
  return { endpoint, nth, from: phase === 'verify' ? 'completed' : 'start' };
}

/** The append that a phase is about: writing ahead, writing what came of it, or taking the lease. */
const APPENDS: Readonly<Record<Cell['phase'], RegExp>> = {
  plan: /^$/,
  apply: /^ATTEMPT$/,
  verify: /^SETTLED$/,
  resume: /^LOCK$/,
};
