import type { Params, WorldCode } from '../../model/error.ts';
import { terminal, type Sink } from '../sinks/sinks.ts';
import { type Words, codeWords, findWord, finer, paramsText, type CodePhrases } from './phrase.ts';
import {
  ERROR_WHYS,
  FORBIDDEN_PATHS,
  FORBIDDEN_TASK,
  NO_TASK,
  THINGS,
  UNFIT_STEPS,
} from './error-whys.ts';

export function errorWords(code: WorldCode, params: Params): Words;

export function errorWords<Text extends string>(
  code: WorldCode,
  params: Params,
  sink: (text: string) => Text,
): Words<Text>;

export function errorWords(code: WorldCode, params: Params, sink: Sink = terminal): Words<string> {
  if (code === 'notFound')
    return codeWords(notFoundEntry(params), finer(params, 'what', THINGS), sink);
  if (code === 'forbidden') return codeWords(forbiddenEntry(params), params, sink);
  if (code === 'ledgerUnfit')
    return codeWords(unfitEntry(params), finer(params, 'why', ERROR_WHYS[code]), sink);
  const entry = findWord(ERROR_WORDS, code);
  if (!entry) return codeWords(UNKNOWN_ERROR, { code, said: paramsText(params) }, sink);
  if (code === 'usage') return codeWords(entry, { ...params, ...asSentence(params) }, sink);
  const whys = ERROR_WHYS[code === 'placeGone' ? 'ledgerUnfit' : code];
  const all = code === 'ledgerRolledBack' ? withOther(params) : params;
  return codeWords(entry, finer(all, 'why', whys), sink);
}

/** A code of another version: shown as itself, with all its parameters. */
const UNKNOWN_ERROR: CodePhrases = {
  says: '{code}[: {said}].',
  next: 'Use the version of fleetform that created the file or the message.',
};

/** The message of a wrong command line, with the stop at its end. */
function asSentence({ message }: Params): Params {
  return typeof message === 'string' ? { message: message.replace(/[^.?!)]$/, '$&.') } : {};
}

/** A plan reads the fleet again, and no tasks. */
function notFoundEntry({ what }: Params): CodePhrases {
  const isTask = what === 'task' || what === 'deviceTasks';
  return { ...ERROR_WORDS.notFound, ...(isTask && NO_TASK) };
}

/** A ledger that does not end before a record that was seen has another one in its place. */
function withOther(params: Params): Params {
  const [found, seen] = [Number(params['found']), Number(params['seen'])];
  return found >= seen ? { ...params, other: seen } : params;
}

/** A step that fits what a database lacks: none of them leaves it for another ledger. */
function unfitEntry({ why }: Params): CodePhrases {
  const next = typeof why === 'string' ? findWord(UNFIT_STEPS, why) : undefined;
  return { ...ERROR_WORDS.ledgerUnfit, ...(next !== undefined && { next }) };
}

/** The missing permission depends on the request. */
function forbiddenEntry({ method, needs }: Params): CodePhrases {
  if (method === 'POST') return { ...ERROR_WORDS.forbidden, ...FORBIDDEN_TASK };
  return { ...ERROR_WORDS.forbidden, ...(needs === 'Admin' && FORBIDDEN_PATHS) };
}

/** Where a ledger is corrupt, and how, after a sentence that begins so. */
export const CORRUPT_AT =
  '[ at record {seq}][ ({file})][: {why}||: its field `{field}` is not valid||][; this one changes {changes}]';

