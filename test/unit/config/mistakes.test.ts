import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadFleet, loadTexts } from '../../../src/config/load.ts';
import { quotable } from '../../../src/model/documents/quoted.ts';
import { findingBlocks } from '../../../src/render/outputs/findings.ts';
import { shown } from '../../support/render-look.ts';
import { scratchFolder } from '../../support/scratch.ts';

const BASE = `service: {baseUrl: https://api.example.com, organization: acme}
sites:
  HQ Berlin: {timeZone: Europe/Berlin}
windows:
  nights:
    allow:
      - {days: tue-thu, from: "01:00", to: "05:00"}
firmware:
  axis:
    select: {vendor: Axis, model: P3265-*}
    version: "11.11.x"
    windows: nights
rotations:
  pw:
    task: rotatePassword
    select: {deviceType: camera}
    maxAge: 180d
    windows: nights
`;
const VERSION = '    version: "11.11.x"\n';
const SELECT = 'select: {vendor: Axis, model: P3265-*}';
const ENTRY = `  axis:\n    ${SELECT}\n${VERSION}    windows: nights\n`;
const FREEZE = (from: string) =>
  `freezes:\n  x: {from: ${from}, to: "2027-01-27T00:00:00", reason: r, owner: o, ticket: T-1}\n`;

/** What is written in place of what (or behind all), the line of the one finding, and what it says. */
type Mistake = readonly [name: string, from: string, to: string, line: number, ...says: string[]];

const END = '';

