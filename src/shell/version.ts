import { readFileSync } from 'node:fs';

export function toolVersion(): string {
  return manifest().version;
}

/** The oldest version of Node.js that this tool runs on, from its package. */
export function oldestNode(): string {
  return manifest().engines.node.replace('>=', '');
}

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

function manifest(): Manifest {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as Manifest;
}
