// Generated from schemas/service.openapi.yaml by test/tools/generate.mjs. Do not edit.
export interface paths {
    readonly "/v1/auth/{organization}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Issue an access token, valid for one hour by default.
         * @description Basic authentication with client_id as the user name and client_secret as the password.
         */
        readonly post: operations["createToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Managed devices. Filters combine with AND; `total` counts the filtered set. */
        readonly get: operations["listDevices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One device. */
        readonly get: operations["getDevice"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices/{id}/vulnerabilities": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The known vulnerabilities of a device. */
        readonly get: operations["listVulnerabilities"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices/{id}/passwords": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Metadata of the users of a device; never a password. */
        readonly get: operations["listPasswords"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices/{id}/certificates": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The SSL and 802.1X certificates of a device, each with the certificate itself. */
        readonly get: operations["listCertificates"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/devices/{id}/targetFirmware": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The approved versions that a device can be upgraded to. */
        readonly get: operations["listTargetFirmware"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/firmwarePaths": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** All upgrade paths defined in the system. Needs Admin. */
        readonly get: operations["listFirmwarePaths"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Sites. */
        readonly get: operations["listSites"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/sites/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One site. */
        readonly get: operations["getSite"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/deviceSources": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Integrations from which devices are reported. */
        readonly get: operations["listDeviceSources"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/deviceSources/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** One device source. */
        readonly get: operations["getDeviceSource"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/discoveredDevices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Devices discovered but not managed. */
        readonly get: operations["listDiscoveredDevices"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/tasks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Execute a task on one or more devices. Needs Admin or Operator.
         * @description Asynchronous, not idempotent and not to be taken back: no key, no list of tasks, no cancel. Admin or Operator permission is enabled per account on request to the provider. Read `availableTask.<task>` of each device first; a device that does not support the task should not be targeted.
         */
        readonly post: operations["createTask"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/v1/tasks/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The device tasks of a task. A task is done once every device task is completed. */
        readonly get: operations["getTask"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: date-time
         * @description ISO 8601, in UTC with Z.
         */
        readonly Timestamp: string;
        /**
         * @description A boolean in a query; 1 and 0 stand for true and false.
         * @enum {unknown}
         */
        readonly BooleanFilter: true | false | 1 | 0;
        /**
         * @description Connectivity. Partial means that some, but not all, probes report.
         * @enum {string}
         */
        readonly Status: "online" | "offline" | "partial" | "unknown";
        /** @enum {string} */
        readonly ProbeStatus: "up" | "down" | "unknown" | "unmonitored";
        /**
         * @description End of life (eol) is no longer sold; end of support (eos) gets no firmware, patches or support.
         * @enum {string}
         */
        readonly LifeCycleStatus: "current_product" | "eol" | "eos" | "unknown";
        /** @enum {string} */
        readonly OnboardingStatus: "readyToOnboard" | "enrichmentRequired" | "archived";
        /** @enum {string} */
        readonly RecordingStatus: "recording" | "notRecording" | "unknown";
        /** @enum {string} */
        readonly Severity: "critical" | "high" | "medium" | "low";
        /** @enum {string} */
        readonly CertificateStatus: "compliant" | "nonCompliant";
        readonly TaskType: "restartDevice" | "onboardDevice" | "rotatePassword" | "rotateSslCertificate" | "upgradeFirmware";
        /**
         * @description Says whether a device task finished.
         * @enum {string}
         */
        readonly DeviceTaskStatus: "pending" | "running" | "completed";
        /**
         * @description Says how a device task finished.
         * @enum {string}
         */
        readonly DeviceTaskResult: "succeeded" | "failed" | "rolledBack" | "aborted";
        readonly Error: {
            /** @description A short code. */
            readonly error?: string;
            /** @description A sentence. */
            readonly message?: string;
        };
        readonly Token: {
            readonly access_token?: string;
            /** @constant */
            readonly token_type?: "Bearer";
            /**
             * @description Life in seconds.
             * @default 3600
             */
            readonly expires_in: number;
            /** @description Not issued by default; on request to the provider. */
            readonly refresh_token?: string;
        };
        readonly SiteRef: {
            readonly id?: number;
            readonly name?: string;
        };
        readonly DeviceSourceRef: {
            readonly id?: number;
            readonly name?: string;
            readonly type?: string;
        };
        /** @description Some fields apply only to devices with specific capabilities. */
        readonly Device: {
            /** @description Generated by the service. */
            readonly id?: string;
            /** @description As shown in the management system. */
            readonly name?: string;
            readonly vendor?: string;
            readonly model?: string;
            /** @description The version that the device currently runs. */
            readonly firmwareVersion?: string;
            /**
             * @description Kind of device.
             * @example camera
             * @example access control panel
             * @example intercom
             * @example other
             */
            readonly deviceType?: string;
            readonly compliance?: components["schemas"]["Compliance"];
            readonly network?: {
                readonly host?: string;
                readonly ipAddress?: string;
                readonly macAddress?: string;
            };
            readonly status?: components["schemas"]["Status"];
            /**
             * Format: date-time
             * @description Last time the device was online or partial; refreshed about once a minute.
             */
            readonly lastSeen?: string;
            readonly probe?: {
                readonly agent?: components["schemas"]["ProbeStatus"];
                /** @description The management server probe. */
                readonly deviceSource?: components["schemas"]["ProbeStatus"];
                readonly edge?: components["schemas"]["ProbeStatus"];
                readonly host?: components["schemas"]["ProbeStatus"];
                readonly app?: components["schemas"]["ProbeStatus"];
            };
            /** @description Discovery source and integration methods of the device. */
            readonly deviceSources?: readonly components["schemas"]["DeviceSourceRef"][];
            /** @description Site or geolocation that the device is connected to. */
            readonly sites?: readonly components["schemas"]["SiteRef"][];
            /** @description True means that the task can be executed on the device. */
            readonly availableTask?: {
                readonly hardenDevice?: boolean;
                readonly restartDevice?: boolean;
                readonly rotate8021xCertificate?: boolean;
                readonly rotatePassword?: boolean;
                readonly rotateSslCertificate?: boolean;
                readonly upgradeFirmware?: boolean;
            };
            /** Format: date-time */
            readonly onboardingDate?: string;
            /** @description True when the device is under planned work. */
            readonly maintenanceMode?: boolean;
            /** Format: date-time */
            readonly lastHardened?: string;
            readonly recordingStatus?: components["schemas"]["RecordingStatus"];
            readonly storageServer?: string;
            readonly patchedFirmwareVersion?: string;
            readonly orphaned?: boolean;
        };
        readonly Compliance: {
            readonly lifecycle?: {
                readonly status?: components["schemas"]["LifeCycleStatus"];
                /** Format: date-time */
                readonly eosDate?: string;
            };
            readonly vulnerabilitySeverity?: components["schemas"]["Severity"];
            readonly suggestedFirmwareVersion?: string;
            readonly suggestedReplacementModel?: string;
            /** Format: date-time */
            readonly passwordExpiry?: string;
            /** Format: date-time */
            readonly sslCertificateExpiry?: string;
            readonly sslCertificateStatus?: components["schemas"]["CertificateStatus"];
            /** Format: date-time */
            readonly dot1xCertificateExpiry?: string;
            readonly dot1xCertificateStatus?: components["schemas"]["CertificateStatus"];
        };
        readonly DeviceList: {
            readonly devices?: readonly components["schemas"]["Device"][];
            readonly total?: number;
        };
        readonly Vulnerability: {
            /** @description CVE identifier, if available. */
            readonly cveId?: string;
            readonly description?: string;
            /** @description Date on which it was reported. */
            readonly reportDate?: string;
            readonly severity?: components["schemas"]["Severity"];
            /** @description Link to the report. */
            readonly reportLink?: string;
        };
        readonly VulnerabilityList: {
            readonly vulnerabilities?: readonly components["schemas"]["Vulnerability"][];
            readonly total?: number;
        };
        readonly Password: {
            readonly userName?: string;
            /** Format: date-time */
            readonly lastChanged?: string;
            /** Format: date-time */
            readonly expiry?: string;
        };
        readonly PasswordList: {
            readonly passwords?: readonly components["schemas"]["Password"][];
        };
        readonly Certificate: {
            /** @enum {string} */
            readonly type?: "ssl" | "802.1x";
            /** @description The certificate itself. */
            readonly certificate?: string;
            /** Format: date-time */
            readonly notBefore?: string;
            /** Format: date-time */
            readonly notAfter?: string;
        };
        readonly CertificateList: {
            readonly certificates?: readonly components["schemas"]["Certificate"][];
            readonly total?: number;
        };
        readonly TargetFirmware: {
            readonly version?: string;
            /** @description Versions on the way to it, itself last. */
            readonly path?: readonly string[];
        };
        readonly TargetFirmwareList: {
            readonly targetFirmware?: readonly components["schemas"]["TargetFirmware"][];
            readonly total?: number;
        };
        readonly FirmwarePath: {
            readonly vendor?: string;
            readonly model?: string;
            /** @description The version now. */
            readonly from?: string;
            /** @description The version in the end. */
            readonly to?: string;
            /** @description Versions on the way, the last being `to`. */
            readonly path?: readonly string[];
        };
        readonly FirmwarePathList: {
            readonly firmwarePaths?: readonly components["schemas"]["FirmwarePath"][];
            readonly total?: number;
        };
        readonly Site: {
            readonly id?: number;
            /** @description Given by the user. */
            readonly name?: string;
            /** @description Purpose or significance of the site. */
            readonly description?: string;
            readonly coordinates?: {
                readonly latitude?: number;
                readonly longitude?: number;
            };
            readonly status?: components["schemas"]["Status"];
        };
        readonly SiteList: {
            readonly sites?: readonly components["schemas"]["Site"][];
            readonly total?: number;
        };
        readonly DeviceSource: {
            readonly id?: number;
            /** @description Given by the user. */
            readonly name?: string;
            /** @description Integration or system type; internal denotes CSV-based sources. */
            readonly type?: string;
            /** @description Opaque; each type has its own version schema. */
            readonly version?: string;
        };
        readonly DeviceSourceList: {
            readonly deviceSources?: readonly components["schemas"]["DeviceSource"][];
            readonly total?: number;
        };
        readonly DiscoveredDevice: {
            readonly id?: string;
            readonly name?: string;
            readonly serialNumber?: string;
            readonly vendor?: string;
            readonly model?: string;
            readonly deviceType?: string;
            readonly onboardingStatus?: components["schemas"]["OnboardingStatus"];
            /** Format: date-time */
            readonly discoveredAt?: string;
            readonly deviceSource?: components["schemas"]["DeviceSourceRef"];
            readonly site?: components["schemas"]["SiteRef"];
        };
        readonly DiscoveredDeviceList: {
            readonly discoveredDevices?: readonly components["schemas"]["DiscoveredDevice"][];
            readonly total?: number;
        };
        readonly Payload: {
            /** @description For upgradeFirmware, an approved version. */
            readonly targetVersion?: string;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description Names one device; an entry without an id is refused. */
        readonly TaskDevice: components["schemas"]["ManagedTaskDevice"] | components["schemas"]["DiscoveredTaskDevice"];
        readonly ManagedTaskDevice: {
            /** @description A managed device; for every type but onboardDevice. */
            readonly deviceId: string;
            readonly payload?: components["schemas"]["Payload"] | null;
        };
        readonly DiscoveredTaskDevice: {
            /** @description A discovered device; for onboardDevice. */
            readonly discoveredDeviceId: string;
            readonly payload?: components["schemas"]["Payload"] | null;
        };
        readonly TaskRequest: {
            readonly taskType: components["schemas"]["TaskType"];
            readonly devices: readonly components["schemas"]["TaskDevice"][];
            /** @description For every device that has no payload of its own. restartDevice and onboardDevice need none: it may be absent, empty or null. */
            readonly defaultPayload?: components["schemas"]["Payload"] | null;
        };
        readonly TaskCreated: {
            readonly taskId?: string;
        };
        readonly Step: {
            readonly name?: string;
            readonly status?: string;
            readonly message?: string;
            /** Format: date-time */
            readonly startDate?: string;
            /** Format: date-time */
            readonly endDate?: string;
        };
        readonly DeviceTask: {
            /** Format: date-time */
            readonly createDate?: string;
            /**
             * @example runPending
             * @example runInProgress
             * @example runSucceeded
             * @example runFailed
             * @example runSkipped
             */
            readonly currentStepStatus?: string;
            /** @description Host of the device. */
            readonly deviceHost?: string;
            readonly deviceId?: string;
            readonly deviceModel?: string;
            readonly deviceName?: string;
            readonly deviceTaskId?: string;
            /** @description Null until the device task completes. */
            readonly result?: components["schemas"]["DeviceTaskResult"] | null;
            readonly status?: components["schemas"]["DeviceTaskStatus"];
            readonly taskId?: string;
            readonly taskType?: components["schemas"]["TaskType"];
            /** @description With includeSteps only. */
            readonly steps?: readonly components["schemas"]["Step"][];
        };
        readonly Task: {
            /** @description Who executed the task. */
            readonly userName?: string;
            readonly deviceTasks?: readonly components["schemas"]["DeviceTask"][];
            /** @description Device tasks that match. */
            readonly total?: number;
        };
    };
    responses: {
        /** @description A parameter or the body is invalid. */
        readonly Invalid: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No token, an expired one or a wrong one; at the token endpoint, wrong credentials. */
        readonly Unauthorized: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The user's permission level does not allow this. */
        readonly Forbidden: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Does not exist, or the user has no access. */
        readonly NotFound: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the service takes. */
        readonly TooLarge: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Over a rate limit. */
        readonly TooMany: {
            headers: {
                /** @description Seconds to wait; may be absent. */
                readonly "Retry-After"?: number;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed. */
        readonly Broken: {
            headers: {
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Identifier. */
        readonly id: string;
        /** @description Items on a page. */
        readonly limit: number;
        /** @description Items to skip. */
        readonly offset: number;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly createToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The tenant. */
                readonly organization: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": {
                    /** @enum {string} */
                    readonly grant_type?: "client_credentials" | "refresh_token";
                    readonly refresh_token?: string;
                };
            };
        };
        readonly responses: {
            /** @description The token. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Token"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listDevices: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Connectivity. */
                readonly status?: components["schemas"]["Status"];
                /** @description Status of the agent probe. */
                readonly "probe.agent"?: components["schemas"]["ProbeStatus"];
                /** @description Status of the management server probe. */
                readonly "probe.deviceSource"?: components["schemas"]["ProbeStatus"];
                /** @description Status of the edge probe. */
                readonly "probe.edge"?: components["schemas"]["ProbeStatus"];
                /** @description Status of the host probe. */
                readonly "probe.host"?: components["schemas"]["ProbeStatus"];
                /** @description Status of the app probe. */
                readonly "probe.app"?: components["schemas"]["ProbeStatus"];
                /** @description Firmware version is vulnerable. */
                readonly isFirmwareVulnerable?: components["schemas"]["BooleanFilter"];
                /** @description Current firmware is the latest available, as far as the management system supports it. */
                readonly isFirmwareLatest?: components["schemas"]["BooleanFilter"];
                /** @description A newer firmware is available. */
                readonly isFirmwareUpgradeAvailable?: components["schemas"]["BooleanFilter"];
                /** @description End-of-support status. */
                readonly lifeCycleStatus?: components["schemas"]["LifeCycleStatus"];
                readonly "availableTask.hardenDevice"?: components["schemas"]["BooleanFilter"];
                readonly "availableTask.restartDevice"?: components["schemas"]["BooleanFilter"];
                readonly "availableTask.rotate8021xCertificate"?: components["schemas"]["BooleanFilter"];
                readonly "availableTask.rotatePassword"?: components["schemas"]["BooleanFilter"];
                /** @description A second spelling of availableTask.rotatePassword. */
                readonly "availableTask.passwordRotation"?: components["schemas"]["BooleanFilter"];
                readonly "availableTask.rotateSslCertificate"?: components["schemas"]["BooleanFilter"];
                /** @description A second spelling of availableTask.rotateSslCertificate. */
                readonly "availableTask.rotateSSLCertificate"?: components["schemas"]["BooleanFilter"];
                readonly "availableTask.upgradeFirmware"?: components["schemas"]["BooleanFilter"];
                readonly onboardingDateBefore?: components["schemas"]["Timestamp"];
                readonly onboardingDateAfter?: components["schemas"]["Timestamp"];
                readonly maintenanceMode?: components["schemas"]["BooleanFilter"];
                readonly lastHardenedBefore?: components["schemas"]["Timestamp"];
                readonly lastHardenedAfter?: components["schemas"]["Timestamp"];
                readonly recordingStatus?: components["schemas"]["RecordingStatus"];
                readonly storageServer?: string;
                readonly patchedFirmwareVersion?: string;
                readonly orphaned?: components["schemas"]["BooleanFilter"];
                readonly vulnerabilitySeverity?: components["schemas"]["Severity"];
                readonly suggestedFirmwareVersion?: string;
                readonly suggestedReplacementModel?: string;
                readonly passwordExpiryBefore?: components["schemas"]["Timestamp"];
                readonly passwordExpiryAfter?: components["schemas"]["Timestamp"];
                readonly sslCertificateExpiryBefore?: components["schemas"]["Timestamp"];
                readonly sslCertificateExpiryAfter?: components["schemas"]["Timestamp"];
                readonly sslCertificateStatus?: components["schemas"]["CertificateStatus"];
                readonly dot1xCertificateExpiryBefore?: components["schemas"]["Timestamp"];
                readonly dot1xCertificateExpiryAfter?: components["schemas"]["Timestamp"];
                readonly dot1xCertificateStatus?: components["schemas"]["CertificateStatus"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of devices. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeviceList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly getDevice: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The device. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Device"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listVulnerabilities: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The vulnerabilities. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VulnerabilityList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listPasswords: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The metadata. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasswordList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listCertificates: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The certificates. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CertificateList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listTargetFirmware: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The approved versions. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TargetFirmwareList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listFirmwarePaths: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of paths. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FirmwarePathList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listSites: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Name of the site. */
                readonly name?: string;
                /** @description Connectivity of the site. */
                readonly status?: components["schemas"]["Status"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of sites. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SiteList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly getSite: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The site. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Site"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listDeviceSources: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Name of the device source. */
                readonly name?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of device sources. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeviceSourceList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly getDeviceSource: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The device source. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DeviceSource"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly listDiscoveredDevices: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Device source the device was discovered from. */
                readonly "deviceSources.id"?: number;
                readonly deviceType?: string;
                readonly vendor?: string;
                readonly onboardingStatus?: components["schemas"]["OnboardingStatus"];
                readonly discoveredAfter?: components["schemas"]["Timestamp"];
                readonly discoveredBefore?: components["schemas"]["Timestamp"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of discovered devices. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DiscoveredDeviceList"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly createTask: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TaskRequest"];
            };
        };
        readonly responses: {
            /** @description The task exists. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TaskCreated"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 404: components["responses"]["NotFound"];
            readonly 413: components["responses"]["TooLarge"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
    readonly getTask: {
        readonly parameters: {
            readonly query?: {
                /** @description Items on a page. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Items to skip. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Adds the steps of each device task. Request them only to investigate a failed device task. */
                readonly includeSteps?: components["schemas"]["BooleanFilter"];
                readonly status?: components["schemas"]["DeviceTaskStatus"];
                readonly result?: components["schemas"]["DeviceTaskResult"];
            };
            readonly header?: never;
            readonly path: {
                /** @description Identifier. */
                readonly id: components["parameters"]["id"];
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description One page of device tasks. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Task"];
                };
            };
            readonly 400: components["responses"]["Invalid"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 404: components["responses"]["NotFound"];
            readonly 429: components["responses"]["TooMany"];
            readonly 500: components["responses"]["Broken"];
        };
    };
}
