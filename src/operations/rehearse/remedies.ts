import { InvalidDocuments } from '../../model/documents/quoted.ts';
import type { Milliseconds } from '../../lib/time.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { policyAt } from '../../model/documents/policy-at.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Span as WindowSpan, WindowSpec } from '../../model/documents/window.ts';
import type { PolicyForecast, Remedy } from '../../model/report/rehearsal.ts';
import { runCourse, type CourseInput } from './course.ts';

const HALF_HOUR: Milliseconds = 1_800_000;
const DAY: Milliseconds = 48 * HALF_HOUR;

/** Reasons that a longer window ends, and those that more devices in flight end. */
const WINDOW_REASONS = new Set<string>(['windowClosed', 'pastCutoff', 'apiBudget']);
const FLIGHT_REASONS = new Set<string>(['budgetExhausted']);

/**
 * Looks for the smallest change that lets late work end in time, and rehearses each one that it tries,
 * with the first seed and without faults: longer windows in steps of half an hour, then more devices in
 * flight. The policy with most late work comes first, until the trials are used up.
 */
export async function findRemedies(
  policies: readonly PolicyForecast[],
  input: CourseInput,
  { trials }: { readonly trials: number },
): Promise<readonly PolicyForecast[]> {
  const late = policies.filter(({ late: left }) => left > 0).toSorted((a, b) => b.late - a.late);
  const found = new Map<string, Remedy>();
  let left = trials;
  const fits = async (policy: string, documents: Documents): Promise<boolean | undefined> => {
    if (left <= 0) return undefined;
    left -= 1;
    const course = await runCourse({ ...input, documents, faults: [] }).catch(unlessInvalid);
    if (!course) return false;
    const fates = [...course.tally.fates().values()];
    return fates.every((fate) => fate.policy !== policy || fate.is !== 'late');
  };
  for (const forecast of late) {
    const remedy = await remedyFor(forecast, input, (documents) =>
      fits(forecast.policy, documents),
    );
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

type Fits = (documents: Documents) => Promise<boolean | undefined>;

async function remedyFor(
  { policy: address, heldBy }: PolicyForecast,
  { documents }: CourseInput,
  fits: Fits,
): Promise<Remedy | undefined> {
  const policy = policyAt(documents, address);
  const codes = heldBy.map(({ code }) => code);
  const window = policy?.windows.find((name) => documents.windows.has(name));
  if (window !== undefined && codes.some((code) => WINDOW_REASONS.has(code))) {
    const more = await smallest(STEPS_OF_TIME, (each) => fits(longer(documents, window, each)));
    if (more !== undefined) return { is: 'longerWindow', window, by: more };
  }
  if (!codes.some((code) => FLIGHT_REASONS.has(code) || WINDOW_REASONS.has(code))) return undefined;
  const rollout = policy?.rollout;
  if (rollout === undefined || !documents.rollouts.has(rollout)) return undefined;
  const { maxInFlight } = rolloutOrDefault(documents.rollouts, rollout);
  const more = [2, 4, 8].map((times) => times * maxInFlight);
  const value = await smallest(more, (each) => fits(wider(documents, rollout, each)));
  return value === undefined ? undefined : { is: 'moreInFlight', rollout, value };
}

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

function wider(documents: Documents, name: string, maxInFlight: number): Documents {
  const entry = documents.rollouts.get(name);
  if (!entry) return documents;
  const value = { ...entry.value, maxInFlight };
  return { ...documents, rollouts: new Map([...documents.rollouts, [name, { ...entry, value }]]) };
}
