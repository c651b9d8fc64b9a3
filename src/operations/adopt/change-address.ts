import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { locateValue } from '../../model/documents/source.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';

/** A quoted or a plain scalar at the start of a text. */
const SCALAR = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,}\]]+)/;

/**
 * Writes another address of the service into the document that has it, with the mark of `init` gone from its line,
 * and changes nothing else. Returns the name of the file. Throws `usage` where the place of the old one is not understood.
 */
export function changeAddress(
  {
    cwd,
    fleet,
    baseUrl,
  }: Pick<Shell, 'cwd'> & { readonly fleet: string; readonly baseUrl: string },
  service: Documents['service'],
): string {
  const { file, line, column } = locateValue(service, '/baseUrl');
  const path = join(fleetFolder({ cwd }, fleet), ...file.split('/').slice(1));
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = lines[line - 1] ?? '';
  const [before, rest] = [text.slice(0, column - 1), text.slice(column - 1)];
  const [old = ''] = SCALAR.exec(rest) ?? [];
  if (!/baseUrl["']?\s*:\s*$/.test(before) || !old.includes(service.value.baseUrl)) {
    const message = `cannot change \`baseUrl\` in ${file}:${line}; write ${baseUrl} there`;
    throw new WorldError('usage', { message });
  }
  const after = rest.slice(old.length).replace('# FILL IN; ', '# ');
  lines[line - 1] = `${before}${JSON.stringify(baseUrl)}${after}`;
  writeFileSync(path, lines.join('\n'));
  return file;
}
