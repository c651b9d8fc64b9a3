import {
  isByDoubt,
  upToMinute,
  waitsForOthers,
  type Due,
  type Hint,
  type Remaining,
} from '../../../model/report/hint.ts';
import {
  refusedEntries,
  type Diagnostic,
  type DiagnosticCode,
} from '../../../model/documents/diagnostic.ts';
import type { PlanInputs } from '../../../model/plan/plan.ts';
import { groupBy, sumCounts } from '../../../lib/group-by.ts';
import { compareTexts } from '../../../lib/text-order.ts';
import type { Instant } from '../../../lib/time.ts';
import { UTC } from '../local.ts';
import { columnMoment, moment, type PageTime } from '../moment.ts';
import { ENDED_WORDS } from '../outcomes.ts';
import { counted, fill, grouped } from '../phrase.ts';
import type { Sink } from '../../sinks/sinks.ts';
import { reasonLabel, reasonWords } from '../reasons.ts';
import { limitSentences } from '../terms.ts';

interface HintStyle extends PageTime {
  readonly now: Instant;
  /** The command to run again, with its arguments. */
  readonly command?: string | undefined;
  /** The service that was read. */
  readonly service?: PlanInputs['service'] | undefined;
  /** Of the format; texts as they are if absent. */
  readonly sink?: Sink;
}

/** The same with a command that went through the sink. */
type StepStyle = HintStyle & { readonly command: string };

/** The next step as one sentence: what happens, a command or an instant (semantics N85). */
export function hintWords(hint: Hint, page: HintStyle): string {
  const { sink = String } = page;
  const command = sink(page.command ?? 'apply');
  const style = { ...page, command };
  if (isFixed(hint)) return FIXED_STEPS[hint.is];
  switch (hint.is) {
    case 'ended':
      return fill(ENDED_WORDS[hint.ended].next, { command }, String);
    case 'expired':
      return `this plan expired ${moment(hint.at, { now: style.now })}: \`fleetform plan -o FILE\` creates a new one`;
    case 'refused':
      return fill(limitSentences(hint.verdict).way, limitSentences(hint.verdict).params, sink);
    case 'blocked':
      return blockedWords(hint.left, hint.row, style);
    case 'doubt':
      return doubtWords(hint.doubt.intentId, hint.count);
    case 'atWork':
      return `run ${hint.epoch} is at work: see its output; \`fleetform apply --lock-wait 10m\` waits for it`;
    case 'again':
      if (isElsewhere(page.service)) return elsewhereWords(page.service, sink);
      return hint.steps === undefined
        ? commandText(`fleetform ${command}`)
        : `\`${hint.steps}\`, or merge a request; then \`fleetform ${command}\``;
    case 'beyond':
      return `\`fleetform plan\`: ${counted(hint.count, 'change')} can start that ${hint.count === 1 ? 'is' : 'are'} not in this file`;
    case 'follow':
      return openWords(hint, command);
    case 'read':
      return `\`fleetform ${command}\` reads ${grouped(hint.count)}`;
    case 'readAgain':
      return `run \`fleetform ${style.command}\` to read ${counted(hint.count, 'device')} again: the last read failed`;
    case 'failed':
      return `check the ${counted(hint.count, 'device')} that failed: \`fleetform get task ID --steps\``;
    case 'mend':
      return mendWords(hint.finding, sink);
    case 'person':
      return personWords(hint, style);
    case 'done':
      // It finishes tasks and plans nothing, so it does not know what else there is.
      if (page.command === 'recover') return '`fleetform plan` shows what is left';
      return doneWords(hint.due, style);
    default:
      return timeWords(hint, style);
  }
}

type Elsewhere = PlanInputs['service'] & { readonly documents: string };

/** Whether the environment, which may be left over or too early, names another service than the documents. */
export function isElsewhere(service: PlanInputs['service'] | undefined): service is Elsewhere {
  return service?.from === 'environment' && service.documents !== undefined;
}

function elsewhereWords({ baseUrl, documents }: Elsewhere, sink: Sink): string {
  const init = `\`fleetform init --service ${sink(baseUrl)}\``;
  return `unset FLEETFORM_BASE_URL (the documents name ${sink(documents)}), or ${init}`;
}

/** A command that fits a line stands there as it is typed. */
function commandText(command: string): string {
  return command.length > LINE ? `run \`${command}\`` : command;
}

/** The columns after \`next: \`. */
const LINE = 74;

const FIXED_STEPS = {
  ledgerLost:
    'restore the newest copy of the ledger; if there is none: `fleetform unlock --accept-loss --reason WHY`',
  clocksDiffer: 'synchronize the clock of this machine (NTP), then `fleetform plan` again',
  torn: 'run again: the list of devices changed while it was read',
  uncovered: 'correct the selectors (`fleetform get devices`), or `fleetform import`',
  outOfScope:
    'narrow the documents, or correct the `Scope:` trailers of the commits, then plan again',
} as const;

function isFixed(hint: Hint): hint is Extract<Hint, { is: keyof typeof FIXED_STEPS }> {
  return hint.is in FIXED_STEPS;
}

/**
 * Where to mend what refuses a policy, and what it is.
 * @param at a better place than that of the finding
 */
export function mendWords(finding: Diagnostic, sink: Sink, at = finding.at): string {
  const { code, params } = finding;
  const policies = [...refusedEntries([finding])].map(sink);
  const many = policies.length > 2 ? `${policies.length} policies` : policies.join(' and ');
  const who = `${many} ${policies.length > 1 ? 'are' : 'is'}`;
  const where = at ? `${sink(at.file)}:${at.line}` : policies.join(', ');
  const label = params['problem'] === 'pins' ? 'pins that differ' : REFUSED_LABELS[code];
  return `mend ${where} (${who} refused${label === undefined ? '' : `: ${label}`})`;
}

