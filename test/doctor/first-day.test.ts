import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/model/ports.ts';
import { comparable, readCheckup, serviceNight } from '../support/doctor-case.ts';
import type { NightSettings } from '../support/night.ts';
import type { User } from '../../src/twin/world/state.ts';
import { USERS } from '../support/twin-rig.ts';

const FOLDER = fileURLToPath(new URL('first-day/', import.meta.url));
const HTML = { headers: { 'content-type': 'text/html' } };
const PAGE = '<!doctype html><title>Sign in</title>';

type Through = NonNullable<NightSettings['through']>;

/** What stands between doctor and the twin, and what comes of it. */
interface FirstDay {
  readonly through?: Through;
  readonly settings?: Partial<NightSettings>;
  readonly result: 'fits' | 'differs' | 'unusable';
}

const isToken = ({ method }: Request): boolean => method === 'POST';
const pathname = ({ url }: Request): string => new URL(url).pathname;

/** Answers some requests itself. */
function instead(when: (request: Request) => boolean, answer: () => Response): Through {
  return (request, handle) => (when(request) ? Promise.resolve(answer()) : handle(request));
}

/** Changes the JSON of some answers. */
function changed(when: (request: Request) => boolean, change: (value: Json) => unknown): Through {
  return async (request, handle) => {
    const asked = request.clone();
    const answer = await handle(request);
    if (!when(asked) || !answer.ok) return answer;
    return Response.json(change((await answer.json()) as Json), { headers: answer.headers });
  };
}

interface Json {
  [name: string]: unknown;
}

const isDevices = (request: Request): boolean => pathname(request) === '/v1/devices';
const rowsOf = (value: Json): Json[] => (value['devices'] ?? []) as Json[];
const HOSTILE = '\u001b[2J::error::x\u202e`$(id)`';
let turn = 0;

const [, , VIEWER = USERS[0] as User] = USERS;

const DAYS: Readonly<Record<string, FirstDay>> = {
  'wrong-credentials': {
    through: instead(isToken, () => Response.json({ error: 'no' }, { status: 401 })),
    result: 'unusable',
  },
  'wrong-base-url': {
    through: instead(
      () => true,
      () => Response.json({ error: 'no' }, { status: 404 }),
    ),
    result: 'unusable',
  },
  'a-page-of-a-proxy': {
    through: instead(
      () => true,
      () => new Response(PAGE, HTML),
    ),
    result: 'unusable',
  },
  'a-page-that-refuses': {
    through: instead(
      () => true,
      () => new Response(PAGE, { ...HTML, status: 403 }),
    ),
    result: 'unusable',
  },
  'a-page-after-the-token': {
    through: instead(
      (request) => !isToken(request),
      () => new Response(PAGE, HTML),
    ),
    result: 'unusable',
  },
  'a-redirect': {
    through: instead(
      () => true,
      () => new Response(null, { status: 302 }),
    ),
    result: 'unusable',
  },
  unreachable: {
    through: () => Promise.reject(new TransportError('unsent', 'ENOTFOUND')),
    result: 'unusable',
  },
  'always-failing': {
    through: instead(
      () => true,
      () => Response.json({}, { status: 500 }),
    ),
    result: 'unusable',
  },
  'a-token-that-is-refused': {
    through: instead(
      (request) => !isToken(request),
      () => Response.json({}, { status: 401 }),
    ),
    result: 'unusable',
  },
  'no-token-in-the-answer': {
    through: instead(isToken, () => Response.json({ ok: true, [HOSTILE]: 1 })),
    result: 'unusable',
  },
  'devices-under-another-name': {
    through: changed(isDevices, ({ devices, ...rest }) => ({ ...rest, items: devices })),
    result: 'unusable',
  },
  'filters-that-are-ignored': {
    through: (request, handle) => {
      const url = new URL(request.url);
      for (const [name] of new URL(request.url).searchParams)
        if (!['limit', 'offset'].includes(name)) url.searchParams.delete(name);
      return handle(isToken(request) ? request : new Request(url, { headers: request.headers }));
    },
    result: 'differs',
  },
  'rows-in-changing-order': {
    through: changed(isDevices, (value) => {
      turn += 1;
      const rows = rowsOf(value);
      return { ...value, devices: [...rows.slice(turn % 5), ...rows.slice(0, turn % 5)] };
    }),
    result: 'fits',
  },
  'an-empty-fleet': {
    settings: { devices: 0 },
    result: 'fits',
  },
  'one-device': { settings: { devices: 1, sites: 1 }, result: 'fits' },
  'no-passwords-endpoint': {
    through: instead(
      (request) => pathname(request).endsWith('/passwords'),
      () => Response.json({}, { status: 404 }),
    ),
    result: 'fits',
  },
  'passwords-forbidden': {
    through: instead(
      (request) => pathname(request).endsWith('/passwords'),
      () => Response.json({}, { status: 403 }),
    ),
    result: 'fits',
  },
  'a-clock-ten-minutes-off': {
    through: async (request, handle) => {
      const answer = await handle(request);
      const date = Date.parse(answer.headers.get('date') ?? '') + 600_000;
      answer.headers.set('date', new Date(date).toUTCString());
      return answer;
    },
    result: 'unusable',
  },
  'too-many-without-retry-after': {
    through: (request, handle) => {
      turn += 1;
      return turn % 4 === 0 ? Promise.resolve(Response.json({}, { status: 429 })) : handle(request);
    },
    result: 'fits',
  },
  'always-too-many': {
    through: instead(
      (request) => !isToken(request),
      () => Response.json({}, { status: 429, headers: { 'retry-after': '30' } }),
    ),
    result: 'unusable',
  },
  'a-read-only-user-of-one-site': {
    settings: { user: VIEWER },
    result: 'fits',
  },
  'numeric-ids': {
    through: async (request, handle) => {
      const asked = request.url.replace(/devices\/(\d+)/, 'devices/dev-$1');
      const answer = await handle(
        isToken(request) ? request : new Request(asked, { headers: request.headers }),
      );
      const text = (await answer.text()).replace(/"id":"(?:dev|disc)-(\d+)"/g, '"id":$1');
      return new Response(text, { status: answer.status, headers: answer.headers });
    },
    result: 'fits',
  },
  'hostile-names': {
    through: changed(
      ({ method }) => method === 'GET',
      (value) =>
        JSON.parse(JSON.stringify(value), (_, member: unknown) =>
          member === 'online' || member === 'Axis' ? HOSTILE : member,
        ) as Json,
    ),
    result: 'fits',
  },
};

