import { describe, expect, it } from 'vitest';
import { playAction, type Playing } from './actions.ts';
import { fillIn, holds, type Scope } from './expression.ts';

const SCOPE: Scope = {
  names: { github: { ref_name: 'main', event: { number: 7 } }, vars: { ON: 'on' }, secrets: {} },
  open: ['vars', 'secrets'],
  functions: { cancelled: () => false, hashFiles: (name) => (name === 'a' ? 'f00d' : '') },
};

describe('an expression of a workflow', () => {
  it.each([
    ["vars.ON == 'on' && github.ref_name == 'main'", true],
    ["vars.OFF == 'on'", false],
    ["vars.OFF != ''", false],
    ["vars.ON == 'ON'", true],
    ["${{ !cancelled() && hashFiles('a') != '' }}", true],
    ["hashFiles('b') || cancelled()", false],
    ["!(vars.OFF || vars.ON == 'it''s')", true],
    ['github.event.number == 7', true],
  ])('%s', (text, expected) => {
    expect(holds(text, SCOPE)).toBe(expected);
  });

  it('is filled into a text', () => {
    expect(fillIn('a-${{ github.ref_name }}-${{ secrets.NONE }}', SCOPE)).toBe('a-main-');
  });

  it.each([
    'github.actor',
    'needs.plan.result',
    'failure()',
    "contains(vars.ON, 'o')",
    'vars.ON > 1',
    'vars.ON ==',
    "vars.ON 'on'",
    'github.event',
    'github.event.*.body',
  ])('is refused where it is not known: %s', (text) => {
    expect(() => holds(text, SCOPE)).toThrow();
  });
});

describe('an action of a workflow', () => {
  const commit = 'a'.repeat(40);
  const play = (uses: string, inputs = {}) => playAction(uses, inputs, {} as Playing);

  it('is refused where it is not known, or not pinned, or asked for something else', () => {
    expect(() => play(`actions/cache@${commit}`)).toThrow('not played here');
    expect(() => play('actions/setup-node@v4')).toThrow('not played here');
    expect(() => play(`actions/setup-node@${commit}`, { mirror: 'x' })).toThrow('not played here');
    expect(() => play(`actions/setup-node@${commit}`, { 'node-version': '22' })).not.toThrow();
  });
});
