import { describe, expect, it } from 'vitest';
import { foldUnrotated } from '../../../src/adopt/pick-rotations.ts';
import { adoptNoticeWords } from '../../../src/render/words/documents/import-words.ts';
import { adoptAndPlan } from '../../support/adopted.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';

const TYPES = ['camera', 'camera', 'intercom', 'other', 'panel', 'speaker'];

describe('credentials without a policy', () => {
  it('are one finding for a cause, whatever the number of types and credentials', async () => {
    const available = { rotatePassword: true, rotateSslCertificate: true };
    const devices = TYPES.map((deviceType, index) =>
      aDevice(`dev-${index}`, { deviceType, available }),
    );
    const { adopted } = await adoptAndPlan(aSnapshot(devices), {});
    const found = adopted.notices.filter(({ code }) => code === 'noRotation');
    expect(found.map((notice) => adoptNoticeWords(notice, 'fleet'))).toEqual([
      {
        says: 'No policy for the certificates of 6 devices ("camera", "intercom", "other", "panel", 1 more type) and the passwords of 6 devices ("camera", "intercom", "other", "panel", 1 more type): no site of these devices has a time zone.',
        next: 'Give the sites a time zone, then run `fleetform import` again to see the policies.',
      },
    ]);
  });

  it('names each cause of a device that is left out, with its count', () => {
    const lacks = { zone: 2, task: 3, reading: 1 };
    const notice = {
      code: 'dueSoon',
      policy: 'rotations.doors',
      devices: 11,
      undated: 4,
      lacks,
    } as const;
    expect(adoptNoticeWords(notice, 'fleet')).toEqual({
      says: '11 devices left out of rotations.doors: 1 due within a week or overdue, 4 without a date, 2 at a site without a time zone, 3 without this task in the service, 1 with a field that fleetform cannot read.',
      next: 'Give their sites a time zone. Remove its `not` to plan their rotation.',
    });
    expect(adoptNoticeWords({ ...notice, lacks: { ...lacks, zone: 0 } }, 'fleet').next).toBe(
      'Remove its `not` to plan their rotation.',
    );
  });

  it('are told apart by their cause, with the number of their dates', () => {
    const what = 'passwords';
    const notices = foldUnrotated([
      { what, why: 'due', deviceType: 'camera', devices: 10, dated: 9 },
      { what, why: 'undated', deviceType: 'panel', devices: 4, dated: 1 },
      { what, why: 'due', deviceType: 'intercom', devices: 20, dated: 18 },
    ]);
    expect(notices.map((notice) => adoptNoticeWords(notice, 'fleet').says)).toEqual([
      'No policy for the passwords of 30 devices, 27 with dates ("intercom", "camera"): most of the dates are due.',
      'No policy for the passwords of 4 devices, 1 with dates ("panel"): too few have dates.',
    ]);
  });
});
