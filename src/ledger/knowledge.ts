import { canonical, type JsonObject } from '../lib/canonical.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import type { CoverageTerms } from '../model/ledger/coverage.ts';
import { KNOWN_FOR } from '../model/plan/coverage.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import type { MemoryParts } from './memory-parts.ts';

type Body<T extends RecordBody['type']> = Extract<RecordBody, { readonly type: T }>;
type Parts = Pick<MemoryParts, 'ground' | 'coverage' | 'facts' | 'distrusted' | 'told'>;

/** What readings and grounds of a ledger add up to, during a fold. */
export class Knowledge {
  #parts: Parts;

  constructor({ ground, coverage, facts, distrusted, told }: Parts) {
    this.#parts = { ground, coverage, facts, distrusted, told };
  }

  /** The last GROUND counts. Approvals from before the ledger moved, or from before a forge had the gate, do not. */
  stand({ type: _type, ...terms }: Body<'GROUND'>, record: Pick<LedgerRecord, 'seq'>, at: Instant) {
    const { ground: before } = this.#parts;
    const isMoved =
      before &&
      (!isEqual(before.service, terms.service) ||
        !isEqual(before.ledger, terms.ledger) ||
        (before.gate === 'none' && terms.gate !== 'none'));
    const movedAt = isMoved ? record.seq : before?.movedAt;
    const ground = { ...terms, seq: record.seq, at, ...(movedAt !== undefined && { movedAt }) };
    this.#parts = { ...this.#parts, ground };
  }

  /** What a run read, from its RELEASE or from FACTS. */
  learn(body: Body<'FACTS'> | Body<'RELEASE'>, { seq }: Pick<LedgerRecord, 'seq'>, at: Instant) {
    if (body.coverage) this.#cover(body.coverage, seq, at);
    if (body.type !== 'FACTS') return;
    const { facts, distrust, told } = body;
    if (told)
      this.#parts = {
        ...this.#parts,
        told: { ...told, since: parseInstant(told.since) ?? at, at },
      };
    if (facts !== undefined) this.#vouch(facts, at);
    if (distrust) {
      const { kind, before } = distrust;
      const until = Math.max(parseInstant(before) ?? at, this.#parts.distrusted.get(kind) ?? 0);
      const distrusted = new Map([...this.#parts.distrusted, [kind, until]]);
      this.#parts = { ...this.#parts, distrusted };
    }
  }

  finish(): Parts {
    return this.#parts;
  }

  #vouch(digest: string, at: Instant): void {
    const before = [...this.#parts.facts].filter(([, since]) => since > at - KNOWN_FOR);
    this.#parts = { ...this.#parts, facts: new Map([...before, [digest, at]]) };
  }

  #cover(terms: CoverageTerms, seq: number, at: Instant): void {
    const before = terms.anew ? [] : this.#parts.coverage.filter((one) => one.at > at - KNOWN_FOR);
    this.#parts = { ...this.#parts, coverage: [...before, { ...terms, seq, at }] };
  }
}

function isEqual(a: object, b: object): boolean {
  return canonical(a as JsonObject) === canonical(b as JsonObject);
}
