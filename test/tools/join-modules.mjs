// Joins the modules of the command line into few files, since Node takes longer to find and open hundreds of modules than to
// run most commands. Packages stay apart. The library (`dist/index.js`) and the declarations are not touched.
// `node test/tools/join-modules.mjs ENTRY FOLDER`
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Writes the joined modules of `entry` to `folder`; `entry` itself then only loads them. */
export async function joinModules(entry, folder) {
  const joined = await rolldown({
    input: { main: entry },
    platform: 'node',
    external: [/^node:/, /^[^./]/],
    // A call that is made only for the error that it throws is no dead code, and rolldown takes some for it.
    treeshake: false,
    plugins: [{ name: 'own-place', transform: (code, id) => withOwnPlace(code, id, folder) }],
  });
  const { output } = await joined.write({
    dir: folder,
    format: 'esm',
    minify: false,
    chunkFileNames: '[name]-[hash].js',
  });
  refuseOthers(output);
  const name = relative(dirname(entry), folder);
  writeFileSync(entry, `#!/usr/bin/env node\nimport './${name}/main.js';\n`);
}

/** Throws where a joined file imports a package that users do not install. */
function refuseOthers(output) {
  const { dependencies: needed, peerDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const dependencies = { ...needed, ...peerDependencies };
  for (const { fileName, imports = [], dynamicImports = [] } of output) {
    for (const name of [...imports, ...dynamicImports]) {
      const [first, second] = name.split('/');
      const isOwn = name.startsWith('node:') || output.some((other) => other.fileName === name);
      if (!isOwn && !((first.startsWith('@') ? `${first}/${second}` : first) in dependencies))
        throw new Error(`${fileName} imports ${name}, which is not in dependencies`);
    }
  }
}

/** A module that looks for files beside it finds them from where it was, not from the joined file. */
function withOwnPlace(code, id, folder) {
  if (!code.includes('import.meta.url')) return null;
  const place = relative(resolve(folder), id).replaceAll('\\', '/');
  return code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`);
}

const [, script, ...places] = process.argv;
if (script === fileURLToPath(import.meta.url)) await joinModules(...places);
