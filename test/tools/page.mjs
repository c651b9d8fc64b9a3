// The script and the style of the HTML report as a module: one text each, so that the report can carry them.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles `root`/src/render/html/page and returns the text of `src/render/html/page.gen.ts`. */
export async function pageModule(root) {
  const code = await script(root, 'main.ts');
  const style = await readFile(new URL('src/render/html/page/report.css', root), 'utf8');
  return `${HEAD}export const SCRIPT = ${literal(code)};\nexport const STYLE = ${literal(style)};\n`;
}

const HEAD = '// Generated from src/render/html/page/ by test/tools/generate.mjs. Do not edit.\n';

async function script(root, name) {
  const input = fileURLToPath(new URL(`src/render/html/page/${name}`, root));
  const cwd = fileURLToPath(root);
  const bundle = await rolldown({ cwd, input, treeshake: { propertyReadSideEffects: false } });
  const { output } = await bundle.generate({ format: 'iife', comments: false, minify: false });
  await bundle.close();
  return output[0].code;
}

/** A text as a template, line by line, so that a difference can be read. */
function literal(text) {
  return `\`${text.replace(/[\\`]|\$\{/g, '\\$&')}\``;
}
