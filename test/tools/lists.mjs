// The lists of task types and of limits in the schemas: what `src/model/fleet/task.ts` and the schema of guardrails have is
// in them, in the order that they have. A list says by its `$comment` which of them it holds.
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
  const limits = Object.keys($defs.guardrail.properties);
  return text.replace(
    /("\$comment": "(limits: [^"]*)",\s*"enum": )\[[^\]]*\]/g,
    (_, head, name) => {
      const listed = LIMIT_LISTS[name](limits).map((limit) => JSON.stringify(limit));
      return `${head}[${listed.join(', ')}]`;
    },
  );
}

/** The text of one schema with its lists as they are to be. */
export async function withLists(root, path) {
  const { TASKS } = await import(new URL('src/model/fleet/task.ts', root).href);
  const text = await withLimitLists(root, await readFile(new URL(path, root), 'utf8'));
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
