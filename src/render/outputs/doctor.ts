import type { DialectValue } from '../../dialect.gen.ts';
import type { JsonObject } from '../../lib/canonical.ts';
import { formatInstant } from '../../lib/time.ts';
import type { WrittenDialect } from '../../model/fleet/dialect.ts';
import type { PlanInputs } from '../../model/plan/plan.ts';
import {
  VERDICTS,
  type AssumptionFinding,
  type Check,
  type Checkup,
  type DatedChange,
} from '../../model/report/checkup.ts';
import {
  data,
  own,
  say,
  sentence,
  type Block,
  type CodeLine,
  type Inlines,
  type Item,
  type Section,
} from '../tree.ts';
import { CHECK_LABELS, checkWords, STATE_MARKS } from '../words/doctor/check-words.ts';
import {
  CHANGE_STATES,
  CHANGE_WORDS,
  DOCTOR_TITLES,
  presentWords,
  requestWords,
  resultWords,
} from '../words/doctor/doctor-words.ts';
import {
  ASSUMPTION_GROUPS,
  FOLDED_GROUPS,
  observedWords,
  TRY_WORDS,
  unreadWords,
} from '../words/doctor/finding-words.ts';
import { grouped } from '../words/phrase.ts';

interface Examined {
  readonly checkup: Checkup;
  readonly service: Pick<PlanInputs['service'], 'baseUrl' | 'organization' | 'from'>;
}

const RESULT_TONES = { fits: 'run', differs: 'wait', unusable: 'bad' } as const;
const STATE_TONES = { good: 'run', note: 'wait', bad: 'bad', unknown: 'calm' } as const;
const CHANGE_TONES = { present: 'run', lacking: 'bad', unknown: 'calm' } as const;

/**
 * The report of `doctor`: result, checks, what differs with its YAML, what is open, and the rest.
 * @param options `all` lists each check and assumption, confirmed ones too; `step` is the next command where the service fits
 */
export function doctorBlocks(
  { checkup, service }: Examined,
  { all, step }: { readonly all: boolean; readonly step: 'import' | 'plan' },
): readonly Block[] {
  const { says, next } = resultWords(checkup, step);
  const { organization, baseUrl } = service;
  const from = own(service.from === 'document' ? '' : ` (from the ${service.from})`);
  return [
    { is: 'title', text: say`Checkup of ${organization} at ${baseUrl}${from}` },
    sentence(own(requestWords(checkup))),
    sentence(own(says), RESULT_TONES[checkup.result]),
    { is: 'next', text: own(next) },
    ...yamlBlocks(checkup),
    section('checks', DOCTOR_TITLES.checks, checkItems(checkup.checks, all)),
    ...unreadBlocks(checkup),
    ...(all || isRead(checkup)
      ? VERDICTS.flatMap((verdict): readonly Block[] => {
          const group = checkup.findings.filter((each) => each.verdict === verdict);
          if (group.length === 0) return [];
          const isShown = all || verdict === 'differs';
          const more = isShown ? '' : FOLDED_GROUPS[verdict];
          const title = `${ASSUMPTION_GROUPS[verdict]}: ${grouped(group.length)}${more}`;
          const listed = isShown ? group : group.filter(suggestsChange);
          if (listed.length === 0) return [sentence(own(title))];
          return [section(verdict, title, listed.map(assumptionItem))];
        })
      : []),
    ...changeBlocks(checkup, all),
    ...(!all && checkup.findings.length > 0 ? [sentence(own(DOCTOR_TITLES.more))] : []),
  ];
}

function section(id: string, title: string, items: readonly Item[]): Section {
  return { is: 'section', id, title: own(title), blocks: [{ is: 'list', items }] };
}

/** Whether anything was read that an assumption could be compared with. */
function isRead({ findings }: Checkup): boolean {
  return findings.some(({ verdict }) => verdict === 'confirmed' || verdict === 'differs');
}

function yamlBlocks({ dialect, findings, isWritten }: Checkup): readonly Block[] {
  if (isWritten) return [];
  const possible = findings.filter((each) => each.possible !== undefined && each.possible !== '');
  const lines = dialectYaml(dialect, possible).map((text): CodeLine => ({ text }));
  const title = own(DOCTOR_TITLES.write);
  return [{ is: 'section', id: 'write', title, blocks: [{ is: 'code', lines }] }];
}

/** The checks, those without a remark as one entry unless `all` is set. */
function checkItems(checks: readonly Check[], all: boolean): readonly Item[] {
  const isFolded = ({ state }: Check): boolean => !all && state === 'good';
  const good = checks.filter(isFolded).map(({ name }) => CHECK_LABELS[name]);
  const mark = (state: Check['state']) => ({ word: STATE_MARKS[state], tone: STATE_TONES[state] });
  return [
    ...(good.length > 0 ? [{ mark: mark('good'), text: own(good.join(', ')) }] : []),
    ...checks
      .filter((check) => !isFolded(check))
      .map((check) => {
        const { says, next } = checkWords(check);
        return {
          mark: mark(check.state),
          text: say`${own(CHECK_LABELS[check.name])}: ${own(says)}`,
          ...(next !== undefined && check.state !== 'good' && { next: own(next) }),
        };
      }),
  ];
}

