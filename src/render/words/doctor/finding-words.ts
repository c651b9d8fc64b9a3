import type { DialectKey } from '../../../model/fleet/dialect.ts';
import type {
  Observed,
  ObservedCode,
  UnreadField,
  Verdict,
} from '../../../model/report/checkup.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import { fill, type Phrase } from '../phrase.ts';

export const ASSUMPTION_GROUPS: Readonly<Record<Verdict, string>> = {
  differs: 'Differs',
  untellable: 'Cannot be determined by reads',
  notObserved: 'Not observed',
  confirmed: 'Confirmed',
};

/** What is done about a group that is folded into one line; what differs is never folded. */
export const FOLDED_GROUPS: Readonly<Record<Verdict, string>> = {
  differs: '',
  untellable: ' (`fleetform doctor --all` says how to try each)',
  notObserved: '',
  confirmed: '',
};

export function observedWords({ code, params }: Observed): TerminalText {
  return terminal(fill(OBSERVED_WORDS[code], params, String));
}

const OBSERVED_WORDS: Readonly<Record<ObservedCode, Phrase>> = {
  shown: 'found at {path} in {count} of {of}',
  elsewhere: 'found at {path} in {count} of {of}',
  several: 'several could be it: {paths}',
  absent: 'not at {path} in any of {of}; write "" if the service does not have it',
  unneeded: 'not needed',
  otherKind: 'found at {path}, but with values of another kind',
  noRows: 'the service returned no row that shows it',
  noAnswer: 'not read: see the checks',
  refused: 'the service refused to show it (status {status})',
  unnamed: 'the response has no list of this name',
  form: 'the service shows `{form}`',
  dateForm: 'dates are `{form}`',
  word: 'the service says "{word}"',
  tokenAt: 'a token was issued at {path}',
  tokenWith: 'a token was issued with the body {body}',
  lifetime: '{seconds|second|seconds}, at {path}',
  lifetimeAbsent: 'the response has no lifetime of the token',
  whole: 'the value is the whole response or entry',
  scopeEqual: 'two equal devices got equal responses; others may not',
  scopeDiffers: 'two equal devices got different responses',
  scopeUnpaired: 'no two devices have the same vendor, model and version',
  filterHonoured: '{name}={value} returns only such devices',
  filterInstead: '{name} is honored instead',
  filterIgnored: '{name}={value} is ignored: every device is returned',
  filterRefused: '{name}={value} is refused',
  filterWrong: '{name}={value} returns other devices',
  filterEmpty: '{name}={value} returns nothing, although there are such devices',
  filterUntried: 'every device has the same value',
  postOnly: 'only a task shows it',
  numericIds: 'IDs come as numbers, so probably `number`; only a task shows it',
  taskOnly: 'only a finished task shows it',
  ownerOnly: 'only the owner of the service knows it',
  noList: 'the response has no list',
};

/** A field that cannot be read, and what to do about it. */
export function unreadWords({ keys, isRefused, ...unread }: UnreadField): {
  readonly says: TerminalText;
  readonly next: TerminalText;
} {
  const params = { ...unread, ...(keys.length > 0 && { keys: keys.join(' or ') }) };
  const next = `${UNREAD_NEXT}${isRefused ? '' : UNREAD_EFFECT}`;
  return {
    says: terminal(fill(isRefused ? REFUSED_SAYS : UNREAD_SAYS, params, String)),
    next: terminal(fill(next, params, String)),
  };
}

const UNREAD_SAYS = '{field} of {endpoint}: {count#} of {of#}[, such as {example}]';
const REFUSED_SAYS =
  '{field} of {endpoint}: the list is not used, and targetFirmware is read instead';
const UNREAD_NEXT =
  '[If the service shows it elsewhere or in another form, set {keys} under `service.dialect`; otherwise report it to the provider.||No key of the dialect covers it: report it to the provider.]';
const UNREAD_EFFECT = ' fleetform starts nothing that needs it.';

const ASK = 'Ask the provider for the name, then start with one spare device:';
const oneDevice = (what: string): string =>
  `\`fleetform apply --device ID\`. A service that expects another ${what} refuses the task (status 400), and nothing runs.`;
const ONE = oneDevice('name');
const TYPE = `IDs are usually sent in the form in which they come. Start with one spare device: ${oneDevice('form, text or number,')}`;
const MEMBERS = 'Leave it empty until the service refuses such a task and names a member.';
const STEPS = 'Run `fleetform doctor --task ID` with a finished task.';

/** How to find out what reads cannot show, without a risk for the fleet. */
export const TRY_WORDS: Readonly<Partial<Record<DialectKey, string>>> = {
  taskDeviceField: `${ASK} ${ONE}`,
  onboardDeviceField: `${ASK} ${ONE}`,
  taskDeviceType: TYPE,
  onboardDeviceType: TYPE,
  onboardSecondField: MEMBERS,
  upgradeMembers: MEMBERS,
  onboardSecondSource: 'It applies only with `onboardSecondField`.',
  maxDevicesPerTask:
    'Ask the provider. A lower value is always safe and takes more requests; the service refuses a task above its limit.',
  payloadPlace: 'If in doubt, write `device`: a service that accepts both places accepts this one.',
  upgradeVersionField:
    'Ask the provider. Then upgrade one spare device to a version that is not the newest: if the service does not know the name, it refuses the task or chooses a version itself.',
  onboardedId:
    'Onboard one device and find it with `fleetform get devices`. If it has another ID, write `unknown`.',
  onboardedIdField: 'It applies only with `onboardedId: unknown`; see `fleetform get task ID`.',
  targetFirmwareScope:
    'Ask the provider. If in doubt, write `device`: it is always right and takes more requests.',
  stepsField: STEPS,
  autoSettleNegative: 'Keep `never` unless the owner of the service guarantees more.',
};
