// The script and the style of the HTML report as a module: one text each, so that the report can carry them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles `root`/src/render/html/page and returns the text of `src/render/html/page.gen.ts`. */
export async function pageModule(root) {
  const input = fileURLToPath(new URL('src/render/html/page/main.ts', root));
  const cwd = fileURLToPath(root);
  const bundle = await rolldown({ cwd, input, treeshake: { propertyReadSideEffects: false } });
  const { output } = await bundle.generate({ format: 'iife', comments: false, minify: false });
  await bundle.close();
  const [{ code }] = output;
  const style = await readFile(new URL('src/render/html/page/report.css', root), 'utf8');
  const head = '// Generated from src/render/html/page/ by test/tools/generate.mjs. Do not edit.\n';
  return `${head}export const SCRIPT = ${literal(code)};\nexport const STYLE = ${literal(style)};\n`;
}

/** A text as a template, line by line, so that a difference can be read. */
function literal(text) {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
