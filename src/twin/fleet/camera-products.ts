import { camera, flaw, type Product } from './product.ts';

/**
 * Cameras as they hang in the field: real vendors, models and version spellings; the flaws are
 * invented.
 */
export const CAMERA_PRODUCTS: readonly Product[] = [
  camera({
    vendor: 'Axis',
    models: ['P3265-LV', 'P3265-V', 'P3265-LVE'],
    weight: 9,
    oui: 'B8:A4:4F',
    accounts: ['root'],
    releases: ['10.9.4', '10.12.182', '10.12.236', '11.5.64', '11.8.61', '11.10.61', '11.11.73']
      .concat(['11.11.124', '11.11.160']),
    approved: ['10.12.236', '11.11.124', '11.11.160'],
    waypoints: ['10.12.236'],
    flaws: [
      flaw('CVE-2025-91101', 'high', ['11.8.61', '2025-03-11', 'Overflow in the event service']),
      flaw('CVE-2026-91102', 'medium', ['11.11.73', '2026-02-10', 'Stored script in overlays']),
    ],
  }),
  camera({
    vendor: 'Axis',
    models: ['P3245-V', 'P3245-LVE', 'M3065-V'],
    weight: 6,
    oui: 'AC:CC:8E',
    accounts: ['root'],
    releases: ['9.80.3.2', '9.80.55', '10.12.182', '10.12.236', '11.11.124', '11.11.160'],
    approved: ['10.12.236', '11.11.124', '11.11.160'],
    waypoints: ['10.12.236'],
    lifeCycle: 'eol',
    replacement: 'P3265-V',
    eosDate: '2029-06-30T23:59:59Z',
    flaws: [
      flaw('CVE-2024-91103', 'critical', ['10.12.182', '2024-11-26', 'Login can be bypassed']),
      flaw('CVE-2025-91101', 'high', ['11.11.124', '2025-03-11', 'Overflow in the event service']),
    ],
  }),
  camera({
    vendor: 'Axis',
    models: ['Q6135-LE', 'Q1656'],
    weight: 4,
    oui: 'B8:A4:4F',
    accounts: ['root'],
    releases: ['11.5.64', '11.8.61', '11.11.124', '12.2.52', '12.4.59'],
    approved: ['12.2.52', '12.4.59'],
  }),
  camera({
    vendor: 'Hikvision',
    models: ['DS-2CD2143G2-I', 'DS-2CD2T47G2-L', 'DS-2DE4425IW-DE'],
    weight: 13,
    oui: '44:19:B6',
    releases: ['V5.5.83 build 190221', 'V5.6.5 build 200316', 'V5.7.3 build 220315']
      .concat(['V5.7.15 build 230313', 'V5.7.18 build 240826']),
    approved: ['V5.7.18 build 240826'],
    flaws: [
      flaw('CVE-2024-91201', 'critical', [
        'V5.7.3 build 220315',
        '2024-09-19',
        'Commands can be injected through the web server',
      ]),
    ],
  }),
  camera({
    vendor: 'Hikvision',
    models: ['DS-2CD2032-I'],
    weight: 2,
    oui: '44:19:B6',
    releases: ['V5.4.5 build 170124', 'V5.4.800 build 210813'],
    approved: [],
    lifeCycle: 'eos',
    eosDate: '2024-01-31T23:59:59Z',
    replacement: 'DS-2CD2143G2-I',
    tasks: ['restartDevice', 'rotatePassword'],
    flaws: [
      flaw('CVE-2025-91202', 'critical', [
        'V5.4.800 build 210813',
        '2025-01-07',
        'A backdoor account answers',
      ]),
    ],
  }),
  camera({
    vendor: 'Dahua',
    models: ['IPC-HDBW2431E-S', 'IPC-HFW5442E-ZE'],
    weight: 10,
    oui: '3C:EF:8C',
    releases: ['2.622.00AC000.0.R', '2.800.0000000.25.R', '2.820.0000000.48.R'],
    approved: ['2.820.0000000.48.R'],
    flaws: [
      flaw('CVE-2025-91301', 'high', ['2.800.0000000.25.R', '2025-06-03', 'Replayed logins']),
    ],
  }),
  camera({
    vendor: 'Bosch',
    models: ['NDE-3502-AL', 'NBE-5503-AL', 'NDP-5512-Z30'],
    weight: 10,
    oui: '00:07:5F',
    accounts: ['service', 'user', 'live'],
    releases: ['7.81.0024', '8.48.0017', '8.90.0037', '9.10.0069'],
    approved: ['8.90.0037', '9.10.0069'],
    waypoints: ['8.48.0017'],
  }),
  camera({
    vendor: 'Hanwha Vision',
    monitored: ['agent', 'deviceSource', 'host', 'app'],
    models: ['XNV-8083R', 'QNV-8080R', 'PNM-9085RQZ1'],
    weight: 10,
    oui: '00:09:18',
    releases: ['1.41.03_20220713_R353', '2.21.01_20230621_R421', '2.22.05_20250116_R442'],
    approved: ['2.22.05_20250116_R442'],
  }),
  camera({
    vendor: 'Mobotix',
    models: ['M73', 'S74'],
    weight: 4,
    oui: '00:03:C5',
    releases: ['MX-V7.3.1.9', 'MX-V7.4.0.27', 'MX-V7.4.2.10'],
    approved: ['MX-V7.4.2.10'],
  }),
  camera({
    vendor: 'Avigilon',
    models: ['4.0C-H6A-DO1-IR', '8.0C-H5A-BO1-IR'],
    weight: 5,
    oui: '00:18:85',
    releases: ['4.18.0.44', '4.36.0.22', '4.62.0.40'],
    approved: ['4.62.0.40'],
  }),
  camera({
    vendor: 'Vivotek',
    models: ['FD9389-EHTV-v2'],
    weight: 3,
    oui: '00:02:D1',
    accounts: ['root'],
    releases: ['0120b', '0125c', '0130a'],
    approved: ['0130a'],
  }),
  camera({
    vendor: 'Pelco',
    models: ['IMP1110-1IRS'],
    weight: 2,
    oui: '00:04:7D',
    releases: ['2.15.0.7.6930', '2.21.0.7.7103'],
    approved: ['2.21.0.7.7103'],
    lifeCycle: 'unknown',
  }),
];
