import type { DialectValue } from '../../../dialect.gen.ts';
import type { WrittenDialect } from '../../../model/fleet/dialect.ts';
import type { AssumptionFinding } from '../../../model/report/checkup.ts';
import { DOCTOR_TITLES } from '../../words/doctor/doctor-words.ts';

/** Texts that YAML reads unquoted as text. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|~|y|n)$)[A-Za-z][\w./-]*$/i;

/** A value of a dialect as YAML has it on one line; JSON is YAML. */
export function yamlValue(value: DialectValue): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

/**
 * The lines to write into a document, with values to try as comments. Every line can be copied as it
 * is.
 */
export function dialectYaml(
  dialect: WrittenDialect,
  possible: readonly AssumptionFinding[],
): readonly string[] {
  const written = Object.entries(dialect) as (readonly [string, DialectValue])[];
  const open = possible.filter(({ key }) => !(key in dialect));
  // A map that has only comments would be empty.
  if (written.length === 0) return ['service:', '  dialect: {}'];
  return [
    'service:',
    '  dialect:',
    ...written.map(([key, value]) => `    ${key}: ${yamlValue(value)}`),
    ...(open.length > 0 ? [`    ${DOCTOR_TITLES.possible}`] : []),
    ...open.map(({ key, possible: value }) => `    # ${key}: ${yamlValue(value ?? '')}`),
  ];
}