/** Why a finding refuses a policy, within a line. */
const REFUSED_LABELS: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  conflict: 'equal priority',
  cronNever: 'its window never opens',
  cutoffTooLong: 'no time to start',
  deviceUnknown: 'no such device',
  nameNotShown: 'no such name',
  nameNotUnique: 'several devices have one name',
  nameTaken: 'its name is taken',
  noCanary: 'no canary',
  renameTwice: 'renamed twice',
  selectsNothing: 'a selector without a device',
  siteUnknown: 'no such site',
  tagUnknown: 'no such tag',
  unreachableBeforeExpiry: 'no start in time',
  windowNeverOpens: 'its window never opens',
};

/** What is still open: a task that runs is followed, one in doubt may not be running. */
function openWords({ count, inDoubt }: Extract<Hint, { is: 'follow' }>, command: string): string {
  const tasks = counted(count, 'task');
  return inDoubt === true
    ? `${tasks} in doubt: \`fleetform recover\` looks for evidence; \`--watch 45m\` waits for it`
    : `${tasks} still running: \`fleetform ${command} --wait 30m\` follows ${count === 1 ? 'it' : 'them'}`;
}

function doneWords(due: Due | undefined, style: HintStyle): string {
  if (!due) return 'nothing to do';
  const at = columnMoment(upToMinute(due.at), style);
  const { zone } = style.clock ?? UTC;
  return `nothing to do; \`${style.sink?.(due.policy) ?? due.policy}\` falls due ${at} ${zone}`;
}

/** Evidence first; a person who looked at the device says the rest. */
function doubtWords(intent = 'TASK', count: number): string {
  const more = count > 1 ? ` (${grouped(count - 1)} more in doubt)` : '';
  const resolve = `\`fleetform resolve ${intent} --as done|not-done --reason WHY\``;
  return `check the device; \`fleetform recover\` looks for evidence again, else ${resolve}${more}`;
}

/** What a stop or a missing approval needs; after a stop first what failed. */
function blockedWords(
  left: Remaining & Pick<Required<Remaining>, 'reason'>,
  row: 3 | 4 | 6,
  { now, clock, sink = String }: HintStyle,
): string {
  const { next } = reasonWords(left.reason, { now, clock, sink });
  const whose = left.policy === undefined ? '' : `${sink(left.policy)}: `;
  const { alsoStopped, rule = alsoStopped } = left.reason.params ?? {};
  const isByRule = row === 6 && rule !== undefined && rule !== 'person';
  const steps =
    isByRule && !isByDoubt(left.reason)
      ? '`fleetform get task ID --steps` shows what failed; '
      : '';
  return `${whose}${steps}${next}`;
}

function timeWords(hint: Extract<Hint, { row: 9 }>, style: StepStyle): string {
  const { command, sink = String } = style;
  const { count, policy, reason } = hint.of;
  const isFirst = hint.is === 'from' && hint.isFirst === true;
  const all = `${counted(count, 'change')}${policy === undefined ? '' : ` of ${sink(policy)}`}`;
  const what = isFirst ? `the first of ${all}` : all;
  const when = hint.at === undefined ? '' : moment(upToMinute(hint.at), style);
  if (hint.is === 'from' && hint.beside) {
    const { count: more, reason: held } = hint.beside;
    const others = `${grouped(more)} other${more === 1 ? ' waits' : 's wait'}`;
    return `run \`fleetform ${command}\` from ${when}: ${what}; ${others} (${held ? reasonLabel(held) : ''})`;
  }
  if (hint.is === 'from')
    return `nothing to do until ${when}: ${what}; then \`fleetform ${command}\``;
  const why = reason ? ` (${reasonLabel(reason)})` : '';
  const later = when === '' ? '' : `, at the latest from ${when}`;
  return `run \`fleetform ${command}\` again when ${what} can start${why}${later}`;
}

/** The first cause and what to do about it, before what only waits for it; how many others there are. */
function personWords(
  { remaining, at }: Extract<Hint, { is: 'person' }>,
  { now, clock, sink = String }: HintStyle,
): string {
  const said = remaining.map(({ reason, count }) => {
    const label = reason ? reasonLabel(reason) : '';
    const next = reason && reasonWords(reason, { now, clock, sink }).next;
    const key = reason && reasonWords(reason, { now, clock, sink: String }).next;
    return { label, next, key, count, isBehind: waitsForOthers(reason) };
  });
  const groups = [...groupBy(said, ({ label, key = '' }) => `${label}: ${key}`).values()]
    .flatMap((each) => (each[0] ? [{ ...each[0], count: sumCounts(each) }] : []))
    .sort(
      (a, b) =>
        Number(a.isBehind) - Number(b.isBehind) ||
        b.count - a.count ||
        compareTexts(a.label, b.label),
    );
  const [first] = groups;
  const what = first ? `${grouped(first.count)} (${first.label})` : '';
  const next = first?.next === undefined ? '' : `: ${first.next}`;
  const more = groups.length > 1 ? `; ${counted(groups.length - 1, 'more reason')}` : '';
  const others =
    at === undefined ? '' : ` (all else starts ${moment(upToMinute(at), { now, clock })})`;
  return `needs you: ${what}${next}${more}${others}`;
}
