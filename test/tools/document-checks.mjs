// `src/config/document-checks.gen.ts`: a validator for each section of the documents, and `src/plan/saved/plan-checks.gen.ts`:
// for the two kinds of lines of a saved plan, compiled from their schemas by ajv. Compiled when they are used, the same
// costs a tenth of a second at each start of a command.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js');
const standaloneCode = require('ajv/dist/standalone/index.js').default;

/** All errors, each with the schema that reports it; `src/config/schema.ts` reads both. */
const OPTIONS = {
  allErrors: true,
  verbose: true,
  messages: false,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  inlineRefs: false,
  validateSchema: false,
};

/** An annotation that gives a shared definition its name: an error shows the schema that reports it, and not where that is. */
const NAME = 'x-definition';

function withNames(schema) {
  const named = Object.entries(schema.$defs).map(([name, each]) => [
    name,
    { ...each, [NAME]: name },
  ]);
  return { ...schema, $defs: Object.fromEntries(named) };
}

/** The module as text; `sections` are the names of its exports, in order. */
export async function documentChecks(root) {
  const read = (name) => readSchema(root, name, ['title', 'description', '$comment']);
  const fleet = await read('fleet');
  const sections = Object.keys(fleet.properties).filter((name) => fleet.properties[name].$ref);
  const shared = (await Promise.all(['common', 'dialect'].map(read))).map(withNames);
  const schemas = [...(await Promise.all(sections.map(read))), ...shared];
  const ajv = new Ajv2020({ ...OPTIONS, code: { source: true, esm: true, optimize: true } });
  ajv.addKeyword(NAME);
  ajv.addSchema(schemas);
  const ids = schemas.slice(0, sections.length).map(({ $id }) => $id);
  const code = standaloneCode(
    ajv,
    Object.fromEntries(sections.map((name, index) => [name, ids[index]])),
  );
  return asModule('*', code);
}

/** A schema without what it says to people, which a check does not need. */
async function readSchema(root, name, about) {
  const text = await readFile(new URL(`schemas/${name}.schema.json`, root), 'utf8');
  const isSaid = (key, value) =>
    about.includes(key) && (typeof value !== 'object' || Array.isArray(value));
  return JSON.parse(text, (key, value) => (isSaid(key, value) ? undefined : value));
}

/** What the last line of a saved plan has, and its first line has not. */
const AT_END = ['changes', 'count', 'digest'];

/** The module as text: `head` for a plan without its changes, `change` for one of them. */
export async function planChecks(root) {
  const plan = await readSchema(root, 'plan', ['title', 'description', 'examples', '$comment']);
  const { $id, $defs, properties, required, ...rest } = plan;
  const isHead = (name) => !AT_END.includes(name);
  const members = Object.entries(properties).filter(([name]) => isHead(name));
  const head = {
    ...rest,
    $id,
    $defs,
    properties: Object.fromEntries(members),
    required: required.filter(isHead),
  };
  const code = { source: true, esm: true, optimize: true };
  const ajv = new Ajv2020({ ...OPTIONS, allErrors: false, verbose: false, code });
  ajv.addSchema(head);
  ajv.addSchema({ $id: 'change', $ref: `${$id}#/$defs/change` });
  return asModule('plan', standaloneCode(ajv, { head: $id, change: 'change' }));
}

function asModule(name, code) {
  return `// Generated from schemas/${name}.schema.json by test/tools/generate.mjs. Do not edit.
// @ts-nocheck: ajv writes JavaScript, without types
${withImports(code)}
`;
}

/** ajv writes \`require\` for its runtime in modules, too. */
function withImports(code) {
  const imports = new Map();
  const body = code.replace(
    /require\("(ajv\/dist\/runtime\/(\w+))"\)\.default/g,
    (_, path, name) => {
      imports.set(name, `import ${name} from '${path}.js';`);
      return `(${name}.default ?? ${name})`;
    },
  );
  if (body.includes('require('))
    throw new Error('the validators need more than the runtime of ajv');
  return [...imports.values(), body].join('\n');
}
