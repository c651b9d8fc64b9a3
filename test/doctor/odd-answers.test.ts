import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../src/config/load.ts';
import { assembleCheckup } from '../../src/doctor/checkup.ts';
import { examine, MOST_REQUESTS, type Examined } from '../../src/doctor/examine.ts';
import type { ProbeAnswer, ProbeRequest } from '../../src/doctor/probing.ts';
import { resolveDialect } from '../../src/model/fleet/dialect.ts';
import { dialectYaml, doctorBlocks } from '../../src/render/outputs/doctor.ts';
import { chance } from '../support/rehearsal-chance.ts';
import { shown } from '../support/render-look.ts';

const SERVICE = 'service:\n  baseUrl: https://api.example.com\n  organization: acme\n';

/** Member names that the doctor looks for, and others that no answer should have. */
const NAMES = (
  'id name status total devices sites deviceSources discoveredDevices passwords certificates type certificate ' +
  'access_token expires_in availableTask compliance lastSeen vendor model firmwareVersion targetFirmware version path ' +
  'firmwarePaths from to deviceTasks steps __proto__ constructor toString a.b yes null'
).split(' ');
const TEXTS = [
  'online',
  '2026-11-20T20:00:00Z',
  'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYWRtaW4ifQ.c2lnbmF0dXJl',
  '1.2.3',
  '',
  '\u001b[2J\u202e\n- x: {{',
  '-----BEGIN CERTIFICATE-----',
  '9999-99-99',
];

type Random = () => number;

/** Any JSON value, often in the form of an answer of the service. */
function odd(random: Random, depth: number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const kind = depth === 0 ? 9 : Math.floor(random() * 12);
  if (kind < 4)
    return Object.fromEntries(
      Array.from({ length: Math.ceil(random() * 12) }, () => [pick(NAMES), odd(random, depth - 1)]),
    );
  if (kind < 8) {
    const item = odd(random, depth - 1);
    return Array.from({ length: Math.floor(random() * 6) }, () =>
      random() < 0.7 ? structuredClone(item) : odd(random, depth - 1),
    );
  }
  return pick<unknown>([null, true, false, 0, 1, -1, 1.5, 1e300, 1_795_000_000, ...TEXTS]);
}

function answerTo(random: Random, probe: ProbeRequest): ProbeAnswer {
  const isLikely = random() < 0.8;
  const status = isLikely
    ? 200
    : [0, 204, 302, 400, 401, 403, 404, 405, 429, 500][Math.floor(random() * 10)];
  const name = probe.kind === 'read' ? (probe.path.split('/').at(-1) ?? '') : '';
  const rows = odd(random, 4);
  const listed = { [name]: Array.isArray(rows) ? rows : [rows, rows], total: 2 };
  const token = { access_token: TEXTS[2], expires_in: 3600 };
  const form = probe.kind === 'token' ? token : listed;
  const value = random() < 0.8 ? form : rows;
  return {
    status: status ?? 0,
    value,
    text: JSON.stringify(value),
    contentType: 'application/json',
  };
}

function examined(seed: number): {
  readonly found: Examined;
  readonly probes: readonly ProbeRequest[];
} {
  const random = chance(seed);
  const probes: ProbeRequest[] = [];
  const probing = examine({ dialect: resolveDialect(), organization: 'acme', task: '7' });
  let step = probing.next();
  while (!step.done) {
    probes.push(step.value);
    step = probing.next(answerTo(random, step.value));
  }
  return { found: step.value, probes };
}

describe('whatever a service answers', () => {
  it.each(Array.from({ length: 150 }, (_, seed) => seed + 1))(
    'doctor reports it, and what it prints is a valid document (seed %i)',
    (seed) => {
      const { found, probes } = examined(seed);
      expect(probes.filter(({ kind }) => kind !== 'bear').length).toBeLessThanOrEqual(
        MOST_REQUESTS,
      );
      const dialect = resolveDialect();
      const settled = { ...found, unread: [] };
      const parts = { settled, exchanges: [], written: {}, dialect, at: 0, tookMs: 0 };
      const checkup = assembleCheckup(parts);
      const service = {
        baseUrl: 'https://api.example.com',
        organization: 'acme',
        from: 'document',
      } as const;
      const text = shown(doctorBlocks({ checkup, service }, { all: true, step: 'plan' }));
      expect(text).not.toMatch(/[\u001b\u202e]/);
      const [, ...lines] = dialectYaml(
        checkup.dialect,
        checkup.findings.filter((each) => each.possible !== undefined),
      );
      const { diagnostics } = loadTexts([{ path: 'fleet.yaml', text: SERVICE + lines.join('\n') }]);
      expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    },
  );
});
