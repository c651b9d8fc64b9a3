import type { DocumentField } from '../../model/report/field.ts';
import { valueYaml } from '../sinks/yaml.ts';
import {
  DOCUMENT_TITLE,
  explainMoreWords,
  FIELD_LABELS,
  typeText,
} from '../words/documents/field-words.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { pad, textWidth } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';

const INDENT = 2;

/** One field of the documents: its type, meaning, values, default, examples, and what is below it. */
export function* fieldText(field: DocumentField, style: TextStyle): Generator<TerminalText> {
  const { path, description, values, examples, fields } = field;
  yield tint(style.paint, 'bold', terminal(path === '' ? DOCUMENT_TITLE : path));
  if (path !== '') yield say`  ${terminal(typeText(field))}`;
  if (description !== undefined) {
    yield say``;
    yield* indented(description, style);
  }
  yield* shown(FIELD_LABELS.values, values, style);
  yield* shown(FIELD_LABELS.default, 'default' in field ? [field.default] : [], style);
  yield* shown(FIELD_LABELS.examples, examples, style);
  if (fields.length === 0) return;
  yield say``;
  yield terminal(path === '' ? FIELD_LABELS.sections : FIELD_LABELS.fields);
  yield* memberLines(fields, style);
  yield say``;
  yield* wrap(terminal(explainMoreWords(path)), style.width);
}

/** Names in one column, what each means beside it. */
function* memberLines(fields: readonly DocumentField[], style: TextStyle): Generator<TerminalText> {
  const names = fields.map(({ path }) => terminal(path.split('.').at(-1) ?? ''));
  const width = Math.max(...names.map(textWidth));
  const hang = INDENT + width + 2;
  for (const [at, field] of fields.entries()) {
    const type = typeText(field);
    const about = [...(type === '' ? [] : [`${type}.`]), field.description ?? field.title ?? ''];
    const line = say`  ${pad(names[at] ?? say``, width)}  ${terminal(about.join(' '))}`;
    yield* wrap(line, style.width, hang);
  }
}

/** Values as YAML that can be copied: their lines are never wrapped. */
function* shown(
  label: string,
  values: readonly unknown[],
  { width }: TextStyle,
): Generator<TerminalText> {
  if (values.length === 0) return;
  yield say``;
  yield terminal(label);
  for (const value of values)
    for (const line of valueYaml(value, width - INDENT)) yield say`  ${terminal(line)}`;
}

function* indented(text: string, { width }: TextStyle): Generator<TerminalText> {
  for (const line of wrap(terminal(text), width - INDENT)) yield say`  ${line}`;
}
