import { nearest } from '../../../lib/nearest-name.ts';
import { isField } from '../../../model/report/field.ts';
import { WorldError } from '../../../model/error.ts';
import { EXIT } from '../../../shell/exit.ts';
import { print, printJson, textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

interface ExplainFlags {
  readonly field?: string;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform explain FIELD`: what a field of the documents means, from the schemas; without a field,
 * the sections. Throws `fieldUnknown` with the nearest name, or with the sections that have such a field.
 */
export async function explainCommand(flags: ExplainFlags, shell: Shell): Promise<number> {
  const { findField } = await import('../../../config/reference/field.ts');
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
  if (flags.format === 'json') {
    await printJson(shell.out, { field: found });
    return EXIT.done;
  }
  const { fieldText } = await import('../../../render/text/field-text.ts');
  print(shell.out, fieldText(found, textStyle(shell.out, shell.env)));
  return EXIT.done;
}
