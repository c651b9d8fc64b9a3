import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of this repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const CACHE = join(ROOT, 'node_modules', '.cache', 'fleetform-blackbox');
/** What the command line reads beside its code. */
const DATA = ['fleet', 'schemas'];
/** Joins the modules of a build, as `npm run build` does. */
const JOIN = join('test', 'tools', 'join-modules.mjs');
const DAY_MS = 24 * 3_600_000;

/**
 * The entry of a built command line of the present sources, whose `dist/` is nobody else's. It is built once for each
 * state of the sources: its folder is named by what they hold, so that workers and later runs share it.
 */
export function builtEntry(): string {
  return (built ??= buildOnce());
}

/** Reading all sources takes as long as a command: each worker does so once. */
let built: string | undefined;

function buildOnce(): string {
  const folder = join(CACHE, fingerprint());
  const entry = join(folder, 'dist', 'main.js');
  if (!existsSync(entry)) build(folder);
  return entry;
}

function build(folder: string): void {
  const draft = `${folder}.${process.pid}.${process.hrtime.bigint()}`;
  mkdirSync(draft, { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(draft, 'package.json'));
  for (const name of DATA) cpSync(join(ROOT, name), join(draft, name), { recursive: true });
  const templates = join('init', 'templates');
  cpSync(join(ROOT, 'src', templates), join(draft, 'dist', templates), { recursive: true });
  const tsc = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
  // Types are another check's business; here they would only cost time.
  const args = ['-p', join(ROOT, 'tsconfig.json'), '--noCheck', '--outDir', join(draft, 'dist')];
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  execFileSync(process.execPath, [tsc, ...args], { stdio: [...stdio] });
  // As the package has it: joined modules look for files where the parts of it were.
  const [entry, run] = [join(draft, 'dist', 'main.js'), join(draft, 'dist', 'run')];
  execFileSync(process.execPath, [join(ROOT, JOIN), entry, run], { stdio: [...stdio] });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  forgetOld();
}

/** Folders of sources that are no more; those of today may still be in use by another run. */
function forgetOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const part of ['src', ...DATA]) {
    for (const name of readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.\w+$/.test(name))
        hash.update(`${name}\n`).update(readFileSync(join(ROOT, part, name)));
  }
  for (const name of ['package.json', 'tsconfig.json', JOIN])
    hash.update(readFileSync(join(ROOT, name)));
  return hash.digest('hex').slice(0, 16);
}
