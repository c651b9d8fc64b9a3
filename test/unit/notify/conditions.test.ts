import { expect, test } from 'vitest';
import { hostileNames } from '../../support/hostile.ts';
import { createNight, type Night, type NightSettings } from '../../support/night.ts';

const CANARY = 'canary-of-a-chat-9f31';
const CHAT = `https://hooks.example.com/services/T0/${CANARY}`;
const FLEET = `service:
  baseUrl: "https://twin.test"
  organization: acme
  notifications: [{kind: slack, url: {fromEnv: CHAT_URL}, remind: 12h}, {kind: json, url: {fromEnv: CHAT_URL}}]
incidents:
  leak: {rotate: password, select: {deviceType: camera}, since: "2026-11-23T20:00:00Z", until: "2026-11-25T06:00:00Z",
         expect: 60, reason: leak, owner: secops, ticket: SEC-1}
`;

interface Slack {
  readonly text: string;
  readonly blocks: readonly { readonly text: { readonly type: string; readonly text: string } }[];
}

interface Json {
  readonly why: string;
  readonly conditions: readonly { condition: string; key: string; state: string }[];
}

interface World {
  /** The service answers nothing useful. */
  isAway: boolean;
  answer: number;
}

function nightOf(world: World, settings: Partial<NightSettings> = {}) {
  const chat: Slack[] = [];
  const json: Json[] = [];
  const sizes: number[] = [];
  const night: Night = createNight({
    devices: 60,
    sites: 1,
    every: () => ({ condition: 'well', deviceType: 'camera', tasks: ['rotatePassword'] }),
    env: { CHAT_URL: CHAT },
    ...settings,
    through: async (request, handle) => {
      if (new URL(request.url).host === 'hooks.example.com') {
        const text = await request.text();
        sizes.push(Buffer.byteLength(text));
        const body = JSON.parse(text) as Slack | Json;
        if ('blocks' in body) chat.push(body);
        else json.push(body);
        return new Response(null, { status: world.answer });
      }
      return world.isAway ? new Response('<html>', { status: 200 }) : handle(request);
    },
  });
  night.write('fleet/fleet.yaml', FLEET);
  return { night, chat, json, sizes };
}

test('J18: eight runs that fail alike send one message, reminders come, and the end is told once', async () => {
  const world: World = { isAway: true, answer: 204 };
  const { night, chat, json } = nightOf(world);
  const said: string[] = [];
  const run = async (): Promise<void> => {
    const { out, err } = await night.run('apply --yes');
    said.push(out, err);
    night.skip(3_600_000);
  };
  for (let runs = 0; runs < 8; runs += 1) await run();
  expect(chat).toHaveLength(1);
  expect(json).toMatchObject([
    { why: 'changed', conditions: [{ condition: 'runFailed', state: 'open' }] },
  ]);
  expect(json[0]?.conditions[0]?.key).toMatch(/^fleetform\/[\w-]+\/runFailed$/);
  night.skip(4 * 3_600_000);
  await run();
  expect([chat.length, json.length]).toEqual([2, 1]);
  world.isAway = false;
  await run();
  await run();
  const last = json.filter(({ conditions }) => conditions.some(({ state }) => state === 'ended'));
  expect(last).toMatchObject([{ conditions: [{ condition: 'runFailed', state: 'ended' }] }]);
  expect(said.join('')).not.toContain(CANARY);
});

test('what a receiver does not take is sent again, and nothing of its URL is printed', async () => {
  const world: World = { isAway: true, answer: 500 };
  const { night, chat } = nightOf(world);
  const { exit, out, err } = await night.run('apply --yes');
  expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toContain(
    'Cannot notify the slack receiver of CHAT_URL: it answered with status 500',
  );
  expect(`${out}${err}`).not.toContain(CANARY);
  world.answer = 204;
  const before = chat.length;
  expect((await night.run('apply --yes')).exit).toBe(exit);
  await night.run('apply --yes');
  expect(chat).toHaveLength(before + 1);
});

test.each([
  ['holds no URL', `http://chat.example.com/${CANARY}`],
  ['is not set', ''],
])('a variable that %s is named, and what it holds is not', async (says, url) => {
  const world: World = { isAway: true, answer: 204 };
  const { night, chat } = nightOf(world, { env: { CHAT_URL: url } });
  const { err } = await night.run('apply --yes');
  expect(err.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`CHAT_URL: the variable .*${says}`));
  expect(err).not.toContain(CANARY);
  expect(chat).toEqual([]);
});

test('names stay text in a chat, and a message is bounded', async () => {
  const names = [...hostileNames(56), '<!channel>', '<!here> *a*', '`<@U1>`', 'x'.repeat(9_000)];
  const world: World = { isAway: false, answer: 204 };
  const { night, chat, json, sizes } = nightOf(world, {
    every: (_, index) => ({
      condition: 'well',
      deviceType: 'camera',
      tasks: ['rotatePassword'],
      name: names[index % names.length] ?? '',
    }),
    faults: [{ match: { endpoint: 'createTask' }, fault: { type: '500' } }],
  });
  await night.run('apply --yes');
  expect(json[0]?.conditions.map(({ condition }) => condition)).toContain('inDoubt');
  expect(chat).not.toEqual([]);
  for (const { text, blocks } of chat) {
    const all = [text, ...blocks.map((block) => block.text.text)];
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const one of all) {
      expect(one.length).toBeLessThanOrEqual(3_000);
      expect(one).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
      expect(one.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    }
  }
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20_000);
});