/** Fields that no value of the dialect lets fleetform read. */
function unreadBlocks({ unread }: Checkup): readonly Block[] {
  if (unread.length === 0) return [];
  const said = unread.map(unreadWords);
  const items = said.map(({ says, next }, n) => ({
    text: own(says),
    ...(said[n + 1]?.next !== next && { next: own(next) }),
  }));
  return [section('unread', `${DOCTOR_TITLES.unread}: ${grouped(unread.length)}`, items)];
}

/** What was observed that another value of the dialect would explain. */
const SUGGESTIVE: ReadonlySet<string> = new Set(['absent', 'several', 'otherKind', 'numericIds']);

function suggestsChange({ verdict, observed }: AssumptionFinding): boolean {
  return verdict !== 'confirmed' && SUGGESTIVE.has(observed.code);
}

/** The assumed value, the value to write, and what was observed; how to try it, where reads cannot show it. */
function assumptionItem(finding: AssumptionFinding): Item {
  const { key, assumed, suggested, possible, observed, verdict } = finding;
  const now = suggested === undefined ? [] : say` -> ${valueText(suggested)}`;
  const maybe =
    possible === undefined ? [] : say` (${own(DOCTOR_TITLES.perhaps)} ${valueText(possible)})`;
  const hint = verdict === 'untellable' ? TRY_WORDS[key] : undefined;
  return {
    text: say`${own(key)}: ${valueText(assumed)}${now}${maybe}`,
    lines: [
      own(observedWords(observed)),
      ...(hint === undefined ? [] : [own(`${DOCTOR_TITLES.tryIt} ${hint}`)]),
    ],
  };
}

function valueText(value: DialectValue): Inlines {
  return [data(yamlValue(value))];
}

/** The dated changes; those that the service has are counted unless `all` is set. */
function changeBlocks({ changes }: Checkup, all: boolean): readonly Block[] {
  if (changes.length === 0) return [];
  const shown = all ? changes : changes.filter(({ state }) => state !== 'present');
  const folded = changes.length - shown.length;
  const title = `${DOCTOR_TITLES.changes}${folded > 0 ? `: ${presentWords(folded)}` : ''}`;
  return shown.length === 0
    ? [sentence(own(title))]
    : [section('changes', title, shown.map(changeItem))];
}

function changeItem({ date, change, state }: DatedChange): Item {
  const { says, without } = CHANGE_WORDS[change];
  const text = state === 'lacking' ? `${says}; ${without}` : says;
  return {
    mark: { word: CHANGE_STATES[state], tone: CHANGE_TONES[state] },
    text: say`${own(date)}  ${own(text)}`,
  };
}

/** Texts that YAML reads unquoted as text. */
const PLAIN = /^(?!(?:true|false|yes|no|on|off|null|~|y|n)$)[A-Za-z][\w./-]*$/i;

/** A value of a dialect as YAML has it on one line; JSON is YAML. */
function yamlValue(value: DialectValue): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

/**
 * The lines to write into a document, with values to try as comments. Every line can be copied as it
 * is.
 */
export function dialectYaml(
  dialect: WrittenDialect,
  possible: readonly AssumptionFinding[],
): readonly string[] {
  const written = Object.entries(dialect) as (readonly [string, DialectValue])[];
  const open = possible.filter(({ key }) => !(key in dialect));
  // A map that has only comments would be empty.
  if (written.length === 0) return ['service:', '  dialect: {}'];
  return [
    'service:',
    '  dialect:',
    ...written.map(([key, value]) => `    ${key}: ${yamlValue(value)}`),
    ...(open.length > 0 ? [`    ${DOCTOR_TITLES.possible}`] : []),
    ...open.map(({ key, possible: value }) => `    # ${key}: ${yamlValue(value ?? '')}`),
  ];
}

/** A checkup with its codes, and what each says in words. */
export function doctorJson({ checkup, service }: Examined): JsonObject {
  const { result, requests, at, checks, findings, unread, changes, dialect } = checkup;
  const { baseUrl, organization, from } = service;
  return {
    result,
    service: { baseUrl, organization, from },
    at: formatInstant(at),
    requests: { ...requests },
    dialect: { ...(dialect as JsonObject) },
    checks: checks.map(checkJson),
    assumptions: findings.map(findingJson),
    unread: unread.map((each) => ({ ...each, keys: [...each.keys], ...unreadWords(each) })),
    changes: changes.map((each) => ({ ...each, says: CHANGE_WORDS[each.change].says })),
  };
}

function checkJson(check: Check): JsonObject {
  const { name, state, code, params } = check;
  const { says, next } = checkWords(check);
  return { name, state, code, params: { ...params }, says, ...(next !== undefined && { next }) };
}

function findingJson(finding: AssumptionFinding): JsonObject {
  const { key, concerns, assumed, verdict, observed, suggested, possible } = finding;
  return {
    key,
    concerns,
    assumed: assumed as JsonObject[string],
    verdict,
    observed: {
      code: observed.code,
      params: { ...observed.params },
      says: observedWords(observed),
    },
    ...(suggested !== undefined && { suggested: suggested as JsonObject[string] }),
    ...(possible !== undefined && { possible: possible as JsonObject[string] }),
  };
}
