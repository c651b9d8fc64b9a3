// What is made from the one table of assumptions, schemas/dialect.json: types for client and twin, the schema of
// `service.dialect`, and the page that prints the table.
import { readFile } from 'node:fs/promises';

const read = async (root) =>
  JSON.parse(await readFile(new URL('schemas/dialect.json', root), 'utf8'));

const DO_NOT_EDIT = 'Generated from schemas/dialect.json by test/tools/generate.mjs. Do not edit.';

/** `src/dialect.gen.ts`: the table as data, and the types of its keys and values. */
export async function dialectModule(root) {
  const rows = await read(root);
  const members = rows.map((row) => [
    `    /** ${row.description} */`,
    `    readonly ${row.key}: ${typeOf(row)};`,
  ]);
  return `${[
    `// ${DO_NOT_EDIT}`,
    'export type DialectValue =',
    '    | string',
    '    | number',
    '    | boolean',
    '    | null',
    '    | readonly DialectValue[]',
    '    | { readonly [name: string]: DialectValue };',
    '',
    '/** A dialect with a value for every key. */',
    'export interface Dialect {',
    ...members.flat(),
    '}',
    '',
    'export type DialectKey = keyof Dialect;',
    '',
    '/** One assumption about what the documentation of the service leaves open. */',
    'export interface DialectRow {',
    '    readonly key: DialectKey;',
    "    readonly type: 'path' | 'field' | 'filter' | 'word' | 'choice' | 'count' | 'payload';",
    '    readonly default: string | number | { readonly [name: string]: DialectValue };',
    '    /** Where the service shows or takes it. */',
    '    readonly concerns: string;',
    '    readonly description: string;',
    '    /** What an empty text says; absent where there must be a name. */',
    '    readonly empty?: string;',
    '    /** Of a choice. */',
    '    readonly values?: readonly string[];',
    '    /** Of a count. */',
    '    readonly minimum?: number;',
    '}',
    '',
    'export const DIALECT_ROWS: readonly DialectRow[] = [',
    ...rows.map((row) => `    ${JSON.stringify(row)},`),
    '];',
  ].join('\n')}\n`;
}

function typeOf({ type, values }) {
  if (type === 'count') return 'number';
  if (type === 'payload') return '{ readonly [name: string]: DialectValue }';
  return type === 'choice' ? values.map((value) => `'${value}'`).join(' | ') : 'string';
}

/** `schemas/dialect.schema.json`: what `service.dialect` of a document may hold. */
export async function dialectSchema(root) {
  const rows = await read(root);
  const lines = rows.map(
    (row) => `    ${JSON.stringify(row.key)}: ${JSON.stringify(fieldOf(row))}`,
  );
  return `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://schemas.fleetform.example/dialect.schema.json",
  "$comment": "${DO_NOT_EDIT}",
  "title": "Dialect",
  "description": "Names and forms that the documentation of the service leaves open, one key per assumption. A dot in a field name leads into an object; an empty string means that the service does not have the field.",
  "type": "object",
  "additionalProperties": false,
  "properties": {
${lines.join(',\n')}
  },
  "default": {},
  "examples": [{ "tokenField": "data.token" }],
  "$defs": {
    "fieldName": { "type": "string", "maxLength": 200, "pattern": "${FIELD}" },
    "fieldNameOrNone": { "type": "string", "maxLength": 200, "pattern": "^$|${FIELD}" },
    "filterName": { "type": "string", "maxLength": 200, "pattern": "${FILTER}" },
    "urlPath": { "type": "string", "maxLength": 200, "pattern": "${URL_PATH}" }
  }
}
`;
}

/** Parts between dots, none of them empty and none that JavaScript lends to every object. */
const FIELD =
  '^(?!(?:.*\\\\.)?(?:__proto__|constructor|prototype)(?:\\\\.|$))[^.\\\\u0000-\\\\u001f]+(?:\\\\.[^.\\\\u0000-\\\\u001f]+)*$';
/** What a URL keeps as it is: no segment of dots, which lead elsewhere, and no character that is sent in another form. */
const URL_PATH =
  "^(?!.*/(?:\\\\.|%2[eE]){1,2}(?:/|$))(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}|\\\\{organization\\\\})*)+$";
const FILTER = '^[A-Za-z0-9_.:\\\\[\\\\]-]*$';

function fieldOf({ type, default: assumed, description, empty, values, minimum }) {
  const said = empty === undefined ? description : `${description} Empty: ${empty}.`;
  return { description: said, ...shapeOf({ type, empty, values, minimum }), default: assumed };
}

function shapeOf({ type, empty, values, minimum }) {
  switch (type) {
    case 'path':
      return { $ref: '#/$defs/urlPath' };
    case 'field':
      return { $ref: `#/$defs/${empty === undefined ? 'fieldName' : 'fieldNameOrNone'}` };
    case 'filter':
      return { $ref: '#/$defs/filterName' };
    case 'choice':
      return { type: 'string', enum: values };
    case 'count':
      return { type: 'integer', minimum };
    case 'payload':
      return { type: 'object', additionalProperties: true };
    default:
      return { type: 'string', minLength: 1, maxLength: 200 };
  }
}

/** `docs/dialect.md`: the table for people, in the order of the table. */
export async function dialectPage(root) {
  const rows = await read(root);
  const groups = [...new Set(rows.map(({ concerns }) => concerns))];
  const parts = groups.map((concerns) => {
    const some = rows.filter((row) => row.concerns === concerns);
    const lines = some.map(
      ({ key, default: assumed, description, empty }) =>
        `| \`${key}\` | ${defaultOf(assumed)} | ${cell(description)} | ${cell(empty ?? '')} |`,
    );
    const title = /^[A-Z]+ \//.test(concerns) ? `\`${concerns}\`` : capital(concerns);
    return `## ${title}\n\n| Key | Default | Meaning | If empty |\n| --- | --- | --- | --- |\n${lines.join('\n')}\n`;
  });
  return `<!-- ${DO_NOT_EDIT} -->

# The dialect of a service

The documentation of the service leaves some names and forms open. Each is an assumption with a key under
\`service.dialect\`; write the key to correct it:

\`\`\`yaml
service:
  baseUrl: https://api.example.com
  organization: acme
  dialect:
    tokenField: data.token # a dot leads into an object
    storageServerField: "" # empty: the service does not show it
    dateForm: seconds
\`\`\`

- A dot in the name of a field leads into an object, in responses and in requests.
- An empty string means that the service does not have it; the last column shows the consequence. If that column is empty, the key needs a name.
- \`fleetform doctor\` reads a live service and prints the keys to write, and the keys that only a task can confirm ([commands](commands.md)).
- \`fleetform twin --dialect FILE\` starts a simulator with a dialect; the file is JSON with the same keys.
- In \`schemas/service.openapi.yaml\` each assumption is marked \`x-assumed\`. The table itself is data: \`schemas/dialect.json\`.

${parts.join('\n')}`;
}

function defaultOf(assumed) {
  if (assumed === '') return 'absent';
  return typeof assumed === 'object' ? 'none' : `\`${assumed}\``;
}

function cell(text) {
  return text.replaceAll('|', '\\|');
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
