import '../support/typescript-register.mjs';
import { Document, visit } from 'yaml';

/** `docs/documents.md`: every section and field of the documents, from the schemas by way of `explain`. */
export async function documentsPage() {
  const { findField } = await import('../../src/config/reference/field.ts');
  const { typeText } = await import('../../src/render/words/documents/field-words.ts');
  const sections = findField('').fields.map(({ path }) => findField(path));
  const parts = sections.map((section) => sectionPart(section, { findField, typeText }));
  return `<!-- Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit. -->

# The documents

The documents are any number of YAML files under \`fleet/\`. Each file may have any of these sections. The key of an entry is its name; a duplicate name
is an error that shows both places. An unknown key is an error. Removing YAML starts no task. In a terminal \`fleetform explain firmware.windows\` prints
the same text.

An editor with a YAML language server completes, explains and checks keys, and inserts a first entry of a section by the snippet \`new entry\`. The first
line of a file names the schema for it by a relative path. \`fleetform init\` and \`import\` write that line: where package.json lists fleetform, with the
schema of the installed package; elsewhere, as with a global install or a container, with the copy \`.fleetform.schema.json\`, which they leave beside
\`fleet/\` and you commit. \`fleetform validate\` says when the copy is of another version; \`fleetform init\` renews it.

${sections.map(({ path, description }) => `- [\`${path}\`](#${path}): ${description}`).join('\n')}

${parts.join('\n')}
${ORDER}`;
}

/** What no schema can say: how policies depend on each other. */
const ORDER = `## Order between policies

Cameras record to recorders, so that the recorders of a site come first:

\`\`\`yaml
firmware:
  recorders: {select: {deviceType: recorder}, version: "5.2.x", windows: weeknights}
  cameras:
    select: {deviceType: camera}
    version: "11.11.x"
    windows: weeknights
    after: [firmware.recorders]
rotations:
  camera-logins:
    task: rotatePassword
    select: {deviceType: camera}
    windows: weeknights
    after: [{policy: firmware.recorders, per: fleet, ignoreOffline: 14d}]
\`\`\`

At each site, no camera starts before every recorder there is done. With \`per: fleet\` no password changes before the last recorder of all sites is done. What counts
is the newest state, at each plan and again before each task is sent (semantics K28, K29):

| A recorder there | Counts as |
| --- | --- |
| shows its version | done |
| excluded, pinned at its version, or without a possible upgrade | left out; a warning names it |
| offline for longer than \`ignoreOffline\` | left out; a warning names it |
| anything else: waits, runs, is in doubt, failed, offline, not readable; its policy is paused or stopped | holds the site |
| there is none | nothing holds; a warning names the site |

Nothing passes this, \`expedite\` neither. A new version of the recorders holds each camera that has not started. To go on without a recorder, exclude it (\`exceptions\`).
\`fleetform why DEVICE\` names the recorders that hold a camera. The canary of the cameras comes from sites that are ready, and those that are held count for
\`gate.minReached\`. A policy that comes after itself, or after one that no document has, is an error.
`;

function sectionPart(section, tools) {
  const { path, description, examples } = section;
  const rows = [...rowsBelow(section, path, tools)];
  const head = ['| Field | Type | Default | Meaning |', '| --- | --- | --- | --- |'];
  const table = rows.length === 0 ? [] : [[...head, ...rows].join('\n')];
  const shown = examples.slice(0, 1).map((example) => yamlBlock({ [path]: example }));
  return `## ${path}\n\n${[description, ...shown, ...table].join('\n\n')}\n`;
}

/** An example as a person should write it: versions are always quoted. */
function yamlBlock(value) {
  const document = new Document(value, { compat: 'yaml-1.1' });
  visit(document, {
    Pair: (_, { key, value: scalar }) => {
      if (/version$/i.test(key.value) && typeof scalar.value === 'string')
        scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return `\`\`\`yaml\n${document.toString({ lineWidth: 110 }).trimEnd()}\n\`\`\``;
}

/** A row for each field, those of a mapping right behind it. */
function* rowsBelow(field, section, tools) {
  for (const { path } of field.fields) {
    const found = tools.findField(path);
    const name = path.slice(section.length + 1).replace(/^NAME\.?/, '');
    const isElsewhere = name === 'select' || name === 'dialect';
    const values = found.values.length > 0 ? ` One of ${found.values.map(code).join(', ')}.` : '';
    const text = found.description ?? found.title ?? '';
    const about = `${/[.:]$/.test(text) ? text : `${text}.`}${values}${elsewhere(name, section)}`;
    const standard = 'default' in found ? code(found.default) : '';
    yield `| ${code(name)} | ${tools.typeText(found)} | ${standard} | ${cell(about)} |`;
    if (!isElsewhere || section === 'groups') yield* rowsBelow(found, section, tools);
  }
}

function elsewhere(name, section) {
  if (name === 'dialect') return ' See [dialect.md](dialect.md).';
  return name === 'select' && section !== 'groups' ? ' Its keys are those of `groups`.' : '';
}

function code(value) {
  return `\`${cell(typeof value === 'string' ? value : JSON.stringify(value))}\``;
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
