import { createHash } from 'node:crypto';
import type { Change } from '../../src/model/plan/change.ts';
import { ACTIONS, CAUSES, GROUPS, RISKS } from '../../src/model/plan/change.ts';
import type { Plan, GuardrailVerdict } from '../../src/model/plan/plan.ts';
import { CHANGES } from '../../src/plan/saved/save.ts';
import { wavesIn } from './plan-change.ts';

/** One edit of a saved plan, by the path of what was edited and how. */
export interface Mutation {
  readonly name: string;
  readonly kind: string;
  readonly plan: Plan;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Words that mean something to a reader: an edit that puts one in the place of another is the likely one. */
const WORDS: readonly (readonly string[])[] = [ACTIONS, CAUSES, GROUPS, RISKS];

/** Every leaf edited in several ways, taken out and put in, and the items of every list taken out, doubled and swapped. */
export function mutationsOf(plan: Plan): readonly Mutation[] {
  const mutations: Mutation[] = [];
  const edit = (
    path: readonly string[],
    kind: string,
    change: (parent: Json, key: string) => void,
  ) => {
    const copy = structuredClone(plan) as unknown as Json;
    let parent = copy;
    for (const key of path.slice(0, -1)) parent = (parent as Record<string, Json>)[key] as Json;
    change(parent, path.at(-1) ?? '');
    mutations.push({ name: path.join('.'), kind, plan: copy as unknown as Plan });
  };
  const set = (path: readonly string[], kind: string, value: Json): void =>
    edit(path, kind, (parent, key) => {
      (parent as Record<string, Json>)[key] = value;
    });
  const visit = (value: Json, path: readonly string[]): void => {
    if (path.length > 0) {
      for (const [kind, other] of othersOf(value)) set(path, kind, other);
      edit(path, 'taken out', take);
    }
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) lists(value, path, edit);
    else set([...path, 'unknown'], 'put in', 'x');
    for (const [key, each] of Object.entries(value)) visit(each, [...path, key]);
  };
  visit(plan as unknown as Json, []);
  return mutations.filter(({ name }) => name !== 'count' && name !== 'digest');
}

function take(parent: Json, key: string): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as Record<string, Json>)[key];
}

function lists(
  list: Json[],
  path: readonly string[],
  edit: (
    path: readonly string[],
    kind: string,
    change: (parent: Json, key: string) => void,
  ) => void,
): void {
  if (list.length === 0) return;
  const last = String(list.length - 1);
  edit([...path, last], 'doubled', (parent) =>
    (parent as Json[]).push((parent as Json[]).at(-1) ?? null),
  );
  if (list.length > 1)
    edit([...path, last], 'turned round', (parent) => void (parent as Json[]).reverse());
}

function othersOf(value: Json): readonly (readonly [string, Json])[] {
  if (typeof value === 'string') {
    const words = WORDS.filter((list) => list.includes(value)).flat();
    return [
      ['other text', `${value}x`],
      ['no text', ''],
      ...words.filter((word) => word !== value).map((word) => [`word ${word}`, word] as const),
    ];
  }
  if (typeof value === 'number')
    return [
      ['one more', value + 1],
      ['one less', value - 1],
      ['none', 0],
      ['a text', String(value)],
    ];
  if (typeof value === 'boolean') return [['the other', !value]];
  return [['null', null]];
}

/** The plan with every sum made anew that whoever edits it can make anew; its id stays what was approved. */
export function mended(plan: Plan): Plan {
  const copy = structuredClone(plan) as unknown as Record<string, Json>;
  const changes = listOf<Change>(copy['changes']);
  const count = (holds: (change: Change) => boolean): number => changes.filter(holds).length;
  const notes = listOf<{ readonly count: number }>(copy['notes']);
  copy['counts'] = {
    run: count(({ action }) => action === 'run'),
    wait: count(({ action }) => action === 'wait'),
    skip: count(({ action }) => action === 'skip'),
    note: notes.reduce(
      (sum, note) => sum + note.count,
      count(({ action }) => action === 'note'),
    ),
  };
  const waves = new Map(
    wavesOrNone(changes).map((wave) => [`${wave.policy} ${wave.name}`, wave.changes]),
  );
  for (const wave of listOf<Record<string, Json>>(copy['waves']))
    wave['changes'] = waves.get(`${String(wave['policy'])} ${String(wave['name'])}`) ?? 0;
  const base = copy['base'] as Record<string, Json> | undefined;
  if (base) {
    const gone = listOf<{ readonly count: number }>(base['gone']);
    const group = (name: string): number => count((change) => change.group === name);
    base['counts'] = {
      branch: group('branch'),
      pending: group('pending'),
      clock: group('clock'),
      dropped: gone.reduce((sum, each) => sum + each.count, group('dropped')),
    };
  }
  const wanted = changes.filter(({ action }) => action === 'run' || action === 'wait');
  for (const verdict of listOf<Record<string, Json>>(copy['verdicts'])) {
    if ((verdict['limit'] as GuardrailVerdict['limit']) === 'maxChanges')
      verdict['number'] = wanted.length;
  }
  return copy as unknown as Plan;
}

/** An edit may have left nothing of what it edited. */
function wavesOrNone(changes: readonly Change[]): ReturnType<typeof wavesIn> {
  return wavesIn(changes.filter((change) => Boolean((change as Partial<Change>)?.at)));
}

function listOf<T>(value: Json | undefined): readonly T[] {
  return Array.isArray(value) ? (value as unknown as T[]).filter((each) => each !== null) : [];
}

/** Any plan as lines, under the digest that whoever edited it would write. */
export function signedLines(plan: Plan): readonly string[] {
  const {
    changes,
    count: _count,
    digest: _digest,
    ...head
  } = plan as Plan & {
    readonly count?: unknown;
    readonly digest?: unknown;
  };
  const list = Array.isArray(changes) ? (changes as unknown[]) : [];
  const lines = [
    `${JSON.stringify(head).slice(0, -1)},${CHANGES}`,
    ...list.map(
      (change, index) => `${JSON.stringify(change)}${index < list.length - 1 ? ',' : ''}`,
    ),
  ];
  const body = `${lines.join('\n')}\n],"count":${list.length},`;
  const digest = createHash('sha256').update(body).digest('hex');
  return [...lines, `],"count":${list.length},"digest":"${digest}"}`];
}