/** Usual mistakes, each with its one message. */
const MISTAKES: readonly Mistake[] = [
  [
    '1 a merge conflict',
    VERSION,
    `<<<<<<< HEAD\n${VERSION}=======\n${VERSION}>>>>>>> b\n`,
    11,
    'Merge conflict in lines 11 to 15',
    'Keep one side',
  ],
  ['2 a mark of a merge', VERSION, `=======\n${VERSION}`, 11, 'Merge conflict in line 11'],
  [
    '3 another mark of a merge',
    VERSION,
    `${VERSION}>>>>>>> branch\n`,
    12,
    'Merge conflict in line 12',
  ],
  [
    '4 a second document',
    'rotations:',
    '---\nrotations:',
    13,
    'more than one YAML document',
    'another file',
  ],
  ['6 a merge key', VERSION, `    <<: *a\n${VERSION}`, 11, 'Merge keys', 'Repeat the values'],
  [
    '7 a tab',
    VERSION,
    '\tversion: "11.11.x"\n',
    11,
    'A tab indents this line',
    'Indent with spaces',
  ],
  [
    '8 a no-break space',
    VERSION,
    '  \u00a0 version: "11.11.x"\n',
    11,
    'U+00A0',
    'Replace it with a space',
  ],
  [
    '9 typographic quotes',
    '"11.11.x"',
    '\u201c11.11.x\u201d',
    11,
    'typographic',
    'Write them as "',
  ],
  [
    '10 one blank short',
    VERSION,
    '   version: "11.11.x"\n',
    11,
    'Wrong indentation',
    'column of line 10',
  ],
  ['11 an open brace', 'P3265-*}', 'P3265-*', 10, 'The bracket after "select" is not closed'],
  ['12 an open quote', '"11.11.x"', '"11.11.x', 11, 'The quote after "version" is not closed'],
  [
    '6 a merge key for what an entry needs',
    VERSION,
    '    <<: *a\n',
    11,
    'Merge keys',
    'Repeat the values',
  ],
  [
    '13 the last key of an entry beside it',
    `${VERSION}    windows: nights\n`,
    '    windows: nights\n  version: "11.11.x"\n',
    12,
    '"version" belongs to "axis"',
    'Indent it by 4',
  ],
  [
    '13 a key beside its entry',
    VERSION,
    '  version: "11.11.x"\n',
    11,
    '"version" belongs to "axis"',
    'Indent it by 4',
  ],
  [
    '14 a name in a list',
    ENTRY,
    ENTRY.replace('  axis:\n   ', '  - name: axis\n   '),
    8,
    'Name entries by key: `axis:`',
  ],
  [
    '15 a list in an entry',
    ENTRY,
    ENTRY.replace('    select', '    - select').replace(/\n {4}(?=[vw])/g, '\n      '),
    9,
    'must be a mapping, not a list',
  ],
  [
    '16 no blank after a colon',
    SELECT,
    'select: {vendor:Axis}',
    10,
    'Did you mean "vendor: Axis"?',
  ],
  ['17 a misspelt key', 'version: "11', 'versoin: "11', 11, 'Did you mean "version"?'],
  ['18 a key of several', 'model: P3265-*', 'sites: HQ Berlin', 10, 'Did you mean "site"?'],
  ['19 a short key', 'deviceType: camera', 'type: camera', 16, 'Did you mean "deviceType"?'],
  [
    '20 a switch',
    VERSION,
    `    enabled: false\n${VERSION}`,
    11,
    'No entry has a switch',
    'fleetform pause',
  ],
  ['21 a misspelt section', 'firmware:', 'firmwares:', 8, 'Did you mean "firmware"?'],
  ['22 an empty key', SELECT, 'select:', 10, '"select" is empty', 'Fill it, or remove the key'],
  [
    '24 a section twice',
    END,
    'firmware:\n  b: {select: {vendor: Bosch}, version: "1.x", windows: nights}\n',
    19,
    'Duplicate key "firmware"',
  ],
  [
    '25 a name twice',
    'rotations:',
    '  axis:\n    select: {vendor: Bosch}\nrotations:',
    13,
    'Duplicate key "axis"',
  ],
  ['26 a number', '"11.11.x"', '11', 11, 'Write it in double quotes: "11"'],
  ['27 a version as a number', '"11.11.x"', '11.10', 11, 'into the number 11.1', '"11.10"'],
  ['28 a time', 'from: "01:00"', 'from: 01:00', 7, 'number of minutes', '"01:00"'],
  ['29 a date', END, FREEZE('2026-12-20'), 20, 'take it for a date', '"2026-12-20T00:00:00"'],
  [
    '30 an alias',
    'P3265-*}',
    '"*" , name: *3265}',
    10,
    'Quote a pattern that starts with *',
    '"*3265"',
  ],
  ['31 a tag', 'P3265-*}', '!P32 x}', 10, 'YAML tags such as !P32'],
  ['32 latest', '"11.11.x"', 'latest', 11, 'use `approved`'],
  ['33 a caret', '"11.11.x"', '^11', 11, '">=11 <12"'],
  ['34 a star', '"11.11.x"', '11.11.*', 11, '"11.11.x"'],
  ['35 a range of npm', '"11.11.x"', '11 - 12', 11, '">=11 <=12"'],
  [
    '36 a version of another vendor',
    '"11.11.x"',
    '"MX-V4.7.3.11-r4"',
    11,
    'only other vendors spell versions like this',
    '"11.11.73"',
  ],
  [
    '36 of a vendor with a form of its own',
    `${SELECT}\n    version: "11.11.x"`,
    'select: {vendor: Mobotix}\n    version: "2.622.00AC000.0.R"',
    11,
    '"MX-V4.7.3.11-r4"',
  ],
  ['37 yes', VERSION, `${VERSION}    downgrade: yes\n`, 12, 'Invalid value "yes"', 'forbid, allow'],
  ['38 a number in quotes', VERSION, `${VERSION}    priority: "700"\n`, 12, 'priority: 700'],
  [
    '39 a percentage without its sign',
    END,
    'guardrails: {default: {maxPercentOfFleet: 30}}\n',
    19,
    'Did you mean 30%?',
  ],
  [
    '40 a percentage with a blank',
    END,
    'guardrails: {default: {maxPercentOfFleet: 30 %}}\n',
    19,
    'Did you mean 30%?',
  ],
  ['41 months', '180d', '6 months', 17, 'Did you mean 180d?'],
  ['42 a number of days', '180d', '180', 17, 'Did you mean 180d?'],
  ['43 an hour of one digit', '"01:00"', '"1:00"', 7, 'Did you mean "01:00"?'],
  ['45 a date with dots', END, FREEZE('"20.12.2026"'), 20, '"2026-12-20T00:00:00"'],
  [
    '47 a city that no zone has',
    'Europe/Berlin',
    'Europe/Munich',
    3,
    'Did you mean "Europe/Berlin"?',
  ],
  [
    '47 a zone without a place',
    'Europe/Berlin',
    'CET',
    3,
    'Unknown time zone "CET"',
    'Europe/Berlin',
  ],
  ['47 an offset', 'Europe/Berlin', '"+01:00"', 3, 'Unknown time zone "+01:00"', 'Europe/Berlin'],
  ['48 a day with a capital', 'tue-thu', 'Tue', 7, 'Did you mean "tue"?'],
  [
    '49 a name that is none',
    '    windows: nights\nrot',
    '    windows: night\nrot',
    12,
    'Did you mean "nights"?',
  ],
  [
    '50 a secret',
    '    maxAge: 180d',
    '    maxAge: 180d\n    payload: {password: hunter2}',
    18,
    '{fromEnv: NAME}',
  ],
];

