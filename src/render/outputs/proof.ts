import type { AuditCheck } from '../../model/ledger/audit.ts';
import type { JsonObject } from '../../lib/canonical.ts';
import { own, say, sentence, told, type Block, type Tone } from '../tree.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import { ERROR_WHYS } from '../words/error-whys.ts';
import { fill, finer } from '../words/phrase.ts';
import { CHECK_WORDS, FINDING_WORDS, RESULT_WORDS, VERIFY_WORDS } from '../words/record-words.ts';

const TONES: Readonly<Record<AuditCheck['result'], Tone>> = {
  proved: 'run',
  unproved: 'wait',
  broken: 'bad',
};

/**
 * What was verified, what could not be verified, and what differs from the records; then the
 * result.
 */
export function proofBlocks(checks: readonly AuditCheck[]): readonly Block[] {
  const items = checks.map((check) => ({
    mark: { word: RESULT_WORDS[check.result], tone: TONES[check.result] },
    text: say`${own(CHECK_WORDS[check.check])}: ${told((sink) =>
      findingText(check, (text) => sink(shortened(text))),
    )}`,
  }));
  return [{ is: 'list', items }, sentence(own(verdictText(checks)))];
}

function findingText({ why, params = {} }: AuditCheck, sink: Sink): string {
  return fill(FINDING_WORDS[why] ?? why, finer(params, 'why', ERROR_WHYS.ledgerBroken), sink);
}

/** A text whose digests and commits have the 12 digits that people compare; JSON has all of them. */
function shortened(text: string): string {
  return text.replace(/\b([0-9a-f]{12})[0-9a-f]{28,}\b/g, '$1');
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
    checks: checks.map((check) => ({ ...check, says: findingText(check, terminal) })),
  };
}
