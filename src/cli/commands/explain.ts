import { nearest } from '../../lib/nearest-name.ts';
import { WorldError } from '../../model/error.ts';
import { isField } from '../../model/report/field.ts';
import { printBlocks, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';

/**
 * What a field of the documents means, from the schemas; without a field, the sections. Throws
 * `fieldUnknown` with the nearest name, or with the sections that have such a field.
 */
export const explain = command({
  name: 'explain',
  summary: 'Describe a field',
  more: 'Without FIELD, lists the sections.',
  examples: ['explain', 'explain firmware.version'],
  flags: {
    field: flag.optionalArgument('FIELD', 'Section, or dotted path of a field'),
    format: flag.format,
  },
  async run(flags, shell) {
    const { findField } = await import('../../config/reference/field.ts');
    const found = findField(flags.field ?? '');
    if (!isField(found)) {
      const { unknown: name, within, known, elsewhere } = found;
      const [field] = elsewhere;
      const suggestion = field ?? nearest(name, known);
      throw new WorldError('fieldUnknown', {
        name,
        ...(within !== '' && { within }),
        ...(field === undefined
          ? known.length > 0 && { known: known.join(', ') }
          : { elsewhere: elsewhere.join(', ') }),
        ...(suggestion !== undefined && { suggestion }),
      });
    }
    if (flags.format === 'json') return printJson(shell.out, { field: found });
    const { fieldBlocks } = await import('../../render/outputs/explain.ts');
    const section = findField(found.path.split('.')[0] ?? '');
    await printBlocks(shell, fieldBlocks(found, isField(section) ? section : found));
  },
});
