// The lists of task types, of limits and of fields of a device in the schemas: what `src/model/fleet/task.ts`, the schema of
// guardrails and `src/model/fleet/device.ts` have is in them, in the order that they have. A list says by its `$comment` which
// of them it holds. What a member is described with stays.
import { readFile } from 'node:fs/promises';
import '../support/typescript-register.mjs';

const LISTS = {
  'tasks: all': () => true,
  'tasks: all, or the word all': () => true,
  'tasks: of rotations': ({ section }) => section === 'rotations',
  'tasks: of managed devices': ({ section }) => section !== 'onboarding',
};

/** The limits of each list; a verdict may also be on what an incident expects, or on a task that devices have lost. */
const LIMIT_LISTS = {
  'limits: of guardrails': (limits) => limits,
  'limits: of verdicts': (limits) => [...limits, 'expect', 'tasksLost'],
};

async function withLimitLists(root, text) {
  const schema = new URL('schemas/guardrails.schema.json', root);
  const { $defs } = JSON.parse(await readFile(schema, 'utf8'));
  const limits = Object.keys($defs.guardrail.properties).filter((name) => name !== 'override');
  return text.replace(
    /("\$comment": "(limits: [^"]*)",\s*"enum": )\[[^\]]*\]/g,
    (_, head, name) => {
      const listed = LIMIT_LISTS[name](limits).map((limit) => JSON.stringify(limit));
      return `${head}[${listed.join(', ')}]`;
    },
  );
}

/** The JSON Schema of each type of field that has a simple one; a field of another type is written by hand. */
const FIELD_SCHEMAS = {
  ownText: { type: 'string' },
  code: { type: 'string' },
  text: { type: 'string' },
  flag: { type: 'boolean' },
  instant: { $ref: '#/$defs/instant' },
};

/** Which members each list has: those of the table that it takes, and others of its own. */
const FIELD_LISTS = {
  'fields: all of a device': { takes: () => true, others: [] },
  'fields: labels of a device': {
    takes: ({ isLabel }) => isLabel === true,
    others: ['id', 'name', 'site'],
  },
};

async function withFieldLists(root, text) {
  const { DEVICE } = await import(new URL('src/model/fleet/device.ts', root).href);
  const schema = JSON.parse(text);
  const found = Object.values(schema.$defs ?? {}).filter(({ $comment }) => $comment in FIELD_LISTS);
  if (found.length === 0) return text;
  for (const { $comment, properties } of found) {
    const { takes, others } = FIELD_LISTS[$comment];
    const fields = Object.entries(DEVICE).filter(([, field]) => takes(field));
    const wanted = new Set([...others, ...fields.map(([name]) => name)]);
    for (const name of Object.keys(properties)) if (!wanted.has(name)) delete properties[name];
    for (const [name, { type }] of fields) {
      properties[name] ??= FIELD_SCHEMAS[type];
      if (!properties[name])
        throw new Error(`write the schema of "${name}": a ${type} has no simple one`);
    }
  }
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** The text of one schema with its lists as they are to be. */
export async function withLists(root, path) {
  const { TASKS } = await import(new URL('src/model/fleet/task.ts', root).href);
  const written = await readFile(new URL(path, root), 'utf8');
  const text = await withLimitLists(root, await withFieldLists(root, written));
  const wanted = (name) => Object.keys(TASKS).filter((task) => LISTS[name](TASKS[task]));
  const inOrder = (name, found) => {
    const held = found.filter((task) => wanted(name).includes(task) || task === 'all');
    return [...held, ...wanted(name).filter((task) => !held.includes(task))];
  };
  return text
    .replace(/("\$comment": "(tasks: [^"]*)",\s*"enum": )(\[[^\]]*\])/g, (_, head, name, list) => {
      const tasks = inOrder(name, JSON.parse(list));
      return `${head}[${tasks.map((task) => JSON.stringify(task)).join(', ')}]`;
    })
    .replace(
      /("\$comment": "(tasks: [^"]*)",\s*"pattern": "\^\()([^)]*)/g,
      (_, head, name, list) => {
        return `${head}${inOrder(name, list.split('|')).join('|')}`;
      },
    )
    .replace(
      /("\$comment": "(tasks: [^"]*)",\s*"properties": )\{((?:[^{}]|\{[^{}]*\})*)\}/g,
      (_, head, name, body) => {
        const found = JSON.parse(`{${body}}`);
        const [each] = Object.values(found);
        const members = Object.entries(each).map((member) =>
          member.map((part) => JSON.stringify(part)).join(': '),
        );
        const lines = inOrder(name, Object.keys(found)).map(
          (task) => `        ${JSON.stringify(task)}: { ${members.join(', ')} }`,
        );
        return `${head}{\n${lines.join(',\n')}\n      }`;
      },
    );
}
