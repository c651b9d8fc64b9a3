import { computeOnce } from './compute-once.ts';

/** One comparison of a range: the version must be in this relation to `version`. */
export interface Comparator {
  readonly operator: '>=' | '>' | '<=' | '<' | '=';
  readonly version: string;
}

/** A parsed range: comparators that must all hold, or the fixed leading numbers of an x-range. */
export type VersionRange =
  | { readonly is: 'comparators'; readonly all: readonly Comparator[] }
  | { readonly is: 'xRange'; readonly prefix: readonly string[] };

/**
 * Orders two firmware versions of one vendor: below, equal to or above 0 if `a` is older, equal or
 * newer; undefined where that is unclear, and so equal only where both surely are one version
 * (semantics F5, M22). Equal texts are always equal.
 * @param stated the order that documents state, the oldest first; it beats that of the vendor (semantics M21)
 */
export function compareVersions(
  vendor: string | undefined,
  a: string,
  b: string,
  stated: readonly string[] = [],
): number | undefined {
  if (a === b) return 0;
  const [atA, atB] = [stated.indexOf(a), stated.indexOf(b)];
  if (atA >= 0 && atB >= 0) return Math.sign(atA - atB);
  if (stated.length > 0 && reversedPair(vendor, stated)) return undefined;
  const left = readVersion(vendor, a);
  const right = readVersion(vendor, b);
  return left && right && compareRead(left, right);
}

/** Whether a version is spelled as its vendor spells them, so that it may have an order with others. */
export function hasOrder(vendor: string | undefined, version: string): boolean {
  return readVersion(vendor, version) !== undefined;
}

/**
 * A version as its vendor spells one, where this one is spelled as only other vendors do; undefined for any other.
 */
export function spelledOtherwise(vendor: string, version: string): string | undefined {
  if (
    hasOrder(vendor, version) ||
    !Object.keys(SPELLINGS).some((other) => hasOrder(other, version))
  )
    return undefined;
  return EXAMPLES[firstWord(vendor)] ?? '11.11.73';
}

/**
 * The first two versions, the older first, that a stated order has otherwise than the vendor; undefined if none. The
 * order of the vendor then decides nothing about further versions either.
 */
export function reversedPair(
  vendor: string | undefined,
  stated: readonly string[],
): readonly [older: string, newer: string] | undefined {
  const pairs = stated.flatMap((newer, at) =>
    stated.slice(0, at).map((older) => [older, newer] as const),
  );
  return pairs.find(([older, newer]) => (compareVersions(vendor, older, newer) ?? -1) >= 0);
}

/**
 * Whether a version lies in a range or x-range; undefined where that is unclear, or the text is no range.
 * @param stated as for `compareVersions`
 */
