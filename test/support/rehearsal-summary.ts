import type { FleetPart } from '../../src/model/plan/part.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import type { LedgerRecord, RecordBody } from '../../src/model/ledger/record.ts';
import type { Confidence } from '../../src/model/fleet/snapshot.ts';

/** A run in a few words: how it ended, what it counted, where each change ended. */
export interface RunSummary {
  readonly withdrawn?: number;
  /** Why nothing could be lifted before it. */
  readonly refused?: string;
  readonly ended?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly endings: Readonly<Record<string, string>>;
  /** Intents that no change of the plan stands for: still open, or closed by this run. */
  readonly beside?: readonly string[];
}

export function summaryOf(report: RunReport): RunSummary {
  const counts = Object.entries(report.counts).filter(([, count]) => count > 0);
  const beside = [...(report.leftOpen ?? []), ...(report.closedBeside ?? [])].map(
    ({ task, device, outcome, detail }) =>
      [`${task}/${device} ${outcome}`, detail].filter(Boolean).join(' '),
  );
  return {
    ...(report.ended && { ended: report.ended }),
    ...(report.withdrawn !== undefined && { withdrawn: report.withdrawn }),
    counts: Object.fromEntries(counts),
    endings: Object.fromEntries(
      report.endings.map((ending) => {
        const { change, outcome, reason, detail } = ending;
        const words = [
          outcome,
          detail,
          reason?.code,
          reason?.why,
          ending.resultOnly && 'resultOnly',
        ];
        return [change.id, words.filter(Boolean).join(' ')];
      }),
    ),
    ...(beside.length > 0 && { beside }),
  };
}

/** A ledger as lines that a person can compare; beats say nothing and are left out. */
export function linesOf(records: readonly LedgerRecord[]): readonly string[] {
  const deviceOf = new Map<string, string>();
  for (const { body } of records)
    if (body.type === 'ATTEMPT')
      for (const { id, device } of body.intents) deviceOf.set(id, `${body.task}/${device}`);
  return records
    .filter(({ body }) => body.type !== 'BEAT')
    .map(({ body }) => [body.type, ...wordsOf(body, deviceOf)].filter(Boolean).join(' '));
}

function wordsOf(
  body: RecordBody,
  deviceOf: ReadonlyMap<string, string>,
): readonly (string | undefined)[] {
  switch (body.type) {
    case 'PLAN':
      return [`${body.counts.changes} changes`, doubtful(body.confidence), partText(body.part)];
    case 'ROLLOUT':
      return [
        body.policy,
        body.base.join(','),
        body.weighed && `weighed ${body.weighed.join(',')}`,
      ];
    case 'ATTEMPT':
      return [body.task, body.intents.map(({ device }) => device).join(',')];
    case 'RESULT':
      return [body.outcome, body.row, body.status === undefined ? undefined : String(body.status)];
    case 'SEEN':
      return [body.what, body.subject, body.value];
    case 'STOP':
      return [body.action, body.scope, body.rule, countsOf(body.counts)];
    case 'OBSERVED':
      return [
        deviceOf.get(body.intentId),
        ...body.evidence.map(({ field, value }) => `${field}=${value}`),
      ];
    case 'SETTLED':
      return [deviceOf.get(body.intentId), body.verdict, body.by, body.why];
    case 'ANOMALY':
      return [body.what, body.ids.map((id) => deviceOf.get(id) ?? id).join(',')];
    default:
      return wordsOfPeople(body);
  }
}

/** What people and gates put on record. */
function wordsOfPeople(body: RecordBody): readonly (string | undefined)[] {
  switch (body.type) {
    case 'LIFT':
      return [body.what === 'stop' ? undefined : body.what, body.scope, body.why, body.ticket];
    case 'RENAMED':
      return [body.from, body.to];
    case 'PAUSE':
      return [body.scope, body.why, body.ticket, body.until];
    case 'APPROVED':
      return [body.commit.slice(0, 4), ...body.changes.map(([id]) => id)];
    case 'GROUND':
      return [body.approval];
    case 'WITHDRAWN':
      return [body.why.split(' ')[0], ...(body.ids.length > 0 ? body.ids : ['all'])];
    default:
      return [];
  }
}

/** How far the reading behind a plan can be trusted, where that is not as far as can be. */
function doubtful(confidence: Confidence): string | undefined {
  return confidence === 'one page' ? undefined : `on a reading that is: ${confidence}`;
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${what}=${count}`)
    .join(' ');
}

/** The lists of a part, as IDs. */
function partText(part: FleetPart | undefined): string | undefined {
  return part && `of part ${Object.values(part).flat().join(',')}`;
}