it.each(MISTAKES.map(([name, from, to, line, ...says]) => ({ name, from, to, line, says })))(
  'one message for $name',
  async ({ name, from, to, line, says }) => {
    expect(BASE).toContain(from);
    const text = from === END ? BASE + to : BASE.replace(from, () => to);
    const found = await findings(name, { 'fleet.yaml': text });
    expect(found.places, found.text).toEqual([`fleet/fleet.yaml:${line}`]);
    for (const words of says) expect(found.text.replaceAll(/\s+/g, ' ')).toContain(words);
  },
);

const PLANT = `service: {baseUrl: https://api.example.com, organization: acme}
sites:
  HQ Berlin: {timeZone: Europe/Berlin}
  Plant Gdansk: {timeZone: Europe/Warsaw, tags: [emea, plant]}
windows:
  nights:
    allow:
      - {days: tue-thu, from: "01:00", to: "05:00"}
      - {days: [sat, sun], from: "23:00", to: "05:00"}
firmware:
  axis-p32:
    select: {vendor: Axis, model: [P3265-V, P3265-LVE], site: {tag: emea}}
    version: "11.11.x"
    windows: nights
  bosch: {select: {vendor: Bosch}, version: approved, windows: nights}
rotations:
  camera-passwords:
    task: rotatePassword
    select:
      deviceType: camera
      not: {group: lobby}
    maxAge: 180d
    windows: nights
groups:
  lobby: {select: {site: HQ*, name: lobby-*}}
`;
const IN_LINES = (last: string) => `    select: {
      vendor: Axis,
      model: [P3265-V, P3265-LVE]${last}`;
const AXIS = '    select: {vendor: Axis, model: [P3265-V, P3265-LVE], site: {tag: emea}}\n';
const NOT_CLOSED = 'is not closed';
const NO_COMMA = (word: string) => `A comma is missing before "${word}"`;

