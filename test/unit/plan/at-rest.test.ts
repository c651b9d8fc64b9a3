import {
  array,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  property,
  record,
} from 'fast-check';
import { expect, test } from 'vitest';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Exception } from '../../../src/model/documents/exception.ts';
import type { WindowSpec } from '../../../src/model/documents/window.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';
import { targetDigestIn } from '../../../src/model/plan/policy-digest.ts';
import { plan } from '../../../src/plan/plan.ts';
import { INPUTS } from '../../support/plan-change.ts';
import {
  A_ROLLOUT,
  NOW,
  aDevice,
  aMemory,
  aRotationPolicy,
  aSnapshot,
  anIntent,
  entries,
  someDocuments,
} from '../../support/plan-fleet.ts';

const DAY = 86_400_000;
const NIGHTS: WindowSpec = {
  timeZone: 'site',
  allow: [{ is: 'days', days: ['tue'], from: 60, to: 300 }],
  deny: [],
  cutoff: 'auto',
  tasks: TASK_TYPES,
};

const drawn = record({
  site: constantFrom('Berlin', 'Tokyo', 'Nowhere'),
  model: constantFrom('M1', 'M2'),
  status: constantFrom('online', 'online', 'offline'),
  changedDaysAgo: oneof(
    integer({ min: 138, max: 148 }),
    integer({ min: 0, max: 200 }),
    constant(undefined),
  ),
  isRotated: boolean(),
});
const wished = record({
  spread: constantFrom(0, 14 * DAY),
  windows: constantFrom('anytime', 'nights'),
  part: option(constantFrom('Berlin', 'Tokyo'), { nil: undefined }),
});
type Drawn = Parameters<Parameters<typeof drawn.map>[0]>[0];
type Wished = Parameters<Parameters<typeof wished.map>[0]>[0];

/** A plan of passwords by two policies whose rollouts have begun. */
function planned(rows: readonly Drawn[], want: Wished, { isAlone }: { readonly isAlone: boolean }) {
  const due = { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: want.spread } as const;
  const policies = ['M1', 'M2'].map((model) =>
    aRotationPolicy(model, {
      due,
      select: { model: [model] },
      rollout: 'all',
      windows: [want.windows],
    }),
  );
  const excuse: Exception = {
    type: 'acknowledge',
    reasons: ['noPath'],
    until: NOW + DAY,
    notice: 0,
    reason: 'r',
    owner: 'o',
    ticket: 't',
    tasks: TASK_TYPES,
    select: {},
  };
  const documents = someDocuments({
    sites: entries({
      Berlin: { timeZone: 'Europe/Berlin', tags: [] },
      Tokyo: { timeZone: 'Asia/Tokyo', tags: [] },
    }),
    windows: entries({ nights: NIGHTS }),
    rollouts: entries({ all: A_ROLLOUT }),
    rotations: entries(
      Object.fromEntries(policies.map((one) => [one.select.model?.[0] ?? '', one])),
    ),
    exceptions: entries(isAlone ? { excuse } : {}),
  });
  const devices = rows.map(({ site, model, status }, n) =>
    aDevice(`dev-${n}`, { model, status, sites: [{ id: site, name: site }] }),
  );
  const intents = rows.flatMap(({ isRotated, model }, n) =>
    isRotated
      ? [anIntent(`dev-${n}`, { task: 'rotatePassword', policy: `rotations.${model}`, rollout: 7 })]
      : [],
  );
  const base = rows.flatMap(({ isRotated }, n) => (isRotated ? [`dev-${n}`] : []));
  const rollouts = new Map(
    policies.map((policy) => {
      const targetDigest = targetDigestIn(aMemory(), policy);
      const started = { targetDigest, seq: 7, startedAt: NOW - 2 * DAY, base };
      return [policy.address, { ...started, devices: new Set(base) }] as const;
    }),
  );
  const facts = (id: string) => {
    const ago = rows[Number(id.slice(4))]?.changedDaysAgo;
    if (ago === undefined) return {};
    return { passwords: { changedAt: NOW - ago * DAY, marker: String(ago) } };
  };
  const made = plan({
    documents,
    snapshot: aSnapshot(devices, { facts }),
    memory: aMemory(intents, { rollouts }),
    ...(want.part !== undefined && { part: { sites: [want.part] } }),
    now: NOW,
    dialect: resolveDialect(),
    inputs: INPUTS,
    expiresAfter: DAY,
  });
  const { notes, coverage, counts, waves, changes } = made.plan;
  return {
    notes,
    coverage,
    counts,
    waves,
    changes: [...changes],
    pending: made.pending,
    noted: devices.map(({ id }) => made.noted('rotatePassword', id)),
    progress: [...(made.followed ?? [])].map(([policy, { progress }]) => [policy, progress.waves]),
  };
}

test('law: devices that rest together are planned as each would be by itself', () => {
  let resting = 0;
  assert(
    property(array(drawn, { minLength: 8, maxLength: 20 }), wished, (rows, want) => {
      const together = planned(rows, want, { isAlone: false });
      // An exception that excuses nothing names each device, so that none rests.
      expect(together).toEqual(planned(rows, want, { isAlone: true }));
      if (together.coverage?.due && together.counts.note > 5) resting += 1;
    }),
    { numRuns: 60 },
  );
  expect(resting).toBeGreaterThan(0);
});
