import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { AuthoredFleet } from './authored.ts';
import { checkBroken } from './mend.ts';
import { budgetsFit } from './rules/budgets.ts';
import { datesAreReal, exceptionsFit, listsHoldOnce } from './rules/entries.ts';
import { checksAreShown, gatesHaveWaves } from './rules/gates.ts';
import { namesAreUnique, namesResolve, reservedNames, serviceOnce } from './rules/names.ts';
import { anytimeIsAlone, batchesFit, dueRulesFit, wavesReachAll } from './rules/policies.ts';
import { renewalsEnd, spreadsFit } from './rules/rotations.ts';
import { maintenanceLeftOut } from './rules/restarts.ts';
import { noSecrets } from './rules/secrets.ts';
import { baseUrlIsSafe, cronsAreReal, zonesExist } from './rules/values.ts';
import { stopsCount } from './rules/stops.ts';
import { downgradesHaveTickets, pinsAboveFloor, versionsFit } from './rules/versions.ts';
import { windowsServeTasks } from './rules/windows.ts';

/** A check across entries or documents: looks at entries as their types say they are, and finds all there is. */
export type DocumentRule = (fleet: AuthoredFleet) => Iterable<Diagnostic>;

/** What no schema can say. The order does not matter: findings are sorted by place. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  serviceOnce,
  namesAreUnique,
  reservedNames,
  namesResolve,
  zonesExist,
  cronsAreReal,
  datesAreReal,
  baseUrlIsSafe,
  noSecrets,
  listsHoldOnce,
  exceptionsFit,
  gatesHaveWaves,
  checksAreShown,
  stopsCount,
  budgetsFit,
  versionsFit,
  downgradesHaveTickets,
  pinsAboveFloor,
  anytimeIsAlone,
  windowsServeTasks,
  dueRulesFit,
  renewalsEnd,
  spreadsFit,
  wavesReachAll,
  batchesFit,
  maintenanceLeftOut,
];

/** Runs every rule and returns all that they found, in entries with other mistakes too. */
export function checkRules(fleet: AuthoredFleet): readonly Diagnostic[] {
  return [
    ...DOCUMENT_RULES.flatMap((rule) => [...rule(fleet)]),
    ...checkBroken(fleet, DOCUMENT_RULES),
  ];
}