/** Usual mistakes in brackets, quotes and lines: the message names the cause and its line. */
const IN_BRACKETS: readonly Mistake[] = [
  ['no comma after a word', 'Axis, model', 'Axis model', 12, NO_COMMA('model')],
  ['no comma after a list', 'LVE], site', 'LVE] site', 12, NO_COMMA('site')],
  ['no comma after a mapping', 'Bosch}, v', 'Bosch} v', 15, NO_COMMA('version')],
  ['no comma after a quote', '"01:00", to', '"01:00" to', 8, NO_COMMA('to')],
  ['no comma before the last key', 'approved, w', 'approved w', 15, NO_COMMA('windows')],
  ['a semicolon', 'Axis, model', 'Axis; model', 12, NO_COMMA('model')],
  [
    'no comma at the end of a line',
    AXIS,
    `${IN_LINES('\n      site: {tag: emea}\n    }\n')}`,
    15,
    NO_COMMA('site'),
    'the end of line 14',
  ],
  ['a comma twice', 'Axis, model', 'Axis,, model', 12, 'This comma has no value'],
  ['a comma first', '{vendor: Axis, m', '{, vendor: Axis, m', 12, 'This comma has no value'],
  ['a comma after the brackets', '{tag: emea}}', '{tag: emea}},', 12, 'A comma outside brackets'],
  ['a comma after a line', '"11.11.x"', '"11.11.x",', 13, 'A comma outside brackets'],
  ['a bracket twice', '{vendor: Axis', '{{vendor: Axis', 12, 'Two opening brackets after "select"'],
  [
    'a stray bracket after a key',
    '  axis-p32:\n',
    '  axis-p32: {\n',
    13,
    NO_COMMA('version'),
    'remove the bracket at the end of line 11',
  ],
  ['a stray bracket before a value', '"11.11.x"', '{"11.11.x"', 13, `"version" ${NOT_CLOSED}`],
  ['the outer bracket open', '{tag: emea}}', '{tag: emea}', 12, `"select" ${NOT_CLOSED}`],
  ['the inner bracket open', 'LVE], site', 'LVE, site', 12, `"model" ${NOT_CLOSED}`, 'missing ]'],
  ['brackets over lines open', AXIS, IN_LINES('\n'), 12, `"select" ${NOT_CLOSED}`],
  ['one bracket too many', '{tag: emea}}', '{tag: emea}}}', 12, 'Unmatched closing bracket'],
  ['one list end too many', 'LVE], site', 'LVE]], site', 12, 'is not closed with ]'],
  ['the end of a list for that of a mapping', 'Berlin}', 'Berlin]', 3, '"HQ Berlin"', 'Write }'],
  ['the end of a mapping for that of a list', 'plant]', 'plant}', 4, `"tags" ${NOT_CLOSED}`],
  ['no opening brace', '{timeZone: Europe/Berlin}', 'timeZone: Europe/Berlin}', 3, 'into {}'],
  ['no opening bracket', '[emea, plant]', 'emea, plant]', 4, 'is not closed with ]'],
  ['a comment in brackets', 'lobby-*}}', 'lobby #1}}', 25, 'a comment begins before'],
  ['a tab in brackets', 'Axis, model', 'Axis,\n\t\tmodel', 13, 'A tab indents this line'],
  ['a file cut short', 'lobby-*}}\n', 'lob', 25, NOT_CLOSED],
  ['a quote open in brackets', '"01:00", to', '"01:00, to', 8, 'The quote after "from"'],
  ['a quote closed with another', '"11.11.x"', `"11.11.x'`, 13, 'The quote after "version"'],
  ['a quote at the end alone', '"11.11.x"', '11.11.x"', 13, 'Invalid version'],
  ['no colon after a key', '    maxAge: 180d', '    maxAge 180d', 22, 'missing after "maxAge"'],
  [
    'no colon after an entry',
    'passwords:\n',
    'passwords\n',
    17,
    'missing after "camera-passwords"',
  ],
  ['no colon after a section', 'rotations:\n', 'rotations\n', 16, 'missing after "rotations"'],
  ['no colon in brackets', 'site: {tag', 'site {tag', 12, 'missing after "site"'],
  ['no colon before brackets', 'service: {', 'service {', 1, 'missing after "service"'],
  ['no blank after a colon', 'maxAge: 180d', 'maxAge:180d', 22, 'after the colon of "maxAge"'],
  ['no blank after a dash', '- {days: tue', '-{days: tue', 8, 'missing after the dash'],
  ['no blank before a comment', '"11.11.x"', '"11.11.x"# new', 13, 'a space before its #'],
  ['another comment', '"11.11.x"', '"11.11.x" // new', 13, 'A comment starts with #'],
  ['a line of another comment', AXIS, `    // new\n${AXIS}`, 12, 'A comment starts with #'],
  ['an entry one blank short', '  bosch:', ' bosch:', 15, 'of "bosch"', 'column of line 11'],
  ['a key one blank too far', '    version', '     version', 13, 'column of line 12'],
  ['a dash one blank short', '      - {days: [', '     - {days: [', 9, 'column of line 8'],
  [
    'an entry in the column of its section',
    '  lobby: {select: {site: HQ*, name: lobby-*}}',
    'lobby: {select: {site: HQ*, name: lobby-*}}',
    25,
    '"lobby" belongs to "groups"',
    'Indent it by 2 spaces',
  ],
  [
    'a key alone in the column of its entry',
    '    version: "11.11.x"',
    '  version: "11.11.x"',
    13,
    '"version" belongs to "axis-p32"',
    'Indent it by 4 spaces',
  ],
  [
    'a key two blanks too far, below a value',
    '    task: rotatePassword\n',
    '    task: rotatePassword\n      headStart: 21d\n',
    19,
    'indented too far',
    'Indent it by 4 spaces, like "task"',
  ],
  [
    'a value above an entry',
    '  axis-p32:',
    '  axis-p32: new',
    11,
    'The next line is indented below',
  ],
  [
    'a colon in a text',
    '    maxAge',
    '    rationale: RA-12: x\n    maxAge',
    22,
    'into double quotes',
  ],
];

