import { describe, expect, it } from 'vitest';
import { compareVersions } from '../../../src/lib/version-order.ts';

/** Versions as devices and release notes spell them, of one model or platform each, the oldest first. */
const RELEASES: readonly (readonly [vendor: string, releases: readonly string[]])[] = [
  ['Axis', ['5.51.7.6', '6.50', '6.50.5.14', '8.40.4.3', '9.80.3.2', '9.80.47_2', '9.80.55']],
  [
    'Axis Communications',
    ['10.12.236', '10.12.236.1', '11.8.61', '11.11.109', '12.0.91', '12.6.94.1'],
  ],
  ['Axis', ['1.65.4', '1.65.4.1', '1.84.8']],
  ['Axis', ['5.55.1.beta1', '5.55.1-rc.1', '5.55.1', '5.55.1.1']],
  ['Bosch', ['5.93.0025', '6.61.0026', '7.81.0024', '7.88.0026', '9.00.0210', '9.10.0069']],
  [
    'Hanwha Vision',
    [
      '1.30.07_20180607_R198',
      '1.41.03_20220713_R353',
      '2.21.01_20230621_R421',
      '2.22.05_20250116_R442',
    ],
  ],
  ['Hanwha Techwin', ['1.03_151123', '1.12_170705', '2.03_190612']],
  ['Samsung Techwin', ['V1.08_150629', 'V1.12_170705']],
  ['Hikvision', ['V5.4.5_170123', 'V5.4.41_170310', 'V5.5.0_170725', 'V5.7.3_220315']],
  [
    'Hikvision',
    [
      'V5.5.82 build 190909',
      'V5.5.800 build 210628',
      'V5.6.18 build 210428',
      'V5.7.3 build 220112',
    ],
  ],
  ['HIKVISION', ['V5.7.3 build 211115', 'V5.7.3 build 220315', 'V5.7.12 build 220819']],
  ['Hikvision', ['V4.30.085 build 200916', 'V4.61.025 build 220510', 'V4.62.000 build 221206']],
  ['Hikvision', ['V2.2.45 build 210818', 'V2.2.77 build 240515']],
  ['Hikvision', ['V5.5.0build 171123', 'V5.5.0 build 171225']],
  ['ANNKE', ['V5.5.800 build 210628', 'V5.5.801 build 211105']],
  [
    'Dahua',
    [
      '2.212.0000.0.R,build:2013-11-14',
      '2.400.0000000.16.R, Build Date: 2017-08-31',
      '2.460.0001.5.R, Build Date 2017-08-11',
      '2.600.0005.0.R,build:2016-12-19',
      'V2.620.00AC000.3.R, Build Date: 2019-12-18',
      'V2.622.00AC000.0.R, Build Date: 2020-10-22',
      '2.800.0000000.4.R, Build Date 2019-11-05',
      '2.800.0000016.0.R,build:2020-06-05',
      'V2.800.0000018.0.R, Build Date: 2021-07-07',
      'V2.840.0000000.30.R, Build Date: 2025-02-27',
      '2.880.0000000.7.R, Build Date: 2023-10-18',
      '3.140.0000000.10.R,build:2024-01-16',
      '3.140.0000000.13.R,build:2024-01-24',
      '3.200.0000011.1.R,build:2024-06-19',
    ],
  ],
  ['Dahua', ['4.300.0000003.0.R,build:2020-03-11', '4.500.0000000.5.R,build:2020-10-26']],
  ['Dahua', ['2.420.AC00.18.R', '2.622.00AC000.0.R', '2.800.00AC000.0.R', '2.800.00AC006.0.R']],
  [
    'Amcrest',
    ['V2.620.00AC000.3.R, Build Date: 2019-12-18', 'V2.800.00AC006.0.R, Build Date: 2023-10-27'],
  ],
  ['LOREX', ['2.460.0001.5.R, Build Date 2017-08-11', '2.800.00LR000.0.R, Build Date: 2022-11-08']],
  ['Vivotek', ['CC8160-VVTK-0100d', 'CC8160-VVTK-0113b']],
  ['Vivotek', ['FD9387A-VVTK-0101b', 'FD9387A-VVTK-0102a']],
  ['VIVOTEK', ['IP8131-VVTK-0100e6', 'IP8131-VVTK-0100e7', 'IP8131-VVTK-0200a']],
  ['Vivotek', ['PT7135-VVTK-0300b', 'PT7135-VVTK-0400a']],
  ['Vivotek', ['FD9387-VVTK-2.2002.23.01k', 'FD9387-VVTK-2.2002.24.01a']],
  ['Vivotek', ['0120b', '0125a', '0125c', '0130a']],
  [
    'Mobotix',
    ['MX-V3.5.2.23.r3', 'MX-V4.4.2.69', 'MX-V4.7.3.11-r4', 'MX-V5.4.0.49', 'MX-V7.3.1.9'],
  ],
  ['MOBOTIX AG', ['MX-V4.7.3.11-r3', 'MX-V4.7.3.11-r4']],
  ['Milesight', ['45.7.0.79-r1', '45.8.0.3-r7', '45.8.0.3-r9', '45.8.0.4-r1']],
  ['Milesight', ['30.7.0.77', '30.7.0.78', '31.8.0.1']],
  ['Uniview', ['QIPC-B2202.2.0.230111', 'QIPC-B2202.2.1.230111', 'QIPC-B2202.3.6.230807']],
  ['Uniview', ['GIPC-B6203.5.8.230515', 'GIPC-B6203.6.8.240119']],
  ['UNIVIEW', ['IPC_G6103-B0004P22D1904', 'IPC_G6103-B0009P30D1803', 'IPC_G6103-B0011P05D1812']],
  ['Uniview', ['IPC_D1201-B0008P37D1805C03SP03', 'IPC_D1201-B0008P37D1805C03SP04']],
  ['Avigilon', ['2.2.0.36', '2.6.0.176', '4.10.0.60', '4.18.0.36', '4.18.0.54']],
  ['2N', ['2.33.3.46.2', '2.35.1.49.8', '2.40.0.53.4', '2.43.1.56.2']],
  ['Mercury', ['1.29.2.0633', '1.30.3.0684', '1.31.5.0691']],
  ['Mercury Security', ['1.296', '1.302', '1.303']],
  ['HID', ['1.29.1.0630', '1.30.0.0662', '1.30.3.0684']],
  ['LenelS2', ['1.29.1 build 633', '1.29.1 build 655', '1.30.0 build 662']],
  ['LenelS2', ['1.30.0 (build 662)', '1.30.0 (build 684)']],
  ['Suprema', ['V1.10.1_221013', 'V2.1.0_230401']],
  ['Pelco', ['1.9.2.1', '2.5.0.7935', '2.10.0.8280']],
  ['Commend', ['2.4.1', '2.4.1.1', '3.0.2']],
  ['Moxa', ['V3.2 build 18062116', 'V3.2 build 19062116', 'v5.4 Build 22010715']],
  ['Sony', ['1.14.00', '1.82.01', '2.7.0']],
  ['i-PRO', ['1.89', '2.60', '3.55']],
  ['GeoVision', ['v1.12 2016-12-15', 'V3.07 2017-11-02', 'V3.07 2018-01-15']],
  ['Reolink', ['v2.0.0.705_19061407', 'v3.0.0.136_20121120']],
  ['TP-Link', ['1.0.3 Build 220308', '1.0.12 Build 230111']],
  ['ZKTeco', ['Ver 8.0.4.2-20201222', 'Ver 8.0.4.3-20210722']],
  ['Grandstream', ['1.0.11.6', '1.0.15.29']],
  ['Aiphone', ['Ver. 5.10', 'Ver. 6.10']],
];

const PAIRS = RELEASES.flatMap(([vendor, releases]) =>
  releases.flatMap((older, at) =>
    releases.slice(at + 1).map((newer) => [vendor, older, newer] as const),
  ),
);

describe('what vendors write', () => {
  it.each(PAIRS)('of %s: %s is older than %s (semantics F5)', (vendor, older, newer) => {
    expect(compareVersions(vendor, older, newer)).toBe(-1);
    expect(compareVersions(vendor, newer, older)).toBe(1);
  });
});
