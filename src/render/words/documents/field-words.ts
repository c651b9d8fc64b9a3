import type { DocumentField } from '../../../model/report/field.ts';
import { findWord } from '../phrase.ts';

/** A type of JSON Schema in words, for one value and for several. */
const TYPE_WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['string', 'strings'],
  array: ['list', 'lists'],
  object: ['mapping', 'mappings'],
  integer: ['whole number', 'whole numbers'],
  number: ['number', 'numbers'],
  boolean: ['true or false', 'booleans'],
};

/** The types of a field: `string or list of strings, required`. */
export function typeText({
  types,
  itemTypes,
  isRequired,
}: Pick<DocumentField, 'types' | 'itemTypes' | 'isRequired'>): string {
  const items = itemTypes.map((type) => findWord(TYPE_WORDS, type)?.[1] ?? type).join(' or ');
  const words = types.map((type) =>
    type === 'array' && items !== ''
      ? `list of ${items}`
      : (findWord(TYPE_WORDS, type)?.[0] ?? type),
  );
  return [words.join(' or '), ...(isRequired ? ['required'] : [])]
    .filter((part) => part !== '')
    .join(', ');
}

export const FIELD_LABELS = {
  values: 'Values',
  default: 'Default',
  examples: 'Examples',
  documents: 'In a document',
  fields: 'Fields',
  sections: 'Sections',
} as const;

/** The first line where no field is named. */
export const DOCUMENT_TITLE = 'One YAML file under fleet/';

/** The next step below a list of fields. */
export function explainMoreWords(path: string): string {
  return `Details: \`fleetform explain ${path === '' ? 'SECTION' : `${path.replaceAll('.NAME', '')}.FIELD`}\``;
}
