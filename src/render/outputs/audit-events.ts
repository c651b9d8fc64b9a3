import type { AuditEvent } from '../../model/ledger/audit.ts';
import { data, joined, own, say, told, type Inlines } from '../tree.ts';
import { momentText } from '../words/moment.ts';
import { ANOMALY_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { counted } from '../words/phrase.ts';
import { approversWords } from '../words/record-words.ts';
import { wordText } from './naming.ts';

/** What does not fit the column of labels. */
export const EVENT_LABELS: Readonly<Partial<Record<AuditEvent['is'], string>>> = {
  withdrawal: 'withdraw',
};

/** What happened beside the attempts of a run. */
export function eventText(event: AuditEvent): Inlines {
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
      return say`${device}, ${policy}: ${how}, intent ${intentId}, by ${who}: ${why}`;
    }
    case 'ground': {
      const { service, ledger, approval, who, why } = event;
      const parts = [ledger.store, ledger.at, ledger.branch].filter((part) => part !== undefined);
      const place = parts.join(' ');
      const ground = say`service ${service.origin} (${service.organization}), ledger ${place}`;
      return say`${ground}, approval ${approval}, by ${who}: ${why}`;
    }
    case 'distrust':
      return say`stored ${event.kind} read before ${own(momentText(event.before))} no longer believed`;
    case 'rename':
      return say`${event.from} renamed to ${event.to}`;
    case 'anomaly':
      return say`${wordText(ANOMALY_WORDS, event.what)}: ${joined(
        event.ids.map((id) => [data(id)]),
        ', ',
      )}`;
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
      const ended = own(what === 'rollout' ? 'ended' : 'lifted');
      return say`${own(what)} of ${scope} ${ended}, ${under}by ${who}: ${why}`;
    }
    case 'pause': {
      const { scope, who, why, ticket, until } = event;
      const end = own(until === undefined ? '' : ` until ${momentText(until)}`);
      const under = ticket === undefined ? [] : say` (${ticket})`;
      return say`${scope} paused${end} by ${who}: ${why}${under}`;
    }
    case 'approval': {
      const { planId, commit, pulls, approvers, expires, ids } = event;
      const others = pulls
        .filter((pull) => pull !== commit.slice(0, 12))
        .map((pull) => [data(pull)]);
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
export function approversText(approvers: readonly string[]): Inlines {
  return told((sink) => approversWords(approvers.map(sink)));
}

/** A digest or a commit as people compare it; JSON has all of it. */
export function shortText(digest: string): Inlines {
  return [data(digest.slice(0, 12))];
}
