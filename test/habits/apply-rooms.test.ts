import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sources } from './sources.ts';

/** What a run has of one lifetime each; its ports are no more than what it was given. */
const LIFETIMES: ReadonlySet<string> = new Set([
  'Reading',
  'InFlight',
  'Outbox',
  'Outcomes',
  'Health',
]);

/** So many of them a function of another room than `run` may take. */
const MOST = 3;

const files = sources('src').filter(({ path }) => path.startsWith('src/apply/'));
const roomOf = (path: string): string => path.split('/').slice(2, -1).join('/');

describe('the rooms of apply', () => {
  it('leave the whole run to the room that runs it', () => {
    const users = files.filter(({ imports }) => imports.includes('src/apply/run/run.ts'));
    expect(users.map(({ path }) => path).filter((path) => roomOf(path) !== 'run')).toEqual([]);
  });

  it(`take no more than ${MOST} of the objects of a run in one function`, () => {
    const outside = files.filter(({ path }) => roomOf(path) !== 'run');
    const texts = new Map(outside.map(({ path, text }) => [path, text]));
    expect(greedyIn(texts)).toEqual([]);
  });

  it.each([
    ['parameters', 'function f(a: Reading, b: Outbox, c: Health, d: Outcomes): void {}'],
    [
      'a literal',
      'const f = ({ a }: { a: Reading; b: Outbox } & { c: Health; d: Outcomes }) => a;',
    ],
    ['a bundle', 'interface B extends A { d: Health }\nfunction f(b: Partial<B>): void {}'],
    ['a constructor', 'class C { constructor(a: A, d: Health) {} }'],
  ])('are seen where they are in %s', (_, text) => {
    const bundle = 'interface A { a: Reading; b: Outbox; c: Outcomes }\n';
    expect(greedyIn(new Map([['x.ts', bundle + text]]))).toHaveLength(1);
  });

  it.each([
    ['a bundle of three', 'function f(a: A): void {}'],
    ['as many of another as it picks', "function f(a: A, b: Pick<B, 'd'> & Omit<B, 'd'>): void {}"],
    ['what a function that it is given returns', 'function f(a: A, b: () => Health): void {}'],
  ])('are not seen where they are %s', (_, text) => {
    const bundle =
      'interface A { a: Reading; b: Outbox; c: Outcomes }\ninterface B { d: number }\n';
    expect(greedyIn(new Map([['x.ts', bundle + text]]))).toEqual([]);
  });
});

type Declared = ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>;

/** Functions that take more of the objects than they may, by their file and line. */
function greedyIn(texts: ReadonlyMap<string, string>): readonly string[] {
  const parsed = [...texts].map(([path, text]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  );
  const declared: Declared = new Map(
    parsed.flatMap(({ statements }) =>
      statements
        .filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
        .map((each) => [each.name.text, each] as const),
    ),
  );
  const found: string[] = [];
  for (const file of parsed) {
    const walk = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) {
        const taken = new Set(node.parameters.flatMap(({ type }) => lifetimesIn(type, declared)));
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        if (taken.size > MOST)
          found.push(`${file.fileName}:${line + 1} takes ${[...taken].join(', ')}`);
      }
      ts.forEachChild(node, walk);
    };
    walk(file);
  }
  return found;
}

/** The objects that a type has in it, through the bundles that it names; what a function returns is not in it. */
function lifetimesIn(type: ts.Node | undefined, declared: Declared): readonly string[] {
  if (!type || ts.isFunctionTypeNode(type) || ts.isMethodSignature(type)) return [];
  if (ts.isTypeReferenceNode(type) || ts.isExpressionWithTypeArguments(type)) {
    const name = ts.isTypeReferenceNode(type) ? type.typeName : type.expression;
    const text = ts.isIdentifier(name) ? name.text : '';
    const inside = (type.typeArguments ?? []).flatMap((each) => lifetimesIn(each, declared));
    if (LIFETIMES.has(text)) return [text];
    return [...inside, ...lifetimesIn(declared.get(text), declared)];
  }
  const inside: string[] = [];
  ts.forEachChild(type, (child) => void inside.push(...lifetimesIn(child, declared)));
  return inside;
}
