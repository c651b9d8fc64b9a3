import type { Params, WorldCode } from '../../model/error.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import { type Words, codeWords, finer, type CodePhrases } from './entry.ts';
import { ERROR_WHYS, THINGS } from './error-whys.ts';

/** A failure in English. */
export function errorWords(code: WorldCode, params: Params): Words;

export function errorWords<Text extends string>(
  code: WorldCode,
  params: Params,
  sink: (text: string) => Text,
): Words<Text>;

export function errorWords(code: WorldCode, params: Params, sink: Sink = terminal): Words<string> {
  if (code === 'notFound')
    return codeWords(ERROR_WORDS.notFound, finer(params, 'what', THINGS), sink);
  if (code === 'forbidden') return codeWords(forbiddenEntry(params), params, sink);
  return codeWords(ERROR_WORDS[code], finer(params, 'why', ERROR_WHYS[code]), sink);
}

/** The missing permission depends on the request. */
function forbiddenEntry({ method, needs }: Params): CodePhrases {
  if (method === 'POST') return { ...ERROR_WORDS.forbidden, ...FORBIDDEN_TASK };
  return { ...ERROR_WORDS.forbidden, ...(needs === 'Admin' && FORBIDDEN_PATHS) };
}

/** The words of every failure. */
export const ERROR_WORDS: Readonly<Record<WorldCode, CodePhrases>> = {
  credentialsMissing: {
    says: 'The credentials are not set[: {missing}].',
    next: 'Set FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, or FLEETFORM_CLIENT_ID_FILE and FLEETFORM_CLIENT_SECRET_FILE. They never stand in YAML.',
  },
  credentialsUnreadable: {
    says: 'The file of the credentials cannot be read[: {file}].',
    next: 'Check the path[ in {variable}] and that this user may read the file.',
  },
  credentialsRefused: {
    says: 'The service refused the credentials[ for organisation “{organization}”][ (status {status})].',
    next: 'Check FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET: one credential belongs to one organisation, and a new secret ends the old one.',
  },
  organizationUnknown: {
    says: 'The service knows no organisation[ “{organization}”].',
    next: 'Correct `service.organization`; it is the short name in the address of the console, in upper and lower case as written there.',
  },
  tokenUnreadable: {
    says: 'The service answered without a token[ in “{field}”].',
    more: '[The answer has: {found}.]',
    next: 'Name the field under `service.dialect.tokenField`, with dots where it is below another member; an empty text says that the answer is the token itself.',
  },
  baseUrlUnsafe: {
    says: 'fleetform does not send credentials to this address[: {baseUrl}][ {host}].',
    more: '[{why}]',
    next: 'Use https without user name, query or fragment; plain http is accepted for this machine alone (127.0.0.1).',
  },
  forbidden: {
    says: 'The service does not allow this user to do that[: {method} {path}][ (status {status})].',
    more: '[It needs the role {needs}.||The provider enables the interface for each account.]',
    next: 'Ask an administrator of the organisation to let this user do it, or the provider to enable it for the account.',
  },
  unreachable: {
    says: 'The service cannot be reached[ at {host}][ ({cause})].',
    next: 'Check the address in `service.baseUrl`, the name server and the network or proxy of this machine. This request never left it; run the same command again.',
  },
  tlsFailed: {
    says: 'The encrypted connection to the service failed[ ({cause})].',
    more: 'The certificate is not valid, not for this host, or not from an authority this machine trusts. fleetform never goes on without.',
    next: 'Check the clock of this machine and the address. For an authority of your own set NODE_EXTRA_CA_CERTS to its certificate.',
  },
  verificationOff: {
    says: 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the check of certificates off; fleetform does not run like that.',
    more: 'Whoever stands in between would read the credentials and could answer in the name of the service.',
    next: 'Unset it. For an authority of your own set NODE_EXTRA_CA_CERTS to the file with its certificate.',
  },
  proxyUnusable: {
    says: 'The address of the proxy in {variable=the environment} [is of a kind that is not known: {scheme}||cannot be read].',
    next: 'Write it as http://HOST:PORT or https://HOST:PORT, special characters of a user or password percent-encoded; or unset it, or name the host in NO_PROXY.',
  },
  proxyRefused: {
    says: 'The proxy does not open the way to the service[ at {host}][: it answers {status}].',
    more: 'Nothing was sent to the service.',
    next: 'With 407 put user and password into HTTPS_PROXY; otherwise let the proxy allow the host, or name it in NO_PROXY.',
  },
  timedOut: {
    says: 'The service did not answer in time[: {path}].',
    next: 'Run the same command again. If it happens often, look at the network and lower `service.pace`.',
  },
  cut: {
    says: 'The answer of the service ended before it was complete[: {path}][ ({cause})].',
    more: 'Half an answer is never used.',
    next: 'Run the same command again. If it happens often, a proxy between here and the service cuts answers.',
  },
  redirected: {
    says: 'The service answered with a redirect[ (status {status})][: {path}].',
    more: 'Redirects are refused, because the token must not go to another address.',
    next: 'Write the final address into `service.baseUrl`.',
  },
  notJson: {
    says: 'The answer is not JSON[ but {contentType}][: {path}].',
    more: 'That is what a login page, a proxy or a wrong address answers.',
    next: 'Check `service.baseUrl` and whether a proxy asks for a login.',
  },
  tooLarge: {
    says: 'The answer of the service is too large[: {path}].',
    next: 'Tell the provider; no page of this interface is that large. Nothing of it was used.',
  },
  unexpectedShape: {
    says: 'The answer of the service does not have the expected shape[: {path}][ at {at}].',
    next: 'Where the service uses other names, write them under `service.dialect`[; here the key is `{key}`]; `--trace FILE` records what it answers.',
  },
  unexpectedStatus: {
    says: 'The service answered with an unexpected status[ {status}][: {path}].',
    next: 'Run the same command again later. If it stays, record it with `--trace FILE` and tell the provider.',
  },
  tooManyRequests: {
    says: 'The service asks for fewer requests[: {path}].',
    next: 'Wait a few minutes and run again; lower `service.pace.requestsPerSecond` if others share the account.',
  },
  notFound: {
    says: 'The service does not know {what=what was asked for}[ “{id}”][: {path}].',
    more: 'It answers the same for what is gone and for what this user may not see.',
    next: 'Check the id, and whether this user sees the site. Run `fleetform plan` to read the fleet anew.',
  },
  idUnsafe: {
    says: 'The {what=id}[ “{id}”] [is no number, which `service.dialect.{key}` says that it is||cannot be part of an address][: {why}].',
    next: '[Take {key} out of the dialect, or write `text` there.||Check the id where it comes from; any letters, digits and signs are fine, blanks and slashes among them.]',
  },
  writeRefused: {
    says: 'This command only reads, and something in it tried to write[: {method} {path}].',
    next: 'Nothing was sent. Please report it with the command you ran.',
  },
  secretMissing: {
    says: 'The secret for a payload is not set[: {name}].',
    next: 'Set the environment variable[ {name}] where apply runs. Nothing was sent.',
  },
  filterRefused: {
    says: 'The service refuses a filter[: {filter}][ (status {status})].',
    more: '[It may want dates in another form than {form}.]',
    next: '[Set `service.dialect.{key}` to `iso`, `seconds` or `milliseconds`; if none helps, leave the filter out.||Correct the spelling of the filter under `service.dialect`, or leave the filter out.]',
  },
  filterNotHonoured: {
    says: 'The service ignored a filter[: {filter}][, as {id} has {found}].',
    more: 'It answered rows that do not match, so the rows would mislead.',
    next: 'Correct the spelling of the filter under `service.dialect`, or leave the filter out.',
  },
  filterUnknown: {
    says: 'There is no filter[ “{filter}”][ for {collection}].',
    more: '[Known: {known}.]',
    next: '[Did you mean “{suggestion}”?||Choose one of the known filters.]',
  },
  listTorn: {
    says: 'The list[ of {collection}] changed while it was read[ ({why})].',
    more: 'A device could be missing or counted twice, so nothing is concluded from it.',
    next: 'Run again in a quieter minute.',
  },
  permissionsChanged: {
    says: 'The service shows far fewer devices than before[: {gone|device|devices} of this plan cannot be read any more].',
    more: 'That looks like a change of permissions, not like devices that left.',
    next: 'Check which sites this user may see. If the devices are really gone, make a new plan.',
  },
  clockSkew: {
    says: 'The clocks of this machine and the service differ too much[: {seconds|second|seconds}].',
    next: 'Set the clock of this machine (NTP). Windows and deadlines would be wrong.',
  },
  planUnreadable: {
    says: 'The saved plan cannot be read[: {file}][ ({why})].',
    more: '[It stops being a plan at line {line}.]',
    next: 'Make a new one with `fleetform plan -o FILE`. Nothing was sent.',
  },
  planTampered: {
    says: 'The saved plan was edited or cut[: {file}].',
    more: '[Not right: {why}.]',
    next: 'Make a new plan and have it approved; a plan is never edited by hand. Nothing was sent.',
  },
  planExpired: {
    says: 'The saved plan has expired[, at {expiresAt}].',
    next: 'Make a new plan and have it approved. `plan --expires` sets how long one holds.',
  },
  planForeign: {
    says: 'The saved plan was made for another service or organisation[: for {made}, not {here}].',
    next: 'Apply it with the documents and credentials it was made with.',
  },
  planNotApproved: {
    says: 'This is not the plan that was approved[: {id} instead of {approved}].',
    more: '[The id is the one approved; the file is another: its digest is {digest}.]',
    next: 'Apply the approved plan, or have this one approved. Nothing was sent.',
  },
  commitNotMerged: {
    says: 'The commit[ {commit}] is not on the default branch as it stands[: {why}].',
    more: 'Only what was merged is shown for an approval, and approved.',
    next: 'Merge it, and let `fleetform ci look` plan the newest commit of the default branch.',
  },
  planStale: {
    says: 'Nothing that was approved can still run: every device has changed since.',
    next: 'Make a new plan and have it approved.',
  },
  snapshotUnreadable: {
    says: 'The saved snapshot cannot be read[: {file}][ ({why})].',
    next: 'Make a new one.',
  },
  ledgerUnfit: {
    says: 'The place of the ledger does not do what a ledger needs[: {place}][ ({why})][: {cause}].',
    more: 'Without it two runs could act on one device. Nothing was sent.',
    next: 'Choose another place in `service.ledger`: a local disk, or a git remote where this user may push the branch and nobody may force it.',
  },
  ledgerBroken: {
    says: 'The ledger does not hold together[ at record {seq}][ ({why})].',
    more: 'A record was changed, lost or added by somebody else. No task is sent on such a ledger.',
    next: 'Restore the ledger from its last good copy, then run again. Do not delete it: what it knows keeps devices from being touched twice.',
  },
  ledgerForeign: {
    says: 'The ledger belongs to another service or organisation[: {place}].',
    next: 'Check credentials and `service`; each organisation has a ledger of its own.',
  },
  ledgerNewer: {
    says: 'The ledger was written by a newer fleetform[: {tool}][, record {seq}].',
    next: 'Update fleetform on this machine.',
  },
  ledgerRolledBack: {
    says: 'The ledger is older than what was seen before[: record {found} instead of {seen}].',
    more: 'It was restored from a copy, and what happened since is missing. No task is sent on such a ledger.',
    next: 'Bring the newest copy back.',
  },
  ledgerNotChosen: {
    says: 'In CI the ledger needs a place that lasts longer than the job.',
    next: 'Write `service.ledger: {store: git}` to keep it on a branch of the remote, or `{store: directory, path: ...}` with a path on a disk that lasts.',
  },
  storeFailed: {
    says: 'The ledger cannot be read or written[: {place}][ ({cause})].',
    next: 'Check free space, permissions and, for a remote, the network and the login. Nothing is attempted that could not be recorded.',
  },
  locked: {
    says: 'Another run holds the lock[: {label}][ on {host}][, process {pid}][, since {since}].',
    more: '[Its lease ends at {until}.]',
    next: 'Wait for it (`--lock-wait 10m`), or if it is dead for certain, go on with `fleetform apply --take-over`. `fleetform unlock --reason` stops it. Nothing was sent.',
  },
  leaseLost: {
    says: 'Another run took the lock over[: {label}][ on {host}].',
    more: 'This run stopped before its next task. What it had started is in the ledger.',
    next: 'Let the other run finish; it also looks after what this one started.',
  },
  postRefused: {
    says: 'The service refused the task[: status {status}].',
    next: 'Nothing was started. Look at the payload of the policy and at the names under `service.dialect`.',
  },
  confirmationMissing: {
    says: 'Nobody is there to confirm: this is not a terminal.',
    next: 'Look at the plan first, then add --yes. Nothing was sent.',
  },
  deviceUnknown: {
    says: 'No single device is called[ “{device}”].',
    more: '[It is the name of {matches} devices: {ids}.||It may be gone, or this user may not see it.]',
    next: '[Did you mean “{suggestion}”?||Give its id or its exact name; `fleetform get devices` lists them.]',
  },
  partUnknown: {
    says: 'Nothing fits[ {flag} “{value}”].',
    more: '[It is the name of {matches} devices: {ids}.]',
    next: '[Did you mean “{suggestion}”?||Give a policy as `section.name`, a site by id or name, a device by id; `--only` and `--site` take `*`.]',
  },
  intentUnknown: {
    says: '[{matches} intents begin with “{intent}”||The ledger knows no intent “{intent=}”].',
    next: '`fleetform status` lists what is open, with the id of each intent.',
  },
  intentAtWork: {
    says: '[The task {taskId}||A task] still runs[ on {device}], so it cannot be said that it was not done.',
    more: '[Intent {intent}, attempted {since}.]',
    next: 'Wait for its end with `fleetform resume`. If the device shows that it was done, use --as done.',
  },
  intentClosed: {
    says: 'The intent[ {intent}][ on {device}] is closed already[: {verdict}][ since {since}].',
    next: 'Nothing is to be resolved. `fleetform plan` says what the device needs now.',
  },
  personUnknown: {
    says: 'No name: git user.name is not set.',
    next: 'Add `{flag=--by} NAME`, or set user.name.',
  },
  notARepository: {
    says: 'This folder is not in a git repository[: {path}].',
    next: 'Run it inside a clone, or leave out what compares with git.',
  },
  refUnknown: {
    says: 'git knows no commit[ “{ref}”].',
    next: 'Fetch it first: in CI check out with the full history.',
  },
  lineUnknown: {
    says: 'No entry stands [at {line}||there].',
    next: 'Write FILE:LINE as `plan` prints it, such as fleet/policies/firmware.yaml:5.',
  },
  policyUnknown: {
    says: 'Neither the documents nor the ledger know [a policy “{policy}”||that policy].[ Did you mean {near}?]',
    next: 'Write its address as `plan` prints it, such as firmware.axis-p32.',
  },
  nothingLifted: {
    says: 'Nothing was lifted[: nothing of {rollout} is paused].',
    more: '[Aborted: {aborted}.]',
    next: '[Name what is paused, as `fleetform resume SCOPE`: {paused}.||Another version or generation begins anew after an abort, or a policy without a rollout.]',
  },
  artifactRefused: {
    says: 'The plan of the other job is refused[: {file}][, line {line}]: {why=it is not as we make them}.',
    next: 'Nothing of it is posted. Look at the run that made it; a pull request can run any code there.',
  },
  githubMissing: {
    says: 'This is no job of GitHub Actions[: {missing} is not set].',
    next: 'This command runs in a job of GitHub Actions; `fleetform init` writes workflows that call it.',
  },
  githubRefused: {
    says: 'GitHub refuses[ {what}][: status {status}][: its answer is {why}].',
    next: 'Check the permissions of the job: pull-requests or issues: write, and the token in GITHUB_TOKEN.',
  },
  githubUnreachable: {
    says: 'GitHub gave no answer[ ({cause})].',
    next: 'Run the job again: what was posted already is found and edited.',
  },
  fileExists: {
    says: 'The file is there already[: {file}].',
    next: 'Choose another name, or remove the file first; `init --force` replaces it.',
  },
  fileUnreadable: {
    says: 'The file cannot be read[: {file}][ ({cause})].',
    next: 'Check the path and that this user may read it.',
  },
  fileRefused: {
    says: 'fleetform does not use this file[: {file}].',
    more: '[{why}]',
    next: 'Name a plain file of your own, in a folder that you may write to; a trace goes into a new file, or into one that an earlier trace of yours is in.',
  },
  stopped: {
    says: 'Stopped by a signal before this command was done.',
    next: '[`{command}` only reads, so nothing has changed; run it again.||What was sent, if anything, is in the ledger: `fleetform status`.]',
  },
  outputLost: {
    says: 'What this command prints could not be written[ ({cause})].',
    more: '[What it did is done all the same, and its exit code {exit} stands.]',
    next: 'Make room on the disk or name another place, and run it again.',
  },
  fieldUnknown: {
    says: 'There is no field[ "{name}"][ in {within}].',
    more: '[Fields there: {known}.]',
    next: '[Did you mean "{suggestion}"?||Run `fleetform explain` for the sections.]',
  },
  usage: {
    says: '{message=The command line is not understood}',
    next: '[Did you mean “{suggestion}”?||Run `fleetform --help`, or `fleetform COMMAND --help`.]',
  },
};

/** A refused POST. */
const FORBIDDEN_TASK: Pick<CodePhrases, 'more' | 'next'> = {
  more: 'The task needs the role {needs=Admin or Operator}, which the provider enables for each account.',
  next: 'Ask an administrator of the organisation to give this user the role {needs=Admin or Operator}, or the provider to enable it for the account.',
};

/** A refused list that planning can do without. */
const FORBIDDEN_PATHS: Pick<CodePhrases, 'more' | 'next'> = {
  more: 'The list of firmware paths needs the role Admin.',
  next: 'Ask an administrator of the organisation for the role Admin, or go without: `fleetform plan` falls back to the target firmware of each device by itself.',
};
