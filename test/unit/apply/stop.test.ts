import { describe, expect, it } from 'vitest';
import {
  answerOrGrace,
  GRACE_MS,
  Interrupted,
  sleepUntilStopped,
  stoppable,
  untilStopped,
} from '../../../src/apply/stop.ts';
import type { Service } from '../../../src/model/ports.ts';
import { createVirtualClock } from '../../../src/rehearse/virtual-clock.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';

function setUp() {
  const clock = createVirtualClock(0);
  const stop = createStopSignal();
  const later = (ms: number, what: () => void): void => void clock.sleep(ms).then(what);
  return { clock, stop, later };
}

const MINUTE = 60_000;

describe('a wish to stop', () => {
  it('ends a read that hangs', async () => {
    const { clock, stop, later } = setUp();
    later(10, stop.request);
    const read = untilStopped(new Promise(() => undefined), stop.draining);
    await clock.run(expect(read).rejects.toThrow(Interrupted));
  });

  it('ends a sleep, and leaves one alone that is over before', async () => {
    const { clock, stop, later } = setUp();
    await clock.run(sleepUntilStopped(clock, 5, stop));
    later(10, stop.request);
    await clock.run(expect(sleepUntilStopped(clock, MINUTE, stop)).rejects.toThrow(Interrupted));
    expect(clock.monotonic()).toBe(15);
  });

  it('that came before ends what starts after it', async () => {
    const { stop } = setUp();
    stop.request();
    await expect(untilStopped(Promise.resolve(1), stop.draining)).rejects.toThrow(Interrupted);
  });
});

/** A service that takes five seconds for everything; it answers with the name of what was asked. */
function slowService({ clock }: ReturnType<typeof setUp>): Service {
  const answer = (name: string) => clock.sleep(5_000).then(() => name);
  return new Proxy({} as Service, {
    get: (_, name) => (name === 'list' ? () => listOf(answer) : () => answer(String(name))),
  });
}

async function* listOf(answer: (name: string) => Promise<string>) {
  yield [await answer('list')];
}

describe('the service of a run that is told to stop', () => {
  const READS: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
    list: (service) => service.list('devices').next(),
    device: (service) => service.device('d'),
    targetFirmware: (service) => service.targetFirmware('d'),
    passwords: (service) => service.passwords('d'),
    certificates: (service) => service.certificates('d'),
    firmwarePaths: (service) => service.firmwarePaths(),
    holdToken: (service) => service.holdToken(1),
    task: (service) => service.task('t'),
  };

  it.each(Object.entries(READS))('has %s ended at once', async (_, read) => {
    const up = setUp();
    up.later(1_000, up.stop.request);
    const asked = read(stoppable(slowService(up), up.stop));
    await up.clock.run(expect(asked).rejects.toThrow(Interrupted));
    expect(up.clock.monotonic()).toBe(1_000);
  });

  it('has a POST that is on the wire left alone: it may be a task by now', async () => {
    const up = setUp();
    up.later(1_000, up.stop.request);
    const request = { task: 'restartDevice', devices: [{ deviceId: 'd' }] } as const;
    const posted = stoppable(slowService(up), up.stop).createTask(request);
    expect(await up.clock.run(posted)).toBe('createTask');
  });
});

describe('a POST on the wire', () => {
  const wait = (answer: Promise<string>, { clock, stop }: ReturnType<typeof setUp>) =>
    clock.run(answerOrGrace(answer, { clock, stop, limit: MINUTE }));

  it('is answered', async () => {
    const up = setUp();
    expect(
      await wait(
        up.clock.sleep(20).then(() => 'yes'),
        up,
      ),
    ).toBe('yes');
  });

  it('is late after its limit', async () => {
    const up = setUp();
    expect(await wait(new Promise(() => undefined), up)).toBe('late');
    expect(up.clock.monotonic()).toBe(MINUTE);
  });

  it('gets three more seconds after the first wish to stop', async () => {
    const up = setUp();
    up.later(1_000, up.stop.request);
    expect(
      await wait(
        up.clock.sleep(3_900).then(() => 'yes'),
        up,
      ),
    ).toBe('yes');
    const again = setUp();
    again.later(1_000, again.stop.request);
    expect(await wait(new Promise(() => undefined), again)).toBe('late');
    expect(again.clock.monotonic()).toBe(1_000 + GRACE_MS);
  });

  it('gets none after the second', async () => {
    const up = setUp();
    up.later(1_000, up.stop.request);
    up.later(1_500, up.stop.request);
    expect(await wait(new Promise(() => undefined), up)).toBe('late');
    expect(up.clock.monotonic()).toBe(1_500);
  });
});
