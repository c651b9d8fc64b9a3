import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathFrom } from '../../config/fleet-place.ts';
import { replaceFile } from '../../store/local-file.ts';
import { jsonFile, packageName } from './settings.ts';

const BUNDLE = 'schemas/fleet.bundle.schema.json';
const PACKAGE = 'node_modules/fleetform';

/** The copy for editors of those who run fleetform from elsewhere: a global install, or a container. */
const COPY = '.fleetform.schema.json';

/** The first line of a document in a folder, which names the schema for editors. */
export function schemaLine(home: string, folder: string): string {
  return `# yaml-language-server: $schema=${pathFrom(folder, join(home, schemaOf(home)))}`;
}

/**
 * The path of the schema for editors in `home`, the folder that the tool runs in: that of the package where it is
 * installed, else a copy.
 */
export function schemaOf(home: string): string {
  if (packageName(home) === 'fleetform') return BUNDLE;
  return isInstalled(home) ? `${PACKAGE}/${BUNDLE}` : COPY;
}

/** Also in a fresh clone, whose packages are still to be installed. */
function isInstalled(home: string): boolean {
  const manifest = jsonFile(join(home, 'package.json')) as Manifest | undefined;
  const needs = { ...manifest?.dependencies, ...manifest?.devDependencies };
  return Object.hasOwn(needs, 'fleetform') || existsSync(join(home, PACKAGE));
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Writes the copy in `home` where documents name it and it is missing or of another version; returns its path then. */
export async function leaveSchema(home: string): Promise<string | undefined> {
  if (schemaOf(home) !== COPY || copyIn(home) === ownSchema()) return undefined;
  const path = join(home, COPY);
  // A link of that name goes, and what it leads to stays.
  await replaceFile(path, ownSchema());
  return path;
}

/** Whether the nearest copy above a folder of documents is of another version, or missing though they name it. */
export function isSchemaOld(folder: string, documents: readonly { text: string }[]): boolean {
  const above = dirname(folder);
  const copy = copyIn(above);
  if (copy !== undefined) return copy !== ownSchema();
  if (above !== folder) return isSchemaOld(above, documents);
  return documents.some(({ text }) =>
    /^# yaml-language-server: .*\/\.fleetform\.schema/.test(text),
  );
}

function copyIn(home: string): string | undefined {
  const path = join(home, COPY);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function ownSchema(): string {
  return readFileSync(new URL(`../../../${BUNDLE}`, import.meta.url), 'utf8');
}
