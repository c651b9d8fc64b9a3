import { groupBy } from '../../lib/group-by.ts';
import type {
  AuditAttempt,
  AuditEvent,
  AuditIntent,
  AuditPlan,
  AuditRun,
  AuditView,
} from '../../model/ledger/audit.ts';
import { placeText } from '../../model/ledger/ground.ts';
import type { RunStatus } from '../../model/report/status.ts';
import type { Instant } from '../../lib/time.ts';
import {
  data,
  joined,
  own,
  say,
  sentence,
  strong,
  told,
  type Block,
  type Entry,
  type Fact,
  type Inlines,
} from '../tree.ts';
import { classesText, recordedText } from '../words/ending-words.ts';
import { momentText } from '../words/moment.ts';
import { ANOMALY_WORDS, POST_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { counted, grouped } from '../words/phrase.ts';
import {
  approvalWords,
  approversWords,
  AUDIT_WORDS,
  goalText,
  LEVEL_WORDS,
  replacedText,
} from '../words/record-words.ts';
import { TASK_WORDS } from '../words/terms.ts';
import { wordText } from './naming.ts';
import { lockBlocks } from './status.ts';

/** An exception that raised a limit, from the documents of the commit. */
export interface Raised {
  readonly ticket: string;
  readonly owner: string;
  readonly reason: string;
}

/** Finds an exception by commit and address; none if the documents could not be read. */
type FindRaised = (commit: string, address: string) => Raised | undefined;

/** The history of a fleet, run by run; `run` holds the lock. */
export function auditBlocks(
  view: AuditView,
  raised: FindRaised,
  {
    run: holder,
    now,
    place,
    hasTable = false,
  }: {
    readonly run?: RunStatus | undefined;
    readonly now: Instant;
    /** Where the ledger of a simulator is. */
    readonly place?: string | undefined;
    /** A table of a page has the devices of the tasks. */
    readonly hasTable?: boolean;
  },
): readonly Block[] {
  const { runs, idle, head, ledgerId } = view;
  const local =
    place === undefined ? [] : [sentence(say`The simulator's ledger is local, in ${place}.`)];
  if (head.seq === 0) return [sentence(own(AUDIT_WORDS.empty)), ...local];
  const title = strong(say`Ledger ${shortText(ledgerId)}, record ${own(String(head.seq))}`);
  const atWork = holder?.is === 'atWork' ? holder.epoch : undefined;
  const entries = runs.map((run) =>
    runEntry(run, raised, { isAtWork: run.epoch === atWork, hasTable }),
  );
  const isIdle = runs.every(({ epoch, record }) => epoch !== atWork || record !== undefined);
  const ended = idle - (atWork !== undefined && isIdle ? 1 : 0);
  return [
    sentence(say`${title} ${shortText(head.hash)}`),
    ...local,
    ...lockBlocks(holder, { now }),
    sentence(own(AUDIT_WORDS.ids)),
    { is: 'entries', entries },
    ...(runs.length === 0 ? [sentence(own(AUDIT_WORDS.nothing))] : []),
    ...(ended > 0 ? [sentence(own(`${counted(ended, 'run')} started nothing.`))] : []),
  ];
}

function runEntry(
  run: AuditRun,
  raised: FindRaised,
  { isAtWork, hasTable }: { readonly isAtWork: boolean; readonly hasTable: boolean },
): Entry {
  const { epoch, record, label, tool, startedAt, endedAt, plans, attempts, events } = run;
  const unended = isAtWork ? AUDIT_WORDS.atWork : AUDIT_WORDS.unended;
  const until = endedAt === undefined ? unended : `to ${momentText(endedAt)}`;
  const when = momentText(startedAt) + (record === undefined ? `, ${until}` : '');
  const name = own(record === undefined ? `Run ${epoch}` : `Record ${record}`);
  const byGate = attempts.some(({ intents }) => intents.some(({ allowed }) => allowed));
  return {
    count: 1,
    title: say`${strong(name)}  ${own(when)}`,
    ...(run.sums && { gist: own(recordedText(run.sums)) }),
    facts: [
      { label: 'by', text: say`${label}, version ${tool}` },
      ...plans.flatMap((plan) => planFacts(plan, byGate, raised)),
      ...(isAtWork ? [] : sumFacts(run)),
      ...attempts.flatMap((attempt) => attemptFacts(attempt, run, hasTable)),
      ...events.map((event) => ({
        label: EVENT_LABELS[event.is] ?? event.is,
        text: say`${own(momentText(event.at))}  ${eventText(event)}`,
      })),
    ],
  };
}

/** The counts of its report; a killed run has none. */
function sumFacts({ sums, plans, endedAt }: AuditRun): readonly Fact[] {
  if (!sums) {
    const why = endedAt === undefined ? AUDIT_WORDS.unsummed : AUDIT_WORDS.unsummedEnded;
    return plans.length > 0 ? [{ label: 'outcome', text: own(why) }] : [];
  }
  const beside = classesText(sums.beside);
  return [
    ...(plans.length === 0 ? [{ label: 'plan', text: [data(sums.planId)] }] : []),
    { label: 'outcome', text: own(recordedText(sums)) },
    ...(beside === '' ? [] : [{ label: 'other', text: own(`${beside}${AUDIT_WORDS.beside}`) }]),
  ];
}

function planFacts(plan: AuditPlan, byGate: boolean, raised: FindRaised): readonly Fact[] {
  const { planId, commit, counts, confidence, approvedBy, fromFile, named } = plan;
  const { unmerged, raisedBy = [], basis } = plan;
  const origin = commit === '' ? own(AUDIT_WORDS.noCommit) : shortText(commit);
  const isDirty = basis?.dirty === true;
  const inCommit = commit !== '' && !isDirty;
  const how = approvalWords(approvedBy ?? (fromFile ? 'file' : 'commit'), { inCommit, byGate });
  return [
    { label: 'commit', text: [...origin, ...own(isDirty ? ', with uncommitted documents' : '')] },
    { label: 'plan', text: say`${planId}, ${own(how)}${own(named ? ', by its ID' : '')}` },
    { label: 'read', text: say`${own(counted(counts.devices, 'device'))} (${confidence})` },
    ...(basis ? basisFacts(basis) : []),
    ...(unmerged ? [{ label: 'unmerged', text: say`by ${unmerged.who}: ${unmerged.why}` }] : []),
    ...raisedBy.map((address) => ({
      label: 'raised',
      text: raisedText(address, raised(commit, address)),
    })),
  ];
}

type Basis = NonNullable<AuditPlan['basis']>;

function basisFacts(basis: Basis): readonly Fact[] {
  const { documents, snapshot, snapshotFile, ledger, digest, file, commit, at } = basis;
  const inputs = [
    own(momentText(at)),
    ...(commit === undefined ? [] : [say`commit ${shortText(commit)}`]),
    own(`ledger record ${ledger.seq}`),
    say`documents ${shortText(documents)}`,
    say`snapshot ${shortText(snapshotFile ?? snapshot)}`,
  ];
  return [
    { label: 'inputs', text: joined(inputs, ', ') },
    { label: 'digest', text: shortText(file ?? digest) },
  ];
}

function raisedText(address: string, raised: Raised | undefined): Inlines {
  if (!raised) return [data(address)];
  return say`${address}: ${raised.ticket}, ${raised.owner}: ${raised.reason}`;
}

function attemptFacts(attempt: AuditAttempt, run: AuditRun, hasTable: boolean): readonly Fact[] {
  const { attemptId, at, task, window, outcome, status, taskId, intents } = attempt;
  const answer = wordText(POST_WORDS, outcome ?? 'inDoubt');
  const what = own(`${TASK_WORDS[task]} on ${counted(intents.length, 'device')}`);
  const code = own(status === undefined ? '' : ` (${status})`);
  const ids = taskId === undefined ? [] : say`, task ${taskId}`;
  return [
    {
      label: 'task',
      text: say`${own(momentText(at))}  ${what}, window ${window}: ${answer}${code}${ids}`,
    },
    { label: '', text: [data(attemptId)] },
    ...(hasTable ? [] : outcomeFacts(attempt, run)),
  ];
}

/** The outcome of each device; devices that ended alike stand together. */
function outcomeFacts({ task, intents }: AuditAttempt, run: AuditRun): readonly Fact[] {
  const alike = groupBy(intents, ({ policy, target, towards, allowed, settled }) => {
    const ends = settled.map(({ verdict, level, at, who, why, epoch }) => {
      return [verdict, level, momentText(at), who, why, epoch];
    });
    const goal = replacedText(task, target) === undefined ? target : '';
    return JSON.stringify([policy, goal, towards, allowed, ends]);
  });
  return [...alike.values()].flatMap((group): readonly Fact[] => {
    const [first] = group;
    if (!first) return [];
    const isShared = group.length > 1;
    const approval = first.allowed === undefined ? [] : say`, ${allowedText(first.allowed)}`;
    const goal = goalText(task, first, isShared);
    const outcome = say`${first.policy} → ${goal}${approval}: ${endsText(first, run)}`;
    if (!isShared) return [{ label: 'device', text: say`${first.device}  ${outcome}` }];
    const devices = group.map(({ device, target }): Inlines => {
      const replaced = replacedText(task, target);
      return replaced === undefined ? [data(device)] : say`${device} (${replaced})`;
    });
    const count = own(grouped(group.length));
    return [{ label: 'devices', text: say`${count}  ${outcome}: ${joined(devices, ', ')}` }];
  });
}

/** Each outcome of a device, with its evidence. */
export function endsText({ settled }: AuditIntent, { epoch }: Pick<AuditRun, 'epoch'>): Inlines {
  const ends = settled.map(({ verdict, level, at, who, why, epoch: run }): Inlines => {
    const isShown = verdict === 'done' || level === 'person';
    const how = isShown ? say` (${wordText(LEVEL_WORDS, level)})` : [];
    const more = [
      ...(who === undefined ? [] : [say`by ${who}`]),
      ...(why === undefined ? [] : [[data(why)]]),
      ...(run === epoch ? [] : [own(`run ${run}`)]),
    ];
    const also = more.length === 0 ? [] : say`, ${joined(more, ': ')}`;
    return say`${wordText(VERDICT_WORDS, verdict)}${how} ${own(momentText(at))}${also}`;
  });
  return ends.length === 0 ? own(AUDIT_WORDS.running) : joined(ends, '; then ');
}

/** What allowed a device's attempt to start. */
export function allowedText({
  record,
  commit,
  approvers,
  pulls,
  preapproved,
}: NonNullable<AuditIntent['allowed']>): Inlines {
  const at = shortText(commit);
  if (preapproved)
    return say`standing approval of its policy at commit ${at} (record ${own(String(record))})`;
  const merged = pulls.filter((pull) => pull !== commit.slice(0, 12)).map((pull) => say`, ${pull}`);
  return say`approved${approversText(approvers)} (record ${own(String(record))}, commit ${at}${merged.flat()})`;
}

/** What does not fit the column of labels. */
const EVENT_LABELS: Readonly<Partial<Record<AuditEvent['is'], string>>> = {
  withdrawal: 'withdraw',
  lift: 'unpause',
};

/** What happened beside the attempts of a run. */
function eventText(event: AuditEvent): Inlines {
  switch (event.is) {
    case 'stop':
      return say`${event.scope} ${own(event.abort ? 'aborted' : 'paused')} by rule ${event.rule}`;
    case 'lift':
    case 'pause':
    case 'approval':
    case 'withdrawal':
      return actText(event);
    case 'unlock': {
      const { who, why, lost, rejected } = event;
      const plain =
        rejected === undefined
          ? 'lock of another run released'
          : `head that names record ${rejected} called false`;
      const what = lost === undefined ? plain : `loss of the records up to ${lost} accepted`;
      return say`${own(what)} by ${who}: ${why}`;
    }
    case 'resolve': {
      const { intentId, device, policy, verdict, who, why } = event;
      const how = wordText(VERDICT_WORDS, verdict);
      return say`${device}, ${policy}: ${how}, ID ${intentId}, by ${who}: ${why}`;
    }
    case 'ground': {
      const { service, ledger, approval, who, why } = event;
      const { store, remote, branch } = ledger;
      const written = [store, remote, branch].filter((part) => part !== undefined);
      const place = store === 'postgres' ? placeText(ledger) : written.join(' ');
      const ground = say`service ${service.origin} (${service.organization}), ledger ${place}`;
      return say`${ground}, approval ${approval}, by ${who}: ${why}`;
    }
    case 'distrust':
      return say`stored ${event.kind} read before ${own(momentText(event.before))} no longer believed`;
    case 'rename':
      return say`${event.from} renamed to ${event.to}`;
    case 'anomaly':
      return say`${wordText(ANOMALY_WORDS, event.what)}: ${joined(event.ids.map(data), ', ')}`;
  }
}

/** What a person or a gate put on record. */
function actText(
  event: Extract<AuditEvent, { is: 'lift' | 'pause' | 'approval' | 'withdrawal' }>,
): Inlines {
  switch (event.is) {
    case 'lift': {
      const { scope, who, why, ticket, what } = event;
      const under = ticket === '' ? [] : say`${ticket}, `;
      return say`${own(what)} of ${scope} ended, ${under}by ${who}: ${why}`;
    }
    case 'pause': {
      const { scope, who, why, ticket, until } = event;
      const end = own(until === undefined ? '' : ` until ${momentText(until)}`);
      const under = ticket === undefined ? [] : say` (${ticket})`;
      return say`${scope} paused${end} by ${who}: ${why}${under}`;
    }
    case 'approval': {
      const { planId, commit, pulls, approvers, expires, ids } = event;
      const others = pulls.filter((pull) => pull !== commit.slice(0, 12)).map(data);
      const merged = others.length === 0 ? [] : say` (${joined(others, ', ')})`;
      const what = own(counted(ids.length, 'outcome'));
      const of = say`${what} of plan ${planId}, commit ${shortText(commit)}${merged}`;
      return say`${of}, until ${own(momentText(expires))}${approversText(approvers)}`;
    }
    case 'withdrawal': {
      const { planId, policy, ids, who, why } = event;
      const named = policy === undefined ? [] : say` of ${policy}`;
      const plan = planId === undefined ? named : say` of plan ${planId}`;
      const what = own(ids.length === 0 ? 'all outcomes' : counted(ids.length, 'outcome'));
      return say`${what}${plan}, by ${who}: ${why}`;
    }
  }
}

/** Who passed a gate, after what they approved; a forge may not show it. */
function approversText(approvers: readonly string[]): Inlines {
  return told((sink) => approversWords(approvers.map(sink)));
}

/** A digest or a commit as people compare it; JSON has all of it. */
function shortText(digest: string): Inlines {
  return [data(digest.slice(0, 12))];
}
