import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import type { Diagnostic } from '../../../src/model/documents/diagnostic.ts';
import { withProofs } from '../../../src/operations/documents.ts';
import { quotable } from '../../../src/model/documents/quoted.ts';
import { findingBlocks, sortByPlace } from '../../../src/render/outputs/findings.ts';
import type { SourceLocation } from '../../../src/model/documents/source.ts';
import { shown as print } from '../../support/render-look.ts';

/**
 * Bad input, one idea per folder: `<code>-<idea>/fleet/*.yaml`, the findings that it has to give, and
 * `expected.txt`, what people read then. `L-` before the code: it is a lint of docs/semantics.md.
 * `UPDATE_GOLDENS=1` writes what each folder gives now, for you to read.
 */
const FOLDER = fileURLToPath(new URL('../../fixtures/documents/', import.meta.url));
const NAMES = readdirSync(FOLDER).sort();
const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('what is wrong in documents', () => {
  test.each(NAMES)('%s', async (name) => {
    const loaded = await loadFleet(join(FOLDER, name, 'fleet'));
    // In a clone of this repository paths start at its root.
    const local = (text: string): string =>
      text.replaceAll(FOLDER, '').replaceAll(`test/fixtures/documents/${name}/`, '');
    const found = await withProofs(loaded, { clock: { now: () => NOW } });
    const diagnostics = sortByPlace(JSON.parse(local(JSON.stringify(found))) as Diagnostic[]);
    const texts = new Map(loaded.files.map(({ path, text }) => [local(path), quotable(text)]));
    const json = `${JSON.stringify(diagnostics.map(shown), undefined, 2)}\n`;
    expect(json).toBe(accepted(join(FOLDER, name, 'expected.json'), json));
    const text = print(findingBlocks(diagnostics, texts));
    expect(text).toBe(accepted(join(FOLDER, name, 'expected.txt'), text));
    expect(diagnostics.map(({ code }) => code)).toContain(codeOf(name));
  });
});

function codeOf(name: string): string | undefined {
  return name.replace(/^L-/, '').split('-', 1)[0];
}

function accepted(path: string, now: string): string {
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(path, now);
  return readFileSync(path, 'utf8');
}

function shown({ code, severity, at, params, related }: Diagnostic) {
  return {
    code,
    severity,
    ...(at && { at: placeText(at), length: at.length }),
    params,
    ...(related && { related: related.map(placeText) }),
  };
}

function placeText({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}