it.each(IN_BRACKETS.map(([name, from, to, line, ...says]) => ({ name, from, to, line, says })))(
  'the message for $name names the cause and its line',
  async ({ name, from, to, line, says }) => {
    expect(PLANT).toContain(from);
    const found = await findings(name, { 'fleet.yaml': PLANT.replace(from, () => to) });
    expect(found.places, found.text).toEqual([`fleet/fleet.yaml:${line}`]);
    for (const words of says) expect(found.text.replaceAll(/\s+/g, ' ')).toContain(words);
  },
);

it('one message for 5 a file in UTF-16', async () => {
  const found = await findings('utf-16', { 'fleet.yaml': Buffer.from(`\ufeff${BASE}`, 'utf16le') });
  expect(found.places).toEqual(['fleet/fleet.yaml:1']);
  expect(found.text).toContain('Save it as UTF-8');
});

it('one message for 23 a name that another file has', async () => {
  const other = 'firmware:\n  axis: {select: {vendor: Bosch}, version: "1.2.x", windows: nights}\n';
  const found = await findings('twice', { 'fleet.yaml': BASE, 'other.yaml': other });
  expect(found.places).toEqual(['fleet/other.yaml:2']);
  expect(found.text).toContain('fleet/fleet.yaml:9');
});

it.each([
  ['nothing', END, ''],
  ['44 24:00 as an end', '"05:00"', '"24:00"'],
  ['a whole day', '"01:00", to: "05:00"', '"00:00", to: "24:00"'],
  [
    '46 a date in until',
    END,
    'exceptions:\n  h: {type: hold, task: all, select: {device: d}, until: "2026-12-20", reason: r, owner: o, ticket: T-1}\n',
  ],
])('no message for %s', async (name, from, to) => {
  const text = from === END ? BASE + to : BASE.replace(from, () => to);
  const found = await findings(name, { 'fleet.yaml': text });
  expect(found.text).toBe('');
});

it('a date in until is its start in UTC, and 24:00 the midnight after it', () => {
  const more = `exceptions:
  h: {type: hold, task: all, select: {device: d}, until: "2026-12-20", reason: r, owner: o, ticket: T-1}
`;
  const text = BASE.replace('"01:00", to: "05:00"', '"00:00", to: "24:00"') + more;
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text }]);
  expect(documents?.exceptions.get('h')?.value.until).toBe(Date.parse('2026-12-20T00:00:00Z'));
  const [span] = documents?.windows.get('nights')?.value.allow ?? [];
  expect(span).toMatchObject({ from: 0, to: 0 });
});

async function findings(name: string, files: Readonly<Record<string, string | Buffer>>) {
  const folder = join(scratchFolder(`mistake-${name.replaceAll(/\W/g, '-')}`), 'fleet');
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const { diagnostics, files: read } = await loadFleet(folder);
  const texts = new Map(read.map(({ path, text }) => [path, quotable(text)]));
  const text = diagnostics.length === 0 ? '' : shown(findingBlocks(diagnostics, texts));
  return { places: diagnostics.map(({ at }) => `${at?.file}:${at?.line}`), text };
}
