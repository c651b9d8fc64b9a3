import { ADOPTING } from './adopting.ts';
import { APPROVALS } from './approvals.ts';
import { BUDGETS } from './budgets.ts';
import { DECIDING } from './deciding.ts';
import { FACTS } from './facts.ts';
import { FORECASTING } from './forecasting.ts';
import { GROUND } from './ground.ts';
import { INCIDENTS } from './incidents.ts';
import { LEDGER } from './ledger.ts';
import type { Mutant } from './mutant.ts';
import { NOTIFYING } from './notifying.ts';
import { ORDERING } from './ordering.ts';
import { PARTS } from './parts.ts';
import { PLANTED } from './planted.ts';
import { SENDING } from './sending.ts';
import { SETTLING } from './settling.ts';
import { UNCLEAR } from './unclear.ts';
import { WATCHING } from './watching.ts';

/** Rules of docs/protocol.md and docs/semantics.md, each switched off. */
export const MUTANTS: readonly Mutant[] = [
  ...SENDING,
  ...LEDGER,
  ...SETTLING,
  ...BUDGETS,
  ...DECIDING,
  ...WATCHING,
  ...PLANTED,
  ...FACTS,
  ...PARTS,
  ...APPROVALS,
  ...INCIDENTS,
  ...GROUND,
  ...UNCLEAR,
  ...ADOPTING,
  ...NOTIFYING,
  ...FORECASTING,
  ...ORDERING,
].toSorted((a, b) => Number.parseInt(a.id) - Number.parseInt(b.id));
