import type { Passed, Values, WindowRef } from '../../model/plan/change.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { diffText, valuesDiff } from './before-after.ts';
import type { ChangeClass, ClassDevice, Spreads } from '../view/change-class.ts';
import { openingMoment, type PageTime } from '../words/moment.ts';
import { spreadText, valueText } from '../view/spread.ts';
import { tint, type Colour } from '../sinks/paint.ts';
import { counted, grouped } from '../words/phrase.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import type { RequestedAt, PlanView } from '../view/view.ts';
import { textWidth } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';
import { CAUSE_WORDS, originWords, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import { passedText } from '../words/passed-words.ts';
import { reasonWords } from '../words/reasons.ts';

const INDENT = 4;
const LABEL = 9;

/** How many sites of a class are named; the others are counted. */
const SITES_NAMED = 6;

/** How many changed lines of a class are named; the others are counted. */
const LINES_NAMED = 4;

/** How many commits of a class are named; the others are counted. */
const COMMITS_NAMED = 2;

const RISK_COLOUR = { high: 'red', medium: 'yellow', low: 'dim' } as const satisfies Record<
  ChangeClass['risk'],
  Colour
>;

/** The style of classes: every device or a few, and the policies whose waves are named. */
export interface ClassOptions extends TextStyle {
  readonly page: PageTime;
  readonly all: boolean;
  /** Addresses of the policies with changes in more than one wave. */
  readonly waved: ReadonlySet<string>;
  /** The authors of a class, newest first, if known. */
  readonly originsOf: PlanView['originsOf'];
}

/**
 * One class of changes: action, number of devices, risk, author, values before and after, reason,
 * when it may continue, sites and devices. A class that keeps all its devices names each on a line
 * of its own.
 */
export function* classText(theClass: ChangeClass, style: ClassOptions): Generator<TerminalText> {
  const { losers } = theClass;
  yield heading(theClass, style);
  yield* wrap(say`    ${originText(theClass)}`, style.width, INDENT).map((line) =>
    tint(style.paint, 'dim', line),
  );
  yield* authorLines(theClass, style);
  yield* diffText(
    valuesDiff(spreadTexts(theClass.before), spreadTexts(theClass.after)),
    style,
    INDENT,
  );
  yield* reasonLines(theClass, style);
  if (losers.length > 0) {
    const over = losers.map((loser) => say`${terminal(loser.policy)} (${placeText(loser)})`);
    yield* labelled('over', join(over, ', '), style);
  }
  yield* style.all ? everyDevice(theClass, style) : someDevices(theClass, style);
}

/** A label in its column with its text next to it, wrapped in its own column. */
export function labelled(
  label: string,
  text: TerminalText,
  style: TextStyle,
): readonly TerminalText[] {
  const columns = style.width - INDENT - LABEL;
  return wrap(text, columns).map((line, row) => {
    const name = terminal((row === 0 ? label : '').padEnd(LABEL));
    return say`    ${tint(style.paint, 'dim', name)}${line}`;
  });
}

/** A device by its name and ID; by its ID alone if it has no name. */
export function deviceText(device: Pick<ClassDevice, 'id' | 'name'>): TerminalText {
  if (device.name === undefined || device.name === device.id) return terminal(device.id);
  return say`${terminal(device.name)} (${terminal(device.id)})`;
}

/** A reason with its start, as one sentence, and how to continue. */
export function reasonText(
  reason: ChangeClass['reason'],
  options: PageTime & {
    readonly sinceDiffers?: boolean;
    readonly lastNext?: Instant | undefined;
  },
): { readonly why: TerminalText; readonly next: TerminalText } {
  const { summary, detail, next } = reasonWords(reason, options);
  if (detail === undefined) return { why: summary, next };
  const first = options.sinceDiffers === true ? say`, the first ` : say` `;
  return { why: say`${summary}${first}${detail}`, next };
}

function heading(theClass: ChangeClass, style: TextStyle): TerminalText {
  const { task, count, risk } = theClass;
  const title = terminal(`${TASK_WORDS[task]} · ${counted(count, 'device')}`);
  const label = terminal(RISK_WORDS[risk]);
  const gap = Math.max(2, style.width - 2 - textWidth(title) - textWidth(label));
  const [bold, coloured] = [
    tint(style.paint, 'bold', title),
    tint(style.paint, RISK_COLOUR[risk], label),
  ];
  return say`  ${bold}${terminal(' '.repeat(gap))}${coloured}`;
}

function* reasonLines(theClass: ChangeClass, style: ClassOptions): Generator<TerminalText> {
  const { action, cause, reason, sinceDiffers, lastNext } = theClass;
  const { why, next } = reasonText(reason, { ...style.page, sinceDiffers, lastNext });
  const because = action === 'run' ? say`${terminal(CAUSE_WORDS[cause])}: ${why}` : why;
  yield* labelled('why', because, style);
  if (action !== 'run') yield* labelled('next', next, style);
  if (theClass.passes) yield* labelled('passes', passesText(theClass.passes), style);
  if (style.waved.has(theClass.at.policy) && theClass.wave !== undefined)
    yield* labelled('wave', terminal(theClass.wave), style);
  if (theClass.window && theClass.window.name !== 'anytime')
    yield* labelled('window', windowText(theClass.window, theClass, style.page), style);
}

/** What a change passes, each with its rule. */
export function passesText(passes: readonly Passed[]): TerminalText {
  return passedText(passes, terminal) as TerminalText;
}

/** Without a zone the opening times are unknown. */
function windowText(
  { name, zone, opens }: WindowRef,
  { reason }: ChangeClass,
  page: PageTime,
): TerminalText {
  if (zone === undefined) return terminal(name);
  const where = say`${terminal(name)}, ${terminal(zone)}`;
  const at = parseInstant(opens ?? '');
  if (at === undefined)
    return SHUT.has(reason.code) ? say`${where}, closed` : say`${where}, open now`;
  return say`${where}, opens ${terminal(openingMoment(at, zone, page))}`;
}

/** Reasons under which a window without a next opening stays closed. */
const SHUT: ReadonlySet<ReasonCode> = new Set([
  'frozenHard',
  'frozen',
  'windowClosed',
  'pastCutoff',
]);

/** The policy and its place, and the number of other lines if entries of a list were folded. */
function originText({ at, places }: ChangeClass): TerminalText {
  const others = places.length === 1 ? '' : ` and ${counted(places.length - 1, 'more place')}`;
  return say`${terminal(at.policy)}  ${placeText(at)}${terminal(others)}`;
}

/** The changed lines behind the changes, and the commits of those lines or of the entry. */
export function* authorLines(
  requested: RequestedAt,
  style: Pick<ClassOptions, 'originsOf'> & TextStyle,
): Generator<TerminalText> {
  const { lines = [] } = requested;
  if (lines.length > 0) {
    const named = lines.slice(0, LINES_NAMED).map((place) => lineText(place));
    const more = lines.length - named.length;
    const rest = more > 0 ? terminal(` and ${counted(more, 'more line')}`) : say``;
    const text = say`${join(named, ', ')}${rest}`;
    for (const line of labelled('lines', text, style)) yield tint(style.paint, 'dim', line);
  }
  const ordered = style.originsOf(requested);
  const parts = ordered.slice(0, COMMITS_NAMED).map((origin) => originWords(origin));
  if (parts.length === 0) return;
  const more = ordered.length - parts.length;
  const rest = more > 0 ? terminal(`; and ${counted(more, 'more commit')}`) : say``;
  const text = say`${join(parts, '; ')}${rest}`;
  for (const line of labelled('by', text, style)) yield tint(style.paint, 'dim', line);
}

function lineText({ file, line }: SourceLocation): TerminalText {
  return terminal(`${file}:${line}`);
}

function sitesText({ sites }: ChangeClass): TerminalText {
  const named = sites
    .slice(0, SITES_NAMED)
    .map(
      ({ name, count }) => say`${terminal(name === '' ? 'no site' : name)} ${numberText(count)}`,
    );
  const rest = sites.slice(SITES_NAMED);
  const more = rest.reduce((sum, { count }) => sum + count, 0);
  if (rest.length > 0) named.push(terminal(`${grouped(rest.length)} more sites ${grouped(more)}`));
  return join(named, ', ');
}

/** A few devices with their sites, or the sites with counts and the first few devices. */
function* someDevices(theClass: ChangeClass, style: TextStyle): Generator<TerminalText> {
  const { count, devices: listed } = theClass;
  const more = count - listed.length;
  if (more === 0) return yield* labelled('devices', join(listed.map(locatedText), ', '), style);
  const named = join(listed.map(deviceText), ', ');
  yield* labelled('sites', sitesText(theClass), style);
  yield* labelled(
    'devices',
    say`${named}, … and ${numberText(more)} more (--all lists them)`,
    style,
  );
}

function* everyDevice(theClass: ChangeClass, style: TextStyle): Generator<TerminalText> {
  yield* labelled('sites', sitesText(theClass), style);
  let label = 'devices';
  for (const device of theClass.devices) {
    const place = theClass.places.length === 1 ? say`` : say` ${placeText(device.at)}`;
    yield* labelled(label, say`${locatedText(device)}${place}${ownText(device.own)}`, style);
    label = '';
  }
}

function ownText(own: Values): TerminalText {
  const parts = Object.entries(own).map(
    ([field, value]) => say`${terminal(field)} ${terminal(valueText(value))}`,
  );
  return parts.length === 0 ? say`` : say`: ${join(parts, ', ')}`;
}

/** The values of a class for the diff: one value, the range of dates, or how they differ. */
export function spreadTexts(spreads: Spreads): Values {
  return Object.fromEntries(
    Object.entries(spreads).map(([field, spread]) => [field, spreadText(spread)]),
  );
}

function numberText(count: number): TerminalText {
  return terminal(grouped(count));
}

export function locatedText(device: Pick<ClassDevice, 'id' | 'name' | 'site'>): TerminalText {
  const site = device.site === undefined ? say`` : say` at ${terminal(device.site)}`;
  return say`${deviceText(device)}${site}`;
}
