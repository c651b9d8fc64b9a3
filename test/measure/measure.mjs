// `npm run measure`: the shape of src/ as figures, a line each: sizes, rooms, how many files one decision and one
// attempt lead through, and the minutes of the tiers of tests where their results are given as arguments.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { POINTS } from './points.mjs';

register('../mutants/hooks.mjs', import.meta.url, { data: { measured: POINTS } });
const { shapeOf } = await import('./shape.ts?mutant=measured');
const { decisionFiles, attemptFiles } = await import('./closure.ts?mutant=measured');

const isLong = process.argv.includes('--files');
const rows = [...shapeOf()];
const decision = await decisionFiles();
const attempt = await attemptFiles();
const own = attempt.filter((file) => file.startsWith('src/apply/'));
for (const [name, files] of [
  ['files of one decision', decision],
  ['files of one attempt in apply/', own],
  ['files of one attempt, with all that it asks', attempt],
]) {
  rows.push([name, files.length]);
  if (isLong) for (const file of files) rows.push([`  ${file}`, '']);
}
for (const file of process.argv.slice(2).filter((name) => name.endsWith('.json'))) {
  const { seconds, passed } = JSON.parse(readFileSync(file, 'utf8'));
  rows.push([`minutes of ${file} (${passed} passed)`, (seconds / 60).toFixed(1)]);
}
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
