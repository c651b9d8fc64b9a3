import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { AuthoredFleet } from './authored.ts';
import { checkBroken } from './mend.ts';
import { approvalsAreShared, preapprovedFits } from './rules/approvals.ts';
import { budgetsFit } from './rules/budgets.ts';
import { datesAreReal, exceptionsFit, listsHoldOnce } from './rules/entries.ts';
import { checksAreShown, gatesHaveWaves } from './rules/gates.ts';
import { namesAreUnique, namesResolve, reservedNames, serviceOnce } from './rules/names.ts';
import { anytimeIsAlone, batchesFit, dueRulesFit, wavesReachAll } from './rules/policies.ts';
import { renewalsEnd, spreadsFit } from './rules/renewals.ts';
import { renamesAreClear } from './rules/renames.ts';
import { maintenanceLeftOut } from './rules/restarts.ts';
import { noSecrets } from './rules/secrets.ts';
import { urlsAreSafe, cronsAreReal, zonesExist } from './rules/values.ts';
import { stopsCount } from './rules/stops.ts';
import { downgradesHaveTickets, pinsAboveFloor, versionsFit } from './rules/versions.ts';
import { incidentsEnd } from './rules/incidents.ts';
import { windowsServeTasks } from './rules/windows.ts';

/**
 * A check across entries or documents. It sees entries of their declared types and reports all
 * findings.
 */
export type DocumentRule = (fleet: AuthoredFleet) => Iterable<Diagnostic>;

/** Rules that a schema cannot express. Their order does not matter, since findings are sorted. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  serviceOnce,
  namesAreUnique,
  reservedNames,
  namesResolve,
  zonesExist,
  cronsAreReal,
  datesAreReal,
  urlsAreSafe,
  noSecrets,
  listsHoldOnce,
  exceptionsFit,
  gatesHaveWaves,
  checksAreShown,
  stopsCount,
  budgetsFit,
  incidentsEnd,
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
  renamesAreClear,
  preapprovedFits,
  approvalsAreShared,
];

/** Runs every rule, on entries with mistakes too, and returns all findings. */
export function checkRules(fleet: AuthoredFleet): readonly Diagnostic[] {
  return [
    ...DOCUMENT_RULES.flatMap((rule) => [...rule(fleet)]),
    ...checkBroken(fleet, DOCUMENT_RULES),
  ];
}
