import type { Documents } from '../../model/documents/policy.ts';
import { quotedFiles } from '../../model/documents/quoted.ts';
import { EXIT } from '../../shell/exit.ts';
import { printBlocks, printJson } from '../../shell/output.ts';
import { fleetFolder } from '../../shell/shell.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { hasError } from '../../model/documents/diagnostic.ts';

/**
 * Checks all documents offline. The problems are the output of this command, so they go to stdout in
 * both formats; warnings alone are no failure.
 */
export const validate = command({
  name: 'validate',
  summary: 'Check the documents offline',
  more: 'Reports every problem with FILE:LINE.',
  examples: ['validate', 'validate --format json'],
  flags: { ...flag.FLEETS, format: flag.format },
  async run(flags, shell) {
    const { loadBeside, withProofs } = await import('../../operations/documents.ts');
    const { isSchemaOld } = await import('../../operations/adopt/editor-schema.ts');
    const { forgeFindings } = await import('../../operations/gate/forge.ts');
    const loaded = await loadBeside(shell, flags.fleet);
    const { documents, files } = loaded;
    const gates = documents ? await forgeFindings({ shell, documents }) : [];
    const diagnostics = [...(await withProofs(loaded, shell)), ...gates];
    const valid = documents !== undefined && !hasError(diagnostics);
    const { own, sentence } = await import('../../render/tree.ts');
    const summed = documents && valid ? [sentence(own(summary(documents)))] : [];
    const { diagnosticsJson, findingBlocks } = await import('../../render/outputs/findings.ts');
    if (flags.format === 'json') {
      const report = { valid, files: files.length, ...diagnosticsJson(diagnostics) };
      await printJson(shell.out, report);
    } else {
      await printBlocks(shell, [...findingBlocks(diagnostics, quotedFiles(files)), ...summed]);
    }
    if (isSchemaOld(fleetFolder(shell, flags.fleet), files)) {
      const { OLD_SCHEMA } = await import('../../render/words/documents/document-findings.ts');
      const { printMessages } = await import('../../shell/messages.ts');
      printMessages(shell, [OLD_SCHEMA]);
    }
    return valid ? EXIT.done : EXIT.error;
  },
});

/** `Valid: 5 policies, 1 incident and 18 other entries in 8 files.` Without incidents, none are named. */
function summary(documents: Documents): string {
  const { firmware, rotations, onboarding, restarts } = documents;
  const { sites, groups, windows, freezes, rollouts, budgets, exceptions, guardrails } = documents;
  const policies = totalSize([firmware, rotations, onboarding, restarts]);
  const entries = [sites, groups, windows, freezes, rollouts, budgets, exceptions, guardrails];
  const others = totalSize(entries);
  const { size } = documents.incidents;
  const urgent = size === 0 ? '' : `, ${count(size, 'incident', 'incidents')}`;
  return `Valid: ${count(policies, 'policy', 'policies')}${urgent} and ${count(
    others,
    'other entry',
    'other entries',
  )} in ${count(documents.files.length, 'file', 'files')}.`;
}

function totalSize(sections: readonly { readonly size: number }[]): number {
  return sections.reduce((sum, { size }) => sum + size, 0);
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
