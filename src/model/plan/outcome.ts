/**
 * The outcome of a change as text, in plans, in files and in the ledger (semantics N71): digests of
 * what the documents want and of what the device showed before, and the wave. IDs and digests only.
 */
export interface OutcomeParts {
  /** Digest of the wanted half: task, device, policy, final target, payload, window and zone. */
  readonly desired: string;
  /** Digest of the present half: the values before. */
  readonly observed: string;
  /** Absent where its policy has no waves. */
  readonly wave?: string;
}

const TEXT = /^([0-9a-f]{16})\.([0-9a-f]{16})(?:@(.+))?$/;

/** The text of an outcome. */
export function formatOutcome({ desired, observed, wave }: OutcomeParts): string {
  return `${desired}.${observed}${wave === undefined ? '' : `@${wave}`}`;
}

/** The parts of the text of an outcome; undefined for any other text. */
export function parseOutcome(text: string): OutcomeParts | undefined {
  const [, desired, observed, wave] = TEXT.exec(text) ?? [];
  if (desired === undefined || observed === undefined) return undefined;
  return { desired, observed, ...(wave !== undefined && { wave }) };
}

/**
 * Whether an approved outcome covers another one: the same outcome, in the same wave or a later one
 * (semantics N71).
 * @param waves the names of the waves of the rollout, in order; none where there are no waves
 */
export function coversOutcome(approved: string, wanted: string, waves: readonly string[]): boolean {
  const [one, other] = [parseOutcome(approved), parseOutcome(wanted)];
  if (!one || !other || one.desired !== other.desired || one.observed !== other.observed)
    return false;
  if (one.wave === undefined || one.wave === other.wave) return true;
  const [first, second] = [waves.indexOf(one.wave), waves.indexOf(other.wave ?? '')];
  return first !== -1 && first < second;
}
