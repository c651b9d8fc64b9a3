import { DAY, type Instant, type Milliseconds } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Facts } from '../model/fleet/snapshot.ts';
import type { AdoptSubject, WrittenFields } from '../model/report/adoption.ts';
import { TASKS, TASK_TYPES, type Credential, type TaskIn } from '../model/fleet/task.ts';

export interface RotatedCredential {
  readonly task: TaskIn<'rotations'>;
  readonly what: AdoptSubject & ('passwords' | 'certificates');
  changedAt(device: Device, facts: Facts): Instant | undefined;
  expiresAt(device: Device): Instant | undefined;
}

const CREDENTIAL_DATES: Readonly<Record<Credential, Omit<RotatedCredential, 'task'>>> = {
  password: {
    what: 'passwords',
    changedAt: ({ passwordChangedAt }, { passwords }) =>
      typeof passwords === 'object'
        ? (passwords.changedAt ?? passwordChangedAt)
        : passwordChangedAt,
    expiresAt: ({ passwordExpiresAt }) => passwordExpiresAt,
  },
  certificate: {
    what: 'certificates',
    changedAt: () => undefined,
    expiresAt: ({ sslCertificateExpiresAt }) => sslCertificateExpiresAt,
  },
};

export const ROTATED_CREDENTIALS: readonly RotatedCredential[] = TASK_TYPES.flatMap((task) => {
  const { credential } = TASKS[task];
  return credential ? [{ task: task as TaskIn<'rotations'>, ...CREDENTIAL_DATES[credential] }] : [];
});

/** When a credential was changed, and when it ends; undefined where the service does not say it. */
export interface CredentialSpan {
  readonly row: number;
  /**
   * Why no rule applies to it, whatever its dates are: no site of it has a time zone, the service does not offer the task,
   * or a field that the task needs was not understood.
   */
  readonly lack?: 'zone' | 'notOffered' | 'reading' | undefined;
  readonly changedAt: Instant | undefined;
  readonly expiresAt: Instant | undefined;
}

/** A rule, and the rows that it cannot have: they would be due soon, or lack the date that it uses. */
export interface ChosenRule {
  readonly rule: WrittenFields;
  readonly due: readonly number[];
  readonly undated: readonly number[];
}

/** Nothing falls due for so long, so that a person can read the documents before anything starts. */
const MARGIN: Milliseconds = 7 * DAY;

/** Of a greatest age; it starts this long before. The default of documents. */
const HEAD_START: Milliseconds = 21 * DAY;

/** The usual periods. The shortest one is taken that most of the fleet keeps. */
const AGES = [90, 180, 365, 730, 1_095, 1_825];
const LEADS = [30, 14, 7];

/** Up to this share of the devices may be out of step with a rule that says what the others do. */
const FEW = 0.15;
const MANY = 0.5;

/**
 * Chooses the rule that describes how the credentials of these devices are kept: by their age where
 * the service shows it, else by the time left. Returns undefined if no rule fits half of them, and
 * if no device can be rotated at all.
 */
export function chooseRule(all: readonly CredentialSpan[], now: Instant): ChosenRule | undefined {
  const spans = all.filter(({ lack }) => lack === undefined);
  if (spans.length === 0) return undefined;
  const aged = spans.filter(({ changedAt }) => changedAt !== undefined).length;
  const byAge = aged >= spans.length * (1 - FEW);
  const options = byAge ? AGES.map(ageRule) : LEADS.map(leadRule);
  const [any] = options;
  const dated = spans.filter((span) => any?.from(span) !== undefined).length;
  if (dated < spans.length * MANY) return undefined;
  const chosen = options.map(({ rule, from }): ChosenRule => {
    const isDue = (at: Instant | undefined): boolean => at !== undefined && at <= now + MARGIN;
    const due = spans.filter((span) => isDue(from(span))).map(({ row }) => row);
    const undated = spans.filter((span) => from(span) === undefined).map(({ row }) => row);
    return { rule, due, undated };
  });
  const fits = (share: number) => (each: ChosenRule) => each.due.length <= dated * share;
  return chosen.find(fits(FEW)) ?? chosen.findLast(fits(MANY));
}

interface RuleOption {
  readonly rule: WrittenFields;
  /** From when the rule makes a credential due; undefined without its date. */
  from(span: CredentialSpan): Instant | undefined;
}

function ageRule(days: number): RuleOption {
  return {
    rule: { maxAge: `${days}d` },
    from: ({ changedAt }) => changedAt && changedAt + days * DAY - HEAD_START,
  };
}

function leadRule(days: number): RuleOption {
  return {
    rule: { renewBefore: `${days}d` },
    from: ({ expiresAt }) => expiresAt && expiresAt - days * DAY,
  };
}
