import type { Plan } from '../../src/model/plan/plan.ts';
import { parseInstant } from '../../src/lib/time.ts';
import { make, type Scenario } from './plan-scenario.ts';
import type { LiveFile } from './plan-live.ts';

const NOW = parseInstant('2026-11-23T11:00:00Z') ?? Number.NaN;

const PLACES = ['Berlin', 'Munich', 'Madrid', 'Gdansk', 'Lyon', 'Dallas', 'Tokyo', 'Oslo'];
const KINDS = ['HQ', 'Office', 'Plant', 'Campus', 'Warehouse'];
const ZONES = ['Europe/Berlin', 'Europe/Madrid', 'America/Chicago', 'Asia/Tokyo'];

/** Makes with their firmware: what is installed, and what the service approves. */
const MAKES = [
  { vendor: 'Axis', model: 'P3265-LVE', is: ['11.8.61', '11.10.61', '11.11.160'], to: '11.11.160' },
  { vendor: 'Axis', model: 'M3086-V', is: ['10.12.236', '11.11.160'], to: '11.11.160' },
  { vendor: 'Bosch', model: 'FLEXIDOME 5100i', is: ['8.90.37', '9.40.25'], to: '9.40.25' },
  { vendor: 'Hanwha', model: 'XNV-8083R', is: ['1.41.05', '2.22.00'], to: '2.22.00' },
] as const;

const DOCUMENTS = `# yaml-language-server: $schema=../schemas/fleet.schema.json
service: {baseUrl: https://api.example.com, organization: acme}
windows:
  weeknights: {allow: [{days: tue-thu, from: "01:00", to: "05:00"}]}
  weekend: {timeZone: UTC, allow: [{days: [sat], from: "20:00", to: "04:00"}]}
firmware:
  axis-p32: {select: {vendor: Axis, model: P3265-*}, version: "11.11.160", windows: weeknights}
  axis-m30: {select: {vendor: Axis, model: M30*}, version: "11.11.160", windows: weekend}
  bosch-domes: {select: {vendor: Bosch}, version: approved, windows: weeknights}
rotations:
  camera-passwords: {task: rotatePassword, select: {deviceType: camera, vendor: [Axis, Bosch]}, maxAge: 180d, windows: weeknights}
  door-passwords: {task: rotatePassword, select: {deviceType: intercom}, maxAge: 90d, windows: anytime}
  camera-certificates: {task: rotateSslCertificate, select: {deviceType: camera}, renewBefore: 30d, windows: weekend}
onboarding:
  new-cameras: {select: {source: VMS, deviceType: camera}, maxPerDay: 10, windows: anytime}
restarts:
  gone-dark: {when: {status: offline, for: 20m}, select: {deviceType: intercom}, windows: anytime}
guardrails:
  default: {maxPercentOfFleet: 90%, maxPercentOfSite: 95%, maxChanges: 4000, maxSitesAtOnce: 100}
`;

/** A number in [0, 1) for each call, the same for the same seed. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** So many devices on so many sites, with eight policies on them; the same for the same seed. */
export async function reviewPlan({
  devices,
  sites,
  seed = 7,
}: {
  readonly devices: number;
  readonly sites: number;
  readonly seed?: number;
}): Promise<Plan> {
  const names = Array.from({ length: sites }, (_, n) => {
    const kind = KINDS[Math.floor(n / PLACES.length) % KINDS.length];
    return `${kind} ${PLACES[n % PLACES.length]}`;
  });
  const zones = names.map((name, n) => `  ${name}: {timeZone: ${ZONES[n % ZONES.length]}}`);
  const text = `${DOCUMENTS}sites:\n${zones.join('\n')}\n`;
  const scenario: Scenario = {
    name: 'review',
    folder: '',
    files: [{ path: 'fleet/policies.yaml', text }],
    live: fleetOf(devices, names, numbersOf(seed)),
    now: NOW,
    past: [],
    seen: {},
    rollouts: {},
    errors: [],
    fallsDueWithinAnHour: false,
  };
  const { planned } = await make(scenario);
  const errors = planned.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return planned.plan;
}

function fleetOf(count: number, sites: readonly string[], next: () => number): LiveFile {
  const rows = Array.from({ length: count }, (_, n) => {
    const isDoor = next() < 0.1;
    const make = MAKES[Math.floor(next() * MAKES.length)] ?? MAKES[0];
    const firmware = make.is[Math.floor(next() * make.is.length)] ?? make.to;
    const luck = next();
    return [
      `dev-${1000 + n}`,
      {
        name: `${isDoor ? 'door' : 'cam'}-${n}`,
        vendor: isDoor ? '2N' : make.vendor,
        model: isDoor ? 'IP Verso' : make.model,
        type: isDoor ? 'intercom' : 'camera',
        firmware,
        status: luck < 0.03 ? 'offline' : 'online',
        seen: luck < 0.03 ? `${1 + Math.floor(next() * 30)}h` : '1m',
        ...(luck > 0.99 && { maintenance: true }),
        sites: [sites[Math.floor(next() * sites.length)] ?? ''],
        tasks: [
          'upgradeFirmware' as const,
          ...(luck < 0.9 ? ['rotatePassword' as const] : []),
          'rotateSslCertificate' as const,
          'restartDevice' as const,
        ],
        approved: make.model === 'M3086-V' && luck > 0.8 ? [] : [make.to],
        passwordChanged: `${Math.floor(next() * 240)}d`,
        certificate: {
          from: '2025-12-01T00:00:00Z',
          until: new Date(NOW + Math.floor(next() * 365) * 86_400_000).toISOString(),
        },
      },
    ] as const;
  });
  const found = Array.from({ length: 24 }, (_, n) => [
    `disc-${n}`,
    {
      name: `new-${n}`,
      vendor: 'Axis',
      model: 'P3265-LVE',
      type: 'camera',
      site: sites[n % sites.length] ?? '',
      source: 'VMS',
      found: '2d',
    },
  ]);
  return {
    sites,
    devices: Object.fromEntries(rows),
    discovered: Object.fromEntries(found) as NonNullable<LiveFile['discovered']>,
  };
}
