import type { DocumentField } from '../../model/report/field.ts';
import {
  DOCUMENT_TITLE,
  explainMoreWords,
  FIELD_LABELS,
  typeText,
} from '../words/documents/field-words.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { pad, textWidth, wrap } from '../sinks/width.ts';

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
  yield* labelled(FIELD_LABELS.values, values.map(valueText), style);
  yield* labelled(
    FIELD_LABELS.default,
    'default' in field ? [valueText(field.default)] : [],
    style,
  );
  yield* labelled(FIELD_LABELS.examples, examples.map(valueText), style);
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

function* labelled(
  label: string,
  texts: readonly string[],
  style: TextStyle,
): Generator<TerminalText> {
  if (texts.length === 0) return;
  yield say``;
  yield terminal(label);
  for (const text of texts) yield* indented(text, style);
}

function* indented(text: string, { width }: TextStyle): Generator<TerminalText> {
  for (const line of wrap(terminal(text), width - INDENT)) yield say`  ${line}`;
}

/** A value as YAML has it on one line; JSON is YAML. */
function valueText(value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value).replaceAll(/([,:])(?=["[{\d])/g, '$1 ');
}
