import { command } from '../program/command.ts';

/** Prints the tables, roles and functions of ledgers in PostgreSQL (protocol J20). Connects to nothing. */
export const ledgerSchema = command({
  name: 'ledger schema',
  summary: 'Print the SQL for ledgers in PostgreSQL',
  more: 'A superuser runs it in the database of the ledgers; no other command changes tables.',
  examples: ['ledger schema'],
  flags: {},
  async run(_flags, shell) {
    const { readFileSync } = await import('node:fs');
    const file = new URL('../../../schemas/ledger.sql', import.meta.url);
    shell.out.write(readFileSync(file, 'utf8'));
  },
});
