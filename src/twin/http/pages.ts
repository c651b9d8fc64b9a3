import { Refusal, type Call } from '../call.ts';

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;

/** One page of the matching items, and the number of all matches. */
interface ResultPage<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** The page that `limit` and `offset` select. Throws a 400 `Refusal` for an invalid number. */
export function selectPage<T>(
  { query, manners, faults }: Call,
  items: readonly T[],
): ResultPage<T> {
  const offset = wholeNumber(query, 'offset') ?? 0;
  const limit = wholeNumber(query, 'limit') ?? DEFAULT_LIMIT;
  if (limit < 1) throw new Refusal(400, 'limit must be at least 1');
  if (limit > MAXIMUM_LIMIT && manners.overLimit === 'refuse') {
    throw new Refusal(400, `limit must be at most ${MAXIMUM_LIMIT}`);
  }
  const extra = faults.reduce((sum, fault) => sum + (fault.type === 'page' ? fault.by : 0), 0);
  const end = offset + Math.max(0, Math.min(limit, MAXIMUM_LIMIT) + extra);
  return { items: items.slice(offset, end), total: items.length };
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, `${name} must be a whole number`);
  return Number(text);
}
