import { createProgram } from '../../../../src/cli/program/program.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../../../src/model/documents/diagnostic.ts';
import { REASON_CODES, type ReasonWhy } from '../../../../src/model/plan/reason.ts';
import * as words from '../../../support/words.ts';
import { FORBIDDEN, hostileNames } from '../../../support/hostile.ts';
import { zoneClock } from '../../../../src/render/words/local.ts';

const ENTRIES: readonly (readonly [string, words.CodePhrases])[] = [
  ...Object.entries(words.DIAGNOSTIC_WORDS),
  ...Object.entries(words.ERROR_WORDS),
  ...Object.entries(words.REASON_WORDS),
  ...Object.entries(words.OUTCOME_WORDS),
  ...Object.entries(words.ENDED_WORDS),
];

/** Every parameter that any sentence asks for, with one value. */
function allParams(value: string): Record<string, string> {
  const text = JSON.stringify([ENTRIES, words.REASON_WHYS]);
  const names = [...text.matchAll(/\{(\w+)[#=|}]/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(names.map((name) => [name, value]));
}

/** A sentence that was filled: nothing of the phrase language is left in it. */
const UNFILLED =
  /\|\||undefined|\{\w+[#=|}]|\[[^\]]*\{|\(not said\)|  | [,;:)]| \.(?!\.)|^(?!fleetform |git )[a-z]/;

describe('the catalogue', () => {
  it.each(ENTRIES)('%s says what happened and what to do next', (_, entry) => {
    expect(entry.says.trim()).not.toBe('');
    expect(entry.next.trim()).not.toBe('');
  });

  it.each(ENTRIES)('%s does not repeat its code', (code, entry) => {
    if (!/[A-Z]/.test(code)) return;
    expect(`${entry.says} ${entry.more ?? ''} ${entry.next}`).not.toContain(code);
  });

  it('advises only commands that there are', () => {
    const shell = { out: { columns: 80 }, err: { columns: 80 } } as Shell;
    const { commands: all } = createProgram(shell, () => undefined);
    const commands = all.map((command) => command.name());
    const advised = [
      ...JSON.stringify([ENTRIES, words.REASON_WHYS, words.EXIT_WORDS]).matchAll(
        /`fleetform ([a-z]+)/g,
      ),
    ];
    expect(
      advised.map(([, name]) => name ?? '').filter((name) => !commands.includes(name)),
    ).toEqual([]);
  });

  it('words every finding and every failure as sentences', () => {
    const sentences = [words.DIAGNOSTIC_WORDS, words.ERROR_WORDS].flatMap((all) =>
      Object.values(all).flatMap((entry: words.CodePhrases) => [entry.says, entry.next]),
    );
    for (const phrase of sentences) expect(phrase).toMatch(/[.?:\]})]$/);
  });
});

describe('findings', () => {
  it.each(DIAGNOSTIC_CODES)('%s reads well with its parameters and without', (code) => {
    for (const params of [{}, allParams('X')]) {
      const said = words.diagnosticWords({ code, severity: 'error', params });
      expect(`${said.summary} ${said.detail ?? ''}`.trim()).not.toMatch(UNFILLED);
      expect(said.next).not.toMatch(UNFILLED);
    }
  });

  it('interpolates parameters through the sink alone', () => {
    for (const name of hostileNames(60)) {
      const params = allParams(name);
      for (const code of DIAGNOSTIC_CODES) {
        const said = words.diagnosticWords({ code, severity: 'error', params });
        expect(Object.values(said).join('')).not.toMatch(FORBIDDEN);
      }
    }
  });

  it('puts finer codes into English', () => {
    const params = { value: 'latest', problem: 'latest' };
    expect(words.diagnosticWords({ code: 'badVersion', severity: 'error', params }).summary).toBe(
      'Invalid version "latest": use `approved` instead of "latest".',
    );
  });

  it('suggests where it can and instructs where it cannot', () => {
    const at = { code: 'unknownKey', severity: 'error' } as const;
    const params = { key: 'verson', within: 'firmware.a', allowed: 'select, version' };
    expect(words.diagnosticWords({ ...at, params: { ...params, suggestion: 'version' } })).toEqual({
      summary: 'Unknown key "verson" in firmware.a.',
      detail: 'Known keys: select, version.',
      next: 'Did you mean "version"?',
    });
    expect(words.diagnosticWords({ ...at, params }).next).toMatch(/^Remove it/);
  });
});

describe('failures', () => {
  it.each(Object.keys(words.ERROR_WORDS))('%s reads well with parameters and without', (code) => {
    for (const params of [{}, allParams('X')]) {
      const said = words.errorWords(code as keyof typeof words.ERROR_WORDS, params);
      expect(`${said.summary} ${said.detail ?? ''}`.trim()).not.toMatch(UNFILLED);
      expect(said.next).not.toMatch(UNFILLED);
    }
  });

  it.each([
    ['credentialsMissing', /FLEETFORM_CLIENT_ID/, /FLEETFORM_CLIENT_SECRET/],
    ['notJson', /baseUrl/, /Login pages/],
    ['planTampered', /new plan/, /edited or cut/],
    ['locked', /--take-over/, /Locked by another run/],
    ['tlsFailed', /NODE_EXTRA_CA_CERTS/, /its CA is not trusted/],
    ['unreachable', /This request was not sent/, /Cannot connect to the service/],
  ] as const)('%s says what matters', (code, next, told) => {
    const said = words.errorWords(code, {});
    expect(said.next).toMatch(next);
    expect(`${said.summary} ${said.detail ?? ''} ${said.next}`).toMatch(told);
  });

  it.each([
    [
      'a task',
      { method: 'POST', path: '/v1/tasks', needs: 'Admin or Operator' },
      /^The task needs the role Admin or Operator; the provider enables it for each account\.$/,
      /for the role Admin or Operator/,
    ],
    [
      'the list of firmware paths',
      { method: 'GET', path: '/v1/firmware-paths', needs: 'Admin' },
      /^The list of firmware paths needs the role Admin\.$/,
      /reads the target firmware of each device instead/,
    ],
    [
      'another read',
      { method: 'GET', path: '/v1/sites' },
      /^The provider enables the API for each account\.$/,
      /^(?!.*Operator)/,
    ],
  ])('says of %s that is refused which right it takes', (_what, params, detail, next) => {
    const said = words.errorWords('forbidden', { ...params, status: 403 });
    expect(said.detail).toMatch(detail);
    expect(said.next).toMatch(next);
  });

  it.each([
    ['deviceTasks', 'task "nope"'],
    ['device', 'device "nope"'],
    ['deviceSource', 'device source "nope"'],
    ['passwords', 'the passwords of device "nope"'],
  ])('calls a missing %s by the word that people use', (what, called) => {
    const { summary } = words.errorWords('notFound', { what, id: 'nope' });
    expect(summary).toBe(`The service does not return ${called}.`);
  });

  it('keeps the rows of the outcome table out of what people read', () => {
    const said = words.errorWords('postRefused', { status: 404, row: 'P06' });
    expect(said.summary).toBe('The service refused the task: status 404.');
  });

  it('names who holds the lock, since when, and how to go on', () => {
    const params = { label: 'ci', host: 'runner-7', pid: 4711, since: '2026-11-20T01:00:00Z' };
    expect(words.errorWords('locked', params).summary).toBe(
      'Locked by ci on runner-7, process 4711, since Fri 20 Nov 2026 01:00 UTC.',
    );
  });
});

describe('reasons', () => {
  const whys = Object.keys(words.REASON_WHYS) as ReasonWhy[];

  it.each([...REASON_CODES])('%s reads well', (code) => {
    for (const params of [{}, allParams('x')]) {
      const said = words.reasonWords({ code, params });
      expect(`${said.summary} ${said.next}`).not.toMatch(/\|\||undefined|\{|\(not said\)|  /);
    }
  });

  it.each(whys)('%s replaces what its code says', (why) => {
    const said = words.reasonWords({ code: 'act', why });
    expect(said.summary).not.toBe('wanted now');
    expect(said.next).not.toBe('');
  });

  it.each(whys)('%s reads well with parameters and without', (why) => {
    for (const params of [{}, allParams('x')]) {
      const said = words.reasonWords({ code: 'waveNotOpen', why, params });
      const text = `${said.summary} ${said.next}`.replace('[OLDEST, ..., NEWEST]', '');
      expect(text).not.toMatch(/\|\||undefined|\[|\(not said\)|  /);
    }
  });

  it('says since when and for how long, and from when it is possible', () => {
    const now = Date.parse('2026-11-20T00:00:00Z');
    const said = words.reasonWords(
      { code: 'windowClosed', since: now - 3 * 3_600_000, next: now + 3_600_000 },
      { now },
    );
    expect(said.detail).toBe('since Thu 19 Nov 21:00 UTC (3 hours)');
    expect(said.next).toBe('not before Fri 20 Nov 01:00 UTC');
  });

  it('has a meaning and a next step for each of the ten exit codes', () => {
    expect(words.EXIT_WORDS).toHaveLength(10);
    for (const entry of words.EXIT_WORDS) expect(entry.next).not.toBe('');
  });
});

it('a young credential has the date that the service reports, with its year, on a page in site time', () => {
  const now = Date.parse('2026-11-27T13:58:00Z');
  const since = Date.parse('2026-08-20T13:57:00Z');
  const page = { now, clock: zoneClock('Europe/Berlin') };
  const { summary, detail } = words.reasonWords({ code: 'notDue', why: 'age', since }, page);
  expect(`${summary} ${detail}`).toBe(
    'younger than the policy requires (changed Thu 20 Aug 2026 13:57 UTC, 99 days ago)',
  );
});
