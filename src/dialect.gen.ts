// Generated from schemas/dialect.json by test/tools/generate.mjs. Do not edit.
export type DialectValue =
    | string
    | number
    | boolean
    | null
    | readonly DialectValue[]
    | { readonly [name: string]: DialectValue };

/** A dialect with a value for every key. */
export interface Dialect {
    /** Path of the token endpoint. */
    readonly tokenPath: string;
    /** Body of the request for a token; without members, no body is sent. A secret in it is `{fromEnv: NAME}`. */
    readonly tokenBody: { readonly [name: string]: DialectValue };
    /** Token in the response of the token endpoint. */
    readonly tokenField: string;
    /** Life of a token, in seconds. */
    readonly tokenLifetimeField: string;
    /** Whether a number is a date: `seconds` or `milliseconds` since 1970, whichever its size shows, or with `iso` no date. ISO 8601 is always accepted. */
    readonly dateForm: 'iso' | 'seconds' | 'milliseconds';
    /** How a date in a filter is sent: as ISO 8601 in UTC, or as `seconds` or `milliseconds` since 1970. You write it as RFC 3339, or as a day that begins in UTC. */
    readonly filterDateForm: 'iso' | 'seconds' | 'milliseconds';
    /** Maximum number of devices in one task. */
    readonly maxDevicesPerTask: number;
    /** ID of a device in an entry of a task. */
    readonly taskDeviceField: string;
    /** How a task names the ID of a device: as `text`, or as a `number`. */
    readonly taskDeviceType: 'text' | 'number';
    /** ID of a discovered device in an entry of onboardDevice. */
    readonly onboardDeviceField: string;
    /** How onboardDevice names the ID of a discovered device: as `text`, or as a `number`. */
    readonly onboardDeviceType: 'text' | 'number';
    /** A second member that an entry of onboardDevice must have. */
    readonly onboardSecondField: string;
    /** Where a discovered device shows the value of `onboardSecondField`. */
    readonly onboardSecondSource: string;
    /** Where payloads may be: `either` once for all devices or for each, or always in each `device`. */
    readonly payloadPlace: 'either' | 'device';
    /** Version in the payload of upgradeFirmware. */
    readonly upgradeVersionField: string;
    /** Further members of the payload of upgradeFirmware. */
    readonly upgradeMembers: { readonly [name: string]: DialectValue };
    /** ID after onboarding: `same` as the discovered one, or `unknown` until the device task shows it. */
    readonly onboardedId: 'same' | 'unknown';
    /** Where a completed device task shows the new ID of an onboarded device; used only if `onboardedId` is `unknown`. */
    readonly onboardedIdField: string;
    /** The sites of a device. */
    readonly deviceSitesField: string;
    /** Whether `deviceSitesField` is a `list`, or `one` site alone. A single object is accepted either way. */
    readonly deviceSitesForm: 'list' | 'one';
    /** ID in an entry of a device's sites. */
    readonly siteIdField: string;
    /** Name in an entry of a device's sites. */
    readonly siteNameField: string;
    /** The sources of a device. */
    readonly deviceSourcesField: string;
    /** Whether `deviceSourcesField` is a `list`, or `one` source alone. A single object is accepted either way. */
    readonly deviceSourcesForm: 'list' | 'one';
    /** ID in an entry of a device's sources. */
    readonly sourceIdField: string;
    /** Name in an entry of a device's sources. */
    readonly sourceNameField: string;
    /** When a device was onboarded. */
    readonly onboardingDateField: string;
    /** When a device was last hardened. */
    readonly lastHardenedField: string;
    /** Whether a camera records. */
    readonly recordingStatusField: string;
    /** Name of the recorder of a camera. */
    readonly storageServerField: string;
    /** Version that fixes the known vulnerabilities. */
    readonly patchedFirmwareVersionField: string;
    /** Whether no source reports the device any longer. */
    readonly orphanedField: string;
    /** Highest severity of the known vulnerabilities. */
    readonly vulnerabilitySeverityField: string;
    /** Version that the service suggests. */
    readonly suggestedFirmwareVersionField: string;
    /** Replacement model that the service suggests. */
    readonly suggestedReplacementModelField: string;
    /** When the password of a device expires. */
    readonly passwordExpiryField: string;
    /** When the password last changed, if the device itself shows it. */
    readonly passwordLastChangedField: string;
    /** When the SSL certificate expires. */
    readonly sslCertificateExpiryField: string;
    /** Compliance of the SSL certificate. */
    readonly sslCertificateStatusField: string;
    /** When the 802.1X certificate expires. */
    readonly dot1xCertificateExpiryField: string;
    /** Compliance of the 802.1X certificate. */
    readonly dot1xCertificateStatusField: string;
    /** End-of-support status of a device. */
    readonly lifeCycleField: string;
    /** When the support of a device ends. */
    readonly supportEndField: string;
    /** Last change in an entry of passwords. */
    readonly passwordEntryChangedField: string;
    /** Expiry in an entry of passwords. */
    readonly passwordEntryExpiryField: string;
    /** User in an entry of passwords. */
    readonly passwordEntryUserField: string;
    /** Type in an entry of certificates. */
    readonly certificateTypeField: string;
    /** Value of the type for an SSL certificate. */
    readonly certificateTypeSsl: string;
    /** The certificate itself. */
    readonly certificateField: string;
    /** Whether `certificateField` is `pem`, or `der` in base64. Both are accepted. */
    readonly certificateForm: 'pem' | 'der';
    /** Start of validity, if the certificate itself does not show it. */
    readonly certificateNotBeforeField: string;
    /** End of validity, if the certificate itself does not show it. */
    readonly certificateNotAfterField: string;
    /** List in the response of vulnerabilities. */
    readonly vulnerabilitiesListField: string;
    /** List in the response of targetFirmware. */
    readonly targetFirmwareListField: string;
    /** Whether `targetFirmwareListField` is a `list`, or `one` target alone. A single object is accepted either way. */
    readonly targetFirmwareForm: 'list' | 'one';
    /** Version in an entry of targetFirmware. */
    readonly targetFirmwareVersionField: string;
    /** Versions on the upgrade path, the target last. */
    readonly targetFirmwarePathField: string;
    /** `model` where equal vendor, model and version get equal responses, else `device`. */
    readonly targetFirmwareScope: 'model' | 'device';
    /** List in the response of firmwarePaths. */
    readonly firmwarePathsListField: string;
    /** Whether the list is `paged` by limit and offset, or comes `whole` without them; with `none` the service has no such list, and fleetform does not request it. */
    readonly firmwarePathsPages: 'paged' | 'whole' | 'none';
    /** Vendor in an entry of firmwarePaths. */
    readonly firmwarePathVendorField: string;
    /** Model in an entry of firmwarePaths, or a list of models. */
    readonly firmwarePathModelField: string;
    /** Version that a path starts at. */
    readonly firmwarePathFromField: string;
    /** Version that a path leads to. */
    readonly firmwarePathToField: string;
    /** Versions on the upgrade path, the target last. */
    readonly firmwarePathHopsField: string;
    /** ID of a discovered device. */
    readonly discoveredIdField: string;
    /** Name of a discovered device. */
    readonly discoveredNameField: string;
    /** Model of a discovered device. */
    readonly discoveredModelField: string;
    /** Serial number of a discovered device. */
    readonly discoveredSerialField: string;
    /** Source of a discovered device. */
    readonly discoveredSourceField: string;
    /** Whether `discoveredSourceField` is `one` source, or a `list`. A list is accepted either way. */
    readonly discoveredSourceForm: 'one' | 'list';
    /** Site of a discovered device. */
    readonly discoveredSiteField: string;
    /** When a device was discovered. */
    readonly discoveredTimeField: string;
    /** Steps of a device task. */
    readonly stepsField: string;
    /** Name of a step. */
    readonly stepNameField: string;
    /** Status of a step. */
    readonly stepStatusField: string;
    /** Message of a step. */
    readonly stepMessageField: string;
    /** When a step began. */
    readonly stepStartField: string;
    /** When a step ended. */
    readonly stepEndField: string;
    /** Filter for devices in maintenance. */
    readonly filterMaintenanceMode: string;
    /** Filter for devices whose password can be rotated. */
    readonly filterRotatePassword: string;
    /** Filter for devices whose SSL certificate can be rotated. */
    readonly filterRotateSslCertificate: string;
    /** Filter for devices onboarded before an instant. */
    readonly filterOnboardingDateBefore: string;
    /** Filter for devices onboarded after an instant. */
    readonly filterOnboardingDateAfter: string;
    /** Filter for devices last hardened before an instant. */
    readonly filterLastHardenedBefore: string;
    /** Filter for devices last hardened after an instant. */
    readonly filterLastHardenedAfter: string;
    /** Filter for devices with a password that expires before an instant. */
    readonly filterPasswordExpiryBefore: string;
    /** Filter for devices with a password that expires after an instant. */
    readonly filterPasswordExpiryAfter: string;
    /** Filter for devices with an SSL certificate that expires before an instant. */
    readonly filterSslCertificateExpiryBefore: string;
    /** Filter for devices with an SSL certificate that expires after an instant. */
    readonly filterSslCertificateExpiryAfter: string;
    /** Filter for devices with an 802.1X certificate that expires before an instant. */
    readonly filterDot1xCertificateExpiryBefore: string;
    /** Filter for devices with an 802.1X certificate that expires after an instant. */
    readonly filterDot1xCertificateExpiryAfter: string;
    /** Filter for devices by whether they record. */
    readonly filterRecordingStatus: string;
    /** Filter for devices by their recorder. */
    readonly filterStorageServer: string;
    /** Filter for devices by the version that fixes them. */
    readonly filterPatchedFirmwareVersion: string;
    /** Filter for devices by whether a source reports them. */
    readonly filterOrphaned: string;
    /** Filter for devices by their highest severity. */
    readonly filterVulnerabilitySeverity: string;
    /** Filter for devices by the suggested version. */
    readonly filterSuggestedFirmwareVersion: string;
    /** Filter for devices by the suggested model. */
    readonly filterSuggestedReplacementModel: string;
    /** Filter for devices by the compliance of the SSL certificate. */
    readonly filterSslCertificateStatus: string;
    /** Filter for devices by the compliance of the 802.1X certificate. */
    readonly filterDot1xCertificateStatus: string;
    /** Whether an attempt in doubt is closed as not done if the device still shows its old value. `afterQuarantine`: only if the owner of the service states that a lost task shows itself within 30 minutes. `never`: a person decides. A password or a restart is never closed in this way. */
    readonly autoSettleNegative: 'never' | 'afterQuarantine';
}

