// Writes the generated modules, compiles src/ to dist/, joins the modules of the command line, and makes the entry executable: `npm run build`.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from './join-modules.mjs';

rmSync('dist', { recursive: true, force: true });
runNode(join('test', 'tools', 'generate.mjs'), '--modules');
const tsc = join('node_modules', 'typescript-native', 'bin', 'tsc');
// Types are checked as a step of their own, once for src/ and test/ together.
runNode(tsc, '-p', 'tsconfig.json', '--noCheck', '--declaration');
cpSync('src/init/templates', 'dist/init/templates', { recursive: true });
if (existsSync('dist/main.js')) {
  await joinModules('dist/main.js', 'dist/run');
  chmodSync('dist/main.js', 0o755);
}

/** Runs a program of Node.js; ends as it ended where it failed. */
function runNode(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
