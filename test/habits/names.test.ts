import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sources, type SourceFile } from './sources.ts';

/** Words that do not say what a variable holds. */
const EMPTY: ReadonlySet<string> = new Set(['of', 'so', 'is', 'was', 'by']);

/** Words of our own, each of which has a term of the field. */
const PRIVATE: ReadonlySet<string> = new Set(
  [
    'wish wishes wished heed heeds bite bites matter matters latecomer latecomers',
    'tend tends tended owed seat seats sheet sheets room rooms witness witnessed',
    'distrust distrusted foresee looked look looks told tell tells telling asked asking',
    'gone kept strange stands standing twist turns mishap spoil outsider',
  ].flatMap((line) => line.split(' ')),
);

/** Names of properties and codes in records, saved plans, findings and world files, and the last look of the design. */
const STORED: Readonly<Record<string, readonly string[]>> = {
  'src/apply/health.ts': ['gone'],
  'src/apply/run/rollouts.ts': ['wish'],
  'src/apply/run/work.ts': ['gone'],
  'src/apply/send/last-look.ts': ['LastLook', 'lastLook'],
  'src/ledger/acceptor.ts': ['wish'],
  'src/ledger/vocabulary.ts': ['asked', 'wish'],
  'src/lint/windows.ts': ['room'],
  'src/live/repair.ts': ['gone'],
  'src/model/documents/rollout.ts': ['asked'],
  'src/model/ledger/memory.ts': ['wish'],
  'src/model/ledger/record.ts': ['wish'],
  'src/model/plan/plan.ts': ['gone'],
  'src/model/report/why.ts': ['standing'],
  'src/operations/lift.ts': ['wish'],
  'src/operations/prove/prove-documents.ts': ['kept'],
  'src/plan/compare/attribution.ts': ['gone'],
  'src/plan/compare/counterfactual.ts': ['gone'],
  'src/plan/explain/why.ts': ['standing'],
  'src/plan/findings/reach.ts': ['room'],
  'src/render/html/removed-changes.ts': ['gone'],
  'src/render/html/words.ts': ['gone'],
  'src/render/words/commands.ts': ['room'],
  'src/render/words/document-findings.ts': ['looksLikeSecret'],
  'src/render/words/reasons.ts': ['gone', 'noRoomEver'],
  'src/render/words/record-words.ts': ['commitGone', 'documentsKept', 'remoteNotAsked'],
  'src/report/status.ts': ['wish'],
  'src/rollout/progress/halts.ts': ['wish'],
  'src/rollout/waves/partition.ts': ['asked'],
  'src/rollout/waves/waves.ts': ['asked'],
  'src/twin/call.ts': ['mishap'],
  'src/twin/effects/outcome-injection.ts': ['mishap'],
  'src/twin/faults/fault-fields.ts': ['outsider'],
  'src/twin/faults/faults.ts': ['mishap'],
  'src/twin/http/tasks.ts': ['mishap'],
  'src/twin/world-check.ts': ['mishap'],
  'src/twin/world/state.ts': ['mishap'],
};

describe('names', () => {
  it('gives no variable and no parameter a name that says nothing', () => {
    expect(
      sources('src').flatMap((source) =>
        named(source, (name, isBound) => isBound && EMPTY.has(name)),
      ),
    ).toEqual([]);
  });

  it('declares nothing by a word of our own', () => {
    const files = sources('src');
    expect(files.length).toBeGreaterThan(400);
    expect(
      files.flatMap((source) => {
        const stored = STORED[source.path] ?? [];
        return named(
          source,
          (name) => !stored.includes(name) && wordsOf(name).some((word) => PRIVATE.has(word)),
        );
      }),
    ).toEqual([]);
  });

  it('takes a name apart into its words', () => {
    expect(wordsOf('LOOK_AGAIN')).toEqual(['look', 'again']);
    expect(wordsOf('#isToldElsewhere')).toEqual(['is', 'told', 'elsewhere']);
    expect(wordsOf('readHTTPRoom2')).toEqual(['read', 'http', 'room2']);
  });
});

/** Where a file declares a name that `isRefused`; `isBound`: it is a variable or a parameter. */
function named(
  { path, text }: SourceFile,
  isRefused: (name: string, isBound: boolean) => boolean,
): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name && isRefused(name.text, isBinding(node))) {
      const { line } = file.getLineAndCharacterOfPosition(name.getStart(file));
      found.push(`${path}:${line + 1}: ${name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function declaredName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const isDeclaration =
    isBinding(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isClassElement(node) ||
    ts.isTypeElement(node) ||
    ts.isPropertyAssignment(node);
  if (!isDeclaration || !node.name) return undefined;
  return ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name) ? node.name : undefined;
}

function isBinding(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.BindingElement | ts.ParameterDeclaration {
  return ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node);
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/^#/, '')
    .split(/_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}
