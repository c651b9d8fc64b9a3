import type { ChangeName, Checkup, DatedChange } from '../../../model/report/checkup.ts';
import { span } from '../moment.ts';
import { counted, grouped } from '../phrase.ts';

export const DOCTOR_TITLES = {
  checks: 'Checks',
  changes: 'Dated changes of the interface',
  write: 'Write this under `service` in your documents:',
  possible: '# likely; reads cannot prove it',
  tryIt: 'try:',
  next: 'next:',
  perhaps: 'perhaps',
  unread: 'Not readable',
  more: 'Every check and assumption with what was observed: `fleetform doctor --all`',
} as const;

export const CHANGE_STATES: Readonly<Record<DatedChange['state'], string>> = {
  present: 'present',
  lacking: 'missing',
  unknown: 'unknown',
};

/** How many of the changes the service has, where they are one line. */
export function presentWords(count: number): string {
  return `${grouped(count)} present`;
}

/** A dated change, and what does not work without it. */
export const CHANGE_WORDS: Readonly<Record<ChangeName, { says: string; without: string }>> = {
  probes: { says: 'probes of devices', without: 'restarts cannot use `probe`' },
  vulnerabilities: { says: 'vulnerabilities', without: '`get vulnerabilities` shows nothing' },
  availableTask: {
    says: 'filters by available task',
    without: 'nothing to do: every device is read',
  },
  siteStatus: { says: 'status of sites', without: '`get sites` shows no status' },
  credentials: {
    says: 'passwords and certificates',
    without: 'rotations by age need dates on the device itself',
  },
  tasks: { says: 'tasks', without: 'nothing can be applied' },
  onboarding: { says: 'discovered devices', without: 'onboarding policies do nothing' },
  deviceFields: {
    says: 'onboarding date, recording, storage server and more',
    without: 'selectors and budgets cannot use these fields',
  },
  firmware: {
    says: 'approved firmware and upgrade paths',
    without: 'firmware policies do nothing',
  },
  complianceFields: {
    says: 'expiry and compliance of credentials',
    without: 'each device is read for its dates',
  },
};

/** Who was examined, and at what cost. */
export function requestWords({ requests }: Checkup): string {
  const { sent, most, tookMs } = requests;
  return `${grouped(sent)} of at most ${counted(most, 'request')} in ${span(tookMs)}: reads and the token, no task`;
}

/** What the first request announces, before the first answer. */
export function announceWords(most: number, perSecond: number): string {
  const seconds = Math.max(1, Math.ceil(most / perSecond));
  const takes = span(1_000 * (seconds > 60 ? 60 * Math.ceil(seconds / 60) : seconds));
  return `At most ${counted(most, 'request')} at ${grouped(perSecond)} a second (service.pace): up to ${takes}. Reads and the token, no task.`;
}

/** The result in one sentence, and the next step. */
export function resultWords(
  checkup: Checkup,
  step: 'import' | 'plan',
): { readonly says: string; readonly next: string } {
  const { result, checks, findings, changes, unread } = checkup;
  const count = (verdict: string): number =>
    findings.filter((each) => each.verdict === verdict).length;
  const differing = count('differs');
  if (result === 'unusable') {
    const failed = checks.filter(({ state }) => state === 'bad').length;
    return {
      says: `${counted(failed, 'check')} failed: fleetform cannot work with this service yet.`,
      next: 'Fix what is marked FAIL, then run `fleetform doctor` again.',
    };
  }
  const open = grouped(count('untellable'));
  const tally = `${grouped(count('confirmed'))} confirmed, ${open} cannot be determined by reads, ${grouped(count('notObserved'))} not observed`;
  const missing = changes.filter(({ state }) => state === 'lacking').length;
  const lacks =
    missing === 0
      ? ''
      : ` The service lacks ${counted(missing, 'dated change')} of its API: see the end.`;
  const flaw =
    unread.length === 0
      ? ''
      : ` fleetform cannot read ${counted(unread.length, 'field')}: see below.`;
  if (differing > 0)
    return {
      says: `${counted(differing, 'assumption')} ${differing === 1 ? 'differs' : 'differ'}; ${tally}.${flaw}${lacks}`,
      next: `Write the dialect below into your documents, then run \`fleetform ${step}\`.`,
    };
  if (unread.length > 0)
    return {
      says: `Nothing differs that a key could change; ${tally}.${flaw}${lacks}`,
      next: `See "${DOCTOR_TITLES.unread}" below. \`fleetform plan\` starts nothing that needs these fields.`,
    };
  const isEmpty = checks.some(({ code }) => code === 'noDevices');
  return {
    says: `Nothing differs: ${tally}.${lacks}`,
    next: isEmpty
      ? 'No device is visible. Check which sites these credentials can see, then run again.'
      : `Run \`fleetform ${step}\`.`,
  };
}
