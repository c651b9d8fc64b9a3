import { describe, expect, it } from 'vitest';
import type { Reason } from '../../../src/model/plan/reason.ts';
import { nextStep, policyStep } from '../../../src/model/report/next-step.ts';
import { nextStepWords } from '../../../src/render/words/next-step-words.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;

const soak: Reason = { code: 'gatePending', why: 'soak', next: NOW + 2 * HOUR };
const shut: Reason = { code: 'windowClosed', next: NOW + HOUR };
const offline: Reason = { code: 'offline' };
const paused: Reason = { code: 'rolloutPaused', next: 'never' };
const tooOld: Reason = { code: 'unsupported', why: 'downgrade', next: 'never' };

const said = (reasons: readonly Reason[], run = 0): string =>
  nextStepWords(
    nextStep(
      reasons.map((reason) => ({ reason, count: 2 })),
      { now: NOW, run },
    ),
    {
      now: NOW,
      command: 'apply plan.json',
    },
  );

describe('the next step', () => {
  it('is the command where something may run', () => {
    expect(said([paused, soak], 3)).toBe('run `fleetform apply plan.json`');
  });

  it('is the command from the first instant on, with how many wait', () => {
    expect(said([soak, shut])).toBe(
      'run `fleetform apply plan.json` again from 2026-11-20 13:00 UTC: the first of 4 changes may start then',
    );
    expect(said([soak, paused])).toContain('from 2026-11-20 14:00 UTC');
  });

  it('is no instant where something else may go on before it, or the instant is over', () => {
    const late = { ...shut, next: NOW - HOUR };
    for (const reasons of [[soak, offline], [late]])
      expect(said(reasons)).toBe(
        'run `fleetform apply plan.json` again when what it waits for is over',
      );
  });

  it('is what a person has to do where nothing of it goes on by itself, each thing once', () => {
    const text = said([paused, tooOld, tooOld]);
    expect(text).toMatch(/^a person has to act first/);
    expect(text).toMatch(/resume --ticket .*; write `downgrade: allow`/);
    expect(text.match(/downgrade: allow/g)).toHaveLength(1);
    expect(text).not.toContain('fleetform apply');
  });

  it('is nothing where nothing is left', () => {
    expect(said([])).toBe('nothing to do');
  });

  it('of a policy goes by what is skipped where nothing of it waits', () => {
    const skips = [{ reason: tooOld, count: 1 }];
    expect(policyStep({ run: 0, waits: [], skips }, NOW).is).toBe('person');
    const waits = [{ reason: offline, count: 1 }];
    expect(policyStep({ run: 0, waits, skips }, NOW).is).toBe('open');
  });
});
