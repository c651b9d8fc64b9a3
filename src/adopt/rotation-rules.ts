import type { Instant, Milliseconds } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Facts } from '../model/fleet/snapshot.ts';
import type { AdoptSubject, WrittenFields, Lack, Lacks } from '../model/report/adoption.ts';
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
  /** Why no rule applies to it, whatever its dates are. */
  readonly lack?: Lack | undefined;
  /** The field that could not be read, if it lacks that. */
  readonly field?: string | undefined;
  readonly changedAt: Instant | undefined;
  readonly expiresAt: Instant | undefined;
}

/** A rule, and the devices that it would make due. */
export interface ChosenRule {
  readonly rule: WrittenFields;
  /** Due soon, overdue, or without the date that the rule uses. */
  readonly excluded: readonly number[];
  readonly undated: number;
  readonly lacks: Lacks;
}

const DAY: Milliseconds = 86_400_000;

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
  const idle = all.length - spans.length;
  const lacks = countLacks(all);
  const undated = spans.length - dated;
  const chosen = options.map(({ rule, from }) => {
    const isYoung = (span: CredentialSpan): boolean =>
      span.lack === undefined && (from(span) ?? -Infinity) > now + MARGIN;
    const excluded = all.filter((span) => !isYoung(span)).map(({ row }) => row);
    return { rule, excluded, undated, lacks };
  });
  const fits = (share: number) => (each: ChosenRule) =>
    each.excluded.length - undated - idle <= dated * share;
  return chosen.find(fits(FEW)) ?? chosen.findLast(fits(MANY));
}

export function countLacks(spans: readonly CredentialSpan[]): Lacks {
  const count = (wanted: Lack): number => spans.filter(({ lack }) => lack === wanted).length;
  return { zone: count('zone'), task: count('task'), reading: count('reading') };
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
