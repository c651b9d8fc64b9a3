import type { DialectValue } from '../dialect.gen.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { UnreadField } from '../model/report/checkup.ts';
import type { Examined } from './examine.ts';
import { dateKind } from './inventory.ts';
import { correct, dialectRow, type Assessment, type Assessments } from './findings.ts';

interface SettlePorts {
  /** Examines the service; what was asked before is not asked again. */
  examine(dialect: Dialect): Promise<Examined>;
  /** What the reader of every command does not understand of all answers so far. */
  reread(dialect: Dialect): Promise<readonly UnreadField[]>;
}

/** An examination whose dialect would not differ if it were written and examined again. */
export interface Settled extends Examined {
  /** What is not understood with the dialect to write. */
  readonly unread: readonly UnreadField[];
}

/** A dialect that still changes after so many examinations would never settle. */
const MOST_ROUNDS = 5;

/**
 * Examines a service, writes what differs into the dialect, and examines it again, until nothing
 * differs any more: what is behind a wrong name shows only once the name is right. After each round
 * the reader of every command decides on the keys that say how values are read.
 */
export async function settleDialect(written: Dialect, ports: SettlePorts): Promise<Settled> {
  const differing = new Map<DialectKey, Assessment>();
  let dialect = written;
  for (let round = 1; ; round += 1) {
    const examined = await ports.examine(dialect);
    const found = correct(dialect, examined.judged);
    const forms = await chooseForms(found, ports);
    const judged = new Map([...examined.judged, ...forms]);
    for (const [key, each] of judged) if (each.suggested !== undefined) differing.set(key, each);
    const next = correct(found, forms);
    const isSettled = listChanges(dialect, next).length === 0 || round === MOST_ROUNDS;
    dialect = next;
    if (!isSettled) continue;
    for (const key of listChanges(written, dialect)) {
      const before = differing.get(key);
      if (before) judged.set(key, { ...before, suggested: dialect[key] });
    }
    return { ...examined, judged, unread: (await ports.reread(dialect)).map(withoutForms) };
  }
}

/** Every form was tried: what is left needs another name. */
function withoutForms(unread: UnreadField): UnreadField {
  return { ...unread, keys: unread.keys.filter((key) => dialectRow(key).type !== 'choice') };
}

function listChanges(before: Dialect, after: Dialect): readonly DialectKey[] {
  const keys = Object.keys(after) as DialectKey[];
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/**
 * The keys with a choice of forms under which the reader understands more. A form is never chosen by
 * its looks: another value is taken only if less is left that cannot be read.
 */
async function chooseForms(dialect: Dialect, { reread }: SettlePorts): Promise<Assessments> {
  const chosen = new Map<DialectKey, Assessment>();
  let best = { dialect, left: await reread(dialect) };
  for (const key of [...new Set(best.left.flatMap(({ keys }) => keys))].filter(
    (key) => dialectRow(key).type === 'choice',
  ))
    for (const value of valuesOf(key, best.left)) {
      const tried = correct(best.dialect, new Map([[key, suggestion(key, value)]]));
      const left = await reread(tried);
      if (weigh(left) >= weigh(best.left)) continue;
      chosen.set(key, suggestion(key, value));
      best = { dialect: tried, left };
    }
  return chosen;
}

/** The values to try; of dates the one first that the numbers look like, since the reader takes both. */
function valuesOf(key: DialectKey, unread: readonly UnreadField[]): readonly string[] {
  const values = dialectRow(key).values ?? [];
  if (key !== 'dateForm') return values;
  const examples = unread.filter(({ keys }) => keys.includes(key)).map(({ example }) => example);
  const shown: readonly (string | undefined)[] = examples.map((each) =>
    dateKind(each?.replaceAll('"', '')),
  );
  return values.toSorted((a, b) => Number(shown.includes(b)) - Number(shown.includes(a)));
}

function weigh(unread: readonly UnreadField[]): number {
  return unread.reduce((sum, { isRefused, count, of }) => sum + (isRefused ? 1 : count / of), 0);
}

function suggestion(key: DialectKey, form: DialectValue): Assessment {
  const code = key === 'dateForm' ? 'dateForm' : 'form';
  return { verdict: 'differs', code, params: { form: String(form) }, suggested: form };
}
