import type { AvailableTask, Flaw, Probe, ProductLine } from '../world/state.ts';

/** A product line from which the seeded fleet is drawn. */
export interface Product extends ProductLine {
  readonly deviceType: string;
  /** Its share of a fleet, in parts; the sum need not be 100. */
  readonly weight: number;
  /** The word for it in device names. */
  readonly kind: string;
  /** First digits of its MAC addresses. */
  readonly oui: string;
  readonly accounts: readonly string[];
  readonly monitored: readonly Probe[];
  readonly tasks: readonly AvailableTask[];
}

type Basis = Pick<
  Product,
  'deviceType' | 'kind' | 'accounts' | 'monitored' | 'tasks' | 'waypoints' | 'lifeCycle' | 'flaws'
>;

/** The fields that a product states; the others have defaults by kind. */
type ProductSpec = Omit<Product, keyof Basis> & Partial<Basis>;

export const ALL_TASKS: readonly AvailableTask[] = [
  'hardenDevice',
  'restartDevice',
  'rotate8021xCertificate',
  'rotatePassword',
  'rotateSslCertificate',
  'upgradeFirmware',
];

const COMMON = { waypoints: [], lifeCycle: 'current_product', flaws: [] } as const;

export function camera(spec: ProductSpec): Product {
  return {
    ...COMMON,
    deviceType: 'camera',
    kind: 'cam',
    accounts: ['admin'],
    monitored: ['deviceSource', 'host', 'app'],
    tasks: ALL_TASKS,
    ...spec,
  };
}

export function intercom(written: ProductSpec): Product {
  return { ...camera(written), deviceType: 'intercom', kind: 'intercom', ...written };
}

export function accessPanel(written: ProductSpec): Product {
  return {
    ...COMMON,
    deviceType: 'access control panel',
    kind: 'panel',
    accounts: ['admin', 'installer'],
    monitored: ['deviceSource', 'host'],
    tasks: ['restartDevice', 'rotatePassword', 'upgradeFirmware'],
    ...written,
  };
}

export function otherProduct(written: ProductSpec): Product {
  return {
    ...COMMON,
    deviceType: 'other',
    kind: 'unit',
    accounts: [],
    monitored: ['host', 'edge'],
    tasks: ['restartDevice'],
    ...written,
  };
}

/**
 * A vulnerability in short form: number, severity, [first fixed version, when reported,
 * description].
 */
export function flaw(
  cveId: string,
  severity: Flaw['severity'],
  [fixedIn, reportDate, description]: readonly [string, string, string],
): Flaw {
  return { cveId, severity, fixedIn, reportDate, description };
}
