import type { Wishes, WishedException } from '../wishes.ts';
import type { CaseFile, IntentFile, ProcessFile, Sending } from './case-file.ts';
import { afterOurSteps } from './report-rules.ts';
import { fits, memberOf, type Member } from './selecting.ts';
import { isFrozenHard, mayStart } from './windows.ts';

const READ_AGE_MS = 30_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** As the twin has it, whatever it says. */
const TOKEN_LIFE_MS = HOUR;

/** I2, I3, I9, I11, I13, I19: what has to be true just before a POST. */
export function onPost(file: CaseFile, { asked, by }: Sending): void {
  const { attempt } = by;
  const devices = devicesIn(asked.body);
  const named = `${by.id}: POST for ${devices.join(',')}`;
  if (
    !attempt ||
    !isTheSame(
      devices,
      attempt.body.intents.map(({ device }) => device),
    )
  ) {
    file.violate('I2', `${named} without an ATTEMPT for them in the ledger`);
    return;
  }
  attempt.posts += 1;
  if (attempt.posts > 1) file.violate('I3', `${named}: write ${attempt.posts} of one attempt`);
  if (asked.wall > Date.parse(attempt.body.sendBy) + 999)
    file.violate('I13', `${named} after ${attempt.body.sendBy}`);
  onPremises(file, { asked, by });
  for (const { id, device } of attempt.body.intents) {
    const intent = file.intents.get(id);
    if (!intent) continue;
    const read = by.reads.get(device);
    if (!read) file.violate('I19', `${named}: ${device} was never read`);
    else if (asked.at - read.sentAt > READ_AGE_MS + 999)
      file.violate('I9', `${named}: ${device} was read ${asked.at - read.sentAt} ms ago`);
    if (!file.scene.has.has('staleReads')) asBefore(file, by, intent);
    const member = memberIn(file, device);
    if (member) inWindow(file, { wishes: by.wishes, intent, member, at: asked.wall });
  }
}

/** Y8: the token lives on for two minutes; Y6: what is down was told by filters that were honoured, or by all rows. */
function onPremises({ violate }: CaseFile, { asked, by }: Sending): void {
  const age = asked.at - by.tokenAt;
  if (age > TOKEN_LIFE_MS - 2 * MINUTE && !by.isSuspended)
    violate('Y8', `${by.id}: POST with a token of ${age} ms`);
  for (const [filter, { at, strays }] of by.looks)
    if (strays > 0 && by.lastListAt < at)
      violate('Y6', `${by.id}: POST on ${strays} rows that are not ${filter}`);
}

function devicesIn(body: string): readonly string[] {
  const { devices = [] } = JSON.parse(body) as {
    devices?: readonly { deviceId?: string; discoveredDeviceId?: string }[];
  };
  return devices.map(({ deviceId, discoveredDeviceId }) => deviceId ?? discoveredDeviceId ?? '');
}

function isTheSame(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}

/**
 * I9: a device is where its change began when it is read for the last time, and not yet where the
 * change ends.
 */
function asBefore(file: CaseFile, by: ProcessFile, intent: IntentFile): void {
  const { task, device, target } = intent;
  const truth = by.reads.get(device)?.truth;
  const wanted = by.allowed?.get(`${task}/${device}`);
  if (!truth || !wanted) return;
  const { firmwareVersion, changed } = afterOurSteps(file, wanted, by).before;
  const { firmwareVersion: runs, passwordAt } = truth;
  if (task === 'upgradeFirmware' && runs === target)
    file.violate('I9', `${device} ran ${target} when it was read, and gets it all the same`);
  if (task === 'upgradeFirmware' && runs !== firmwareVersion)
    file.violate('I9', `${device} ran ${runs} when it was read, planned from ${firmwareVersion}`);
  if (task === 'rotatePassword' && isMoved(changed, passwordAt))
    file.violate('I9', `${device} had a new password when it was read, planned from ${changed}`);
  if (truth.status === 'maintenance')
    file.violate('I9', `${device} was in maintenance when it was read`);
}

/** The plan names the second, the twin knows the millisecond. */
function isMoved(planned: unknown, at: number): boolean {
  return typeof planned === 'string' && Math.abs(Date.parse(planned) - at) > 1_000;
}

function memberIn({ scene }: CaseFile, id: string): Member | undefined {
  const { world } = scene.twin;
  const device = world.device(id) ?? world.discovered(id)?.device;
  return device && memberOf(world, device);
}

interface Starting {
  readonly wishes: Wishes;
  readonly intent: IntentFile;
  readonly member: Member;
  readonly at: number;
}

/** I11, but for what may pass windows: break glass, and a certificate close to its end. */
function inWindow(file: CaseFile, { wishes, intent, member, at }: Starting): void {
  const [section = '', name = ''] = intent.policy.split('.');
  const sections: Readonly<Record<string, Wishes['firmware']>> = {
    firmware: wishes.firmware,
    rotations: wishes.rotations,
    onboarding: wishes.onboarding,
    restarts: wishes.restarts,
  };
  const policy = sections[section]?.[name];
  if (!policy) return file.violate('I8', `${intent.policy} is in no document of this run`);
  if (isFrozenHard(wishes, member, at))
    return file.violate('I11', `${intent.task}/${intent.device} in a hard freeze`);
  const urgent = Object.values(wishes.exceptions).some((one) => expedites(one, intent, member, at));
  const windows = [policy.windows].flat();
  if (urgent || mayStart(wishes, { windows, member, at })) return;
  if (!isInGuard(file, { wishes, intent, member, at }))
    file.violate(
      'I11',
      `${intent.task}/${intent.device} at ${new Date(at).toISOString()} by ${windows.join()}`,
    );
}

function expedites(
  one: WishedException,
  { task }: IntentFile,
  member: Member,
  at: number,
): boolean {
  if (one.type !== 'expedite' || one.task !== task || at >= Date.parse(one.until)) return false;
  return fits(one.select ?? {}, member);
}

/** A certificate within 72 hours of its end (semantics M26). */
function isInGuard({ scene }: CaseFile, { intent: { task, device }, at }: Starting): boolean {
  const { notAfter } = scene.twin.world.device(device)?.ssl ?? {};
  if (task !== 'rotateSslCertificate' || notAfter === undefined) return false;
  return at >= notAfter - 72 * HOUR;
}
