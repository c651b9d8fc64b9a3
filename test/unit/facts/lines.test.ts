import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factKey, readerDigest, READER_KEYS, type Fact } from '../../../src/facts/fact.ts';
import { markAsMarker, toMark } from '../../../src/model/fleet/mark.ts';
import { factLines, factLine, mergeFacts, readFactLines } from '../../../src/facts/fact-lines.ts';
import { toFactValue, toRead } from '../../../src/facts/fact-values.ts';
import { createFactReaders } from '../../../src/api/decode/facts.ts';
import { parseInstant } from '../../../src/lib/time.ts';
import { resolveDialect, type Dialect } from '../../../src/model/fleet/dialect.ts';

const TENANT = 'ab'.repeat(32);
const OWNER = { tenant: TENANT, ledger: 'l'.repeat(32) };
const AT = parseInstant('2026-11-22T01:02:03Z') ?? 0;

const PASSWORD: Fact = {
  kind: 'password',
  id: 'dev-118',
  at: AT,
  reader: '5f0c5f0c5f0c',
  who: '77d077d0',
  value: { is: 'password', changed: AT - 1_000, mark: '0123456789abcdef' },
};

const VALUES: readonly Fact['value'][] = [
  PASSWORD.value,
  { is: 'problem', problem: 'forbidden' },
  { is: 'password' },
];

const someFact = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  at: fc.integer({ min: 0, max: 3 }).map((seconds) => AT + seconds * 1_000),
  value: fc.constantFrom(...VALUES),
});
const someFacts = fc.array(someFact.map((fields): Fact => ({ ...PASSWORD, ...fields })));

describe('N4 a line of facts', () => {
  it('is canonical JSON with dates in whole seconds', () => {
    const [header, line] = [...factLines(OWNER, [PASSWORD])];
    expect(header).toBe(
      `{"format":1,"kind":"facts","ledger":"${OWNER.ledger}","tenant":"${TENANT}"}`,
    );
    expect(line).toBe(
      '{"at":"2026-11-22T01:02:03Z","id":"dev-118","kind":"password","reader":"5f0c5f0c5f0c",' +
        '"value":{"changed":"2026-11-22T01:02:02Z","mark":"0123456789abcdef"},"who":"77d077d0"}',
    );
  });

  it.each<Fact>([
    PASSWORD,
    {
      ...PASSWORD,
      kind: 'certificate',
      value: { is: 'certificate', notAfter: AT, mark: '0123456789abcdef' },
    },
    { ...PASSWORD, kind: 'certificate', value: { is: 'none' } },
    {
      kind: 'target',
      id: 'k',
      at: AT,
      reader: 'r',
      value: { is: 'versions', versions: [['1', '2'], ['3']] },
    },
    { kind: 'target', id: 'k', at: AT, reader: 'r', value: { is: 'versions', versions: [] } },
    { ...PASSWORD, value: { is: 'problem', problem: 'notFound' } },
  ])('is read as it was written: $kind $value.is', (fact) => {
    const { facts, dropped } = readFactLines(factLines(OWNER, [fact]), TENANT);
    expect([...facts.values()]).toEqual([fact]);
    expect(dropped).toBe(0);
  });
});

