// Lets a child process of a test import our sources as they are, on every version of Node that we support.
// What a file was made into is kept under its digest, so that only the first process after a change compiles.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { version } = require('typescript/package.json');
const CACHE = new URL('../../node_modules/.cache/fleetform-typescript/', import.meta.url);

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return { format: 'module', source: known(text) ?? compiled(text), shortCircuit: true };
}

function placeOf(text) {
  return new URL(`${createHash('sha256').update(`${version}\n${text}`).digest('hex')}.js`, CACHE);
}

function known(text) {
  try {
    return readFileSync(placeOf(text), 'utf8');
  } catch {
    return undefined;
  }
}

function compiled(text) {
  const ts = require('typescript');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  keep(placeOf(text), outputText);
  return outputText;
}

/** Whole or not at all: another process may be reading, or writing the same. */
function keep(place, text) {
  const draft = new URL(`${place.href}.${process.pid}.${process.hrtime.bigint()}`);
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, place);
  } catch {
    // Without a cache every process compiles for itself.
  }
}
