import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { policyAt } from '../../model/documents/policy-at.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Span as WindowSpan, WindowSpec } from '../../model/documents/window.ts';
import type { PolicyForecast, Remedy } from '../../model/report/rehearsal.ts';
import { runCourse, type CourseInput } from './course.ts';

const HALF_HOUR: Milliseconds = 1_800_000;
const DAY: Milliseconds = 48 * HALF_HOUR;

/** Reasons that each kind of change may end. */
const WINDOW_REASONS = new Set<string>(['windowClosed', 'pastCutoff', 'apiBudget']);
const FLIGHT_REASONS = new Set<string>(['budgetExhausted', ...WINDOW_REASONS]);
const GATE_REASONS = new Set<string>(['gatePending', 'waveNotOpen']);

/**
 * Looks for the smallest change that lets late work end in time, and rehearses each one that it tries,
 * with the first seed and without faults: longer windows in steps of half an hour, more devices in
 * flight, fewer samples of a gate, a shorter soak, then more time for the documents as they are. The
 * policy with most late work comes first, until the trials are used up.
 */
export async function findRemedies(
  policies: readonly PolicyForecast[],
  input: CourseInput,
  { trials }: { readonly trials: number },
): Promise<readonly PolicyForecast[]> {
  const late = policies.filter(({ late: left }) => left > 0).toSorted((a, b) => b.late - a.late);
  const found = new Map<string, Remedy>();
  let left = trials;
  const fits = async (policy: string, trial: Trial): Promise<boolean | undefined> => {
    if (left <= 0) return undefined;
    left -= 1;
    const course = await runCourse({ ...input, ...trial, faults: [] }).catch(unlessInvalid);
    if (!course) return false;
    const fates = [...course.tally.fates().values()];
    return fates.every((fate) => fate.policy !== policy || fate.is !== 'late');
  };
  for (const forecast of late) {
    const remedy = await remedyFor(forecast, input, (trial) => fits(forecast.policy, trial));
    if (remedy) found.set(forecast.policy, remedy);
  }
  return policies.map((each) => {
    const remedy = found.get(each.policy);
    return remedy ? { ...each, remedy } : each;
  });
}

/** A change that makes the documents contradict themselves is none. */
function unlessInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidDocuments)) throw error;
}

/** A change of the input that is tried. */
type Trial = Partial<Pick<CourseInput, 'documents' | 'until'>>;
type Fits = (trial: Trial) => Promise<boolean | undefined>;

async function remedyFor(
  { policy: address, heldBy }: PolicyForecast,
  { documents, until }: CourseInput,
  fits: Fits,
): Promise<Remedy | undefined> {
  const policy = policyAt(documents, address);
  const isHeldBy = (reasons: ReadonlySet<string>): boolean =>
    heldBy.some(({ code }) => reasons.has(code));
  const window = policy?.windows.find((name) => documents.windows.has(name));
  if (window !== undefined && isHeldBy(WINDOW_REASONS)) {
    const extra = await smallest(STEPS_OF_TIME, (more) =>
      fits({ documents: longer(documents, window, more) }),
    );
    if (extra !== undefined) return { is: 'longerWindow', window, by: extra };
  }
  const rollout = policy?.rollout;
  const ofRollout = rollout === undefined ? [] : rolloutTrials(documents, rollout, isHeldBy);
  for (const { values, change, remedy } of ofRollout) {
    const value = await smallest(values, (each) => fits({ documents: change(each) }));
    if (value !== undefined) return remedy(value);
  }
  const days = await smallest(MORE_DAYS, (more) => fits({ until: until + more }));
  return days === undefined ? undefined : { is: 'moreTime', by: days };
}

/** One kind of change to a rollout: values from the smallest change to the greatest. */
interface RolloutTrial {
  readonly values: readonly number[];
  readonly change: (value: number) => Documents;
  readonly remedy: (value: number) => Remedy;
}

