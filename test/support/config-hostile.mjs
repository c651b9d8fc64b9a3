// Loads what aborts the YAML parser of Node 20 and 22, each text twice; prints the code that each gives.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
const { loadTexts } = await import('../../src/config/load.ts');

const DEEP = 100_000;
const TEXTS = [
  '['.repeat(DEEP),
  '['.repeat(2_000) + ']'.repeat(2_000),
  '{a: '.repeat(DEEP),
  '- '.repeat(DEEP),
  '? '.repeat(DEEP),
];

for (const text of [...TEXTS, ...TEXTS]) {
  const { diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text }]);
  process.stdout.write(`${diagnostics.map(({ code }) => code).join('+')} `);
}
