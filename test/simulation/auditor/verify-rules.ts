import type { Body, CaseFile, DeviceRead, IntentFile, ProcessFile, Written } from './case-file.ts';

/**
 * I16: `verified` after a task means that the device was read once more since the process saw it
 * completed, and that the target was true of it then.
 */
export function onVerified(file: CaseFile, body: Body<'SETTLED'>, { by }: Written): void {
  if (body.verdict !== 'done') return;
  const intent = file.intents.get(body.intentId);
  const attempt = intent?.attempts.at(-1);
  if (!intent || !attempt) return;
  const { task, device, target } = intent;
  const named = `${task}/${device}: done by ${body.by}`;
  const read = by.reads.get(device);
  if (body.by === 'verify') onReadBack(file, { intent, by, named });
  const found = file.scene.twin.world.device(device);
  const began = attempt.at;
  const shows: Readonly<Record<string, () => boolean>> = {
    upgradeFirmware: () =>
      read?.truth?.firmwareVersion === target || found?.firmwareVersion === target,
    rotatePassword: () =>
      (found?.accounts ?? []).every(({ lastChanged }) => lastChanged > began - 120_000),
    rotateSslCertificate: () => (found?.ssl?.notBefore ?? 0) > began - 120_000,
    onboardDevice: () => found !== undefined,
  };
  // Somebody else changed it while the answer was on its way: what that said is not known here.
  const isBlurred = (file.touched.get(device) ?? -Infinity) >= (read?.sentAt ?? 0);
  if (found && !isBlurred && !(shows[task]?.() ?? true))
    file.violate('I16', `${named}, and it does not show it`);
}

interface ReadBack {
  readonly intent: IntentFile;
  readonly by: ProcessFile;
  readonly named: string;
}

function onReadBack({ violate }: CaseFile, { intent, by, named }: ReadBack): void {
  const { task, device, attempts } = intent;
  const read = by.reads.get(device);
  const readAt = Math.max(read?.sentAt ?? 0, by.lastListAt);
  const seen = by.completed.get(`${attempts.at(-1)?.result?.taskId}/${device}`);
  if (seen === undefined) violate('I16', `${named}, never seen completed`);
  else if (readAt < seen) violate('I16', `${named}, not read since it was seen completed`);
  else if (isOld(task, read, { seen, readAt }))
    violate('I16', `${named}, by what the device had shown before it ended`);
}

/**
 * What was read last, by the device's id, had no sign of it since the end of its task: what it shows is from before.
 * Only where the kind asks for such a sign (protocol V2).
 */
function isOld(
  task: string,
  read: DeviceRead | undefined,
  { seen, readAt }: { readonly seen: number; readonly readAt: number },
): boolean {
  if (task !== 'upgradeFirmware' && task !== 'restartDevice') return false;
  const isById = read?.truth !== undefined && read.sentAt === readAt;
  return isById && read.truth.lastSeen <= seen - 2_000;
}
