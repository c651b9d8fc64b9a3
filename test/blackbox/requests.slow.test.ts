import { describe, expect, it } from 'vitest';
import { createPlace, PATIENCE } from '../support/blackbox.ts';
import { startTwin } from '../support/blackbox-twin.ts';

const DEVICES = 4_000;

/** A password rotation, a certificate rotation and a firmware policy on every camera. */
const DOCUMENTS = `
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
firmware:
  all: {select: {deviceType: camera}, version: approved, windows: nights}
rotations:
  passwords: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: nights}
  certificates: {task: rotateSslCertificate, select: {deviceType: camera}, renewBefore: 30d, windows: nights}
`;

describe('single reads', PATIENCE, () => {
  it('N18 N29 are made once: a second plan of an unchanged fleet reads the lists alone', async () => {
    using place = createPlace();
    for (const section of ['firmware', 'rotations', 'restarts', 'onboarding'])
      place.write(`fleet/policies/${section}.yaml`, `${section}: {}\n`);
    place.write('fleet/policies/all.yaml', DOCUMENTS);
    const twin = await startTwin(place, { devices: DEVICES });
    const operator = twin.as('operator');
    /** The paths of the requests that a command made. */
    const requests = async (command: string): Promise<readonly string[]> => {
      const trace = `${command.split(' ')[0] ?? ''}-${Math.random()}.trace`;
      await place.run(`${command} --trace ${trace}`, operator);
      return place
        .read(trace)
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { path: string }).path);
    };
    const first = await requests('plan --max-reads 10000');
    expect(first.length).toBeGreaterThan(1_000);
    const second = await requests('plan');
    expect(second.length).toBeLessThanOrEqual(Math.ceil(DEVICES / 990) + 10);
    const why = await requests('why dev-17');
    expect(why.length).toBeLessThanOrEqual(Math.ceil(DEVICES / 990) + 10 + 3);
    const limited = await requests('plan --max-age 1s --max-reads 25');
    const single = limited.filter((path) => /^\/v1\/devices\/[^/]+\//.test(path));
    expect(single.length).toBe(25);
  });
});