describe.each(Object.entries(DAYS))('a first day: %s', (name, day) => {
  const { through, settings, result } = day;
  const begin = () => {
    turn = 0;
    return serviceNight({ ...settings, ...(through && { through }) });
  };

  it('is a report, with what to do next, within the limit of requests', async () => {
    const { out: whole, exit, requests } = await begin().run('doctor');
    const out = comparable(whole);
    expect(exit).toBe({ fits: 0, differs: 2, unusable: 9 }[result]);
    expect(requests.length).toBeLessThanOrEqual(100);
    expect(whole.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(out).not.toMatch(/[\u001b\u202e]|^::/m);
    const [top = ''] = out.split('\nCannot be told');
    const text = top === out ? out : `${top}\n${changesIn(out)}`;
    const file = `${FOLDER}${name}.txt`;
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});

/** The end of a report. */
function changesIn(out: string): string {
  const start = out.indexOf('\nChanges of the interface');
  return start < 0 ? '' : out.slice(start);
}

it.each([
  ['wrong-credentials', 'unusable', 'credentialsRefused'],
  ['filters-that-are-ignored', 'differs', 'statusIgnored'],
  ['a-read-only-user-of-one-site', 'fits', 'rightsNotAdmin'],
])('%s: the same by codes, as JSON', async (name, result, code) => {
  const { through, settings } = DAYS[name] ?? {};
  const checkup = await readCheckup(serviceNight({ ...settings, ...(through && { through }) }));
  expect([checkup.result, checkup.checks.map((check) => check.code)]).toEqual([
    result,
    expect.arrayContaining([code]),
  ]);
});

it('wrong credentials are sent once, and no token is requested again', async () => {
  const through = DAYS['wrong-credentials']?.through;
  const night = serviceNight(through && { through });
  const { requests } = await night.run('doctor');
  expect(requests).toEqual(['POST /v1/auth/acme']);
});

it('stops at its limit of requests, and still reports', async () => {
  const times = new Map<string, number>();
  const through: Through = (request, handle) => {
    const count = (times.get(request.url) ?? 0) + 1;
    times.set(request.url, count);
    return count % 3 === 0 ? handle(request) : Promise.resolve(Response.json({}, { status: 429 }));
  };
  const { requests } = await readCheckup(serviceNight({ through }));
  expect(requests).toMatchObject({ sent: 100, most: 100 });
});
