import type { AuditEvent } from '../../model/ledger/audit.ts';
import { momentText } from '../words/moment.ts';
import { counted } from '../words/phrase.ts';
import { approversWords } from '../words/record-words.ts';
import { terminal, type TerminalText } from '../sinks/sinks.ts';
import { ANOMALY_WORDS, VERDICT_WORDS } from '../words/outcomes.ts';
import { findWord, wordOr } from '../words/entry.ts';

/** What does not fit the column of labels. */
export const EVENT_LABELS: Readonly<Partial<Record<AuditEvent['is'], string>>> = {
  withdrawal: 'withdraw',
};

export function eventText(event: AuditEvent): TerminalText {
  const at = momentText(event.at);
  switch (event.is) {
    case 'stop': {
      const what = event.abort ? 'aborted' : 'paused';
      return terminal(`${at}  ${event.scope} ${what} by rule ${event.rule}`);
    }
    case 'lift':
    case 'pause':
    case 'approval':
    case 'withdrawal':
      return terminal(`${at}  ${actText(event)}`);
    case 'unlock': {
      const { who, why, lost, rejected } = event;
      const plain =
        rejected === undefined
          ? 'lock of another run released'
          : `head that names record ${rejected} called false`;
      const what = lost === undefined ? plain : `loss of the records up to ${lost} accepted`;
      return terminal(`${at}  ${what} by ${who}: ${why}`);
    }
    case 'resolve': {
      const { intentId, device, policy, verdict, who, why } = event;
      const what = `${device}, ${policy}: ${wordOr(VERDICT_WORDS, verdict)}, intent ${intentId}`;
      return terminal(`${at}  ${what}, by ${who}: ${why}`);
    }
    case 'ground': {
      const { service, ledger, approval, who, why } = event;
      const place = [ledger.store, ledger.at, ledger.branch].filter((part) => part !== undefined);
      const ground = `service ${service.origin} (${service.organization}), ledger ${place.join(' ')}`;
      return terminal(`${at}  ${ground}, approval ${approval}, by ${who}: ${why}`);
    }
    case 'distrust':
      return terminal(
        `${at}  stored ${event.kind} read before ${momentText(event.before)} no longer believed`,
      );
    case 'rename':
      return terminal(`${at}  ${event.from} renamed to ${event.to}`);
    case 'anomaly':
      return terminal(
        `${at}  ${findWord(ANOMALY_WORDS, event.what) ?? event.what}: ${event.ids.join(', ')}`,
      );
  }
}

/** What a person or a gate put on record. */
function actText(
  event: Extract<AuditEvent, { is: 'lift' | 'pause' | 'approval' | 'withdrawal' }>,
): string {
  switch (event.is) {
    case 'lift': {
      const { scope, who, why, ticket, what } = event;
      const under = ticket === '' ? '' : `${ticket}, `;
      const ended = what === 'rollout' ? 'ended' : 'lifted';
      return `${what} of ${scope} ${ended}, ${under}by ${who}: ${why}`;
    }
    case 'pause': {
      const { scope, who, why, ticket, until } = event;
      const end = until === undefined ? '' : ` until ${momentText(until)}`;
      const under = ticket === undefined ? '' : ` (${ticket})`;
      return `${scope} paused${end} by ${who}: ${why}${under}`;
    }
    case 'approval': {
      const { planId, commit, pulls, approvers, expires, ids } = event;
      const at = commit.slice(0, 12);
      const others = pulls.filter((pull) => pull !== at);
      const merged = others.length === 0 ? '' : ` (${others.join(', ')})`;
      const what = `${counted(ids.length, 'outcome')} of plan ${planId}, commit ${at}${merged}`;
      return `${what}, until ${momentText(expires)}${approversWords(approvers)}`;
    }
    case 'withdrawal': {
      const { planId, policy, ids, who, why } = event;
      const named = policy === undefined ? '' : ` of ${policy}`;
      const plan = planId === undefined ? named : ` of plan ${planId}`;
      const what = ids.length === 0 ? 'all outcomes' : counted(ids.length, 'outcome');
      return `${what}${plan}, by ${who}: ${why}`;
    }
  }
}
