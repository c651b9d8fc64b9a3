import { computeOnce } from './compute-once.ts';

/** One comparison of a range: the version must be in this relation to `version`. */
export interface Comparator {
  readonly operator: '>=' | '>' | '<=' | '<' | '=';
  readonly version: string;
}

/** A parsed range: comparators that must all hold, or the fixed leading numbers of an x-range. */
export type VersionRange =
  | { readonly is: 'comparators'; readonly all: readonly Comparator[] }
  | { readonly is: 'xRange'; readonly prefix: readonly number[] };

/**
 * Orders two firmware versions of one vendor: below, equal to or above 0 if `a` is older, equal or
 * newer. Returns undefined if the vendor's spelling does not decide it; equal texts are always
 * equal (semantics F5). A missing segment counts as 0, and a release candidate precedes its
 * release.
 */
export function compareVersions(
  vendor: string | undefined,
  a: string,
  b: string,
): number | undefined {
  if (a === b) return 0;
  const left = readVersion(vendor, a);
  const right = readVersion(vendor, b);
  return left && right && compareRead(left, right);
}

/**
 * Whether a version lies in a range or x-range; undefined if the text is no range or the versions
 * cannot be compared.
 */
export function inRange(
  vendor: string | undefined,
  version: string,
  text: string,
): boolean | undefined {
  const range = knownRange(text);
  if (!range) return undefined;
  if (range.is === 'xRange') return startsWith(readVersion(vendor, version), range.prefix);
  let holds = true;
  for (const { operator, version: bound } of range.all) {
    const order = compareVersions(vendor, version, bound);
    if (order === undefined) return undefined;
    holds &&= HOLDS[operator](order);
  }
  return holds;
}

/**
 * Reads `">=11.5 <12"` or `"11.11.x"`. Returns undefined for anything else, a plain version
 * included.
 */
export function parseRange(text: string): VersionRange | undefined {
  if (X_RANGE.test(text)) return { is: 'xRange', prefix: parseNumbers(text) };
  if (!COMPARATORS.test(text)) return undefined;
  const all: Comparator[] = [];
  for (const [, operator, version] of text.matchAll(/([<>]=?|=)([^<>=]+)/g)) {
    all.push({ operator: operator as Comparator['operator'], version: (version ?? '').trim() });
  }
  return { is: 'comparators', all };
}

const knownRange = computeOnce(parseRange);

/** Whether a text is a range or x-range rather than one exact version. */
export function isRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Whether the comparator of at least one vendor can order this text as a version. */
export function isVersion(text: string): boolean {
  return Object.values(SPELLINGS).some((spelling) => readAs(spelling, text) !== undefined);
}

const X_RANGE = /^(?:mx-)?v?\d{1,15}(?:\.\d{1,15}){0,9}\.x$/i;
const COMPARATORS = /^(?:\s*(?:[<>]=?|=)\s*[0-9A-Za-z][\w. -]{0,63})+$/;