export type DialectKey = keyof Dialect;

/** One assumption about what the documentation of the service leaves open. */
export interface DialectRow {
    readonly key: DialectKey;
    readonly type: 'path' | 'field' | 'filter' | 'word' | 'choice' | 'count' | 'payload';
    readonly default: string | number | { readonly [name: string]: DialectValue };
    /** Where the service shows or takes it. */
    readonly concerns: string;
    readonly description: string;
    /** What an empty text says; absent where there must be a name. */
    readonly empty?: string;
    /** Of a choice. */
    readonly values?: readonly string[];
    /** Of a count. */
    readonly minimum?: number;
}

export const DIALECT_ROWS: readonly DialectRow[] = [
    {"key":"tokenPath","type":"path","default":"/v1/auth/{organization}","concerns":"POST /v1/auth/{organization}","description":"Path of the token endpoint."},
    {"key":"tokenBody","type":"payload","default":{},"concerns":"POST /v1/auth/{organization}","description":"Body of the request for a token; without members, no body is sent. A secret in it is `{fromEnv: NAME}`."},
    {"key":"tokenField","type":"field","default":"access_token","concerns":"POST /v1/auth/{organization}","description":"Token in the response of the token endpoint.","empty":"the response is the token itself, as bare text"},
    {"key":"tokenLifetimeField","type":"field","default":"expires_in","concerns":"POST /v1/auth/{organization}","description":"Life of a token, in seconds.","empty":"the response does not contain it, and fleetform assumes 5 minutes"},
    {"key":"dateForm","type":"choice","default":"iso","concerns":"every date of the service","description":"Whether a number is a date: `seconds` or `milliseconds` since 1970, whichever its size shows, or with `iso` no date. ISO 8601 is always accepted.","values":["iso","seconds","milliseconds"]},
    {"key":"filterDateForm","type":"choice","default":"iso","concerns":"every date of the service","description":"How a date in a filter is sent: as ISO 8601 in UTC, or as `seconds` or `milliseconds` since 1970. You write it as RFC 3339, or as a day that begins in UTC.","values":["iso","seconds","milliseconds"]},
    {"key":"maxDevicesPerTask","type":"count","default":100,"concerns":"POST /v1/tasks","description":"Maximum number of devices in one task.","minimum":1},
    {"key":"taskDeviceField","type":"field","default":"deviceId","concerns":"POST /v1/tasks","description":"ID of a device in an entry of a task."},
    {"key":"taskDeviceType","type":"choice","default":"text","concerns":"POST /v1/tasks","description":"How a task names the ID of a device: as `text`, or as a `number`.","values":["text","number"]},
    {"key":"onboardDeviceField","type":"field","default":"discoveredDeviceId","concerns":"POST /v1/tasks","description":"ID of a discovered device in an entry of onboardDevice."},
    {"key":"onboardDeviceType","type":"choice","default":"text","concerns":"POST /v1/tasks","description":"How onboardDevice names the ID of a discovered device: as `text`, or as a `number`.","values":["text","number"]},
    {"key":"onboardSecondField","type":"field","default":"","concerns":"POST /v1/tasks","description":"A second member that an entry of onboardDevice must have.","empty":"an entry holds the ID alone"},
    {"key":"onboardSecondSource","type":"field","default":"deviceSource.id","concerns":"GET /v1/discoveredDevices","description":"Where a discovered device shows the value of `onboardSecondField`."},
    {"key":"payloadPlace","type":"choice","default":"either","concerns":"POST /v1/tasks","description":"Where payloads may be: `either` once for all devices or for each, or always in each `device`.","values":["either","device"]},
    {"key":"upgradeVersionField","type":"field","default":"targetVersion","concerns":"POST /v1/tasks","description":"Version in the payload of upgradeFirmware."},
    {"key":"upgradeMembers","type":"payload","default":{},"concerns":"POST /v1/tasks","description":"Further members of the payload of upgradeFirmware."},
    {"key":"onboardedId","type":"choice","default":"same","concerns":"GET /v1/tasks/{id}","description":"ID after onboarding: `same` as the discovered one, or `unknown` until the device task shows it.","values":["same","unknown"]},
    {"key":"onboardedIdField","type":"field","default":"deviceId","concerns":"GET /v1/tasks/{id}","description":"Where a completed device task shows the new ID of an onboarded device; used only if `onboardedId` is `unknown`.","empty":"no device task shows it"},
    {"key":"deviceSitesField","type":"field","default":"sites","concerns":"GET /v1/devices","description":"The sites of a device.","empty":"the service does not show it"},
    {"key":"deviceSitesForm","type":"choice","default":"list","concerns":"GET /v1/devices","description":"Whether `deviceSitesField` is a `list`, or `one` site alone. A single object is accepted either way.","values":["list","one"]},
    {"key":"siteIdField","type":"field","default":"id","concerns":"GET /v1/devices","description":"ID in an entry of a device's sites.","empty":"the entry is the ID itself"},
    {"key":"siteNameField","type":"field","default":"name","concerns":"GET /v1/devices","description":"Name in an entry of a device's sites.","empty":"the service does not show it"},
    {"key":"deviceSourcesField","type":"field","default":"deviceSources","concerns":"GET /v1/devices","description":"The sources of a device.","empty":"the service does not show it"},
    {"key":"deviceSourcesForm","type":"choice","default":"list","concerns":"GET /v1/devices","description":"Whether `deviceSourcesField` is a `list`, or `one` source alone. A single object is accepted either way.","values":["list","one"]},
    {"key":"sourceIdField","type":"field","default":"id","concerns":"GET /v1/devices","description":"ID in an entry of a device's sources.","empty":"the entry is the ID itself"},
    {"key":"sourceNameField","type":"field","default":"name","concerns":"GET /v1/devices","description":"Name in an entry of a device's sources.","empty":"the service does not show it"},
    {"key":"onboardingDateField","type":"field","default":"onboardingDate","concerns":"GET /v1/devices","description":"When a device was onboarded.","empty":"the service does not show it"},
    {"key":"lastHardenedField","type":"field","default":"lastHardened","concerns":"GET /v1/devices","description":"When a device was last hardened.","empty":"the service does not show it"},
    {"key":"recordingStatusField","type":"field","default":"recordingStatus","concerns":"GET /v1/devices","description":"Whether a camera records.","empty":"the service does not show it"},
    {"key":"storageServerField","type":"field","default":"storageServer","concerns":"GET /v1/devices","description":"Name of the recorder of a camera.","empty":"the service does not show it"},
    {"key":"patchedFirmwareVersionField","type":"field","default":"patchedFirmwareVersion","concerns":"GET /v1/devices","description":"Version that fixes the known vulnerabilities.","empty":"the service does not show it"},
    {"key":"orphanedField","type":"field","default":"orphaned","concerns":"GET /v1/devices","description":"Whether no source reports the device any longer.","empty":"the service does not show it"},
    {"key":"vulnerabilitySeverityField","type":"field","default":"compliance.vulnerabilitySeverity","concerns":"GET /v1/devices","description":"Highest severity of the known vulnerabilities.","empty":"the service does not show it"},
    {"key":"suggestedFirmwareVersionField","type":"field","default":"compliance.suggestedFirmwareVersion","concerns":"GET /v1/devices","description":"Version that the service suggests.","empty":"the service does not show it"},
    {"key":"suggestedReplacementModelField","type":"field","default":"compliance.suggestedReplacementModel","concerns":"GET /v1/devices","description":"Replacement model that the service suggests.","empty":"the service does not show it"},
    {"key":"passwordExpiryField","type":"field","default":"compliance.passwordExpiry","concerns":"GET /v1/devices","description":"When the password of a device expires.","empty":"the service does not show it"},
    {"key":"passwordLastChangedField","type":"field","default":"","concerns":"GET /v1/devices","description":"When the password last changed, if the device itself shows it.","empty":"the service does not show it"},
    {"key":"sslCertificateExpiryField","type":"field","default":"compliance.sslCertificateExpiry","concerns":"GET /v1/devices","description":"When the SSL certificate expires.","empty":"the service does not show it"},
    {"key":"sslCertificateStatusField","type":"field","default":"compliance.sslCertificateStatus","concerns":"GET /v1/devices","description":"Compliance of the SSL certificate.","empty":"the service does not show it"},
    {"key":"dot1xCertificateExpiryField","type":"field","default":"compliance.dot1xCertificateExpiry","concerns":"GET /v1/devices","description":"When the 802.1X certificate expires.","empty":"the service does not show it"},
    {"key":"dot1xCertificateStatusField","type":"field","default":"compliance.dot1xCertificateStatus","concerns":"GET /v1/devices","description":"Compliance of the 802.1X certificate.","empty":"the service does not show it"},
    {"key":"lifeCycleField","type":"field","default":"compliance.lifecycle.status","concerns":"GET /v1/devices","description":"End-of-support status of a device.","empty":"the service does not show it"},
    {"key":"supportEndField","type":"field","default":"compliance.lifecycle.eosDate","concerns":"GET /v1/devices","description":"When the support of a device ends.","empty":"the service does not show it"},
    {"key":"passwordEntryChangedField","type":"field","default":"lastChanged","concerns":"GET /v1/devices/{id}/passwords","description":"Last change in an entry of passwords.","empty":"the service does not show it"},
    {"key":"passwordEntryExpiryField","type":"field","default":"expiry","concerns":"GET /v1/devices/{id}/passwords","description":"Expiry in an entry of passwords.","empty":"the service does not show it"},
    {"key":"passwordEntryUserField","type":"field","default":"userName","concerns":"GET /v1/devices/{id}/passwords","description":"User in an entry of passwords.","empty":"the service does not show it"},
    {"key":"certificateTypeField","type":"field","default":"type","concerns":"GET /v1/devices/{id}/certificates","description":"Type in an entry of certificates.","empty":"entries have no type; a single entry is then the SSL certificate, and a device with several is skipped, since nothing shows which is in use"},
    {"key":"certificateTypeSsl","type":"word","default":"ssl","concerns":"GET /v1/devices/{id}/certificates","description":"Value of the type for an SSL certificate."},
    {"key":"certificateField","type":"field","default":"certificate","concerns":"GET /v1/devices/{id}/certificates","description":"The certificate itself.","empty":"the entry is the certificate itself"},
    {"key":"certificateForm","type":"choice","default":"pem","concerns":"GET /v1/devices/{id}/certificates","description":"Whether `certificateField` is `pem`, or `der` in base64. Both are accepted.","values":["pem","der"]},
    {"key":"certificateNotBeforeField","type":"field","default":"notBefore","concerns":"GET /v1/devices/{id}/certificates","description":"Start of validity, if the certificate itself does not show it.","empty":"the service does not show it"},
    {"key":"certificateNotAfterField","type":"field","default":"notAfter","concerns":"GET /v1/devices/{id}/certificates","description":"End of validity, if the certificate itself does not show it.","empty":"the service does not show it"},
    {"key":"vulnerabilitiesListField","type":"field","default":"vulnerabilities","concerns":"GET /v1/devices/{id}/vulnerabilities","description":"List in the response of vulnerabilities.","empty":"the response is the list itself"},
    {"key":"targetFirmwareListField","type":"field","default":"targetFirmware","concerns":"GET /v1/devices/{id}/targetFirmware","description":"List in the response of targetFirmware.","empty":"the response is the list itself"},
    {"key":"targetFirmwareForm","type":"choice","default":"list","concerns":"GET /v1/devices/{id}/targetFirmware","description":"Whether `targetFirmwareListField` is a `list`, or `one` target alone. A single object is accepted either way.","values":["list","one"]},
    {"key":"targetFirmwareVersionField","type":"field","default":"version","concerns":"GET /v1/devices/{id}/targetFirmware","description":"Version in an entry of targetFirmware.","empty":"the entry is the version itself"},
    {"key":"targetFirmwarePathField","type":"field","default":"path","concerns":"GET /v1/devices/{id}/targetFirmware","description":"Versions on the upgrade path, the target last.","empty":"the service does not show it"},
    {"key":"targetFirmwareScope","type":"choice","default":"model","concerns":"GET /v1/devices/{id}/targetFirmware","description":"`model` where equal vendor, model and version get equal responses, else `device`.","values":["model","device"]},
    {"key":"firmwarePathsListField","type":"field","default":"firmwarePaths","concerns":"GET /v1/firmwarePaths","description":"List in the response of firmwarePaths.","empty":"the response is the list itself"},
    {"key":"firmwarePathsPages","type":"choice","default":"paged","concerns":"GET /v1/firmwarePaths","description":"Whether the list is `paged` by limit and offset, or comes `whole` without them; with `none` the service has no such list, and fleetform does not request it.","values":["paged","whole","none"]},
    {"key":"firmwarePathVendorField","type":"field","default":"vendor","concerns":"GET /v1/firmwarePaths","description":"Vendor in an entry of firmwarePaths."},
    {"key":"firmwarePathModelField","type":"field","default":"model","concerns":"GET /v1/firmwarePaths","description":"Model in an entry of firmwarePaths, or a list of models."},
    {"key":"firmwarePathFromField","type":"field","default":"from","concerns":"GET /v1/firmwarePaths","description":"Version that a path starts at."},
    {"key":"firmwarePathToField","type":"field","default":"to","concerns":"GET /v1/firmwarePaths","description":"Version that a path leads to."},
    {"key":"firmwarePathHopsField","type":"field","default":"path","concerns":"GET /v1/firmwarePaths","description":"Versions on the upgrade path, the target last.","empty":"the service does not show it"},
    {"key":"discoveredIdField","type":"field","default":"id","concerns":"GET /v1/discoveredDevices","description":"ID of a discovered device."},
    {"key":"discoveredNameField","type":"field","default":"name","concerns":"GET /v1/discoveredDevices","description":"Name of a discovered device.","empty":"the service does not show it"},
    {"key":"discoveredModelField","type":"field","default":"model","concerns":"GET /v1/discoveredDevices","description":"Model of a discovered device.","empty":"the service does not show it"},
    {"key":"discoveredSerialField","type":"field","default":"serialNumber","concerns":"GET /v1/discoveredDevices","description":"Serial number of a discovered device.","empty":"the service does not show it"},
    {"key":"discoveredSourceField","type":"field","default":"deviceSource","concerns":"GET /v1/discoveredDevices","description":"Source of a discovered device.","empty":"the service does not show it"},
    {"key":"discoveredSourceForm","type":"choice","default":"one","concerns":"GET /v1/discoveredDevices","description":"Whether `discoveredSourceField` is `one` source, or a `list`. A list is accepted either way.","values":["one","list"]},
    {"key":"discoveredSiteField","type":"field","default":"site","concerns":"GET /v1/discoveredDevices","description":"Site of a discovered device.","empty":"the service does not show it"},
    {"key":"discoveredTimeField","type":"field","default":"discoveredAt","concerns":"GET /v1/discoveredDevices","description":"When a device was discovered.","empty":"the service does not show it"},
    {"key":"stepsField","type":"field","default":"steps","concerns":"GET /v1/tasks/{id}","description":"Steps of a device task.","empty":"the service does not show it"},
    {"key":"stepNameField","type":"field","default":"name","concerns":"GET /v1/tasks/{id}","description":"Name of a step.","empty":"the service does not show it"},
    {"key":"stepStatusField","type":"field","default":"status","concerns":"GET /v1/tasks/{id}","description":"Status of a step.","empty":"the service does not show it"},
    {"key":"stepMessageField","type":"field","default":"message","concerns":"GET /v1/tasks/{id}","description":"Message of a step.","empty":"the service does not show it"},
    {"key":"stepStartField","type":"field","default":"startDate","concerns":"GET /v1/tasks/{id}","description":"When a step began.","empty":"the service does not show it"},
    {"key":"stepEndField","type":"field","default":"endDate","concerns":"GET /v1/tasks/{id}","description":"When a step ended.","empty":"the service does not show it"},
    {"key":"filterMaintenanceMode","type":"filter","default":"maintenanceMode","concerns":"GET /v1/devices","description":"Filter for devices in maintenance.","empty":"the service has no such filter; all rows are then read before each start"},
    {"key":"filterRotatePassword","type":"filter","default":"availableTask.rotatePassword","concerns":"GET /v1/devices","description":"Filter for devices whose password can be rotated.","empty":"the service has no such filter"},
    {"key":"filterRotateSslCertificate","type":"filter","default":"availableTask.rotateSSLCertificate","concerns":"GET /v1/devices","description":"Filter for devices whose SSL certificate can be rotated.","empty":"the service has no such filter"},
    {"key":"filterOnboardingDateBefore","type":"filter","default":"onboardingDateBefore","concerns":"GET /v1/devices","description":"Filter for devices onboarded before an instant.","empty":"the service has no such filter"},
    {"key":"filterOnboardingDateAfter","type":"filter","default":"onboardingDateAfter","concerns":"GET /v1/devices","description":"Filter for devices onboarded after an instant.","empty":"the service has no such filter"},
    {"key":"filterLastHardenedBefore","type":"filter","default":"lastHardenedBefore","concerns":"GET /v1/devices","description":"Filter for devices last hardened before an instant.","empty":"the service has no such filter"},
    {"key":"filterLastHardenedAfter","type":"filter","default":"lastHardenedAfter","concerns":"GET /v1/devices","description":"Filter for devices last hardened after an instant.","empty":"the service has no such filter"},
    {"key":"filterPasswordExpiryBefore","type":"filter","default":"passwordExpiryBefore","concerns":"GET /v1/devices","description":"Filter for devices with a password that expires before an instant.","empty":"the service has no such filter"},
    {"key":"filterPasswordExpiryAfter","type":"filter","default":"passwordExpiryAfter","concerns":"GET /v1/devices","description":"Filter for devices with a password that expires after an instant.","empty":"the service has no such filter"},
    {"key":"filterSslCertificateExpiryBefore","type":"filter","default":"sslCertificateExpiryBefore","concerns":"GET /v1/devices","description":"Filter for devices with an SSL certificate that expires before an instant.","empty":"the service has no such filter"},
    {"key":"filterSslCertificateExpiryAfter","type":"filter","default":"sslCertificateExpiryAfter","concerns":"GET /v1/devices","description":"Filter for devices with an SSL certificate that expires after an instant.","empty":"the service has no such filter"},
    {"key":"filterDot1xCertificateExpiryBefore","type":"filter","default":"dot1xCertificateExpiryBefore","concerns":"GET /v1/devices","description":"Filter for devices with an 802.1X certificate that expires before an instant.","empty":"the service has no such filter"},
    {"key":"filterDot1xCertificateExpiryAfter","type":"filter","default":"dot1xCertificateExpiryAfter","concerns":"GET /v1/devices","description":"Filter for devices with an 802.1X certificate that expires after an instant.","empty":"the service has no such filter"},
    {"key":"filterRecordingStatus","type":"filter","default":"recordingStatus","concerns":"GET /v1/devices","description":"Filter for devices by whether they record.","empty":"the service has no such filter"},
    {"key":"filterStorageServer","type":"filter","default":"storageServer","concerns":"GET /v1/devices","description":"Filter for devices by their recorder.","empty":"the service has no such filter"},
    {"key":"filterPatchedFirmwareVersion","type":"filter","default":"patchedFirmwareVersion","concerns":"GET /v1/devices","description":"Filter for devices by the version that fixes them.","empty":"the service has no such filter"},
    {"key":"filterOrphaned","type":"filter","default":"orphaned","concerns":"GET /v1/devices","description":"Filter for devices by whether a source reports them.","empty":"the service has no such filter"},
    {"key":"filterVulnerabilitySeverity","type":"filter","default":"vulnerabilitySeverity","concerns":"GET /v1/devices","description":"Filter for devices by their highest severity.","empty":"the service has no such filter"},
    {"key":"filterSuggestedFirmwareVersion","type":"filter","default":"suggestedFirmwareVersion","concerns":"GET /v1/devices","description":"Filter for devices by the suggested version.","empty":"the service has no such filter"},
    {"key":"filterSuggestedReplacementModel","type":"filter","default":"suggestedReplacementModel","concerns":"GET /v1/devices","description":"Filter for devices by the suggested model.","empty":"the service has no such filter"},
    {"key":"filterSslCertificateStatus","type":"filter","default":"sslCertificateStatus","concerns":"GET /v1/devices","description":"Filter for devices by the compliance of the SSL certificate.","empty":"the service has no such filter"},
    {"key":"filterDot1xCertificateStatus","type":"filter","default":"dot1xCertificateStatus","concerns":"GET /v1/devices","description":"Filter for devices by the compliance of the 802.1X certificate.","empty":"the service has no such filter"},
    {"key":"autoSettleNegative","type":"choice","default":"never","concerns":"doubts about a task","description":"Whether an attempt in doubt is closed as not done if the device still shows its old value. `afterQuarantine`: only if the owner of the service states that a lost task shows itself within 30 minutes. `never`: a person decides. A password or a restart is never closed in this way.","values":["never","afterQuarantine"]},
];
