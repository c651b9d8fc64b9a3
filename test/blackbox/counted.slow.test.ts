import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCounted, type CountedTwin } from '../support/blackbox-counted.ts';
import { createPlace, PATIENCE, type Done } from '../support/blackbox.ts';
import { CAMERA } from '../support/night-leak.ts';

/** Not a multiple of 100, at which a service may cut pages: a page of such a length is followed by another. */
const DEVICES = 594;
const SITES = 6;

/** At fifty requests a second, as a service with a large contract allows. */
const DOCUMENTS = `
service:
  baseUrl: https://api.example.com
  organization: acme
  pace: {requestsPerSecond: 50, tokenRequestsPerMinute: 600, pollEvery: 1s}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 3650d, windows: nights}
  certificates: {task: rotateSslCertificate, select: {deviceType: camera}, renewBefore: 30d, windows: nights}
`;

/** A token, sites, sources and the pages of devices. */
const LISTS = 1 + 2 + Math.ceil(DEVICES / 990);

// One place for all: each test goes on where the one before it ended.
describe('requests at fifty a second, counted where they arrive', PATIENCE, () => {
  const place = createPlace();
  let twin: CountedTwin;

  beforeAll(async () => {
    twin = await startCounted({
      devices: DEVICES,
      sites: SITES,
      every: (device) => ({
        ...CAMERA,
        condition: device.siteId === 1 && Number(device.id.slice(4)) < 60 ? 'dark' : 'well',
        accounts: [
          { userName: 'root', lastChanged: Date.now() - 86_400_000, expiry: Date.now() * 2 },
        ],
      }),
    });
    for (const section of ['firmware', 'rotations', 'restarts', 'onboarding', 'exceptions'])
      place.write(`fleet/policies/${section}.yaml`, `${section}: {}\n`);
    place.write('fleet/policies/all.yaml', DOCUMENTS.replace(/service:[^]*?(?=windows:)/, ''));
    place.write('fleet/service.yaml', DOCUMENTS.slice(0, DOCUMENTS.indexOf('windows:')));
  });
  afterAll(async () => {
    await twin.close();
    place[Symbol.dispose]();
  });

  /** A command, and the requests that the twin got. */
  async function counted(
    command: string,
  ): Promise<Done & { readonly requests: readonly string[] }> {
    twin.taken();
    const done = await place.run(command, twin.env);
    return { ...done, requests: twin.taken() };
  }

  it('N20 a first run reads what its limit allows, and says what it has not read', async () => {
    const { requests, out, code } = await counted('plan --max-reads 100');
    expect(code).toBe(0);
    expect(singles(requests)).toHaveLength(100);
    expect(requests.length).toBe(100 + LISTS);
    expect(out.replaceAll(/\s+/g, ' ')).toContain('not read yet');
  });

  it('N36 a plan of a part reads single values of the part alone', async () => {
    const { requests, out } = await counted('plan --only rotations.passwords --site *Berlin*');
    const here = new Set(
      twin.world.devices.filter((each) => each.siteId === 1).map(({ id }) => id),
    );
    expect(singles(requests).length).toBeGreaterThan(20);
    expect(singles(requests).filter((id) => !here.has(id))).toEqual([]);
    expect(out).toContain('devices are outside this part');
  });

  it('N18 a second plan of an unchanged fleet asks for the lists alone', async () => {
    await counted('plan --max-reads 10000');
    const { requests } = await counted('plan');
    expect(singles(requests)).toEqual([]);
    expect(requests.length).toBe(LISTS);
  });

  it('N62 an incident makes one plan without single reads, and one apply near its least', async () => {
    const incident = 'init incident --rotate password --site 1 --ticket SEC-9 --owner secops';
    expect((await counted(incident)).code).toBe(0);
    const plan = await counted('plan --only incidents.* -o plan.json');
    expect(plan.requests.length).toBe(LISTS);
    const apply = await counted('apply plan.json --yes --format json');
    expect([0, 7], apply.out).toContain(apply.code);
    const report = JSON.parse(apply.out) as {
      readonly counts: { readonly verified: number };
      readonly requests: { readonly made: Readonly<Record<string, number>> };
    };
    const { verified } = report.counts;
    expect(verified).toBe(DEVICES / SITES - 10);
    const posts = apply.requests.filter((path) => path === 'POST /v1/tasks').length;
    const polls = apply.requests.filter((path) => path.startsWith('GET /v1/tasks')).length;
    // A read before and after each, of the credential and of the device, and the down set before each POST.
    const rest = apply.requests.length - posts - polls;
    expect(posts).toBeLessThanOrEqual(Math.ceil(verified / 10) + 8);
    expect(rest).toBeLessThanOrEqual(verified * 4 + posts * 5 + 4 * LISTS + 60);
    const said = Object.values(report.requests.made).reduce((sum, made) => sum + made, 0);
    expect(said).toBeGreaterThan(apply.requests.length - 700);
  });
});

/** The devices of single reads. */
function singles(requests: readonly string[]): readonly string[] {
  return requests.flatMap((path) => /^GET \/v1\/devices\/([^/]+)\/\w+/.exec(path)?.[1] ?? []);
}