export function inRange(
  vendor: string | undefined,
  version: string,
  text: string,
  stated?: readonly string[],
): boolean | undefined {
  const range = knownRange(text);
  if (!range) return undefined;
  if (range.is === 'xRange') return startsWith(readVersion(vendor, version), range.prefix);
  const answers = range.all.map(({ operator, version: bound }) => {
    const order = compareVersions(vendor, version, bound, stated);
    return order === undefined ? undefined : HOLDS[operator](order);
  });
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/**
 * Reads `">=11.5 <12"` or `"11.11.x"`. Returns undefined for anything else, a plain version
 * included.
 */
export function parseRange(text: string): VersionRange | undefined {
  if (X_RANGE.test(text)) return { is: 'xRange', prefix: digitsIn(text) };
  if (!COMPARATORS.test(text)) return undefined;
  const all: Comparator[] = [];
  for (const [, operator, version] of text.matchAll(/([<>]=?|=)([^<>=]+)/g)) {
    all.push({ operator: operator as Comparator['operator'], version: (version ?? '').trim() });
  }
  return all.every((each) => BOUND.test(each.version)) ? { is: 'comparators', all } : undefined;
}

const knownRange = computeOnce(parseRange);

/** Whether a text is a range or x-range rather than one exact version. */
export function isRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/**
 * Whether a text can be written as an exact version: whatever a service may show, but no word, glob or range of the
 * documents, and nothing that a person meant as one.
 */
export function isExactVersion(text: string): boolean {
  const isWord = ['latest', 'approved'].includes(text.toLowerCase());
  if (isWord || isForeignRange(text)) return false;
  return text.length <= LONGEST && EXACT.test(text) && !HAS_X.test(text) && !isRange(text);
}

/** Whether a text is a range of npm, which means something else here: `^11`, `~11.2`, `11 - 12`. */
export function isForeignRange(text: string): boolean {
  return /^[\^~]|^\d[\d.]*\s+-\s+\d[\d.]*$/.test(text);
}

/** The longest version that a document takes. */
const LONGEST = 200;
const EXACT = /^[^\s\p{C}<>=|*?"'][^\p{C}<>|*?]*(?<![\s,"'])$/u;
const HAS_X = /(^|\.)x(\.|$)/i;
const X_RANGE = /^(?:mx-)?v?\d{1,15}(?:\.\d{1,15}){0,9}\.x$/i;
const COMPARATORS = /^(?:\s*(?:[<>]=?|=)[^<>=]+)+$/;
const BOUND = /^[0-9A-Za-z](?:[^|*?\p{C}]{0,198}[^\s,|*?\p{C}])?$/u;

const HOLDS: Readonly<Record<Comparator['operator'], (order: number) => boolean>> = {
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '<': (order) => order < 0,
  '=': (order) => order === 0,
};

const DOTTED = String.raw`(?:(?:v|ver|version|fw|firmware)[. ]{0,2})?(?<numbers>\d{1,15}(?:\.\d{1,15}){0,9})`;
const STAGE = String.raw`(?:[-_. ]?(?<stage>alpha|beta|rc)[-_. ]?(?<candidate>\d{0,9}))?`;
/** ` build 220315`, `, Build Date: 2017-08-31`, `(build 662)`, `_20230621_R421`, `_2`, `-20210722`, ` 2017-11-02`. */
const BUILD =
  String.raw`(?:[ ,_-]{0,3}(?:\(?build(?: date)?[ :_.#]{0,3}|\(|(?<=[_-])|(?<= )(?=\d{4}-\d\d-\d\d))` +
  String.raw`(?<build>\d{4}-\d\d-\d\d|\d{1,14})\)?(?:_r(?<revision>\d{1,9}))?)?`;

const VIVOTEK_LINE = String.raw`(?:(?<line>[a-z0-9-]{1,40})-vvtk-)?v?`;

/** `7.81.0024`, `2.35.1.49.8`, `V5.7.3 build 220315`: numbers, a stage before a release, a build or a date. */
const GENERIC = spelling(DOTTED + STAGE + BUILD);

/** 2.622.00AC000.0.R, Build Date: 2020-10-22: two numbers, then numbers between the letters of a variant. */
const DAHUA = spelling(
  String.raw`v?(?<numbers>\d{1,15}\.\d{1,15})(?:\.(?<variant>[0-9a-z]{1,15}(?:\.[0-9a-z]{1,15}){0,9}))?${BUILD}`,
);

/**
 * How vendors spell a version where it is not the generic way, by the first word of the vendor's name. Versions of two
 * forms of one vendor have no order.
 */
const SPELLINGS: Readonly<Record<string, readonly RegExp[]>> = {
  amcrest: [DAHUA],
  dahua: [DAHUA],
  lorex: [DAHUA],
  // 45.8.0.3-r9: each release has a revision; without it the place of a version is not known.
  milesight: [spelling(String.raw`${DOTTED}-r(?<revision>\d{1,9})`), GENERIC],
  // MX-V4.7.3.11-r4, and MX-V3.5.2.23.r3 before
  mobotix: [spelling(String.raw`(?:mx-)?${DOTTED}(?:[-.]r(?<revision>\d{1,9}))?`)],
  uniview: [
    // QIPC-B2202.2.0.230111
    spelling(
      String.raw`(?<line>[a-z]{1,9}-b\d{1,9})\.(?<numbers>\d{1,9}\.\d{1,9})\.(?<build>\d{6})`,
    ),
    // IPC_G6103-B0009P30D1803, IPC_D1201-B0008P37D1805C03SP04
    spelling(
      String.raw`(?<line>[a-z]{1,9}_[a-z]?\d{1,9})-b(?<numbers>\d{1,9}p\d{1,9})(?<variant>d\d{1,9}(?:c\d{1,9})?(?:sp\d{1,9})?)`,
    ),
    GENERIC,
  ],
  vivotek: [
    // CC8160-VVTK-0113b, IP8131-VVTK-0100e7: one number, then the letter of an update.
    spelling(String.raw`${VIVOTEK_LINE}(?<numbers>\d{1,4})(?<letter>[a-z])?(?<revision>\d{1,2})?`),
    // FD9387-VVTK-2.2002.23.01k
    spelling(
      String.raw`${VIVOTEK_LINE}(?<numbers>\d{1,9}(?:\.\d{1,9}){1,9})(?<letter>[a-z])?(?<revision>\d{1,2})?`,
    ),
  ],
};

/** One version of each vendor that spells them in its own way. */
const EXAMPLES: Readonly<Record<string, string>> = {
  amcrest: '2.622.00AC000.0.R',
  dahua: '2.622.00AC000.0.R',
  lorex: '2.622.00AC000.0.R',
  milesight: '45.8.0.3-r9',
  mobotix: 'MX-V4.7.3.11-r4',
  uniview: 'QIPC-B2202.2.0.230111',
  vivotek: 'FD9387-VVTK-2.2002.23.01k',
};

const STAGES = ['alpha', 'beta', 'rc', ''];

/** A parsed version. */
interface ReadVersion {
  /** The number of its form in the list of its vendor. */
  readonly form: number;
  /** The model or platform before the numbers; of two models no version is newer. */
  readonly line: string;
  /** As they are written, because `303` may join `30` and `3`, and `0024` is a build. */
  readonly numbers: readonly string[];
  /** A release is above its candidates. */
  readonly stage: readonly string[];
  /** Variant, letter, build and revision, in the order in which they decide. */
  readonly parts: readonly Part[];
}

/** A part after the numbers. Where one version lacks it, or spells it otherwise, it decides nothing (semantics M22). */
interface Part {
  /** The text with `#` for each number; empty where the version has no such part. */
  readonly shape: string;
  readonly digits: readonly string[];
}

/** A fleet has few versions and compares them for every device, so each is read once. */
function readVersion(vendor: string | undefined, text: string): ReadVersion | undefined {
  return versionsOf(vendor ?? '')(text);
}

/** `Axis`, `AXIS` and `Axis Communications` are one vendor: the first word decides. */
const versionsOf = computeOnce((vendor: string) => {
  const word = firstWord(vendor);
  const forms = Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined;
  return computeOnce((text: string) => readAs(forms ?? [GENERIC], text));
});

function firstWord(vendor: string): string {
  return /^[a-z0-9]+/.exec(vendor.toLowerCase())?.[0] ?? '';
}

function spelling(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`, 'i');
}

function readAs(forms: readonly RegExp[], text: string): ReadVersion | undefined {
  for (const [form, pattern] of forms.entries()) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return { form, ...toParts(groups) };
  }
  return undefined;
}

function toParts(groups: Readonly<Record<string, string | undefined>>): Omit<ReadVersion, 'form'> {
  const { line = '', numbers = '', stage = '', candidate, letter } = groups;
  const { variant, build, revision } = groups;
  const update = letter && String(Number.parseInt(letter, 36));
  return {
    line: line.toLowerCase(),
    numbers: digitsIn(numbers),
    stage: [String(STAGES.indexOf(stage.toLowerCase())), candidate || '0'],
    parts: [variant, update, build?.replaceAll('-', ''), revision].map(toPart),
  };
}

function toPart(text = ''): Part {
  return { shape: text.toLowerCase().replaceAll(/\d+/g, '#'), digits: digitsIn(text) };
}

function digitsIn(text: string): readonly string[] {
  return text.match(/\d+/g) ?? [];
}

function compareRead(a: ReadVersion, b: ReadVersion): number | undefined {
  if (a.form !== b.form) return undefined;
  if (a.line !== b.line && a.line !== '' && b.line !== '') return undefined;
  const byNumbers = compareNumbers(a.numbers, b.numbers);
  if (byNumbers !== 0) return byNumbers;
  const byStage = compareLists(a.stage, b.stage);
  if (byStage !== 0) return byStage;
  for (const [at, part] of a.parts.entries()) {
    const order = compareParts(part, b.parts[at] ?? toPart());
    if (order !== 0) return order;
  }
  return a.line === b.line ? 0 : undefined;
}

/** Undefined also for a date with a century beside one without, and for a date beside a number. */
function compareParts(a: Part, b: Part): number | undefined {
  const isOtherForm = a.digits.some((digits, at) => {
    const { length = 0 } = b.digits[at] ?? '';
    return digits.length !== length && Math.max(digits.length, length) >= 6;
  });
  return a.shape !== b.shape || isOtherForm ? undefined : compareLists(a.digits, b.digits);
}

/** The order of the numbers; undefined where they may be one version in two spellings (semantics M22). */
function compareNumbers(a: readonly string[], b: readonly string[]): number | undefined {
  const orders = readings(a, b).flatMap((one) =>
    readings(b, a).map((other) => compareLists(one, other)),
  );
  const order = agreed(orders);
  if (order === undefined || order === 0) return order;
  return a.join('') === b.join('') || lacksBuild(a, b) || lacksBuild(b, a) ? undefined : order;
}

/** The answer of all readings; undefined where two differ. */
function agreed<T>([first, ...others]: readonly T[]): T | undefined {
  return others.every((each) => each === first) ? first : undefined;
}

/** A spelling with fewer numbers may join the last two of them: `1.303` is `1.30.3`, and `1.296` older than `1.30`. */
function readings(
  numbers: readonly string[],
  other: readonly string[],
): readonly (readonly string[])[] {
  const last = numbers.at(-1) ?? '';
  const beside = other[numbers.length - 1] ?? '';
  const isPair = numbers.length === 2 && other.length === 2 && last.length > beside.length;
  const mayJoin = last.length >= JOINED && (isPair || numbers.length < other.length);
  if (!mayJoin || Number(last) === Number(beside)) return [numbers];
  const before = numbers.slice(0, -1);
  const splits = Array.from({ length: last.length - 1 }, (_, at) => [
    ...before,
    last.slice(0, at + 1),
    last.slice(at + 1),
  ]);
  return [numbers, ...splits];
}

/** So many digits or more may join two numbers. */
const JOINED = 3;

/** Whether a version is the short spelling of another, whose next number but zeros is a build such as `0684`. */
function lacksBuild(short: readonly string[], long: readonly string[]): boolean {
  const next = long.slice(short.length).find((number) => Number(number) > 0) ?? '';
  return next.length > JOINED && compareLists(short, long.slice(0, short.length)) === 0;
}

function compareLists(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = Number(a[index] ?? 0) - Number(b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}

function startsWith(
  version: ReadVersion | undefined,
  prefix: readonly string[],
): boolean | undefined {
  if (!version) return undefined;
  const { numbers, parts } = version;
  const hasVariant = parts[0]?.shape !== '';
  if (hasVariant && prefix.length > numbers.length) return undefined;
  return agreed(
    readings(numbers, hasVariant ? prefix : [...prefix, '0']).map((each) =>
      prefix.every((number, index) => Number(each[index] ?? 0) === Number(number)),
    ),
  );
}
