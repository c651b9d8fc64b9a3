import { describe, expect, test } from 'vitest';
import { loadTexts } from '../../../src/config/load.ts';
import { quotable } from '../../../src/model/documents/quoted.ts';
import { diagnosticsJson, findingBlocks } from '../../../src/render/outputs/findings.ts';
import { escapeInvisible } from '../../../src/render/sinks/sinks.ts';
import { diagnosticWords } from '../../../src/render/words/findings.ts';
import { shown } from '../../support/render-look.ts';
import { SECRET, SECRET_DOCUMENTS } from '../../support/secret-documents.ts';

/** Mistakes before and after a secret, so that frames show the lines of it. */
const AROUND = (text: string) => `before: 1\n${text}after: 1\n`;

function load(text: string) {
  const { diagnostics, files } = loadTexts([{ path: 'fleet/a.yaml', text }]);
  const texts = new Map(files.map((file) => [file.path, quotable(file.text)]));
  const said = diagnostics.map((one) =>
    Object.values(diagnosticWords(one, escapeInvisible)).join(' '),
  );
  return {
    diagnostics,
    shown: [
      shown(findingBlocks(diagnostics, texts)),
      JSON.stringify(diagnosticsJson(diagnostics)),
      ...said,
    ].join('\n'),
  };
}

describe('findings', () => {
  test.each(Object.entries(SECRET_DOCUMENTS))('never tell a secret %s', (_, text) => {
    expect(load(text).shown).not.toContain(SECRET);
    expect(load(AROUND(text)).shown).not.toContain(SECRET);
  });

  test.each([
    ['of another type', 'rotations:\n  a: {select: {vendor: {password: hunter2}}}\n'],
    ['as a version', 'firmware:\n  a: {select: {vendor: x}, version: "https://u:hunter2@x/?y"}\n'],
    ['in a list twice', 'groups: {a: {devices: ["https://hunter2@x", "https://hunter2@x"]}}\n'],
    ['as the remote of a ledger', 'service: {ledger: {remote: "ssh://me:hunter2@x y"}}\n'],
    ['as a zone', 'sites: {a: {timeZone: "https://hunter2@x"}}\n'],
  ])('never tell a value that holds one: %s', (_, text) => {
    const { diagnostics, shown } = load(text);
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(shown).not.toContain(SECRET);
  });

  test('advise to use the environment, and to change the secret now', () => {
    const { diagnostics } = load('service: {clientSecret: hunter2, credentials: {a: b}}\n');
    const found = diagnostics.filter(({ code }) => code === 'looksLikeSecret');
    expect(found).toHaveLength(2);
    for (const one of found) {
      expect(diagnosticWords(one, escapeInvisible).next).toContain('FLEETFORM_CLIENT_SECRET');
      expect(diagnosticWords(one, escapeInvisible).next).toContain(
        'If the value was pushed, change it now.',
      );
    }
  });
});
