import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './sources.ts';

const FACTS = 'test/unit/operations/facts.test.ts';
const STORE = 'test/unit/store/facts.test.ts';
const NIGHT_FACTS = 'test/night/facts.slow.test.ts';
const NIGHT_PART = 'test/night/part.slow.test.ts';
const NIGHT_LEAK = 'test/night/leak.slow.test.ts';
const ONE_NIGHT = 'test/unit/guard/one-night.test.ts';
const IN_SERVICE = 'test/unit/rollout/budgets/in-service.test.ts';
const HINT = 'test/unit/model/report/hint.test.ts';

/**
 * What is to be shown of one night at one request a second, and where it is: a folder, or a file
 * and words of a title in it. Requests, parts, tasks in service, guardrails, pauses, incidents and
 * next steps have a letter each.
 */
const SHOWN: Readonly<Record<string, readonly [path: string, title?: string]>> = {
  F1: [NIGHT_FACTS, 'a second plan of 4,000 devices'],
  F2: [FACTS, 'reads no device again and is the same plan'],
  F3: [FACTS, 'with a forged line'],
  F4: ['test/unit/facts/four-values.test.ts', 'a value of a single device'],
  F5: [FACTS, 'costs the reads and nothing else'],
  F6: [FACTS, 'by another reader is read again, only its kind'],
  F7: [FACTS, 'before an upgrade or a rotation of ours is read again'],
  F8: [STORE, 'has the facts of both where two write at once'],
  F9: [STORE, 'is given up after five tries'],
  F10: [FACTS, 'names no device, site, vendor or model'],
  F11: [NIGHT_FACTS, 'twenty new devices beside 4,000 known ones'],
  F12: [NIGHT_FACTS, '1,700 keys are known after six plans, or three runs of apply'],
  F13: [NIGHT_FACTS, 'does not grow too old in one hour'],
  F14: ['test/scenarios/301-N15-N23-what-is-wrong-with-known-values-is-in-the-plan'],
  F15: [FACTS, 'reads some of what it knows again'],
  F16: ['test/unit/operations/facts-of-git.test.ts', 'a plan writes no ref'],
  F17: ['test/blackbox/audit.slow.test.ts', 'rests on values of earlier runs'],
  Q1: ['test/blackbox/requests.slow.test.ts', 'why dev-17'],
  Q2: ['test/unit/apply/send/whole-pass.test.ts', 'costs its pages, or the reads beside them'],
  Q3: ['test/rehearsals/Y6-a-filter-that-is-ignored'],
  Q4: ['test/unit/render/text/progress/progress.test.ts', 'has at most one line each half minute'],
  Q5: [NIGHT_PART, 'a file that cannot be written ends a command before any request'],
  Q6: ['test/unit/plan/reads.test.ts', 'of a comparison what can differ'],
  P1: ['test/scenarios/180-N34-N36-N40-a-part-runs-and-budgets-hold-over-the-whole'],
  P2: ['test/rehearsals/88-N36-what-is-in-flight-outside-a-part-counts'],
  P3: [NIGHT_PART, 'a pause holds a part as it holds the whole'],
  P4: ['test/rehearsals/86-N37-N38-a-part-begins-the-rollout-of-the-whole-policy'],
  P5: ['test/scenarios/182-N38-N39-parts-add-up-and-only-the-weighed-are-covered'],
  P6: ['test/rehearsals/87-N39-parts-add-up-until-the-whole-passes'],
  P7: ['test/rehearsals/89-N35-a-saved-part-is-narrowed-and-never-widened'],
  P8: ['test/scenarios/181-N37-a-canary-outside-the-part-comes-first'],
  P9: ['test/scenarios/191-N36-a-tie-outside-the-part-refuses-what-ties'],
  P10: [NIGHT_PART, 'is done with exit 0, although the rest of the fleet is not'],
  A1: ['test/scenarios/170-N44-A1-passwords-start-where-too-many-are-down'],
  A2: [IN_SERVICE, 'what takes devices down waits for passwords in flight'],
  A3: ['test/scenarios/171-N45-N46-what-is-in-our-hands-is-what-passwords-wait-for'],
  A4: [NIGHT_LEAK, 'whose redundant peer is dead waits'],
  A5: [IN_SERVICE, 'leaves it in service'],
  A6: ['test/scenarios/172-N43-N44-a-limit-of-0-and-a-percent-that-rounds-down'],
  E1: [ONE_NIGHT, 'E1 an adopted policy counts day by day'],
  E2: [ONE_NIGHT, 'E2 a generation raised on all'],
  E3: [ONE_NIGHT, 'E3 a mistyped age'],
  E4: [ONE_NIGHT, 'E4 a mistyped age does not pass in portions'],
  E5: [ONE_NIGHT, 'E5 firmware that nobody has read'],
  E6: [ONE_NIGHT, 'E6 the same in parts'],
  E7: [ONE_NIGHT, 'E7 on the day that the freeze ends'],
  G6: [ONE_NIGHT, 'G6 E7 a freeze counts nothing'],
  G7: ['test/scenarios/186-N52-G7-a-refusal-names-three-policies-and-what-waits'],
  G8: ['test/scenarios/183-G8-N38-what-a-part-has-weighed-is-not-counted-again'],
  Z1: ['test/blackbox/pause.slow.test.ts', 'stops a run at work before its next attempt'],
  Z2: [NIGHT_LEAK, 'never the pause of a person'],
  Z3: ['test/rehearsals/N66-a-pause-of-the-fleet-holds-everything-until-its-end'],
  Z4: ['test/unit/operations/intervene/lift.test.ts', 'ticket'],
  Z5: [NIGHT_LEAK, 'a pause of the fleet holds an incident, until it is lifted'],
  I1: ['test/night/leak-of-4000.slow.test.ts', '667 of 4,000 with 69 down'],
  I2: ['test/unit/plan/decide/passes.test.ts', 'what passes an obstacle, and what does not'],
  I3: ['test/rehearsals/N59-N61-I3-I5-one-bad-device-in-the-trial-pauses-the-incident'],
  I4: ['test/scenarios/177-N60-I4-one-more-than-expected-is-refused'],
  I5: [NIGHT_LEAK, 'nothing starts after its end'],
  I6: ['test/rehearsals/N56-I6-an-incident-is-run-twice-and-the-second-run-finds-it-done'],
  I7: [NIGHT_LEAK, 'an incident that is deleted early causes nothing more'],
  I8: [NIGHT_LEAK, 'beats an incident'],
  'X1 to X11': [HINT, 'is row %i of the table in scenario'],
  X12: [HINT, 'is the first of two rows that fit'],
};

describe('what is to be shown of one night', () => {
  it.each(Object.entries(SHOWN))('%s is in %j', (_, [path, title]) => {
    const full = join(ROOT, path);
    expect(existsSync(full)).toBe(true);
    expect(statSync(full).isDirectory()).toBe(title === undefined);
    if (title !== undefined) expect(readFileSync(full, 'utf8')).toContain(title);
  });
});
