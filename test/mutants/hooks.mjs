// Loads our sources as they are, but for one patch each: `file.ts?mutant=ID` and whatever that file imports of ours
// come with the patches of that mutant. What is not patched is transpiled once.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withoutTypes } from '../support/typescript-hooks.mjs';

const known = new Map();
let patches = {};

export async function initialize(data) {
  patches = data;
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const mutant = new URL(context.parentURL ?? 'file:///').searchParams.get('mutant');
  const isOurs = resolved.url.endsWith('.ts') && !resolved.url.includes('/node_modules/');
  return mutant && isOurs ? { ...resolved, url: `${resolved.url}?mutant=${mutant}` } : resolved;
}

export async function load(url, context, next) {
  const { pathname, searchParams } = new URL(url);
  if (!pathname.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(`file://${pathname}`);
  const wanted = (patches[searchParams.get('mutant') ?? ''] ?? []).filter(({ file }) =>
    pathname.endsWith(`/${file}`),
  );
  const source =
    wanted.length === 0
      ? plain(path)
      : withoutTypes(path, wanted.reduce(patched, readFileSync(path, 'utf8')));
  return { format: 'module', source, shortCircuit: true };
}

function plain(path) {
  const source = known.get(path) ?? withoutTypes(path);
  known.set(path, source);
  return source;
}

/** A patch that does not fit would leave its rule half on, and a life may then never end. */
function patched(text, { file, find, replace }) {
  if (!text.includes(find)) throw new Error(`a patch of ${file} does not fit: ${find}`);
  return text.replace(find, () => replace);
}
