/**
 * The obstacles of a wanted change that something may pass (semantics N58). An obstacle that is not
 * listed here is never passed: unsupported, hold, exclude, pin, hard freeze, in doubt, quarantined,
 * busy, offline, unknown, paused, budgets and guardrails.
 */
const PASSES = {
  /** The day that a spread gives to a device. */
  spread: ['expedite', 'incident'],
  deferral: ['expedite', 'incident'],
  offlineGrace: ['expedite', 'incident'],
  /** The soak of firmware on the same device. */
  firmwareSoak: ['expedite', 'incident'],
  /** The day between the password and the certificate of one device. */
  credentialGap: ['incident'],
  /** The soak between two waves; of the canary, see `allow: {skipCanary: true}`. */
  waveSoak: ['expedite', 'incident'],
  softFreeze: ['expedite', 'incident'],
  window: ['expedite', 'incident'],
  cutoff: ['expedite', 'incident'],
} as const satisfies Readonly<Record<string, readonly Passer[]>>;

/** What may pass an obstacle: an exception of type `expedite`, or an incident. */
export type Passer = 'expedite' | 'incident';

/** An obstacle that may be passed. */
export type Passable = keyof typeof PASSES;

/** Whether the passer passes the obstacle. Without a passer nothing is passed. */
export function isPassed(what: Passable, passer: Passer | undefined): boolean {
  return passer !== undefined && (PASSES[what] as readonly Passer[]).includes(passer);
}

/** The obstacles that it passes, in the order of the decision. */
export function passedBy(passer: Passer): readonly Passable[] {
  return (Object.keys(PASSES) as Passable[]).filter((what) => isPassed(what, passer));
}
