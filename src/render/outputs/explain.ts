import type { DocumentField } from '../../model/report/field.ts';
import { isObject } from '../../lib/objects.ts';
import { valueYaml } from '../data/yaml.ts';
import { own, sentence, strong, type Block } from '../tree.ts';
import {
  DOCUMENT_TITLE,
  explainMoreWords,
  FIELD_LABELS,
  typeText,
} from '../words/documents/field-words.ts';

/** The width of values, which a reader copies. */
const WIDTH = 78;

/** One field of the documents: its type, meaning, values, default, examples, and what is below it. */
export function fieldBlocks(field: DocumentField, top = field): readonly Block[] {
  const { path, description, values, examples, fields } = field;
  const documents = documentsWith(path, top);
  const isWhole = documents.length > 0 && field.types.includes('object');
  const facts = fields.map((each) => {
    const type = typeText(each);
    const about = [...(type === '' ? [] : [`${type}.`]), each.description ?? each.title ?? ''];
    return { label: each.path.split('.').at(-1) ?? '', text: own(about.join(' ')) };
  });
  return [
    sentence([strong(own(path === '' ? DOCUMENT_TITLE : path))]),
    ...(path === '' ? [] : [sentence(own(typeText(field)))]),
    ...(description === undefined ? [] : [sentence(own(description))]),
    ...valueBlocks('values', values),
    ...valueBlocks('default', 'default' in field ? [field.default] : []),
    ...(isWhole ? [] : valueBlocks('examples', examples)),
    ...valueBlocks('documents', documents),
    ...(facts.length === 0
      ? []
      : [
          section(path === '' ? 'sections' : 'fields', [{ is: 'facts', facts }]),
          sentence(own(explainMoreWords(path))),
        ]),
  ];
}

/** The examples of a section that have the field, as one document. */
function documentsWith(path: string, { examples }: DocumentField): readonly unknown[] {
  const [section = '', ...names] = path.split('.');
  const found = examples.filter((example) => hasField(example, names));
  const [first] = found;
  if (Array.isArray(first)) return [{ [section]: first }];
  return found.length === 0 ? [] : [{ [section]: Object.assign({}, ...found) as unknown }];
}

function hasField(value: unknown, [name, ...below]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  if (!isObject(value)) return false;
  const members = name === 'NAME' ? Object.values(value) : [value[name]];
  return members.some((each) => hasField(each, below));
}

/** Values as YAML that can be copied. */
function valueBlocks(id: keyof typeof FIELD_LABELS, values: readonly unknown[]): readonly Block[] {
  if (values.length === 0) return [];
  const lines = values.flatMap((value) => valueYaml(value, WIDTH)).map((text) => ({ text }));
  return [section(id, [{ is: 'code', lines }])];
}

function section(id: keyof typeof FIELD_LABELS, blocks: readonly Block[]): Block {
  return { is: 'section', id, title: own(FIELD_LABELS[id]), blocks };
}