function rolloutTrials(
  documents: Documents,
  rollout: string,
  isHeldBy: (reasons: ReadonlySet<string>) => boolean,
): readonly RolloutTrial[] {
  const spec = rolloutOrDefault(documents.rollouts, rollout);
  const { maxInFlight, gate, waves } = spec;
  const change = (value: Partial<RolloutSpec>): Documents =>
    withRollout(documents, rollout, { ...spec, ...value });
  const inFlight: RolloutTrial = {
    values: [2, 4, 8].map((times) => times * maxInFlight),
    change: (value) => change({ maxInFlight: value }),
    remedy: (value) => ({ is: 'moreInFlight', rollout, value }),
  };
  const samples: RolloutTrial = {
    values: Array.from({ length: gate.consecutiveOk - 1 }, (_, n) => gate.consecutiveOk - 1 - n),
    change: (value) => change({ gate: { ...gate, consecutiveOk: value } }),
    remedy: (value) => ({ is: 'fewerSamples', rollout, value }),
  };
  const longest = Math.max(0, ...waves.slice(0, -1).map(({ soak }) => soak));
  const soaks: RolloutTrial = {
    values: longest === 0 ? [] : [0.75, 0.5, 0.25, 0].map((share) => share * longest),
    change: (most) =>
      change({ waves: waves.map((wave) => ({ ...wave, soak: Math.min(most, wave.soak) })) }),
    remedy: (soak) => ({ is: 'shorterSoak', rollout, soak }),
  };
  return [
    ...(isHeldBy(FLIGHT_REASONS) ? [inFlight] : []),
    ...(isHeldBy(GATE_REASONS) ? [samples, soaks] : []),
  ];
}

/** How much more time documents get as they are. */
const MORE_DAYS = [1, 2, 3, 5, 7, 14].map((days) => days * DAY);

/** By how much windows are lengthened: half an hour, and up to a whole day. */
const STEPS_OF_TIME = Array.from({ length: 12 }, (_, index) => (index + 1) * HALF_HOUR);

/**
 * The least of these values that fits, by halving; undefined where the greatest does not fit, or the
 * trials ended before one was found.
 */
async function smallest(
  values: readonly number[],
  fits: (value: number) => Promise<boolean | undefined>,
): Promise<number | undefined> {
  let [low, high] = [0, values.length - 1];
  let found: number | undefined;
  const greatest = values[high];
  if (greatest === undefined || (await fits(greatest)) !== true) return undefined;
  found = greatest;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const value = values[middle] ?? greatest;
    const answer = await fits(value);
    if (answer === undefined) return found;
    if (answer) [found, high] = [value, middle];
    else low = middle + 1;
  }
  return found;
}

/** The same documents with each span of a window ending later. */
function longer(documents: Documents, name: string, more: Milliseconds): Documents {
  const entry = documents.windows.get(name);
  if (!entry) return documents;
  const value: WindowSpec = {
    ...entry.value,
    allow: entry.value.allow.map((span) => lengthen(span, more)),
  };
  return { ...documents, windows: new Map([...documents.windows, [name, { ...entry, value }]]) };
}

function lengthen(span: WindowSpan, more: Milliseconds): WindowSpan {
  if (span.is === 'always') return span;
  if (span.is === 'cron') return { ...span, duration: Math.min(DAY, span.duration + more) };
  const minutes = (span.to - span.from + 1_440) % 1_440 || 1_440;
  const longest = Math.min(1_439, minutes + more / 60_000);
  return { ...span, to: (span.from + longest) % 1_440 };
}

/** The same documents with another rollout of this name; the built-in one becomes an entry. */
function withRollout(documents: Documents, name: string, value: RolloutSpec): Documents {
  const entry = documents.rollouts.get(name) ?? { ...documents.service, name };
  return { ...documents, rollouts: new Map([...documents.rollouts, [name, { ...entry, value }]]) };
}