describe('N7 a line that is not ours is dropped and counted', () => {
  const header = [...factLines(OWNER, [])];
  const good = JSON.parse(factLine(PASSWORD)) as Record<string, unknown>;
  const HOSTILE: readonly (readonly [string, string])[] = [
    ['cut', factLine(PASSWORD).slice(0, -3)],
    ['ten megabytes long', JSON.stringify({ ...good, id: 'x'.repeat(10_000_000) })],
    ['of another kind', JSON.stringify({ ...good, kind: 'firmwarePaths' })],
    ['with the value of another kind', JSON.stringify({ ...good, kind: 'target' })],
    ['with a field more', JSON.stringify({ ...good, due: true })],
    ['with a value more', JSON.stringify({ ...good, value: { changed: good['at'], due: true } })],
    ['without an instant', JSON.stringify({ ...good, at: 'soon' })],
    [
      'with an instant in another form',
      JSON.stringify({ ...good, at: '2026-11-22T02:02:03+01:00' }),
    ],
    ['with a mark that is a marker', JSON.stringify({ ...good, value: { mark: 'changed 200d' } })],
    ['with a problem that no read has', JSON.stringify({ ...good, value: { problem: 'notRead' } })],
    ['without an id', JSON.stringify({ ...good, id: '' })],
    ['that is a list', '[]'],
    ['that is null', 'null'],
    [
      'with a prototype',
      JSON.stringify({ ...good, value: { __proto__: null } }).replace(
        '{}',
        '{"__proto__":{"changed":1}}',
      ),
    ],
  ];

  it.each(HOSTILE)('%s', (_, line) => {
    const { facts, dropped } = readFactLines(
      [...header, line, factLine({ ...PASSWORD, id: 'b' })],
      TENANT,
    );
    expect([...facts.keys()]).toEqual(['password b']);
    expect(dropped).toBe(1);
  });

  it('of another service: the whole file', () => {
    const lines = factLines({ ...OWNER, tenant: 'cd'.repeat(32) }, [PASSWORD]);
    expect(readFactLines(lines, TENANT)).toEqual({ facts: new Map(), dropped: 0, foreign: true });
  });

  it.each([
    ['empty', []],
    ['without a header', [factLine(PASSWORD)]],
    ['of another format', ['{"format":2,"kind":"facts","tenant":"x"}', factLine(PASSWORD)]],
  ])('%s: nothing is known', (_, lines) => {
    expect(readFactLines(lines, TENANT).facts.size).toBe(0);
  });

  it('whatever bytes a file has, reading it throws nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.json(), fc.constant(factLine(PASSWORD)))),
        (lines) => {
          const { facts } = readFactLines([...header, ...lines], TENANT);
          expect(facts.size).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe('N9 several files of facts', () => {
  it('give the same in any order, and the newest of each key', () => {
    fc.assert(
      fc.property(someFacts, someFacts, someFacts, (a, b, c) => {
        const lines = (facts: Iterable<Fact>): string => [...factLines(OWNER, facts)].join('\n');
        const one = mergeFacts(a, b, c);
        expect(lines(mergeFacts(c, a, b).values())).toBe(lines(one.values()));
        expect(lines(mergeFacts(mergeFacts(b, c).values(), a).values())).toBe(lines(one.values()));
        for (const fact of [...a, ...b, ...c])
          expect(one.get(factKey(fact))?.at).toBeGreaterThanOrEqual(fact.at);
      }),
    );
  });
});

describe('N2 a mark', () => {
  it('is the same for a marker and for what is kept of it, and never the marker', () => {
    const mark = toMark('dev-1', 'changed 200d');
    expect(mark).toMatch(/^[0-9a-f]{16}$/);
    expect(toMark('dev-1', markAsMarker(mark))).toBe(mark);
    expect(toMark('dev-1', 'changed 201d')).not.toBe(mark);
    expect(toMark('dev-2', 'changed 200d')).not.toBe(mark);
    expect(markAsMarker(toMark('dev-1', ''))).toBe('');
  });

  it('gives its marker back where the ledger holds it', () => {
    const read = { changedAt: AT, marker: 'changed 200d' };
    const value = toFactValue('dev-1', read);
    const mark = toMark('dev-1', read.marker);
    expect(value && toRead(value, (one) => (one === mark ? read.marker : undefined))).toEqual(read);
    expect(value && toRead(value, () => undefined)).toEqual({ ...read, marker: `mark:${mark}` });
  });
});

describe('N7 the end that the list showed', () => {
  const password = { changedAt: AT, expiresAt: AT + 90_000, marker: '' };
  const certificate = { notBefore: AT, notAfter: AT + 90_000, fingerprint: '' };

  it.each([
    ['of another user', password, { passwordExpiresAt: AT + 1_500 }],
    ['of another certificate', certificate, { sslCertificateExpiresAt: AT + 1_500 }],
  ])('is kept beside what was read if it is that %s', (_, read, row) => {
    const value = toFactValue('dev-1', read, row);
    expect(value).toMatchObject({ listed: AT + 1_000 });
    const fact = { kind: 'password', id: 'dev-1', at: AT, reader: 'p', value } as Fact;
    const kept = value?.is === 'certificate' ? ({ ...fact, kind: 'certificate' } as Fact) : fact;
    const lines = [...factLines({ tenant: 't', ledger: 'l' }, [kept])];
    expect([...readFactLines(lines, 't').facts.values()]).toEqual([kept]);
  });

  it('is left out if it is the same', () => {
    expect(toFactValue('dev-1', password, { passwordExpiresAt: AT + 90_400 })).toEqual(
      toFactValue('dev-1', password),
    );
  });
});

describe('N5 a reader of facts', () => {
  it.each(['password', 'certificate', 'target'] as const)(
    'of kind %s is another one when a key of its dialect is',
    (kind) => {
      const dialect = resolveDialect();
      for (const key of Object.keys(dialect) as (keyof Dialect)[]) {
        const other = { ...dialect, [key]: 'another' } as unknown as Dialect;
        const isOther = readerDigest(kind, other) !== readerDigest(kind, dialect);
        expect([key, isOther]).toEqual([key, READER_KEYS[kind].includes(key)]);
      }
    },
  );

  it('names every key that the code looks at', () => {
    const read = new Set<string>();
    const dialect = new Proxy(resolveDialect(), {
      get: (target, key) => {
        read.add(String(key));
        return Reflect.get(target, key) as unknown;
      },
    });
    const looked = (look: () => unknown): readonly string[] => {
      read.clear();
      look();
      return [...read];
    };
    const readers = createFactReaders(dialect);
    const targets = looked(() =>
      readers.targetFirmware({ targetFirmware: [{ version: '1', path: [] }] }),
    );
    const passwords = looked(() =>
      readers.passwords([{ changedAt: '2026-01-01T00:00:00Z', user: 'root' }]),
    );
    const certificates = looked(() => readers.certificates([{ type: 'ssl' }]));
    expect(READER_KEYS.target).toEqual(expect.arrayContaining([...targets]));
    expect(READER_KEYS.password).toEqual(expect.arrayContaining([...passwords]));
    expect(READER_KEYS.certificate).toEqual(expect.arrayContaining([...certificates]));
  });
});
