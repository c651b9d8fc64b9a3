import { usage } from '../../model/error.ts';
import { EXIT } from '../../shell/exit.ts';
import { printJson, printBlocks } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { audit } from './audit.ts';

/**
 * Verifies the records from local data and reports what it could not verify. Exits with 9 if anything
 * differs from the records.
 */
export const auditVerify = command({
  name: 'audit verify',
  summary: 'Verify ledger, notes and documents offline',
  more: 'With --snapshot and --plan, computes the plan again and compares.',
  examples: ['audit verify', 'audit verify --snapshot fleet.snapshot --plan plan.json'],
  shared: audit.flags,
  flags: {
    snapshot: flag.snapshot('Snapshot that the plan was based on'),
    plan: flag.text('FILE', 'Saved plan that was approved'),
  },
  async run(flags, shell) {
    if (flags.format === 'html') throw usage('audit verify has no page: use --format text or json');
    const { proveLedger } = await import('../../operations/prove/prove-ledger.ts');
    const checks = await proveLedger(shell, flags);
    const { proofBlocks, proofJson } = await import('../../render/outputs/proof.ts');
    if (flags.format === 'json') await printJson(shell.out, proofJson(checks));
    else await printBlocks(shell, proofBlocks(checks));
    return checks.some(({ result }) => result === 'broken') ? EXIT.unfit : EXIT.done;
  },
});
