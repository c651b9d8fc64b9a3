import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/change.ts';
import { planText } from '../../../../src/render/outputs/plan.ts';
import { textWidth } from '../../../../src/render/sinks/width.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { LOOK } from '../../../support/render-look.ts';
import { change, labels, NOW, planOf } from '../../../support/render-plan.ts';

const DAY = 86_400_000;

function linesOf(changes: readonly Change[], more: Parameters<typeof planOf>[1] = {}) {
  const view = buildPlanView(planOf(changes, more));
  const command = 'apply plan.json';
  return [...planText(view, { ...LOOK, width: 80, isSummary: true, command })].map(String);
}

/** Four that start, two that wait, one that needs a person, three that the service does not offer. */
const MIXED: readonly Change[] = labels(10).map((device, n) => {
  if (n < 4) return change(device);
  if (n < 6) {
    const reason = { code: 'windowClosed', next: NOW + DAY } as const;
    return change(device, { action: 'wait', reason });
  }
  if (n < 7) {
    const reason = {
      code: 'unsupported',
      why: 'maintenanceMode',
      params: { needsYou: '7d' },
    } as const;
    return change(device, { action: 'wait', reason });
  }
  const reason = { code: 'unsupported', why: 'taskUnavailable', next: 'never' } as const;
  return change(device, { task: 'restartDevice', action: 'skip', reason });
});

describe('what a plan prints where nobody asked for more', () => {
  it('is the sentence, the table, what is left out, who has to act, and the next step', async () => {
    const lines = linesOf(MIXED);
    expect(lines[0]).toMatch(/^10 selected: 4 now, 2 later, 1 needs you, 3 out\.$/);
    expect(lines).toContain('Out: 3, the service offers no restart for them');
    expect(lines.join('\n')).toMatch(
      /\nLater: 2 \(times in UTC\)\n {2}firmware.axis-p32 {2}2 from Sat 21 Nov/,
    );
    expect(lines.at(-1)).toMatch(/^next: /);
    expect(lines.length).toBeLessThanOrEqual(24);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../goldens/plan-summary.txt');
  });

  it('names no digest, no risk and nothing that starts now by itself', () => {
    const lines = linesOf(labels(40).map((device) => change(device)));
    expect(lines.join('\n')).not.toMatch(/RISK|Starts:|Plan ID|--approved|About/);
    expect(lines.at(-1)).toBe('next: fleetform apply plan.json');
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80);
  });
});
