// Lets a child process of a test import our sources as they are, on every version of Node that we support.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: withoutTypes(fileURLToPath(url)), shortCircuit: true };
}

/** A source as JavaScript; throws where it has an error of syntax. `text`: what is to be in the file. */
export function withoutTypes(path, text = readFileSync(path, 'utf8')) {
  const { code, errors, helpersUsed } = transformSync(path, text, { target: 'es2023' });
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0].message}`);
  return Object.keys(helpersUsed).length === 0 ? code : compiled(text);
}

/** As a module that imports no helper, such as that of `using`; it takes fifty times as long. */
function compiled(text) {
  const ts = createRequire(import.meta.url)('typescript');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