const HOLDS: Readonly<Record<Comparator['operator'], (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

const DOTTED = String.raw`(?<numbers>\d{1,15}(?:\.\d{1,15}){0,9})`;
const STAGE = String.raw`(?:[-_. ]?(?<stage>alpha|beta|rc)[-_. ]?(?<candidate>\d{0,9}))?`;

/** `7.81.0024`, `2.35.1.49.8`, `v4.1`: numbers, and an optional stage before a release. */
const GENERIC = new RegExp(`^v?${DOTTED}${STAGE}$`, 'i');

/**
 * How each vendor spells a version, by the first word of the vendor's name. Other vendors use the
 * generic spelling.
 */
const SPELLINGS: Readonly<Record<string, RegExp>> = {
  '2n': GENERIC,
  avigilon: GENERIC,
  // 11.8.61, 9.80.3.2
  axis: new RegExp(`^${DOTTED}${STAGE}$`, 'i'),
  bosch: GENERIC,
  commend: GENERIC,
  // 2.622.00AC000.0.R: two numbers, then numbers between the letters of a variant.
  dahua:
    /^v?(?<numbers>\d{1,15}\.\d{1,15})(?:\.(?<variant>[0-9a-z]{1,15}(?:\.[0-9a-z]{1,15}){0,9}))?$/i,
  // 2.21.01_20230621_R421: of one version, the later day is newer, then the higher revision.
  hanwha: new RegExp(`^v?${DOTTED}(?:_(?<build>\\d{8})(?:_r(?<revision>\\d{1,9}))?)?$`, 'i'),
  hid: GENERIC,
  // V5.7.3 build 220315: of one version, the later build date is newer.
  hikvision: new RegExp(`^v?${DOTTED}(?:[ _]+build[ _]?(?<build>\\d{6}))?$`, 'i'),
  lenels2: GENERIC,
  mercury: GENERIC,
  // MX-V7.3.1.9
  mobotix: new RegExp(`^(?:mx-)?v?${DOTTED}$`, 'i'),
  moxa: GENERIC,
  pelco: GENERIC,
  // 0125c: one number, then the letter of an update.
  vivotek: new RegExp(`^v?${DOTTED}(?<letter>[a-z])?$`, 'i'),
  generic: GENERIC,
};

const STAGES = ['alpha', 'beta', 'rc', ''];
/** A version without a letter is the first issue. */
const LETTERS = ['', ...'abcdefghijklmnopqrstuvwxyz'];

/** A parsed version. Versions compare by these fields, in this order. */
interface ReadVersion {
  readonly numbers: readonly number[];
  /** Letters of a customized build. Variants of the same numbers cannot be compared. */
  readonly variant: string;
  /**
   * Numbers between the letters, the stage (a release is highest), candidate, build, revision,
   * letter.
   */
  readonly rest: readonly number[];
}

/** A fleet has few versions and compares them for every device, so each is read once. */
function readVersion(vendor: string | undefined, text: string): ReadVersion | undefined {
  return versionsOf(vendor ?? '')(text);
}

/** `Axis`, `AXIS` and `Axis Communications` are one vendor: the first word decides. */
const versionsOf = computeOnce((vendor: string) => {
  const word = /^[a-z0-9]+/.exec(vendor.toLowerCase())?.[0] ?? 'generic';
  const spelling = Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined;
  return computeOnce((text: string) => readAs(spelling ?? SPELLINGS['generic'], text));
});

function readAs(spelling: RegExp | undefined, text: string): ReadVersion | undefined {
  const groups = spelling?.exec(text)?.groups;
  if (!groups) return undefined;
  const { numbers = '', variant = '', stage = '', letter = '' } = groups;
  const { candidate, build, revision } = groups;
  return {
    numbers: parseNumbers(numbers),
    variant: variant.toLowerCase().replaceAll(/\d+/g, '#'),
    rest: [
      ...parseNumbers(variant),
      STAGES.indexOf(stage.toLowerCase()),
      Number(candidate ?? 0),
      Number(build ?? 0),
      Number(revision ?? 0),
      LETTERS.indexOf(letter.toLowerCase()),
    ],
  };
}

function parseNumbers(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function compareRead(a: ReadVersion, b: ReadVersion): number | undefined {
  const byNumbers = compareNumbers(a.numbers, b.numbers);
  if (byNumbers !== 0) return byNumbers;
  if (a.variant === b.variant) return compareNumbers(a.rest, b.rest);
  if (a.variant === '' || b.variant === '') return a.variant === '' ? -1 : 1;
  return undefined;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

function startsWith(
  version: ReadVersion | undefined,
  prefix: readonly number[],
): boolean | undefined {
  if (!version) return undefined;
  if (version.variant !== '' && prefix.length > version.numbers.length) return undefined;
  return prefix.every((number, index) => (version.numbers[index] ?? 0) === number);
}
