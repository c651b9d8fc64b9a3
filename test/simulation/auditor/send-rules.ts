import type { Wishes, WishedException } from '../wishes.ts';
import type { CaseFile, DeviceRead, IntentFile, Sending } from './case-file.ts';
import { fits, memberOf, type Member } from './selecting.ts';
import { isFrozenHard, mayStart, nextStart } from './windows.ts';

const READ_AGE_MS = 30_000;
const HOUR = 3_600_000;

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
  for (const { id, device } of attempt.body.intents) {
    const intent = file.intents.get(id);
    if (!intent) continue;
    const read = by.reads.get(device);
    if (!read) file.violate('I19', `${named}: ${device} was never read`);
    else if (asked.at - read.sentAt > READ_AGE_MS + 999)
      file.violate('I9', `${named}: ${device} was read ${asked.at - read.sentAt} ms ago`);
    if (read && !file.scene.has.has('staleReads')) asBefore(file, intent, read);
    const member = memberIn(file, device);
    if (member) inWindow(file, { wishes: by.wishes, intent, member, at: asked.wall });
  }
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

/** I9: a device that shows the target already is not where its change began. */
function asBefore(
  file: CaseFile,
  { task, device, target }: IntentFile,
  { truth }: DeviceRead,
): void {
  if (task === 'upgradeFirmware' && truth?.firmwareVersion === target)
    file.violate('I9', `${device} ran ${target} when it was read, and gets it all the same`);
  if (truth?.status === 'maintenance')
    file.violate('I9', `${device} was in maintenance when it was read`);
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
  if (!expiresBefore(file, { wishes, intent, member, at }, windows))
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

/** A certificate for which no start is left until 72 hours before its end (semantics 4.6). */
function expiresBefore(
  { scene }: CaseFile,
  { wishes, intent: { task, device }, member, at }: Starting,
  windows: readonly string[],
): boolean {
  const { notAfter } = scene.twin.world.device(device)?.ssl ?? {};
  if (task !== 'rotateSslCertificate' || notAfter === undefined) return false;
  return nextStart(wishes, windows, member, { at, end: notAfter - 72 * HOUR }) === undefined;
}
