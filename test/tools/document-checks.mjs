// `src/config/document-checks.gen.ts`: a validator for each section of the documents, compiled from its schema by ajv. Compiled
// when it is used, the same costs a tenth of a second at each start of a command.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';

const require = createRequire(import.meta.url);
const { Ajv2020 } = require('ajv/dist/2020.js');
const standaloneCode = require('ajv/dist/standalone/index.js').default;

/** All errors, each with the schema that reports it; `src/config/schema.ts` reads both. */
const OPTIONS = {
  allErrors: true,
  verbose: true,
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
  const read = async (name) =>
    JSON.parse(await readFile(new URL(`schemas/${name}.schema.json`, root), 'utf8'));
  const fleet = await read('fleet');
  const sections = Object.keys(fleet.properties);
  const shared = (await Promise.all(['common', 'dialect'].map(read))).map(withNames);
  const schemas = [...(await Promise.all(sections.map(read))), ...shared];
  const ajv = new Ajv2020({ ...OPTIONS, code: { source: true, esm: true, optimize: false } });
  ajv.addKeyword(NAME);
  ajv.addSchema(schemas);
  const ids = schemas.slice(0, sections.length).map(({ $id }) => $id);
  const code = standaloneCode(
    ajv,
    Object.fromEntries(sections.map((name, index) => [name, ids[index]])),
  );
  return `// Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit.
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
