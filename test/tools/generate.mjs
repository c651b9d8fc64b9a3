// Writes every generated file from its source. Modules (`*.gen.ts`) are part of no commit; what people read, schemas and
// docs, is committed. `--modules` writes the modules alone; `--check` writes them and fails where a committed file is out
// of date. To generate one more file, add a job: its path, and a function that returns its text.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { dialectModule, dialectPage, dialectSchema } from './dialect.mjs';
import { documentsPage } from './documents-page.mjs';
import { documentChecks, planChecks } from './document-checks.mjs';
import {
  meantFields,
  meantTypes,
  sections,
  standards,
  units,
  writtenTypes,
} from './document-types.mjs';
import { fleetBundle } from './fleet-bundle.mjs';
import { pageModule } from './page.mjs';
import { auditTypes, libraryTypes, outputTypes, reportFields } from './output-types.mjs';
import { planTypes } from './plan-types.mjs';
import { withLists } from './lists.mjs';

const root = new URL('../../', import.meta.url);

/** In part: the lists of task types and limits alone. */
const WITH_LISTS = [
  'common',
  'exceptions',
  'onboarding',
  'plan',
  'rollouts',
  'rotations',
  'snapshot',
];

const JOBS = [
  ...WITH_LISTS.map((name) => {
    const path = `schemas/${name}.schema.json`;
    return { path, text: () => withLists(root, path) };
  }),
  { path: 'src/service.gen.ts', text: serviceTypes },
  { path: 'src/dialect.gen.ts', text: () => dialectModule(root) },
  { path: 'schemas/dialect.schema.json', text: () => dialectSchema(root) },
  { path: 'schemas/fleet.bundle.schema.json', text: () => fleetBundle(root) },
  { path: 'docs/dialect.md', text: () => dialectPage(root) },
  { path: 'docs/documents.md', text: documentsPage },
  { path: 'src/config/documents.gen.ts', text: () => writtenTypes(root) },
  { path: 'src/model/documents/meant.gen.ts', text: () => meantTypes(root) },
  { path: 'src/config/meaning/fields.gen.ts', text: () => meantFields(root) },
  { path: 'src/model/documents/sections.gen.ts', text: () => sections(root) },
  { path: 'src/model/documents/standard.gen.ts', text: () => standards(root) },
  { path: 'src/model/documents/units.gen.ts', text: () => units(root) },
  { path: 'src/config/document-checks.gen.ts', text: () => documentChecks(root) },
  { path: 'src/model/plan/plan.gen.ts', text: () => planTypes(root) },
  { path: 'src/model/report/output.gen.ts', text: () => outputTypes(root) },
  { path: 'src/library/outputs.gen.ts', text: () => libraryTypes(root) },
  { path: 'src/model/ledger/audit.gen.ts', text: () => auditTypes(root) },
  { path: 'src/model/report/report-fields.gen.ts', text: () => reportFields(root) },
  { path: 'src/plan/saved/plan-checks.gen.ts', text: () => planChecks(root) },
  { path: 'src/render/html/page.gen.ts', text: () => pageModule(root) },
];

async function serviceTypes() {
  const source = new URL('schemas/service.openapi.yaml', root);
  const types = astToString(await openapiTypescript(source, { immutable: true }));
  return `// Generated from schemas/service.openapi.yaml by test/tools/generate.mjs. Do not edit.\n${types}`;
}

const isModule = ({ path }) => path.endsWith('.gen.ts');

/**
 * Writes the generated modules: a fresh clone has none, and those of another commit are out of date. Processes that are
 * started then do not look again.
 */
export async function setup() {
  if (process.env.FLEETFORM_MODULES === 'written') return;
  process.env.FLEETFORM_MODULES = 'written';
  for (const job of JOBS.filter(isModule)) await write(job);
}

/** Writes a file where it is out of date; returns whether it was. */
async function write({ path, text }) {
  const wanted = await text();
  const isOld = (await found(path)) !== wanted;
  if (isOld) await writeFile(fileOf(path), wanted);
  return isOld;
}

function found(path) {
  return readFile(fileOf(path), 'utf8').catch(() => undefined);
}

function fileOf(path) {
  return fileURLToPath(new URL(path, root));
}

async function run(flag) {
  await setup();
  if (flag === '--modules') return;
  // Lists in schemas come from code, and modules from schemas.
  const [modules, others] = [JOBS.filter(isModule), JOBS.filter((each) => !isModule(each))];
  for (const job of [...others, ...(flag === '--check' ? [] : modules)]) {
    const { path, text } = job;
    if (flag !== '--check') {
      if (await write(job)) process.stdout.write(`${path} written\n`);
    } else if ((await found(path)) !== (await text())) {
      process.stderr.write(`${path} is out of date: run node test/tools/generate.mjs\n`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv[2]);
