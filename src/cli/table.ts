import { advanced } from './commands/advanced.ts';
import { apply } from './commands/apply.ts';
import { audit } from './commands/audit.ts';
import { auditVerify } from './commands/audit-verify.ts';
import { ciApply } from './commands/ci/apply.ts';
import { ciApprove } from './commands/ci/approve.ts';
import { ciDrift } from './commands/ci/drift.ts';
import { ciFleets } from './commands/ci/fleets.ts';
import { ciLook } from './commands/ci/look.ts';
import { ciPlan } from './commands/ci/plan.ts';
import { ciPublish } from './commands/ci/publish.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { drift } from './commands/drift.ts';
import { explain } from './commands/explain.ts';
import { get } from './commands/get.ts';
import { importDocuments } from './commands/import.ts';
import { init } from './commands/init.ts';
import { initIncident } from './commands/init-incident.ts';
import { ledgerMove } from './commands/ledger-move.ts';
import { ledgerSchema } from './commands/ledger-schema.ts';
import { pause } from './commands/pause.ts';
import { plan } from './commands/plan.ts';
import { recover } from './commands/recover.ts';
import { rehearse } from './commands/rehearse.ts';
import { report } from './commands/report.ts';
import { resolve } from './commands/resolve.ts';
import { show } from './commands/show.ts';
import { status } from './commands/status.ts';
import { twin } from './commands/twin.ts';
import { unlock } from './commands/unlock.ts';
import { unpause } from './commands/unpause.ts';
import { validate } from './commands/validate.ts';
import { why } from './commands/why.ts';
import { withdraw } from './commands/withdraw.ts';
import { command, type AnyCommand } from './program/command.ts';
import { ADVANCED } from './program/help.ts';

const ledger = group('ledger', 'Move the ledger, or print its tables for PostgreSQL');
const ci = group('ci', 'Run a step of the workflows that init writes');

/** All commands in the order of the help, by the heading that lists them there or in the help of the command above. */
export const COMMANDS: readonly (readonly [heading: string, commands: readonly AnyCommand[]])[] = [
  ['Start:', [init, importDocuments, doctor, twin]],
  ['Every day:', [status, plan, apply, why, pause, unpause]],
  ['Write:', [validate, explain, show, get]],
  ['Watch:', [drift, report, rehearse, audit]],
  [ADVANCED, [ci, ledger, recover, resolve, unlock, withdraw, completion, advanced]],
  ['Commands:', [initIncident, auditVerify, ledgerMove, ledgerSchema]],
  ['On a pull request or merge request:', [ciPlan, ciPublish, ciFleets]],
  ['After a merge and on a schedule:', [ciLook, ciApprove, ciApply, ciDrift]],
];

/** A command that only holds others. */
function group(name: string, summary: string): AnyCommand {
  const run = (): Promise<void> => Promise.resolve();
  return command({ name, summary, examples: [], acts: true, flags: {}, run });
}
