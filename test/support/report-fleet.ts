import type { Outlook } from '../../src/model/plan/outlook.ts';
import { parseInstant, type Instant } from '../../src/lib/time.ts';
import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import type { Freeze, WindowSpec } from '../../src/model/documents/window.ts';
import { NOW } from './plan-fleet.ts';

/** An instant of the kind `2026-11-24T02:00`, in UTC. */
export function utc(text: string): Instant {
  return parseInstant(`${text}:00Z`) ?? Number.NaN;
}

/** A rotation of a device that is due ten days from now, with these fields instead. */
export function anOutlook(id: string, fields: Partial<Outlook> = {}): Outlook {
  return {
    task: 'rotatePassword',
    device: { id, name: `name of ${id}`, sites: [{ id: 's1', name: 'HQ Berlin' }] },
    at: { file: 'fleet/test.yaml', line: 7, column: 3, policy: 'rotations.pw' },
    windows: ['nights'],
    dueAt: NOW + 10 * 86_400_000,
    freezes: [],
    exceptions: [],
    ...fields,
  };
}

/** Tuesdays from 01:00 to 05:00 by the clock of the site, with these fields instead. */
export function aWindow(fields: Partial<WindowSpec> = {}): WindowSpec {
  return {
    timeZone: 'site',
    allow: [{ is: 'days', days: ['tue'], from: 60, to: 300 }],
    deny: [],
    cutoff: 0,
    tasks: TASK_TYPES,
    ...fields,
  };
}

/** A freeze of every device over the last week of November, with these fields instead. */
export function aFreeze(fields: Partial<Freeze> = {}): Freeze {
  return {
    timeZone: 'UTC',
    term: {
      is: 'once',
      from: { instant: utc('2026-11-23T00:00') },
      to: { instant: utc('2026-11-30T00:00') },
    },
    hard: false,
    tasks: TASK_TYPES,
    maxLength: 30 * 86_400_000,
    reason: 'sale',
    owner: 'shop',
    ticket: 'CHG-1',
    ...fields,
  };
}