export const ERROR_WORDS: Readonly<Record<WorldCode, CodePhrases>> = {
  credentialsMissing: {
    says: 'Credentials are not set[: {missing}].',
    next: '[Set {password}, {password}_FILE or {password}_COMMAND. The ledger database wants it; do not put it in YAML.||Set {own=FLEETFORM}_CLIENT_ID and {own=FLEETFORM}_CLIENT_SECRET, or {own=FLEETFORM}_CLIENT_ID_FILE and {own=FLEETFORM}_CLIENT_SECRET_FILE, or FLEETFORM_CREDENTIAL_COMMAND. Do not put them in YAML. Without a service, `fleetform twin` simulates one.]',
  },
  credentialsTwice: {
    says: '[{variables} and ]{variable=FLEETFORM_CREDENTIAL_COMMAND} are both set.',
    next: 'Unset the one that is not meant: credentials come from one place.',
  },
  credentialCommandFailed: {
    says: 'The credential command[ {program}] failed[: {why}][ ({cause})].',
    next: '[Run {program} by itself to see why: fleetform shows nothing that it prints.||Write {variable=FLEETFORM_CREDENTIAL_COMMAND} as a JSON array of strings: first the absolute path of a program, then its arguments.]',
  },
  credentialsUnreadable: {
    says: 'Cannot read the credentials file[ {file}][: {why}].',
    next: 'Check the path[ in {variable}] and the permissions of the file; of a pipe, the program that writes to it.',
  },
  credentialsRefused: {
    says: 'The service refused the credentials[ for organization "{organization}"][ (status {status})].',
    next: 'Check {own=FLEETFORM}_CLIENT_ID and {own=FLEETFORM}_CLIENT_SECRET, or what FLEETFORM_CREDENTIAL_COMMAND prints: each credential belongs to one organization, and a new secret replaces the old one.',
  },
  organizationUnknown: {
    says: 'The service does not know [organization "{organization}"||this organization].',
    next: 'Correct `service.organization`: the short name from the URL of the console, in the same case. If it is right, check the path of the service URL.',
  },
  tokenUnreadable: {
    says: 'The response has no token[ in "{field}"].',
    more: '[Found: {found}.]',
    next: 'Set `service.dialect.tokenField` to the field, with dots for nested members, or to "" if the response is the token itself.',
  },
  baseUrlUnsafe: {
    says: 'fleetform does not send credentials to this URL[: {baseUrl}][ {host}].',
    more: '[{why}]',
    next: 'Use https without user name, query or fragment. Plain http works for this machine only (127.0.0.1).',
  },
  forbidden: {
    says: 'Permission denied[: {method} {path}][ (status {status})].',
    more: '[This request needs the role {needs}.||The provider enables the API for each account.]',
    next: 'Ask an administrator of the organization for the permission, or the provider to enable the API for the account.',
  },
  unreachable: {
    says: 'Cannot connect to [{host}||the service][ ({cause})].',
    next: 'Check `service.baseUrl`, DNS and proxy. This request was not sent. Run the same command again.',
  },
  tlsFailed: {
    says: 'The TLS connection to the service failed[ ({cause})].',
    more: 'The certificate is invalid or its CA is not trusted.',
    next: 'Check the clock of this machine and the URL. For a private CA, set NODE_EXTRA_CA_CERTS to its certificate.',
  },
  verificationOff: {
    says: 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks, so fleetform does not run.',
    more: 'An attacker on the network could read the credentials and answer as the service.',
    next: 'Unset it. For a private CA, set NODE_EXTRA_CA_CERTS to its certificate file.',
  },
  proxyUnusable: {
    says: 'The proxy URL in {variable=the environment} [has an unknown scheme: {scheme}||is invalid].',
    next: 'Write http://HOST:PORT or https://HOST:PORT with user and password percent-encoded, or list the host in NO_PROXY.',
  },
  proxyRefused: {
    says: 'The proxy does not connect to [{host}||the service][ (status {status})].',
    more: 'Nothing was sent to the service.',
    next: 'With 407, put user and password into HTTPS_PROXY. Otherwise allow the host in the proxy, or list it in NO_PROXY.',
  },
  timedOut: {
    says: 'The service did not answer in time[: {path}].',
    next: 'Run the same command again. If this repeats, check the network and lower `service.pace`.',
  },
  cut: {
    says: 'The response of the service was cut off[: {path}][ ({cause})].',
    more: 'fleetform does not use incomplete responses.',
    next: 'Run the same command again. If this repeats, check the proxies between here and the service.',
  },
  redirected: {
    says: 'The service answered with a redirect[ (status {status})][: {path}].',
    more: 'fleetform follows no redirects, because the token must not go to another host.',
    next: 'Set `service.baseUrl` to the final URL.',
  },
  notJson: {
    says: 'The response is not JSON[ but {contentType}][: {path}].',
    more: 'Login pages, proxies and wrong URLs respond like this.',
    next: 'Check `service.baseUrl`, and whether a proxy requires a login.',
  },
  tooLarge: {
    says: 'The response of the service is too large[: {path}].',
    next: 'Report it to the provider: no page of the API is that large. fleetform did not use the response.',
  },
  unexpectedShape: {
    says: 'Unexpected response[ at {at}][: {path}][: {why}].',
    next: '[If the service uses another name, set `service.dialect.{key}`.||No key of the dialect covers this: report it to the provider.] `--trace FILE` records the responses.',
  },
  unexpectedStatus: {
    says: 'Unexpected status[ {status}][: {path}].',
    next: 'Run the same command again later. If this repeats, record it with `--trace FILE` and report it to the provider.',
  },
  tooManyRequests: {
    says: 'The service limits the request rate[: {path}].',
    next: 'Wait a few minutes and run again. Lower `service.pace.requestsPerSecond` if others share the account.',
  },
  notFound: {
    says: 'The service does not return {what=this item}[ "{id}"][: {path}].',
    more: 'It responds the same to IDs that do not exist and to IDs that this user may not see.',
    next: 'Check the ID, and whether this user sees the site. Run `fleetform plan` to read the fleet again.',
  },
  idUnsafe: {
    says: 'The {what=ID}[ "{id}"] [is not a number, as `service.dialect.{key}` requires||cannot be part of a URL][: {why}].',
    next: '[Remove {key} from the dialect, or set it to `text`.||Check where the ID comes from. Letters, digits, spaces, slashes and other signs are allowed.]',
  },
  writeRefused: {
    says: 'This read-only command tried to write[: {method} {path}].',
    next: 'Nothing was sent. Report it with the command you ran.',
  },
  secretMissing: {
    says: 'The secret for a payload is not set[: {name}].',
    next: 'Set the environment variable[ {name}] where `apply` runs. Nothing was sent.',
  },
  filterRefused: {
    says: 'The service refuses a filter[: {filter}][ (status {status})].',
    more: '[It may expect dates in another form than {form}.]',
    next: '[Set `service.dialect.{key}` to `iso`, `seconds` or `milliseconds`, or omit the filter.||Correct the name of the filter under `service.dialect`, or omit the filter.]',
  },
  filterNotHonoured: {
    says: 'The service ignored a filter[: {filter}][, as {id} has {found}].',
    more: 'It returned rows that do not match.',
    next: 'Correct the name of the filter under `service.dialect`, or omit the filter.',
  },
  filterUnknown: {
    says: 'Unknown filter[ "{filter}"][ for {collection}].',
    more: '[Known: {known}.]',
    next: '[Did you mean "{suggestion}"?||Choose one of the known filters.]',
  },
  listTorn: {
    says: 'The list[ of {collection}] changed while fleetform read it[ ({why})].',
    more: 'It could lack a device or count one twice, so fleetform does not use it.',
    next: 'Run again when fewer devices are changing.',
  },
  permissionsChanged: {
    says: 'The service returns far fewer devices than before[: {gone|device|devices} of this plan are missing].',
    more: 'The permissions of this user may have changed.',
    next: 'Check which sites this user may see. If the devices no longer exist, create a new plan.',
  },
  clockSkew: {
    says: 'The clocks of this machine and the service differ too much[: {seconds|second|seconds}].',
    next: 'Synchronize the clock of this machine (NTP): windows and deadlines depend on it.',
  },
  planUnreadable: {
    says: 'Cannot read the saved plan[ {file}][ ({why})].',
    more: '[Line {line} is not valid.]',
    next: 'Create a new one with `fleetform plan -o FILE`. Nothing was sent.',
  },
  planTampered: {
    says: 'The saved plan was edited or cut[: {file}].',
    more: '[Problem: {why}.]',
    next: 'Create a new plan and have it approved; do not edit plans. Nothing was sent.',
  },
  planExpired: {
    says: 'The saved plan expired[ at {expiresAt}].',
    next: 'Create a new plan and have it approved. `plan --expires` sets how long it stays valid.',
  },
  planAhead: {
    says: 'The saved plan is for a later time[: {evaluatedAt}].',
    next: 'Apply it from then on, or create one without `--at`. Nothing was sent.',
  },
  planForeign: {
    says: 'The saved plan is for another service or organization[: {made}, not {here}].',
    next: 'Apply it with the documents and credentials of that service.',
  },
  planNotApproved: {
    says: '[Plan {id} is not the approved plan {approved}||This is not the approved plan].',
    more: '[The ID is the approved one, but the file differs: its digest is {digest}.]',
    next: 'Apply the approved plan, or have this one approved. Nothing was sent.',
  },
  planOutOfScope: {
    says: 'The plan exceeds the scope that its commits name.',
    next: 'Narrow the documents, or correct the `Scope:` trailers of the commits, then plan again. Nothing was sent.',
  },
  changesNotReviewed: {
    says: 'The merge queue adds {changes|change|changes} that no reviewed plan has[, the first on {first}][: {why}].',
    next: 'Push to the request, or run its checks again, for a plan of now; review it, and queue the request again.',
  },
  commitNotMerged: {
    says: '[Commit {commit}||The commit] is not on the default branch[: {why}].',
    more: 'Only merged commits can be approved.',
    next: 'Merge it, then run `fleetform ci look` on the newest commit of the default branch.',
  },
  documentsNotNewest: {
    says: 'The documents [of {here} ||]are not the newest[: {why}][: {branch} is at {newest}]. Nothing was started.',
    more: 'Newer documents may pause, freeze or take back what these start.',
    next: '[`{steps}`, or merge a request||Check out the newest commit without changes]; then run the command again. In a job, see the run of [{newest}||the newest commit].[ Without a merge, on record: `fleetform apply {unmerged}`.]',
  },
  documentsConverted: {
    says: '[{file}||A document] has another text than in [commit {commit}||its commit], and git calls it unchanged. Nothing was planned.',
    more: 'A review shows the text of the commit. An attribute changes it in the working tree: `working-tree-encoding`, `ident` or `filter`.',
    next: 'Remove the attribute from `.gitattributes`, delete the file and restore it with `git restore`, then run the command again.',
  },
  shownWithdrawn: {
    says: 'What the look has shown[ of plan {planId}] was withdrawn since. Nothing was approved.',
    next: 'Run `fleetform ci look` again: a person decides on what it shows then.',
  },
  approverUnknown: {
    says: 'Nothing was approved: no approver is known[: {why}].',
    more: 'An approval counts only with the name of a person.',
    next: '[{next}||Let a reviewer of the gate run this command].',
  },
  branchUnclear: {
    says: 'The default branch[ {name}] of the remote[ {remote}] is unclear[: {why}][: {names}].',
    more: 'Its newest documents decide what may start.',
    next: 'Set FLEETFORM_BRANCH to its name, in the job or in the environment.',
  },
  planStale: {
    says: 'No approved change can run: every device has changed since the plan.',
    next: 'Create a new plan and have it approved.',
  },
  snapshotUnreadable: {
    says: 'Cannot read the saved snapshot[ {file}][ ({why})].',
    next: 'Save a new one with `--save-snapshot FILE`.',
  },
  ledgerUnfit: {
    says: 'Cannot keep the ledger [at {place}||there][ ({why})][: {cause}].',
    more: 'Without a ledger, two runs could change one device. Nothing was sent.',
    next: 'Set `service.ledger` to `{store: directory}` on a local disk, to a Git remote where this user may push and force pushes are refused, or to `{store: postgres}` as docs/postgres.md says.',
  },
  ledgerBroken: {
    says: `The ledger is corrupt${CORRUPT_AT}.`,
    more: 'Another program changed, removed or added a record. No task is sent.',
    next: '[If `fleetform audit verify` finds the checkpoint in record {checkpoint} true, remove its text from the directory or the database: nothing needs it. Else restore||Restore] the ledger from its last good copy, then run again. Do not delete it: it prevents duplicate tasks.',
  },
  ledgerForeign: {
    says: 'The ledger belongs to another service or organization[: {place}].',
    next: 'Check the service URL (`service.baseUrl`, FLEETFORM_BASE_URL, --service) and `service.organization`. Each organization of a service has its own ledger. To take this one along to a new URL, run `fleetform ledger move --reason R`.',
  },
  ledgerNewer: {
    says: 'A newer fleetform wrote this ledger[: {tool}][, record {seq}].',
    next: 'Update fleetform on this machine.',
  },
  ledgerRolledBack: {
    says: '[{why}||The ledger lacks records that were seen before][ ({place})][: its record {other} is not the one that was seen||: it ends at record {found}, but record {seen} was seen||].',
    more: 'Without them a task could run twice, and pauses and approvals are lost. No task is sent.[ Record {seen} may be of another fleet for this organization, which has a ledger of its own.]',
    next: '[Allow this user to read {pin}, or restore the newest copy of the ledger.||If another folder is for this organization too, such as a copied one, keep one of the two; `fleetform validate --all-fleets` names both. Else restore the newest copy of the ledger.] [If what names that record is false, `fleetform {reject} --reason WHY` says so on record. If||If] there is no copy, `fleetform unlock --accept-loss --reason WHY` continues without the missing records.',
  },
  ledgerNotChosen: {
    says: 'In CI, the ledger must outlive the job.',
    next: 'Set `service.ledger: {store: git}` for a branch of the remote, or `{store: directory, path: ...}` for a persistent disk.',
  },
  simulatorAway: {
    says: 'The simulator of this directory does not answer[ at {url}].',
    next: 'Start it with `fleetform twin`. For a service of your own, set its credentials and run `fleetform init --service URL`.',
  },
  simulatorInCi: {
    says: 'The service is a simulator of this directory[: {url}]. A job of CI uses none.',
    next: 'Name your service with `fleetform init --service URL`, and commit the document.',
  },
  ledgerElsewhere: {
    says: 'The ledger belongs to [{named}||another place][, but was found at {found}].',
    more: 'It was moved away, or this is a copy. Nothing was read from the service or started.',
    next: 'Use the documents and the clone of that place. If the ledger belongs here, run `fleetform ledger move --reason R`.',
  },
  groundPinned: {
    says: 'The job pins {variable=the ground}[={pinned}][, but the documents say {found}].',
    more: 'Nothing was read from the service or started.',
    next: 'Correct the documents, or change the variable in the CI file, which is reviewed as code.',
  },
  groundChanged: {
    says: 'The documents change [`{what}`||the ground] without a record[: {from} -> {to}][ (commit {commit})].',
    more: 'Nothing was read from the service or started.',
    next: '[Merge the change into {merge} first, or name the service yourself: set FLEETFORM_BASE_URL.||Take the change back, or record it once it is merged: `fleetform ledger move --reason R`.]',
  },
  groundUnrecorded: {
    says: 'The ledger does not say which service, place and approval it belongs to.',
    more: 'An earlier version wrote it, and no plan in it was of documents like these.',
    next: 'If they are right, run `fleetform ledger move --adopt --reason R`.',
  },
  historyCut: {
    says: 'This clone lacks older commits, and the remote does not return them.',
    more: 'They may name another ledger, which may have records.',
    next: 'Check out the whole history: `fetch-depth: 0` on GitHub, `GIT_DEPTH: "0"` on GitLab, `git fetch --unshallow` elsewhere.',
  },
  placeGone: {
    says: 'Cannot read the ledger that the documents named before[: {place}][ ({why})][ ({cause})].',
    more: 'It may have records that the present one lacks.',
    next: 'Make it readable. If it is lost, set FLEETFORM_LEDGER[={pin}], which says that the present one is right.',
  },
  serviceUnnamed: {
    says: 'The default branch has no documents with `service` yet.',
    more: 'A job sends no credentials to a service that only a request names.',
    next: 'Merge the first documents. Until then requests are checked, not planned.',
  },
  commitForeign: {
    says: 'The ledger belongs to the documents of another repository[: commit {commit} is not on the default branch].',
    more: 'Nothing was read from the service or started.',
    next: 'Give these documents a ledger of their own. If the history was rewritten, run `fleetform ledger move --adopt --reason R`.',
  },
  storeFailed: {
    says: 'Cannot access the ledger[ at {place}][ ({cause})].',
    next: 'Check disk space and permissions; for a remote, check network and login. No task starts without a record.',
  },
  locked: {
    says: 'Locked by [{label}||another run][ on {host}][, process {pid}][, since {since}].',
    more: '[Its lock expires at {until}.]',
    next: 'Wait with `--lock-wait 10m`. If that run is dead, use `fleetform apply --take-over`; `fleetform unlock --reason WHY` stops it. Nothing was sent.',
  },
  leaseLost: {
    says: '[{label} took over the lock on {host}||The lock was taken over, or released by `fleetform unlock`].',
    more: 'This run stopped before its next task. The tasks that it started are in the ledger.',
    next: 'Let the other run finish, which `fleetform status` shows. It also checks the tasks of this run.',
  },
  postRefused: {
    says: 'The service refused the task[: status {status}].',
    next: 'No task was started. Check the payload of the policy and the names under `service.dialect`.',
  },
  confirmationMissing: {
    says: 'Cannot ask for confirmation: stdin is not a terminal.',
    next: 'Check the plan, then add `--yes`. Nothing was sent.',
  },
  deviceWithoutRecord: {
    says: 'The ledger has no record about[ "{device}"||this device].',
    more: '[It has records about {recorded|device|devices}, by ID and without names.]',
    next: '[Did you mean "{suggestion}"?||`fleetform why` shows the ID of a device; if this is one, no run of this ledger has acted on it.]',
  },
  deviceUnknown: {
    says: '["{device}" matches no single device||No single device matches].',
    more: '[{matches} devices have this name: {ids}.][Outside the part that the flags name: {outsideIds}.][The service does not return {missing}, or this user may not see it.]',
    next: '[Did you mean "{suggestion}"?||Pass its ID or exact name; `fleetform get devices` lists them.]',
  },
  partUnknown: {
    says: '[{flag} "{value}" is the name of {matches} devices||Nothing matches {flag=the flags} "{value=}"].',
    more: '[Pass one of their IDs: {ids}.]',
    next: '[Did you mean "{suggestion}"?||Pass a policy as `section.name`, a site by ID or name, a device by ID. `--only` and `--site` accept `*`.]',
  },
  partOutsidePlan: {
    says: 'The saved plan covers nothing of that part.',
    more: '[Its policies: {policies}. ][Its sites: {sites}. ][Its devices: {devices}. ]Nothing else is in it.',
    next: 'Name a part of it, leave the flags out, or create a plan with them. Nothing was sent.',
  },
  intentUnknown: {
    says: '[{matches} tasks have an ID that starts with "{intent}"||The ledger has no task "{intent=}"].',
    next: '`fleetform status` lists the tasks in doubt with their IDs.',
  },
  intentAtWork: {
    says: '[Task {taskId}||A task] is still running[ on {device}], so "not-done" cannot be recorded yet.',
    more: '[ID {intent}, sent {since}.]',
    next: 'Wait for it with `fleetform recover`. If the device shows the change, use `--as done`.',
  },
  intentClosed: {
    says: 'Task[ {intent}][ on {device}] has an outcome already[: {verdict}][ since {since}].',
    next: 'There is nothing to resolve. `fleetform plan` shows what the device needs now.',
  },
  personUnknown: {
    says: 'No name: git user.name is not set.',
    next: 'Add `{flag=--by} NAME`, or set user.name.',
  },
  notARepository: {
    says: 'This directory is not in a Git repository[: {path}].',
    next: 'Run it inside a clone, or omit the flags that compare with Git.',
  },
  gitMissing: {
    says: 'There is no Git on the PATH of this command[, and {path} is a clone].',
    next: 'Install Git[: without it, nothing tells which commit counts in {path}||, or omit the flags that compare with it].',
  },
  cloneUnreadable: {
    says: 'Git does not read the clone[ {path}][: {problem}][: {foreign} belongs to another user].',
    more: 'So nothing tells which branch and which commit count, and nothing was sent.',
    next: '[If you trust its owner, run `git config --global --add safe.directory {foreign}`.||Repair the clone, or clone again.]',
  },
  refUnknown: {
    says: 'Git does not know commit[ "{ref}"].',
    next: 'Fetch it, or name the default branch that the remote has. In CI, check out the full history.',
  },
  lineUnknown: {
    says: '{why=No entry at} [{line}||this line].',
    more: '[Documents: {documents}.][Lines with entries: {lines}.]',
    next: '[Did you mean "{suggestion}"?||Pass FILE:LINE as `plan` prints it.]',
  },
  policyUnknown: {
    says: 'Neither the documents nor the ledger have [policy "{policy}"||this policy].',
    next: '[That is a site: `fleetform pause {again}`||Did you mean "{near}"?||Pass its address as `plan` prints it, such as firmware.axis-p32; a site is `--site "NAME"`.]',
  },
  nothingLifted: {
    says: 'Nothing was unpaused[: nothing of {rollout} is paused].',
    more: '[Aborted: {aborted}.]',
    next: '[Pass a paused scope to `fleetform unpause`: {paused}.||To continue after an abort, set another version or generation.]',
  },
  artifactRefused: {
    says: 'Cannot use the plan of the other job[: {file}][, line {line}]: {why=unexpected content}.',
    next: 'Nothing was posted or approved. Check the run that created it: a pull request can run any code there.',
  },
  requestUnclear: {
    says: 'The plan may belong to another request[: {why}][ ({branch})]. Nothing is posted.',
    next: 'Leave one request open, and push a commit to its branch: that run makes a new plan.',
  },
  forgeMissing: {
    says: 'A variable of the CI job is not set[: {missing}].',
    next: 'Run this command in a job of GitHub Actions or GitLab CI that `fleetform init` wrote. On GitLab, add GITLAB_TOKEN (docs/gitlab.md).',
  },
  forgeRefused: {
    says: '{forge=The forge}[ refused {what} (status {status})|| answered {what} with {why}|| refused a request].',
    next: '[Check where GITHUB_API_URL or CI_API_V4_URL leads: it sent {why}||Check the permissions of the job: on GitHub, pull-requests or issues: write; on GitLab, GITLAB_TOKEN with role Reporter and scope api].',
  },
  forgeUnreachable: {
    says: '{forge=The forge} did not [respond ({cause})||answer {what}: it is too busy, or has failed (status {status})||respond].',
    next: 'Run the job again: it edits what it has already posted.',
  },
  fileExists: {
    says: 'The file already exists[: {file}].',
    next: 'Choose another name, or remove it first.',
  },
  fileUnreadable: {
    says: 'Cannot read the file[ {file}][ ({cause})][: {why}].',
    next: 'Check the path and its permissions.',
  },
  fileRefused: {
    says: 'Cannot use this file[: {file}][ ({cause})].',
    more: '[{why}]',
    next: 'Choose a regular file that you own, in a directory that exists and that you may write to.',
  },
  stopped: {
    says: 'Stopped by a signal.',
    next: '[`{command}` is read-only: nothing has changed. Run it again.||Tasks that were sent are in the ledger: run `fleetform status`.]',
  },
  outputLost: {
    says: 'Cannot write the output[ ({cause})].',
    more: '[The command itself ended with exit code {exit}.]',
    next: 'Free disk space or choose another file, then run it again.',
  },
  fieldUnknown: {
    says: 'Unknown field[ "{name}"][ in {within}].',
    more: '[Fields of that name: {elsewhere}.][Known fields: {known}.]',
    next: '[Did you mean "{suggestion}"?||Run `fleetform explain` for the sections.]',
  },
  usage: {
    says: '{message=The command line is invalid.}',
    more: '[Known: {known}.]',
    next: '[Did you mean "{suggestion}"?||Run `fleetform {command=COMMAND} --help`.]',
  },
};
