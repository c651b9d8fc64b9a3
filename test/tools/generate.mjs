// Writes every generated file from its source; with `--check` writes nothing and fails when one is out of date.
// To generate one more file, add a job: its path, and a function that returns its text.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { dialectModule, dialectPage, dialectSchema } from './dialect.mjs';
import { documentsPage } from './documents-page.mjs';
import { documentChecks } from './document-checks.mjs';
import { documentTypes } from './document-types.mjs';
import { fleetBundle } from './fleet-bundle.mjs';
import { fleetPageModule, pageModule } from './page.mjs';
import { withTaskLists } from './task-lists.mjs';

const root = new URL('../../', import.meta.url);

/** In part: the lists of task types alone. */
const WITH_TASK_LISTS = ['common', 'onboarding', 'plan', 'rollouts', 'rotations'];

const JOBS = [
  ...WITH_TASK_LISTS.map((name) => {
    const path = `schemas/${name}.schema.json`;
    return { path, text: () => withTaskLists(root, path) };
  }),
  { path: 'src/service.gen.ts', text: serviceTypes },
  { path: 'src/dialect.gen.ts', text: () => dialectModule(root) },
  { path: 'schemas/dialect.schema.json', text: () => dialectSchema(root) },
  { path: 'schemas/fleet.bundle.schema.json', text: () => fleetBundle(root) },
  { path: 'docs/dialect.md', text: () => dialectPage(root) },
  { path: 'docs/documents.md', text: documentsPage },
  { path: 'src/config/documents.gen.ts', text: () => documentTypes(root) },
  { path: 'src/config/document-checks.gen.ts', text: () => documentChecks(root) },
  { path: 'src/render/html/page.gen.ts', text: () => pageModule(root) },
  { path: 'src/render/html/fleet-page.gen.ts', text: () => fleetPageModule(root) },
];

async function serviceTypes() {
  const source = new URL('schemas/service.openapi.yaml', root);
  const types = astToString(await openapiTypescript(source, { immutable: true }));
  return `// Generated from schemas/service.openapi.yaml by test/tools/generate.mjs. Do not edit.\n${types}`;
}

const check = process.argv.includes('--check');
for (const { path, text } of JOBS) {
  const wanted = await text();
  const file = fileURLToPath(new URL(path, root));
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === wanted) continue;
  if (check) {
    process.stderr.write(`${path} is out of date: run node test/tools/generate.mjs\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, wanted);
    process.stdout.write(`${path} written\n`);
  }
}
