import type { WorldCode } from '../../../model/error.ts';
import type { Check, CheckSubject, CheckState } from '../../../model/report/checkup.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import { ERROR_WORDS, errorWords } from '../errors.ts';
import { fill, type Phrase, findWord } from '../phrase.ts';

/** The mark of a check in the first column. */
export const STATE_MARKS: Readonly<Record<CheckState, string>> = {
  good: 'ok',
  note: 'note',
  bad: 'FAIL',
  unknown: '?',
};

export const CHECK_LABELS: Readonly<Record<CheckSubject, string>> = {
  connection: 'connection',
  token: 'token',
  rights: 'rights',
  devices: 'devices',
  clock: 'clock',
  pageLimit: 'page limit',
  offset: 'page offset',
  order: 'page order',
  total: 'total',
  ids: 'device IDs',
  words: 'status',
  statusFilter: 'status filter',
  unknownFilter: 'other filters',
  sites: 'sites',
  sources: 'sources',
  discovered: 'discovered',
  deviceReads: 'device reads',
  retryAfter: 'Retry-After',
  compression: 'compression',
  heads: 'heads of the ledger',
};

interface CheckPhrases {
  readonly says: Phrase;
  readonly next?: Phrase;
}

/** What a check found, and the next step where there is one. */
export function checkWords({ code, params }: Check): {
  readonly says: TerminalText;
  readonly next?: TerminalText;
} {
  const own = findWord(CHECK_PHRASES, code);
  if (own) {
    const next = own.next === undefined ? undefined : terminal(fill(own.next, params, String));
    return { says: terminal(fill(own.says, params, String)), ...(next !== undefined && { next }) };
  }
  if (!findWord(ERROR_WORDS, code)) return { says: terminal(code) };
  const { summary, next } = errorWords(code as WorldCode, params);
  return { says: summary, next };
}

const WRONG_URL =
  'Check `service.baseUrl`: it is the address of the API, often with `api.` in front, not of the console; a proxy may answer in its place.';

