/**
 * The outcome of a change as text, in plans, in files and in the ledger (semantics N71): digests of
 * what the documents want and of what the device showed before, of each protection that the change passes, and the
 * wave. IDs and digests only.
 */
export interface OutcomeParts {
  /** Digest of the wanted half: task, device, policy, final target, payload, window and zone. */
  readonly desired: string;
  /** Digest of the present half: the values before. */
  readonly observed: string;
  /** Digests of what it passes (semantics M26). */
  readonly passed: readonly string[];
  /** Absent where its policy has no waves. */
  readonly wave?: string;
}

const TEXT = /^([0-9a-f]{16})\.([0-9a-f]{16})((?:\+[0-9a-f]{8})*)(?:@(.+))?$/;

/** The text of an outcome. */
export function formatOutcome({ desired, observed, passed, wave }: OutcomeParts): string {
  const halves = [`${desired}.${observed}`, ...passed].join('+');
  return wave === undefined ? halves : `${halves}@${wave}`;
}

/** The parts of the text of an outcome; undefined for any other text. */
export function parseOutcome(text: string): OutcomeParts | undefined {
  const [, desired, observed, added = '', wave] = TEXT.exec(text) ?? [];
  if (desired === undefined || observed === undefined) return undefined;
  const passed = added.split('+').slice(1);
  return { desired, observed, passed, ...(wave !== undefined && { wave }) };
}

/** Whether an approved outcome covers another one but for its wave: the same halves, and nothing more is passed. */
export function coversButWave(
  approved: OutcomeParts | undefined,
  wanted: OutcomeParts | undefined,
): boolean {
  if (!approved || !wanted) return false;
  const { desired, observed, passed } = wanted;
  if (approved.desired !== desired || approved.observed !== observed) return false;
  return passed.every((each) => approved.passed.includes(each));
}

/**
 * Whether an approved outcome covers another one: the same outcome, in the same wave or a later one, that passes no
 * more (semantics N71, M26).
 * @param waves the names of the waves of the rollout, in order; none where there are no waves
 */
export function coversOutcome(approved: string, wanted: string, waves: readonly string[]): boolean {
  const [one, other] = [parseOutcome(approved), parseOutcome(wanted)];
  if (!one || !other || !coversButWave(one, other)) return false;
  if (one.wave === undefined || one.wave === other.wave) return true;
  const [first, second] = [waves.indexOf(one.wave), waves.indexOf(other.wave ?? '')];
  return first !== -1 && first < second;
}
