import { startDigest } from '../../lib/canonical.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { tabulatePlan } from '../../model/plan/actor.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import { writtenChange, writtenHead } from '../../model/plan/written.ts';

/**
 * The lines of a saved plan, without line ends. Together they are one JSON document: a head with
 * everything except the changes, one change per line, and a last line. The last line contains the
 * number of changes and the digest of every byte before the word `digest`.
 */
export function* planLines(plan: Plan): Generator<string> {
  const digest = startDigest();
  const { changes, ...rest } = plan;
  const head = `${jsonText({ ...writtenHead(rest), ...summarize(plan) }, 0).slice(0, -1)},${CHANGES}`;
  digest.add(`${head}\n`);
  yield head;
  let left = changes.length;
  for (const change of changes) {
    const line = `${jsonText(writtenChange(change), 0)}${--left > 0 ? ',' : ''}`;
    digest.add(`${line}\n`);
    yield line;
  }
  digest.add(tailLine(changes.length));
  yield `${tailLine(changes.length)}${digestEnd(digest.hex())}`;
}

/** What JSON says of a plan besides the plan: the exit code that it asks for, and the columns of each policy. */
export function summarize(plan: Plan) {
  return { outcome: outcomeOfPlan(plan), policies: tabulatePlan(plan) };
}

/** The end of a saved plan's head. */
export const CHANGES = '"changes":[';

/** The last line up to its digest. */
export function tailLine(count: number): string {
  return `],"count":${count},`;
}

/** The rest of the last line. */
export function digestEnd(hex: string): string {
  return `"digest":"${hex}"}`;
}

/** The digest in a last line. */
export function digestIn(line: string): string {
  return /"digest":"([0-9a-f]{64})"\}$/.exec(line)?.[1] ?? '';
}
