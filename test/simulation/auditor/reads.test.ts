import { expect, it } from 'vitest';
import { setScene } from '../scene.ts';
import { openCase, type DeviceRead, type ProcessFile } from './case-file.ts';
import { noteAnswer } from './reads.ts';

/** A read of `dev-1`, and a later one of `path` while it is in maintenance: what the process has seen of the device. */
function readTwice(path: string): DeviceRead | undefined {
  const scene = setScene(259);
  const device = scene.twin.world.device('dev-1');
  Object.assign(device ?? {}, { condition: 'well', maintenance: false });
  const [file, reads] = [openCase(scene), new Map<string, DeviceRead>()];
  const by = { reads } as unknown as ProcessFile;
  const asked = { method: 'GET', query: '', body: '', wall: 0 };
  noteAnswer(file, by, { ...asked, path: '/v1/devices/dev-1', at: 1 });
  Object.assign(device ?? {}, { maintenance: true });
  noteAnswer(file, by, { ...asked, path, at: 2 });
  return reads.get('dev-1');
}

it('a read of a device shows how it is, and one of its passwords does not', () => {
  expect(readTwice('/v1/devices/dev-1')).toMatchObject({
    sentAt: 2,
    truth: { status: 'maintenance' },
  });
  expect(readTwice('/v1/devices/dev-1/passwords')).toMatchObject({
    sentAt: 2,
    truth: { status: 'online' },
  });
});
