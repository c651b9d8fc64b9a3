import { parseDuration, parseInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import { WorldError, usage } from '../model/error.ts';

/** Reads an option that is a duration, such as `90d`. Throws `usage` for any other text. */
export function durationOption(option: string, text: string): Milliseconds {
  const ms = parseDuration(text);
  if (ms === undefined) throw wrong(option, text, 'a whole number and one of s, m, h, d, w: 90d');
  return ms;
}

/** Reads an option that is an instant with its offset. Throws `usage` for any other text. */
export function instantOption(option: string, text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined)
    throw wrong(option, text, 'an instant with its offset: 2027-01-31T00:00:00Z');
  return instant;
}

/** Reads an option that is one of these words. Throws `usage` for any other. */
export function wordOption<T extends string>(option: string, text: string, words: readonly T[]): T {
  const word = words.find((each) => each === text);
  if (word === undefined) throw wrong(option, text, `one of ${words.join(', ')}`);
  return word;
}

function wrong(option: string, text: string, wanted: string): WorldError {
  return usage(`Option "${option}" is "${text}"; write ${wanted}`);
}
