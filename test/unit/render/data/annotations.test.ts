import { loadTexts } from '../../../../src/config/load.ts';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import { compareWithBase } from '../../../../src/plan/compare/counterfactual.ts';
import { findingAnnotations, planAnnotations } from '../../../../src/render/data/annotations.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { hostileNames } from '../../../support/hostile.ts';
import { draws } from '../../../support/campaign.ts';
import { change, nightPlan, planOf } from '../../../support/render-plan.ts';

const lines = (plan = nightPlan()) => planAnnotations(buildPlanView(plan));

describe('a plan as marks on the lines of the documents', () => {
  it('says at each line what it causes, riskiest first', async () => {
    await expect(`${lines().join('\n')}\n`).toMatchFileSnapshot('../goldens/plan-night.ci.txt');
  });

  it('says ten of a kind, the tenth counting the others', () => {
    const changes = Array.from({ length: 25 }, (_, n) =>
      change(
        { id: `d${n}` },
        { at: { policy: `firmware.p${n}`, file: 'f.yaml', line: n + 1, column: 3 } },
      ),
    );
    const notices = lines(planOf(changes)).filter((line) => line.startsWith('::notice '));
    expect(notices).toHaveLength(10);
    expect(notices[9]).toContain('And 15 more like it.');
    expect(notices[8]).not.toContain('more like it');
  });

  describe('of what is skipped', () => {
    const at = (line: number) => ({ policy: `firmware.p${line}`, file: 'f.yaml', line, column: 3 });
    const skipped = (id: string, line: number, reason: Change['reason']) =>
      change({ id }, { at: at(line), action: 'skip', reason, after: {} });
    const DOWN = { code: 'unsupported', why: 'downgrade' } as const;
    const since = { ref: 'main', commit: 'b'.repeat(40) };
    const changes = [
      skipped('low', 1, DOWN),
      skipped('kept', 2, { code: 'unsupported', why: 'noTargetFirmware' }),
      skipped('held', 3, { code: 'hold' }),
      skipped('never', 4, { code: 'exclude' }),
    ];
    const base = [
      change({ id: 'low' }, { at: at(1) }),
      skipped('kept', 2, { code: 'unsupported', why: 'noTargetFirmware' }),
      change({ id: 'held' }, { at: at(3) }),
    ];

    it('warns at what these documents want in vain, and notes what is no longer due', () => {
      const marks = lines(compareWithBase(planOf(changes), planOf(base), since));
      expect(marks.map((line) => line.replace(/,col.*/, ''))).toEqual([
        '::warning file=f.yaml,line=1',
        '::notice file=f.yaml,line=3',
      ]);
      expect(marks[0]).toContain('needs you: ');
    });

    it('says nothing without a base', () => {
      expect(lines(planOf(changes))).toEqual([]);
    });

    it('comes before the findings, ten warnings in all', () => {
      const many = Array.from({ length: 12 }, (_, n) => skipped(`d${n}`, n + 1, DOWN));
      const finding = { code: 'noCanary', severity: 'warning', params: {} } as const;
      const plan = compareWithBase(planOf(many, { warnings: [finding] }), planOf([]), since);
      const marks = lines(plan);
      expect(marks).toHaveLength(10);
      for (const mark of marks) expect(mark).toContain('needs you: ');
      expect(marks[9]).toContain('And 3 more like it.');
    });
  });

  it('refuses as an error at the guardrail', () => {
    const at = { file: 'fleet/guardrails.yaml', line: 3, column: 5 };
    const verdict = {
      guardrail: 'default',
      limit: 'maxChanges',
      value: 30,
      number: 9,
      allowed: 5,
      passed: false,
      at,
    } as const;
    expect(lines(planOf([], { verdicts: [verdict] }))).toEqual([
      '::error file=fleet/guardrails.yaml,line=3,col=5,title=Refused by guardrail default::9 changes; the limit is 5; ' +
        'select fewer devices, or add an `allow` exception for maxChanges with a ticket (`fleetform explain exceptions.allow`).',
    ]);
  });

  it('lets no hostile text begin a command, end a value or break a line', () => {
    for (const name of hostileNames(draws(5_000))) {
      const at = { policy: 'firmware.x', file: name, line: 1, column: 1 };
      const reason = { code: 'windowClosed', params: { window: name } } as const;
      const plan = planOf([change({ id: name, name }, { at, reason, action: 'wait' })]);
      const [line = '', ...more] = lines(plan);
      expect(more).toEqual([]);
      const read = runner(line);
      expect(Object.keys(read.properties)).toEqual(['file', 'line', 'col', 'title']);
      expect(read.command).toBe('notice');
      expect(/[\r\n\u001b]/.test(read.message + Object.values(read.properties).join())).toBe(false);
    }
  });
});

/** Reads a workflow command as the runner does: one a line, values apart at commas, then unescaped. */
function runner(line: string): {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
} {
  const match = /^::(\w+) (.*?)::(.*)$/s.exec(line);
  const [, command = '', properties = '', message = ''] = match ?? [];
  const pairs = properties.split(',').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, unescaped(value.join('='))] as const;
  });
  return { command, properties: Object.fromEntries(pairs), message: unescaped(message) };
}

function unescaped(text: string): string {
  return text.replace(/%(0D|0A|3A|2C|25)/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

describe('documents that cannot be planned', () => {
  const SECRETS = ['hunter2pass', 's3cretLoginValue1', 's3cretAuthValue22'];
  const TEXT = `service: {baseUrl: "https://user:${SECRETS[0]}@api.example.com", organization: acme}
rotations:
  a: {task: rotatePassword, select: {model: x}, maxAge: 180d, windows: anytime, payload: {login: ${SECRETS[1]}, auth: ${SECRETS[2]}}}
`;

  it('have their findings on their lines, and no secret of them is told', () => {
    const { diagnostics } = loadTexts([{ path: 'fleet/a.yaml', text: TEXT }]);
    const lines = findingAnnotations(diagnostics);
    expect(lines.map((line) => /line=(\d+).*title=(\w+)/.exec(line)?.slice(1))).toEqual([
      ['1', 'badUrl'],
      ['3', 'looksLikeSecret'],
      ['3', 'looksLikeSecret'],
    ]);
    for (const secret of SECRETS) expect(lines.join('\n')).not.toContain(secret);
  });
});
