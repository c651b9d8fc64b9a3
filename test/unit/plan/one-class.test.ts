import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  option,
  property,
  record,
} from 'fast-check';
import { expect, test } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import type { Exception } from '../../../src/model/documents/exception.ts';
import type { IntentPhase } from '../../../src/model/ledger/memory.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { TASK_TYPES, type TaskType } from '../../../src/model/fleet/task.ts';
import { plan } from '../../../src/plan/plan.ts';
import { INPUTS } from '../../support/plan-change.ts';
import { RESTART, ROTATION } from '../../support/plan-decide.ts';
import {
  A_ROLLOUT,
  NOW,
  aDevice,
  aFirmwarePolicy,
  aMemory,
  aSnapshot,
  anIntent,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';

const drawn = record({
  model: constantFrom('M1', 'M2', 'M3'),
  status: constantFrom('online', 'online', 'offline', 'partial', 'dormant', undefined),
  maintenanceMode: boolean(),
  firmwareVersion: constantFrom('11.8.61', '11.11.73', 'beta', undefined),
  site: integer({ min: 0, max: 2 }),
  changedDaysAgo: option(integer({ min: 0, max: 400 }), { nil: undefined }),
  phase: option(constantFrom<IntentPhase>('running', 'inDoubt', 'closed', 'failed'), {
    nil: undefined,
  }),
});
const models = array(constantFrom('M1', 'M2', 'M3', 'M4'), { minLength: 1, maxLength: 3 });
const wished = record({
  upgradeFirmware: models,
  urgent: option(models, { nil: undefined }),
  rotatePassword: models,
  restartDevice: models,
  exempt: models,
  exemption: constantFrom('hold', 'exclude', 'none'),
  maxInFlight: integer({ min: 1, max: 5 }),
});
type Drawn = Parameters<Parameters<typeof drawn.map>[0]>[0];
type Wished = Parameters<Parameters<typeof wished.map>[0]>[0];

const DAY = 86_400_000;

function documentsOf(want: Wished): Documents {
  const { exempt, exemption, urgent, maxInFlight } = want;
  const base = { until: NOW + DAY, notice: 0, reason: 'r', owner: 'o', ticket: 't' };
  const about = { ...base, tasks: TASK_TYPES, select: { model: exempt } };
  const exceptions: Record<string, Exception> =
    exemption === 'none' ? {} : { one: { ...about, type: exemption } };
  const lts = aFirmwarePolicy('lts', { select: { model: want.upgradeFirmware }, rollout: 'one' });
  const ahead = { select: { model: urgent ?? [] }, priority: 600, rollout: 'one' } as const;
  const due = { is: 'maxAge', maxAge: 180 * DAY, headStart: 21 * DAY, spread: 0 } as const;
  const pw = { ...ROTATION, due, select: { model: want.rotatePassword }, rollout: 'one' };
  return someDocuments({
    rollouts: entries({ one: { ...A_ROLLOUT, maxInFlight } }),
    firmware: entries({ lts, ...(urgent && { urgent: aFirmwarePolicy('urgent', ahead) }) }),
    rotations: entries({ pw }),
    restarts: entries({ dark: { ...RESTART, select: { model: want.restartDevice } } }),
    exceptions: entries(exceptions),
  });
}

test('law: every device that a policy selects is in exactly one class, once for each task', () => {
  assert(
    property(array(drawn, { maxLength: 25 }), wished, (rows, want) => {
      const devices = rows.map(deviceOf);
      const facts = (id: string) => {
        const ago = rows[Number(id.slice(4))]?.changedDaysAgo;
        const changedAt = NOW - (ago ?? 0) * DAY;
        return {
          targetFirmware: [{ version: '11.11.73', hops: ['11.11.73'] }],
          ...(ago !== undefined && { passwords: { changedAt, marker: String(changedAt) } }),
        };
      };
      const intents = rows.flatMap(({ phase }, n) =>
        phase ? [anIntent(`dev-${n}`, { phase, attemptedAt: NOW - DAY })] : [],
      );
      const { plan: made, noted } = plan({
        documents: documentsOf(want),
        snapshot: aSnapshot(devices, { facts }),
        memory: aMemory(intents),
        now: NOW,
        dialect: resolveDialect(),
        inputs: INPUTS,
        expiresAfter: DAY,
      });
      const said = [...made.changes].map(({ id }) => id);
      const selected = (task: TaskType, model: string): boolean =>
        wantedFor(task, want).includes(model);
      const expected = devices.flatMap(({ id, model = '' }) =>
        TASK_TYPES.filter((task) => selected(task, model)).map((task) => [task, id] as const),
      );
      const notes = expected.filter(([task, id]) => noted(task, id) !== undefined);
      const changed = expected.filter(([task, id]) => said.includes(`${task}/${id}`));
      expect(notes.filter((pair) => changed.includes(pair))).toEqual([]);
      expect(notes.length + changed.length).toBe(expected.length);
      expect(new Set(said).size).toBe(changed.length);
      expect(said.length).toBe(changed.length);
      const { run, wait, skip, note } = made.counts;
      expect([run + wait + skip, note]).toEqual([said.length, notes.length]);
    }),
    { numRuns: 150 },
  );
});

function deviceOf(row: Drawn, n: number): Device {
  const { model, maintenanceMode, site, status, firmwareVersion } = row;
  const sites = site === 0 ? [] : [{ id: `s${site}` }];
  const { status: _s, firmwareVersion: _f, ...well } = aDevice(`dev-${n}`);
  const read = { ...(status && { status }), ...(firmwareVersion && { firmwareVersion }) };
  return { ...well, ...read, model, maintenanceMode, sites };
}

/** The models that any policy for a task names. */
function wantedFor(task: TaskType, want: Wished): readonly string[] {
  if (task === 'upgradeFirmware') return [...want.upgradeFirmware, ...(want.urgent ?? [])];
  if (task === 'rotatePassword' || task === 'restartDevice') return want[task];
  return [];
}
