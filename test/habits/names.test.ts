import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { exportedTwice, shareNamedOf } from '../measure/shape.ts';
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
  'src/model/plan/actor.ts': ['gone', 'noRoomEver'],
  'src/model/plan/plan.ts': ['gone'],
  'src/model/report/why.ts': ['standing'],
  'src/operations/intervene/held.ts': ['wish'],
  'src/operations/prove/prove-documents.ts': ['kept'],
  'src/plan/compare/attribution.ts': ['gone'],
  'src/plan/compare/counterfactual.ts': ['gone'],
  'src/plan/explain/why.ts': ['standing'],
  'src/plan/findings/reach.ts': ['room'],
  'src/render/html/removed-changes.ts': ['gone'],
  'src/render/words/commands.ts': ['room'],
  'src/render/words/documents/document-findings.ts': ['looksLikeSecret'],
  'src/render/words/reasons.ts': ['gone'],
  'src/render/words/review/reason-labels.ts': ['gone'],
  'src/render/words/review/reason-whys.ts': ['noRoomEver'],
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

/** Names of the contract that the twin declares again: client and twin share no code. */
const COPIES_OF_TWIN: readonly string[] = ['AvailableTask', 'Probe', 'TaskResult', 'TaskType'];

/** The share of functions named `somethingOf` may fall, and not rise. */
const MOST_NAMED_OF = 0.002;

const files = sources('src');
const declared = files.flatMap(declaredIn);

describe('names', () => {
  it('gives no variable and no parameter a name that says nothing', () => {
    expect(
      declared.filter(({ name, isBound }) => isBound && EMPTY.has(name)).map(placeOfName),
    ).toEqual([]);
  });

  it('declares nothing by a word of our own', () => {
    expect(files.length).toBeGreaterThan(400);
    expect(
      declared
        .filter(({ path, name }) => !(STORED[path] ?? []).includes(name))
        .filter(({ name }) => wordsOf(name).some((word) => PRIVATE.has(word)))
        .map(placeOfName),
    ).toEqual([]);
  });

  it('exports each name from one file', () => {
    const twice = [...exportedTwice(files)].filter(
      ([name, paths]) =>
        !COPIES_OF_TWIN.includes(name) ||
        paths.filter((path) => !path.startsWith('src/twin/')).length !== 1,
    );
    expect(twice).toEqual([]);
  });

  it('lists no copy of the twin that has gone', () => {
    expect(COPIES_OF_TWIN.filter((name) => !exportedTwice(files).has(name))).toEqual([]);
  });

  it('finds a name that two files export, and counts overloads once', () => {
    const planted = [
      file('src/a.ts', 'export function zone(): void;\nexport function zone(): void {}\n'),
      file('src/b.ts', 'export type zone = string;\nexport async function* other() {}\n'),
      file('src/c.ts', 'function other() {}\nexport const third = 1;\n'),
    ];
    expect([...exportedTwice(planted)]).toEqual([['zone', ['src/a.ts', 'src/b.ts']]]);
  });

  it('names few functions somethingOf, and no more than before', () => {
    expect(
      shareNamedOf([file('src/a.ts', 'function keyOf() {}\nexport function key() {}\n')]),
    ).toBe(0.5);
    expect(shareNamedOf(files)).toBeLessThanOrEqual(MOST_NAMED_OF);
  });

  it('takes a name apart into its words', () => {
    expect(wordsOf('LOOK_AGAIN')).toEqual(['look', 'again']);
    expect(wordsOf('#isToldElsewhere')).toEqual(['is', 'told', 'elsewhere']);
    expect(wordsOf('readHTTPRoom2')).toEqual(['read', 'http', 'room2']);
  });
});

function file(path: string, text: string): SourceFile {
  return { path, text, folder: '', lines: 0, imports: [], packages: [] };
}

interface Declared {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** It is a variable or a parameter. */
  readonly isBound: boolean;
}

function declaredIn({ path, text }: SourceFile): readonly Declared[] {
  const parsed = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: Declared[] = [];
  const visit = (node: ts.Node): void => {
    const name = declaredName(node);
    if (name) {
      const { line } = parsed.getLineAndCharacterOfPosition(name.getStart(parsed));
      found.push({ path, line: line + 1, name: name.text, isBound: isBinding(node) });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

function placeOfName({ path, line, name }: Declared): string {
  return `${path}:${line}: ${name}`;
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
