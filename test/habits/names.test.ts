import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sources, type SourceFile } from './sources.ts';

/** Words that do not say what a variable holds. */
const EMPTY: ReadonlySet<string> = new Set(['of', 'so', 'is', 'was', 'by']);

describe('names', () => {
  it('gives no variable and no parameter a name that says nothing', () => {
    expect(sources('src').flatMap(emptyNames)).toEqual([]);
  });
});

function emptyNames({ path, text }: SourceFile): readonly string[] {
  if (![...EMPTY].some((name) => new RegExp(`\\b${name}\\b`).test(text))) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isBinding(node) && ts.isIdentifier(node.name) && EMPTY.has(node.name.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.name.getStart(file));
      found.push(`${path}:${line + 1}: ${node.name.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isBinding(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.BindingElement | ts.ParameterDeclaration {
  return ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node);
}
