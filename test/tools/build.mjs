// Compiles src/ to dist/, joins the modules of the command line, and makes the entry executable: `npm run build`.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { joinModules } from './join-modules.mjs';

rmSync('dist', { recursive: true, force: true });
const tsc = join('node_modules', 'typescript-native', 'bin', 'tsc');
// Types are checked as a step of their own, once for src/ and test/ together.
const args = [tsc, '-p', 'tsconfig.json', '--noCheck', '--declaration'];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// What tsc does not carry over: generated modules that are not TypeScript.
for (const name of readdirSync('src', { recursive: true })) {
  if (name.endsWith('.gen.cjs')) cpSync(join('src', name), join('dist', name));
}
cpSync('src/init/templates', 'dist/init/templates', { recursive: true });
if (existsSync('dist/main.js')) {
  await joinModules('dist/main.js', 'dist/run');
  chmodSync('dist/main.js', 0o755);
}
