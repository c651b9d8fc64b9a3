// Lets a child process of a test import our sources as they are, on every version of Node that we support.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const OPTIONS = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = readFileSync(fileURLToPath(url), 'utf8');
  const { outputText } = ts.transpileModule(text, { compilerOptions: OPTIONS });
  return { format: 'module', source: outputText, shortCircuit: true };
}