const CHECK_PHRASES: Readonly<Record<string, CheckPhrases>> = {
  tokenJwt: { says: 'JWT[, valid for {minutes} minutes][, with {roles}].' },
  tokenOpaque: { says: 'Not a JWT[, valid for {minutes} minutes].' },
  tokenUnreadable: {
    says: 'The response has no token in "{field}"[; it has {members}].',
    next: 'Ask the provider which field holds the token, and set `service.dialect.tokenField`.',
  },
  tokenRefused: {
    says: 'The service issued a token and then refused it (status {status}).',
    next: 'Ask the provider to enable the API for this account.',
  },
  noTokenEndpoint: {
    says: 'The service has no token endpoint for organization "{organization}" (status {status}).',
    next: 'Check `service.organization`: case matters. Then check `service.baseUrl`, and ask the provider for the token path (`service.dialect.tokenPath`).',
  },
  notTheService: {
    says: 'A web page answered, not the API[ (status {status})].',
    next: WRONG_URL,
  },
  redirected: { says: 'The response is a redirect (status {status}).', next: WRONG_URL },
  notJson: { says: 'The response is not JSON.', next: WRONG_URL },
  noEndpoint: {
    says: 'The service has no such endpoint (status {status}).',
    next: 'Check the path in `service.baseUrl`: everything before `/v1`, and nothing else.',
  },
  requestRefused: {
    says: 'The service refused the request (status {status}).',
    next: 'Run again with `--trace doctor.trace` and send the file to the provider.',
  },
  serviceFailed: {
    says: 'The service failed repeatedly (status {status}).',
    next: 'Run again later.',
  },
  stopped: {
    says: 'Not checked: the limit of {most} requests is reached.',
    next: 'Run again when the service refuses fewer requests.',
  },
  rightsAdmin: {
    says: 'Admin: may read firmware paths. Reads cannot show whether this user may start tasks.',
  },
  rightsNotAdmin: {
    says: 'Not Admin (firmware paths: 403). Reads cannot show whether this user may start tasks.',
    next: 'This is enough to plan: fleetform reads each kind of device instead. `apply` needs Operator or Admin: ask the provider.',
  },
  rightsNoPaths: { says: 'Unknown: the service has no list of firmware paths.' },
  listRead: { says: '{count|row|rows}.' },
  listUnnamed: {
    says: 'The response has no list of this name[; it has {members}].',
    next: 'fleetform cannot read this list: the service differs from its documentation. Ask the provider for the version of the API.',
  },
  listRefused: {
    says: 'fleetform cannot read this list: {field}.',
    next: '[Set {keys} under `service.dialect` to the name that the service uses.||The service differs from its documentation, and no key of the dialect covers this: report it to the provider.]',
  },
  totalRight: { says: '{total|device|devices}; the largest page has {count|row|rows}.' },
  totalAbsent: {
    says: 'The response has no total.',
    next: 'fleetform cannot tell a whole list from a part. Ask the provider for the version of the API.',
  },
  totalTooSmall: {
    says: 'The total is {total|device|devices}, but the page has {count|row|rows}.',
    next: 'Run again. If this repeats, report it to the provider: fleetform treats such a list as inconsistent.',
  },
  totalOfPage: {
    says: 'The total counts the rows of one page: {count}.',
    next: 'fleetform cannot tell a whole list from a part, and reads such a list as inconsistent. Report it to the provider.',
  },
  pageShort: {
    says: 'The largest page has {count|row|rows} of {total|device|devices}: less than requested.',
    next: 'Nothing to do: more requests are needed for the whole fleet.',
  },
  limitTaken: { says: 'A page of 1,000 is accepted; the fleet fits on one.' },
  limitCut: {
    says: 'A page of 1,000 is accepted; the service returns {count|row|rows} at a time.',
  },
  limitFull: { says: 'A page of 1,000 is honored.' },
  limitRefused: {
    says: 'The service refuses a page of 1,000; it accepts {size}.',
    next: 'fleetform requests 1,000, the documented maximum. Ask the provider for the version of the API.',
  },
  limitIgnored: {
    says: 'The service ignores `limit`: it returned {count|row|rows}.',
    next: 'A fleet of more than 1,000 devices would read as inconsistent. Report it to the provider.',
  },
  offsetRight: { says: 'Honored.' },
  offsetIgnored: {
    says: 'The service ignores `offset`: each page is the first one.',
    next: '[Only {count} of {total} devices can be read.||A fleet of more than 1,000 devices cannot be read.] Report it to the provider.',
  },
  offsetMoved: { says: 'Unknown: rows moved between two pages.' },
  orderStable: { says: 'The same in three reads.' },
  orderChanges: {
    says: 'Rows changed their order between reads.',
    next: 'A fleet of more than 1,000 devices needs several passes, and may read as inconsistent. Devices are still read by ID before a task.',
  },
  tooFewDevices: { says: 'Unknown: too few devices to tell.' },
  noDevices: {
    says: 'Unknown: no device is visible.',
    next: 'Check which sites these credentials can see; a new account may see none.',
  },
  idsText: { says: 'Strings, all different.' },
  idsNumeric: {
    says: 'Numbers. Tasks may need them as numbers, too: see `taskDeviceType` below.',
  },
  idsAbsent: {
    says: 'No device has a usable `id`.',
    next: 'fleetform cannot name a device to this service. Ask the provider for the version of the API.',
  },
  idsUnusable: {
    says: '{count|device has|devices have} an ID that cannot be part of a URL; fleetform leaves them out.',
  },
  idsRepeat: {
    says: 'Several devices have the same ID.',
    next: 'Report it to the provider: a task could reach the wrong device.',
  },
  statusKnown: { says: 'Only documented values.' },
  statusOther: {
    says: 'Undocumented values: {words}.',
    next: 'A device with such a status counts as neither online nor offline. Ask the provider what they mean.',
  },
  statusAbsent: {
    says: 'No device has a status.',
    next: 'Budgets and restarts cannot tell which devices are down. Ask the provider.',
  },
  statusHonoured: { says: 'Honored: status={value} returns only such devices.' },
  statusIgnored: {
    says: 'Ignored: status={value} returns every device.',
    next: 'Nothing to do: fleetform reads all devices before each start, which takes longer.',
  },
  statusRefused: {
    says: 'Refused: status={value}.',
    next: 'Nothing to do: fleetform reads all devices before each start, which takes longer.',
  },
  statusWrong: {
    says: 'Wrong: status={value} returns other devices than the list shows.',
    next: 'Run again: devices may have changed meanwhile. If this repeats, report it to the provider.',
  },
  statusUniform: { says: 'Unknown: all devices have the same status.' },
  unknownIgnored: { says: 'A filter that does not exist is ignored: every device is returned.' },
  unknownEmpty: { says: 'A filter that does not exist matches nothing.' },
  unknownRefused: { says: 'A filter that does not exist is refused[ (status {status})].' },
  clockRight: { says: 'Within {seconds|second|seconds} of this machine.' },
  datesZoneless: {
    says: '`lastSeen` has no time zone ({count|device|devices}), so it names no instant.',
    next: 'fleetform reads such dates as not understood, and plans nothing that needs them. Ask the provider for dates in UTC.',
  },
  lastSeenOff: {
    says: 'Every online device was last seen {minutes|minute|minutes} {side=ago}, by `lastSeen`.',
    next: 'Check the time zone of the service. Restarts of offline devices need a person until online devices show the time of now.',
  },
  clockOff: {
    says: 'The service is {seconds|second|seconds} {side} this machine.',
    next: 'Synchronize the clock of this machine (NTP): `apply` refuses a difference of more than 60 seconds.',
  },
  clockSkew: {
    says: 'The service is {seconds|second|seconds} {side} this machine.',
    next: 'Synchronize the clock of this machine (NTP). Until then `apply` refuses to run; if this clock is right, tell the provider.',
  },
  clockAbsent: {
    says: 'The service sends no `Date`, so a wrong clock of this machine goes unnoticed.',
    next: 'Keep the clock of this machine synchronized (NTP): windows and due dates follow it.',
  },
  readsRight: { says: 'Passwords, certificates, vulnerabilities and firmware can be read.' },
  readsRefused: {
    says: 'The service refuses to show: {endpoints}.',
    next: 'Rotations by age need passwords and certificates, firmware policies need targetFirmware. Ask the provider for the permission (403), or for the version of the API (404).',
  },
  neverTooMany: { says: 'Not observed: the service refused no request with 429.' },
  retryAfterAbsent: {
    says: '{count|request was|requests were} refused with 429, without Retry-After.',
    next: 'Lower `service.pace.requestsPerSecond`. fleetform waits longer after each refusal.',
  },
  retryAfterShown: {
    says: '{count|request was|requests were} refused with 429 and Retry-After {delay}.',
    next: 'Lower `service.pace.requestsPerSecond`.',
  },
  ledgerLocal: {
    says: 'The ledger of the simulator is local, in {place}. The branch that the documents name is for a service of your own.',
  },
  headsKept: {
    says: '{branch}-heads is there, and the remote moves it with {branch} in one push.',
  },
  headsMissing: {
    says: '{branch}-heads is not there yet.',
    next: 'The next run that appends to the ledger makes it. Protect it with {branch} in one ruleset.',
  },
  headsNotAtomic: {
    says: 'The remote does not move two branches at once (`--atomic`): no heads of the ledger are kept.',
    next: 'A fresh runner does not notice a ledger that was restored from an old copy. Keep the ledger on a remote that can do it.',
  },
  headsUnseen: {
    says: 'Not observed: {branch}-heads, and whether it moves with {branch}[ ({cause})].',
  },
  compressionSeen: { says: 'Responses are compressed ({encoding}).' },
  compressionUnseen: {
    says: 'No response was compressed; on loopback fleetform does not request it.',
  },
};
