import type { Body, CaseFile, Written } from './case-file.ts';

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
  const readAt = Math.max(read?.sentAt ?? 0, by.lastListAt);
  if (body.by === 'verify') {
    const seen = by.completed.get(`${attempt.result?.taskId}/${device}`);
    if (seen === undefined) file.violate('I16', `${named}, never seen completed`);
    else if (readAt < seen) file.violate('I16', `${named}, not read since it was seen completed`);
  }
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
  if (found && !(shows[task]?.() ?? true)) file.violate('I16', `${named}, and it does not show it`);
}
