import type { AuditCheck } from '../../model/ledger/audit.ts';
import type { JsonObject } from '../../lib/canonical.ts';
import { tint, type Colour } from '../sinks/paint.ts';
import { fill } from '../words/phrase.ts';
import { CHECK_WORDS, FINDING_WORDS, RESULT_WORDS, VERIFY_WORDS } from '../words/record-words.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { pad } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';

const COLOUR_OF: Readonly<Record<AuditCheck['result'], Colour>> = {
  proved: 'green',
  unproved: 'yellow',
  broken: 'red',
};

const COLUMN = 11;

/**
 * What was verified, what could not be verified, and what differs from the records; then the
 * result.
 */
export function* proofText(
  checks: readonly AuditCheck[],
  style: TextStyle,
): Generator<TerminalText> {
  for (const check of checks) {
    const { result, check: name } = check;
    const word = tint(style.paint, COLOUR_OF[result], pad(terminal(RESULT_WORDS[result]), COLUMN));
    yield* wrap(
      say`${word} ${terminal(CHECK_WORDS[name])}: ${findingText(check, shortened)}`,
      style.width,
      COLUMN + 1,
    );
  }
  yield say``;
  yield* wrap(terminal(verdictText(checks)), style.width);
}

function findingText({ why, params = {} }: AuditCheck, sink = terminal): TerminalText {
  return fill(FINDING_WORDS[why] ?? why, params, sink) as TerminalText;
}

/** A text whose digests and commits have the 12 digits that people compare; JSON has all of them. */
function shortened(text: string): TerminalText {
  return terminal(text.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1'));
}

/** A snapshot of another plan refutes nothing, so it gets words of its own; JSON says `broken`. */
function verdictText(checks: readonly AuditCheck[]): string {
  const broken = checks.filter(({ result }) => result === 'broken');
  const isOther = broken.length > 0 && broken.every(({ why }) => why === 'snapshotUnknown');
  return VERIFY_WORDS[isOther ? 'otherSnapshot' : conclusion(checks)];
}

function conclusion(checks: readonly AuditCheck[]): 'whole' | 'parts' | 'broken' {
  if (checks.some(({ result }) => result === 'broken')) return 'broken';
  return checks.some(({ result }) => result === 'unproved') ? 'parts' : 'whole';
}

/** The same as data. */
export function proofJson(checks: readonly AuditCheck[]): JsonObject {
  return {
    result: conclusion(checks),
    checks: checks.map((check) => ({ ...check, says: findingText(check) })),
  };
}
