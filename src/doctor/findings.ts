import { DIALECT_ROWS, type DialectRow, type DialectValue } from '../dialect.gen.ts';
import { Bug } from '../lib/bug.ts';
import type { Params } from '../model/error.ts';
import type { Dialect, DialectKey } from '../model/fleet/dialect.ts';
import type { AssumptionFinding, ObservedCode, Verdict } from '../model/report/checkup.ts';

/** What the doctor made of one assumption, before the table says what it was about. */
export interface Assessment {
  readonly verdict: Verdict;
  readonly code: ObservedCode;
  readonly params?: Params;
  readonly suggested?: DialectValue;
  readonly possible?: DialectValue;
}

/** Assessments by key; a later one of the same key replaces an earlier one. */
export type Assessments = ReadonlyMap<DialectKey, Assessment>;

const ROWS: ReadonlyMap<DialectKey, DialectRow> = new Map(
  DIALECT_ROWS.map((row) => [row.key, row]),
);

export function dialectRow(key: DialectKey): DialectRow {
  const row = ROWS.get(key);
  if (!row) throw new Bug(`no dialect key ${key}`);
  return row;
}

/** One finding for each row of the table, in its order. A key that nothing judged is untellable. */
export function listFindings(dialect: Dialect, judged: Assessments): readonly AssumptionFinding[] {
  return DIALECT_ROWS.map(({ key, concerns }) => {
    const { verdict, code, params, suggested, possible } = judged.get(key) ?? UNJUDGED;
    return {
      key,
      concerns,
      assumed: dialect[key],
      verdict,
      observed: { code, params: params ?? {} },
      ...(suggested !== undefined && { suggested }),
      ...(possible !== undefined && { possible }),
    };
  });
}

const UNJUDGED: Assessment = { verdict: 'notObserved', code: 'noAnswer' };

/** The dialect with what differs put in, for the probes that build on it. */
export function correct(dialect: Dialect, judged: Assessments): Dialect {
  const changed = [...judged].flatMap(([key, { suggested }]) =>
    suggested === undefined ? [] : [[key, suggested] as const],
  );
  return { ...dialect, ...(Object.fromEntries(changed) as Partial<Dialect>) };
}

export function confirmed(code: ObservedCode, params: Params = {}): Assessment {
  return { verdict: 'confirmed', code, params };
}

export function notObserved(code: ObservedCode, params: Params = {}): Assessment {
  return { verdict: 'notObserved', code, params };
}

/** A member that so many of the rows have: at the assumed path, or at another one. */
export function placed(
  assumed: string,
  { path, count }: { readonly path: string; readonly count: number },
  of: number,
): Assessment {
  return compared(assumed, path, [path === assumed ? 'shown' : 'elsewhere', { path, count, of }]);
}

/** Several members could be meant; the first of them is possible, where one may be written. */
export function several(paths: readonly string[], possible?: string): Assessment {
  const params = { paths: paths.join(', ') };
  return {
    verdict: 'untellable',
    code: 'several',
    params,
    ...(possible !== undefined && { possible }),
  };
}

/** Differs; equal values do not. */
export function compared(
  assumed: DialectValue,
  found: DialectValue,
  [code, params]: readonly [code: ObservedCode, params: Params],
): Assessment {
  return assumed === found
    ? { verdict: 'confirmed', code, params }
    : { verdict: 'differs', code, params, suggested: found };
}
