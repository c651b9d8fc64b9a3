// Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Entry name
         * @description At most 63 lower-case letters, digits and dashes; unique per section across all files.
         * @example axis-p32
         * @example weeknights
         */
        readonly entryName: string;
        /**
         * Text
         * @description Any text except an empty one.
         */
        readonly prose: string;
        /**
         * Duration
         * @description One whole number and one unit: s, m, h, d or w. Elapsed time: 1d is always 24 hours.
         * @example 30s
         * @example 15m
         * @example 6h
         * @example 7d
         * @example 2w
         */
        readonly duration: string;
        /**
         * Duration
         * @description One whole number above 0 and one unit: s, m, h, d or w. Elapsed time: 1d is always 24 hours.
         * @example 30s
         * @example 15m
         * @example 6h
         * @example 7d
         * @example 2w
         */
        readonly positiveDuration: string;
        /**
         * Instant
         * @description RFC 3339 with an offset, quoted.
         * @example 2027-01-31T00:00:00Z
         * @example 2027-01-31T00:00:00+01:00
         */
        readonly instant: string;
        /**
         * Local date-time or instant
         * @description A date-time, quoted. Without an offset, it is in the time zone of the entry.
         * @example 2026-11-23T00:00:00
         * @example 2026-11-23T00:00:00Z
         */
        readonly localOrInstant: string;
        /**
         * Clock time
         * @description 00:00 to 23:59, quoted: some YAML readers turn 23:00 into a number.
         * @example 01:00
         * @example 23:30
         */
        readonly clockTime: string;
        /**
         * Time zone
         * @description An IANA name, not an offset or abbreviation.
         * @example Europe/Berlin
         * @example America/New_York
         */
        readonly zone: string;
        /**
         * Time zone, or `site`
         * @description `site` for the time zone of each device's site, or an IANA name.
         * @example site
         * @example Europe/Berlin
         */
        readonly zoneOrSite: string;
        /**
         * Percent
         * @description 0% to 100%, at most two decimals.
         * @example 10%
         * @example 2.5%
         */
        readonly percent: string;
        /**
         * Number or percent
         * @description A whole number or a percentage.
         * @example 3
         * @example 10%
         */
        readonly intOrPercent: number | string;
        /**
         * Percent or duration
         * @description A percentage of the lifetime, or a duration.
         * @example 33%
         * @example 30d
         */
        readonly percentOrDuration: string;
        /**
         * Cron expression
         * @description Five fields: minute, hour, day of month, month, day of week. `SAT#3` is the third Saturday, `SATL` the last. Either day of month or day of week, not both.
         * @example 0 1 * * TUE-THU
         * @example 0 1 * * SAT#3
         */
        readonly cron: string;
        /**
         * Day of the week
         * @enum {string}
         */
        readonly weekday: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
        /**
         * Task type
         * @description The service's name of a task type.
         * @enum {string}
         */
        readonly task: "upgradeFirmware" | "rotatePassword" | "rotateSslCertificate" | "onboardDevice" | "restartDevice";
        /**
         * Task types
         * @description One task type, a list of them, or `all`.
         * @example all
         * @example upgradeFirmware
         * @example [
         *       "rotatePassword",
         *       "rotateSslCertificate"
         *     ]
         */
        readonly tasks: string | readonly components["schemas"]["task"][];
        /**
         * Target firmware version
         * @description Always quoted. An exact version, an x-range (x in the last place), a range, or `approved` for the newest version that the service approves for the device. An x-range or range selects the newest approved version that matches.
         * @example 11.11.61
         * @example 11.11.x
         * @example >=11.5 <12
         * @example approved
         */
        readonly version: string;
        /**
         * Firmware version, exact
         * @description Always quoted.
         * @example 11.10.61
         * @example V5.7.3 build 220315
         */
        readonly exactVersion: string;
        /**
         * Glob, or list of globs
         * @description `*` matches any characters, `?` one character. A glob matches the whole value; case matters. A list matches if one of its globs matches. Quote a glob that starts with `*`.
         * @example P3265-*
         * @example [
         *       "Axis",
         *       "Bosch"
         *     ]
         */
        readonly globs: string | readonly string[];
        /**
         * Selector
         * @description Devices to select. All keys must match; of a list, one value must match. {device: "*"} selects every device. A missing field never matches.
         * @example {
         *       "deviceType": "camera"
         *     }
         * @example {
         *       "vendor": "Axis",
         *       "model": [
         *         "P3265-V",
         *         "P3265-LVE"
         *       ],
         *       "site": {
         *         "tag": "emea"
         *       },
         *       "not": {
         *         "group": "lobby"
         *       }
         *     }
         */
        readonly selector: {
            /** @description ID of the device. */
            readonly device?: components["schemas"]["globs"];
            /** @description Name of the device. */
            readonly name?: components["schemas"]["globs"];
            /** @description Vendor of the device. */
            readonly vendor?: components["schemas"]["globs"];
            /** @description Model of the device. */
            readonly model?: components["schemas"]["globs"];
            /** @description Type of the device, such as camera or intercom. */
            readonly deviceType?: components["schemas"]["globs"];
            /** @description Installed version: a glob, or a range that starts with < or >. Whether a version matches that cannot be compared with a range is unclear. */
            readonly firmwareVersion?: components["schemas"]["globs"];
            /**
             * Sites
             * @description Site of the device: a glob or list of names and IDs, or {name, tag}.
             * @example HQ*
             * @example [
             *       "HQ Berlin",
             *       "4711"
             *     ]
             * @example {
             *       "tag": "emea"
             *     }
             */
            readonly site?: string | readonly string[] | {
                /** @description Name or ID of the site. */
                readonly name?: components["schemas"]["globs"];
                /** @description Tag of the site under `sites`. */
                readonly tag?: components["schemas"]["globs"];
            };
            /** @description Name or ID of a device source of the device. */
            readonly source?: components["schemas"]["globs"];
            /** @description Name of an entry of `groups`. */
            readonly group?: components["schemas"]["globs"];
            /** @description Devices to exclude: a selector with the same keys, one level deep. */
            readonly not?: components["schemas"]["selector"];
        };
        /**
         * Priority
         * @description The policy with the highest priority wins for a device and task. Equal priority with different targets is an error.
         */
        readonly priority: number;
        /**
         * Standing approval
         * @description For `service.approval: plan`. With `standing`, a rotation by age, a restart or a retry needs no separate approval if the newest approved commit requires the same change. A raised generation or an incident always needs one. Pause the policy to stop it.
         * @enum {string}
         */
        readonly standingApproval: "standing";
        /**
         * Earlier names
         * @description The address that the policy had before, or a list of them, oldest first: pauses, stops, waves and caps of that name hold for it, and its approvals are asked for again. `none`: it continues no other policy. Remove the key after the next run of `apply`.
         * @example firmware.axis-p32
         * @example [
         *       "firmware.axis",
         *       "firmware.axis-p32"
         *     ]
         * @example none
         */
        readonly renamedFrom: string | readonly string[];
        /**
         * Maintenance windows
         * @description When a task may start: one window, a list of windows, or `anytime`.
         * @example weeknights
         * @example [
         *       "weeknights",
         *       "weekend"
         *     ]
         * @example anytime
         */
        readonly windowNames: string | readonly string[];
        /**
         * Rollout
         * @description Name of an entry of `rollouts`.
         * @example standard
         */
        readonly rolloutName: string;
        /**
         * So many in any such time
         * @example {
         *       "count": 2,
         *       "per": "7d"
         *     }
         */
        readonly countPer: {
            /**
             * @description Maximum number in the period.
             * @example 2
             */
            readonly count: number;
            /** @description Length of the period; every period of this length counts. */
            readonly per: components["schemas"]["positiveDuration"];
        };
        readonly fieldName: string;
        readonly fieldNameOrNone: string;
        readonly filterName: string;
        readonly urlPath: string;
        /**
         * Dialect
         * @description Names and forms that the documentation of the service leaves open, one key per assumption. A dot in a field name leads into an object; an empty string means that the service does not have the field.
         * @example {
         *       "tokenField": "data.token"
         *     }
         */
        readonly dialect: {
            /** @description Path of the token endpoint. */
            readonly tokenPath?: components["schemas"]["urlPath"];
            /** @description Body of the request for a token; without members, no body is sent. A secret in it is `{fromEnv: NAME}`. */
            readonly tokenBody?: {
                readonly [key: string]: unknown;
            };
            /** @description Token in the response of the token endpoint. Empty: the response is the token itself, as bare text. */
            readonly tokenField?: components["schemas"]["fieldNameOrNone"];
            /** @description Life of a token, in seconds. Empty: the response does not contain it, and fleetform assumes 5 minutes. */
            readonly tokenLifetimeField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether a number is a date: `seconds` or `milliseconds` since 1970, whichever its size shows, or with `iso` no date. ISO 8601 is always accepted.
             * @enum {string}
             */
            readonly dateForm?: "iso" | "seconds" | "milliseconds";
            /**
             * @description How a date in a filter is sent: as ISO 8601 in UTC, or as `seconds` or `milliseconds` since 1970. You write it as RFC 3339, or as a day that begins in UTC.
             * @enum {string}
             */
            readonly filterDateForm?: "iso" | "seconds" | "milliseconds";
            /** @description Maximum number of devices in one task. */
            readonly maxDevicesPerTask?: number;
            /** @description ID of a device in an entry of a task. */
            readonly taskDeviceField?: components["schemas"]["fieldName"];
            /**
             * @description How a task names the ID of a device: as `text`, or as a `number`.
             * @enum {string}
             */
            readonly taskDeviceType?: "text" | "number";
            /** @description ID of a discovered device in an entry of onboardDevice. */
            readonly onboardDeviceField?: components["schemas"]["fieldName"];
            /**
             * @description How onboardDevice names the ID of a discovered device: as `text`, or as a `number`.
             * @enum {string}
             */
            readonly onboardDeviceType?: "text" | "number";
            /** @description A second member that an entry of onboardDevice must have. Empty: an entry holds the ID alone. */
            readonly onboardSecondField?: components["schemas"]["fieldNameOrNone"];
            /** @description Where a discovered device shows the value of `onboardSecondField`. */
            readonly onboardSecondSource?: components["schemas"]["fieldName"];
            /**
             * @description Where payloads may be: `either` once for all devices or for each, or always in each `device`.
             * @enum {string}
             */
            readonly payloadPlace?: "either" | "device";
            /** @description Version in the payload of upgradeFirmware. */
            readonly upgradeVersionField?: components["schemas"]["fieldName"];
            /** @description Further members of the payload of upgradeFirmware. */
            readonly upgradeMembers?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description ID after onboarding: `same` as the discovered one, or `unknown` until the device task shows it.
             * @enum {string}
             */
            readonly onboardedId?: "same" | "unknown";
            /** @description Where a completed device task shows the new ID of an onboarded device; used only if `onboardedId` is `unknown`. Empty: no device task shows it. */
            readonly onboardedIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description The sites of a device. Empty: the service does not show it. */
            readonly deviceSitesField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether `deviceSitesField` is a `list`, or `one` site alone. A single object is accepted either way.
             * @enum {string}
             */
            readonly deviceSitesForm?: "list" | "one";
            /** @description ID in an entry of a device's sites. Empty: the entry is the ID itself. */
            readonly siteIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name in an entry of a device's sites. Empty: the service does not show it. */
            readonly siteNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description The sources of a device. Empty: the service does not show it. */
            readonly deviceSourcesField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether `deviceSourcesField` is a `list`, or `one` source alone. A single object is accepted either way.
             * @enum {string}
             */
            readonly deviceSourcesForm?: "list" | "one";
            /** @description ID in an entry of a device's sources. Empty: the entry is the ID itself. */
            readonly sourceIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name in an entry of a device's sources. Empty: the service does not show it. */
            readonly sourceNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a device was onboarded. Empty: the service does not show it. */
            readonly onboardingDateField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a device was last hardened. Empty: the service does not show it. */
            readonly lastHardenedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Whether a camera records. Empty: the service does not show it. */
            readonly recordingStatusField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name of the recorder of a camera. Empty: the service does not show it. */
            readonly storageServerField?: components["schemas"]["fieldNameOrNone"];
            /** @description Version that fixes the known vulnerabilities. Empty: the service does not show it. */
            readonly patchedFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Whether no source reports the device any longer. Empty: the service does not show it. */
            readonly orphanedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Highest severity of the known vulnerabilities. Empty: the service does not show it. */
            readonly vulnerabilitySeverityField?: components["schemas"]["fieldNameOrNone"];
            /** @description Version that the service suggests. Empty: the service does not show it. */
            readonly suggestedFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Replacement model that the service suggests. Empty: the service does not show it. */
            readonly suggestedReplacementModelField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the password of a device expires. Empty: the service does not show it. */
            readonly passwordExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the password last changed, if the device itself shows it. Empty: the service does not show it. */
            readonly passwordLastChangedField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the SSL certificate expires. Empty: the service does not show it. */
            readonly sslCertificateExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description Compliance of the SSL certificate. Empty: the service does not show it. */
            readonly sslCertificateStatusField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the 802.1X certificate expires. Empty: the service does not show it. */
            readonly dot1xCertificateExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description Compliance of the 802.1X certificate. Empty: the service does not show it. */
            readonly dot1xCertificateStatusField?: components["schemas"]["fieldNameOrNone"];
            /** @description End-of-support status of a device. Empty: the service does not show it. */
            readonly lifeCycleField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the support of a device ends. Empty: the service does not show it. */
            readonly supportEndField?: components["schemas"]["fieldNameOrNone"];
            /** @description Last change in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryChangedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Expiry in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description User in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryUserField?: components["schemas"]["fieldNameOrNone"];
            /** @description Type in an entry of certificates. Empty: entries have no type; a single entry is then the SSL certificate, and a device with several is skipped, since nothing shows which is in use. */
            readonly certificateTypeField?: components["schemas"]["fieldNameOrNone"];
            /** @description Value of the type for an SSL certificate. */
            readonly certificateTypeSsl?: string;
            /** @description The certificate itself. Empty: the entry is the certificate itself. */
            readonly certificateField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether `certificateField` is `pem`, or `der` in base64. Both are accepted.
             * @enum {string}
             */
            readonly certificateForm?: "pem" | "der";
            /** @description Start of validity, if the certificate itself does not show it. Empty: the service does not show it. */
            readonly certificateNotBeforeField?: components["schemas"]["fieldNameOrNone"];
            /** @description End of validity, if the certificate itself does not show it. Empty: the service does not show it. */
            readonly certificateNotAfterField?: components["schemas"]["fieldNameOrNone"];
            /** @description List in the response of vulnerabilities. Empty: the response is the list itself. */
            readonly vulnerabilitiesListField?: components["schemas"]["fieldNameOrNone"];
            /** @description List in the response of targetFirmware. Empty: the response is the list itself. */
            readonly targetFirmwareListField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether `targetFirmwareListField` is a `list`, or `one` target alone. A single object is accepted either way.
             * @enum {string}
             */
            readonly targetFirmwareForm?: "list" | "one";
            /** @description Version in an entry of targetFirmware. Empty: the entry is the version itself. */
            readonly targetFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Versions on the upgrade path, the target last. Empty: the service does not show it. */
            readonly targetFirmwarePathField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description `model` where equal vendor, model and version get equal responses, else `device`.
             * @enum {string}
             */
            readonly targetFirmwareScope?: "model" | "device";
            /** @description List in the response of firmwarePaths. Empty: the response is the list itself. */
            readonly firmwarePathsListField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether the list is `paged` by limit and offset, or comes `whole` without them; with `none` the service has no such list, and fleetform does not request it.
             * @enum {string}
             */
            readonly firmwarePathsPages?: "paged" | "whole" | "none";
            /** @description Vendor in an entry of firmwarePaths. */
            readonly firmwarePathVendorField?: components["schemas"]["fieldName"];
            /** @description Model in an entry of firmwarePaths, or a list of models. */
            readonly firmwarePathModelField?: components["schemas"]["fieldName"];
            /** @description Version that a path starts at. */
            readonly firmwarePathFromField?: components["schemas"]["fieldName"];
            /** @description Version that a path leads to. */
            readonly firmwarePathToField?: components["schemas"]["fieldName"];
            /** @description Versions on the upgrade path, the target last. Empty: the service does not show it. */
            readonly firmwarePathHopsField?: components["schemas"]["fieldNameOrNone"];
            /** @description ID of a discovered device. */
            readonly discoveredIdField?: components["schemas"]["fieldName"];
            /** @description Name of a discovered device. Empty: the service does not show it. */
            readonly discoveredNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description Model of a discovered device. Empty: the service does not show it. */
            readonly discoveredModelField?: components["schemas"]["fieldNameOrNone"];
            /** @description Serial number of a discovered device. Empty: the service does not show it. */
            readonly discoveredSerialField?: components["schemas"]["fieldNameOrNone"];
            /** @description Source of a discovered device. Empty: the service does not show it. */
            readonly discoveredSourceField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether `discoveredSourceField` is `one` source, or a `list`. A list is accepted either way.
             * @enum {string}
             */
            readonly discoveredSourceForm?: "one" | "list";
            /** @description Site of a discovered device. Empty: the service does not show it. */
            readonly discoveredSiteField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a device was discovered. Empty: the service does not show it. */
            readonly discoveredTimeField?: components["schemas"]["fieldNameOrNone"];
            /** @description Steps of a device task. Empty: the service does not show it. */
            readonly stepsField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name of a step. Empty: the service does not show it. */
            readonly stepNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description Status of a step. Empty: the service does not show it. */
            readonly stepStatusField?: components["schemas"]["fieldNameOrNone"];
            /** @description Message of a step. Empty: the service does not show it. */
            readonly stepMessageField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a step began. Empty: the service does not show it. */
            readonly stepStartField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a step ended. Empty: the service does not show it. */
            readonly stepEndField?: components["schemas"]["fieldNameOrNone"];
            /** @description Filter for devices in maintenance. Empty: the service has no such filter; all rows are then read before each start. */
            readonly filterMaintenanceMode?: components["schemas"]["filterName"];
            /** @description Filter for devices whose password can be rotated. Empty: the service has no such filter. */
            readonly filterRotatePassword?: components["schemas"]["filterName"];
            /** @description Filter for devices whose SSL certificate can be rotated. Empty: the service has no such filter. */
            readonly filterRotateSslCertificate?: components["schemas"]["filterName"];
            /** @description Filter for devices onboarded before an instant. Empty: the service has no such filter. */
            readonly filterOnboardingDateBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices onboarded after an instant. Empty: the service has no such filter. */
            readonly filterOnboardingDateAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices last hardened before an instant. Empty: the service has no such filter. */
            readonly filterLastHardenedBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices last hardened after an instant. Empty: the service has no such filter. */
            readonly filterLastHardenedAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices with a password that expires before an instant. Empty: the service has no such filter. */
            readonly filterPasswordExpiryBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices with a password that expires after an instant. Empty: the service has no such filter. */
            readonly filterPasswordExpiryAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices with an SSL certificate that expires before an instant. Empty: the service has no such filter. */
            readonly filterSslCertificateExpiryBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices with an SSL certificate that expires after an instant. Empty: the service has no such filter. */
            readonly filterSslCertificateExpiryAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices with an 802.1X certificate that expires before an instant. Empty: the service has no such filter. */
            readonly filterDot1xCertificateExpiryBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices with an 802.1X certificate that expires after an instant. Empty: the service has no such filter. */
            readonly filterDot1xCertificateExpiryAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices by whether they record. Empty: the service has no such filter. */
            readonly filterRecordingStatus?: components["schemas"]["filterName"];
            /** @description Filter for devices by their recorder. Empty: the service has no such filter. */
            readonly filterStorageServer?: components["schemas"]["filterName"];
            /** @description Filter for devices by the version that fixes them. Empty: the service has no such filter. */
            readonly filterPatchedFirmwareVersion?: components["schemas"]["filterName"];
            /** @description Filter for devices by whether a source reports them. Empty: the service has no such filter. */
            readonly filterOrphaned?: components["schemas"]["filterName"];
            /** @description Filter for devices by their highest severity. Empty: the service has no such filter. */
            readonly filterVulnerabilitySeverity?: components["schemas"]["filterName"];
            /** @description Filter for devices by the suggested version. Empty: the service has no such filter. */
            readonly filterSuggestedFirmwareVersion?: components["schemas"]["filterName"];
            /** @description Filter for devices by the suggested model. Empty: the service has no such filter. */
            readonly filterSuggestedReplacementModel?: components["schemas"]["filterName"];
            /** @description Filter for devices by the compliance of the SSL certificate. Empty: the service has no such filter. */
            readonly filterSslCertificateStatus?: components["schemas"]["filterName"];
            /** @description Filter for devices by the compliance of the 802.1X certificate. Empty: the service has no such filter. */
            readonly filterDot1xCertificateStatus?: components["schemas"]["filterName"];
            /**
             * @description Whether an attempt in doubt is closed as not done if the device still shows its old value. `afterQuarantine`: only if the owner of the service states that a lost task shows itself within 30 minutes. `never`: a person decides. A password or a restart is never closed in this way.
             * @enum {string}
             */
            readonly autoSettleNegative?: "never" | "afterQuarantine";
        };
        /**
         * Service
         * @description The service and how to use it; exactly once across all files. Credentials come from FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, never from YAML.
         * @example {
         *       "baseUrl": "https://api.example.com",
         *       "organization": "acme"
         *     }
         */
        readonly service: {
            /**
             * Base URL
             * @description URL of the service: https, or plain http on loopback. FLEETFORM_BASE_URL or --service override it.
             * @example https://api.example.com
             */
            readonly baseUrl: string;
            /**
             * Organization
             * @description Organization, as in the token path.
             * @example acme
             */
            readonly organization: string;
            /**
             * Pace
             * @description How fast fleetform sends requests.
             */
            readonly pace?: {
                /**
                 * Requests per second
                 * @description Requests per second for each endpoint family.
                 */
                readonly requestsPerSecond?: number;
                /** Token requests per minute */
                readonly tokenRequestsPerMinute?: number;
                /** @description Interval at which running tasks are read. */
                readonly pollEvery?: components["schemas"]["positiveDuration"];
            };
            /**
             * Ledger
             * @description Where the ledger is kept: a directory on one machine, or a branch of a Git remote in CI.
             * @example {
             *       "store": "git",
             *       "remote": "origin",
             *       "branch": "fleetform-ledger"
             *     }
             * @example {
             *       "store": "directory",
             *       "path": "/var/lib/fleetform"
             *     }
             */
            readonly ledger?: {
                /**
                 * Store
                 * @description Where the records are: in files of this machine, or on a branch of a Git remote.
                 * @enum {string}
                 */
                readonly store?: "directory" | "git";
                /**
                 * Path
                 * @description Path of the directory store.
                 * @example /var/lib/fleetform
                 */
                readonly path?: string;
                /**
                 * Remote
                 * @description Remote of the git store: a name, URL or path. Anyone who may push there can change the ledger.
                 */
                readonly remote?: string;
                /**
                 * Branch
                 * @description Branch of the git store, for the ledger only.
                 */
                readonly branch?: string;
            };
            /**
             * Approval
             * @description What counts as an approval. `commit`: the merge; runs apply the documents of the default branch. `plan`: the outcomes of a plan that a person approves at the gate after the merge; runs start only these and what a standing approval covers. A change from `plan` to `commit` must pass that gate, too.
             * @example plan
             * @example {
             *       "is": "plan",
             *       "expires": "14d"
             *     }
             */
            readonly approval?: string | {
                /**
                 * Kind of approval
                 * @enum {string}
                 */
                readonly is: "plan";
                /** @description How long an approved outcome may start. */
                readonly expires?: components["schemas"]["positiveDuration"];
            };
            /** @description How long a device may be offline or in maintenance mode before its changes need a person. A deadline, limit or expiry that comes earlier counts. */
            readonly needsYouAfter?: components["schemas"]["positiveDuration"];
            /**
             * Notifications
             * @description Receivers of a notification after a run that changed or failed something. A failed delivery does not change the result of the run.
             * @example {
             *       "webhook": {
             *         "url": "https://hooks.example.com/fleetform",
             *         "secret": {
             *           "fromEnv": "FLEETFORM_WEBHOOK_SECRET"
             *         }
             *       }
             *     }
             */
            readonly notifications?: {
                /**
                 * Webhook
                 * @description Where `apply` and `resume` post the outcome as JSON, signed as in `X-Fleetform-Signature-256: sha256=HMAC`.
                 */
                readonly webhook: {
                    /**
                     * URL
                     * @description URL of the receiver: https, or plain http on loopback. Redirects are not followed.
                     * @example https://hooks.example.com/fleetform
                     */
                    readonly url: string;
                    /**
                     * Secret
                     * @description Variable that holds the key of the signature. It is read when the notification is sent.
                     */
                    readonly secret: {
                        /**
                         * Variable
                         * @description Name of the environment variable.
                         * @example FLEETFORM_WEBHOOK_SECRET
                         */
                        readonly fromEnv: string;
                    };
                };
            };
            readonly dialect?: components["schemas"]["dialect"];
        };
        /** Site */
        readonly site: {
            /** @description Time zone of the site, used by `timeZone: site`. */
            readonly timeZone?: components["schemas"]["zone"];
            /**
             * Tags
             * @description Tags for selectors: {site: {tag: retail}}.
             */
            readonly tags?: readonly string[];
        };
        /**
         * Sites
         * @description Facts about a site that the service does not know. The key is the name or ID of the site.
         * @example {
         *       "HQ Berlin": {
         *         "timeZone": "Europe/Berlin",
         *         "tags": [
         *           "emea",
         *           "hq"
         *         ]
         *       }
         *     }
         */
        readonly sites: {
            readonly [key: string]: components["schemas"]["site"];
        };
        /** Group */
        readonly group: {
            /** @description Members by selector, which cannot use groups. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Devices
             * @description Members by ID.
             * @example [
             *       "dev-118",
             *       "dev-119"
             *     ]
             */
            readonly devices?: readonly string[];
            /**
             * Redundancy
             * @description Whether at most one member may be down at a time.
             */
            readonly redundancy?: boolean;
        };
        /**
         * Groups
         * @description Named sets of devices, by selector or by ID.
         * @example {
         *       "lobby": {
         *         "select": {
         *           "site": "HQ*",
         *           "name": "lobby-*"
         *         }
         *       },
         *       "door-12": {
         *         "devices": [
         *           "dev-118",
         *           "dev-119"
         *         ],
         *         "redundancy": true
         *       }
         *     }
         */
        readonly groups: {
            readonly [key: string]: components["schemas"]["group"];
        };
        /** Window */
        readonly window: {
            /** @description Time zone of all times and cron expressions of the window. */
            readonly timeZone?: components["schemas"]["zoneOrSite"];
            /**
             * Open
             * @description Periods in which the window is open.
             */
            readonly allow: readonly components["schemas"]["span"][];
            /**
             * Closed
             * @description Periods in which the window is closed; overrides `allow`.
             */
            readonly deny?: readonly components["schemas"]["span"][];
            /**
             * Cutoff
             * @description How long before the close the last task may start; `auto` depends on the duration of the task.
             * @example auto
             * @example 90m
             */
            readonly cutoff?: string;
            /** @description Task types that may use the window. */
            readonly task?: components["schemas"]["tasks"];
        };
        /**
         * Span
         * @description Days with times, or a cron expression with a duration.
         * @example {
         *       "days": "tue-thu",
         *       "from": "01:00",
         *       "to": "05:00"
         *     }
         * @example {
         *       "cron": "0 1 * * SAT#3",
         *       "duration": "4h"
         *     }
         */
        readonly span: {
            /**
             * Days
             * @description A list of days, or a range such as tue-thu. Default: every day.
             * @example tue-thu
             * @example [
             *       "sat",
             *       "sun"
             *     ]
             */
            readonly days?: string | readonly components["schemas"]["weekday"][];
            /** @description Time at which it opens. */
            readonly from?: components["schemas"]["clockTime"];
            /** @description Time at which it closes. If earlier than `from`, on the next day; the period belongs to the day it starts on. */
            readonly to?: components["schemas"]["clockTime"];
            /** @description Cron expression at which it opens. */
            readonly cron?: components["schemas"]["cron"];
            /** @description How long it stays open: less than 24 hours. */
            readonly duration?: components["schemas"]["positiveDuration"];
        };
        /**
         * Maintenance windows
         * @description When a task may start. Built in: `anytime`, always open.
         * @example {
         *       "weeknights": {
         *         "allow": [
         *           {
         *             "days": "tue-thu",
         *             "from": "01:00",
         *             "to": "05:00"
         *           }
         *         ]
         *       }
         *     }
         */
        readonly windows: {
            readonly [key: string]: components["schemas"]["window"];
        };
        /** Freeze */
        readonly freeze: {
            /** @description Time zone of `from`, `to` and `annual`, if they have no offset. */
            readonly timeZone?: components["schemas"]["zoneOrSite"];
            /** @description Start of the freeze. */
            readonly from?: components["schemas"]["localOrInstant"];
            /** @description End of the freeze (exclusive). */
            readonly to?: components["schemas"]["localOrInstant"];
            /**
             * Every year
             * @description From the start of the first day to the start of the last; can span the new year.
             * @example {
             *       "from": "12-18",
             *       "to": "01-04"
             *     }
             */
            readonly annual?: {
                readonly from: components["schemas"]["monthDay"];
                readonly to: components["schemas"]["monthDay"];
            };
            /** @description Devices that the freeze applies to. Default: every device. */
            readonly select?: components["schemas"]["selector"];
            /** @description Task types. */
            readonly task?: components["schemas"]["tasks"];
            /**
             * Hard
             * @description Also blocks urgent exceptions and expiring certificates.
             */
            readonly hard?: boolean;
            /** @description Longer freezes cause a warning. */
            readonly maxLength?: components["schemas"]["positiveDuration"];
            /** @description Reason, shown in plan and audit. */
            readonly reason: components["schemas"]["prose"];
            /** @description Person or team responsible. */
            readonly owner: components["schemas"]["prose"];
            /** @description Ticket of the approval. */
            readonly ticket: components["schemas"]["prose"];
        };
        /**
         * Month and day
         * @description MM-DD, quoted.
         * @example 12-18
         */
        readonly monthDay: string;
        /**
         * Freezes
         * @description Periods in which no task may start.
         * @example {
         *       "black-week": {
         *         "from": "2026-11-23T00:00:00",
         *         "to": "2026-12-01T00:00:00",
         *         "select": {
         *           "site": {
         *             "tag": "retail"
         *           }
         *         },
         *         "reason": "black week",
         *         "owner": "secops",
         *         "ticket": "CHG-1234"
         *       }
         *     }
         */
        readonly freezes: {
            readonly [key: string]: components["schemas"]["freeze"];
        };
        /** Rollout */
        readonly rollout: {
            /**
             * Canary
             * @description Above 10 devices, the first wave must be named `canary`, unless this is `none`.
             * @enum {string}
             */
            readonly canary?: "required" | "none";
            /**
             * Waves
             * @description Waves in order; the last one must reach 100%.
             */
            readonly waves?: readonly components["schemas"]["wave"][];
            /**
             * Assignment
             * @description `stableHash`: by policy and device ID, so that the canary of a policy stays the same. `site`: whole sites together.
             * @enum {string}
             */
            readonly assignment?: "stableHash" | "site";
            /**
             * Most in flight
             * @description Maximum number of devices in flight.
             */
            readonly maxInFlight?: number;
            /**
             * Batch
             * @description Devices per task, at most `service.dialect.maxDevicesPerTask` (default 100).
             */
            readonly batch?: number;
            readonly gate?: components["schemas"]["gate"];
            readonly stopOn?: components["schemas"]["stopOn"];
            readonly retry?: components["schemas"]["retry"];
            readonly timeouts?: components["schemas"]["timeouts"];
        };
        /**
         * Wave
         * @description A part of the devices: by number, by cumulative percentage, or by selector.
         * @example {
         *       "name": "canary",
         *       "size": 5,
         *       "stratify": [
         *         "vendor",
         *         "model",
         *         "firmwareVersion"
         *       ],
         *       "soak": "24h"
         *     }
         * @example {
         *       "name": "rest",
         *       "percent": "100%"
         *     }
         */
        readonly wave: {
            /** @description Name of the wave; the first is `canary`. */
            readonly name: components["schemas"]["entryName"];
            /**
             * Size
             * @description Number of devices.
             * @example 5
             */
            readonly size?: number;
            /** @description Cumulative percentage: this and all earlier waves. */
            readonly percent?: components["schemas"]["percent"];
            /** @description Devices that match and are not in an earlier wave. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Stratify
             * @description At least one device of each combination of these fields.
             */
            readonly stratify?: readonly ("vendor" | "model" | "firmwareVersion" | "site" | "deviceType")[];
            /** @description How long to wait before the next wave. Default: 24h for the first wave, 48h for others. */
            readonly soak?: components["schemas"]["duration"];
        };
        /**
         * Gate
         * @description Conditions before the next wave starts.
         */
        readonly gate: {
            /** @description Minimum share of eligible devices that were attempted. */
            readonly minReached?: components["schemas"]["percent"];
            /** @description Minimum share of attempted devices that are verified. */
            readonly minSuccess?: components["schemas"]["percent"];
            /**
             * Checks
             * @description Checks at each run during the soak.
             */
            readonly checks?: readonly ("online" | "readBackMatches" | "recording")[];
            /** Good samples in a row */
            readonly consecutiveOk?: number;
            /**
             * Approval
             * @description `required`: the next wave needs an exception with `allow: {gate: ROLLOUT/WAVE}`.
             * @enum {string}
             */
            readonly approval?: "none" | "required";
            /** @description How long the gate may stay open before the rollout pauses. */
            readonly timeout?: components["schemas"]["positiveDuration"];
        };
        /**
         * Stop rules
         * @description Bad outcomes that stop a rollout: a mapping, or a list of rules.
         * @example {
         *       "canary": 0,
         *       "wave": "5%",
         *       "model": "30%"
         *     }
         */
        readonly stopOn: {
            /** @description Limit for the canary. */
            readonly canary?: components["schemas"]["intOrPercent"];
            /** @description Limit for a wave. */
            readonly wave?: components["schemas"]["intOrPercent"];
            /** @description Limit for a model. */
            readonly model?: components["schemas"]["intOrPercent"];
            /** @description Limit for the whole rollout. */
            readonly rollout?: components["schemas"]["intOrPercent"];
        } | readonly components["schemas"]["stopRule"][];
        /** Stop rule */
        readonly stopRule: {
            /** Outcomes counted */
            readonly class?: readonly ("failed" | "rolledBack" | "aborted" | "unverified" | "timedOut" | "inDoubt" | "deviceDown")[];
            /**
             * Count
             * @description Stops above this number.
             */
            readonly max?: number;
            /** @description Stops above this share of attempted devices. */
            readonly percent?: components["schemas"]["percent"];
            /**
             * Least attempts
             * @description Minimum number of attempts for a percentage.
             */
            readonly minAttempts?: number;
            /**
             * Scope
             * @description What is counted and stopped.
             * @enum {string}
             */
            readonly scope: "canary" | "wave" | "rollout" | "site" | "model" | "fleet";
            /**
             * Action
             * @description `pause`: `resume` continues it. `abort`: ends the rollout for this target.
             * @enum {string}
             */
            readonly action?: "pause" | "abort";
        };
        /**
         * Retry
         * @description Which outcomes are tried again, how often, and when.
         */
        readonly retry: {
            /** Outcomes that are tried again */
            readonly classes?: readonly ("failed" | "timedOut")[];
            /** Attempts per window */
            readonly maxAttemptsPerWindow?: number;
            /**
             * Windows
             * @description Maximum number of windows with an attempt; then the device needs a person.
             */
            readonly maxWindows?: number;
            /**
             * Backoff
             * @description Wait between two attempts of a device.
             */
            readonly backoff?: {
                /** @description Wait before the first retry. */
                readonly initial?: components["schemas"]["positiveDuration"];
                /**
                 * Factor
                 * @description Factor by which each wait is longer than the one before.
                 */
                readonly factor?: number;
                /** @description Maximum wait. */
                readonly max?: components["schemas"]["positiveDuration"];
                /**
                 * Jitter
                 * @description `full`: a random part of the wait, so that devices do not return at once. `none`: all of it.
                 * @enum {string}
                 */
                readonly jitter?: "full" | "none";
            };
        };
        /**
         * Timeouts
         * @description How long a task may take before fleetform stops waiting for it.
         */
        readonly timeouts: {
            /** @description Maximum time in state pending. */
            readonly pending?: components["schemas"]["positiveDuration"];
            /** @description Maximum run time. Default: 60m for each firmware step, 30m for onboarding, 20m for rotations, 15m for restarts. */
            readonly running?: components["schemas"]["perTask"];
            /** @description Time from the end of a task to `unverified`. Default: 30m for firmware, 15m for others. */
            readonly verify?: components["schemas"]["perTask"];
            /** @description After this time without an end, the task needs a person. */
            readonly lost?: components["schemas"]["positiveDuration"];
        };
        /** Duration per task type */
        readonly perTask: {
            /** @description Time for this task type. */
            readonly upgradeFirmware?: components["schemas"]["positiveDuration"];
            /** @description Time for this task type. */
            readonly rotatePassword?: components["schemas"]["positiveDuration"];
            /** @description Time for this task type. */
            readonly rotateSslCertificate?: components["schemas"]["positiveDuration"];
            /** @description Time for this task type. */
            readonly onboardDevice?: components["schemas"]["positiveDuration"];
            /** @description Time for this task type. */
            readonly restartDevice?: components["schemas"]["positiveDuration"];
        };
        /**
         * Rollouts
         * @description Order of devices: waves, gates, stop rules, limits. Built in: `default` with canary 5, then 5%, 25%, 100%. An entry with that name replaces it.
         * @example {
         *       "standard": {
         *         "waves": [
         *           {
         *             "name": "canary",
         *             "size": 5,
         *             "soak": "24h"
         *           },
         *           {
         *             "name": "early",
         *             "percent": "5%",
         *             "soak": "48h"
         *           },
         *           {
         *             "name": "rest",
         *             "percent": "100%"
         *           }
         *         ],
         *         "maxInFlight": 20,
         *         "batch": 10
         *       }
         *     }
         */
        readonly rollouts: {
            readonly [key: string]: components["schemas"]["rollout"];
        };
        /** Budget */
        readonly budget: {
            /** @description Devices to count. Default: every device. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Per
             * @description Unit that has its own count.
             * @enum {string}
             */
            readonly per: "site" | "redundancyGroup" | "deviceSource" | "storageServer" | "fleet";
            /** @description Maximum number of devices that are down. A percentage rounds down, per site to at least 1. */
            readonly maxUnavailable?: components["schemas"]["intOrPercent"];
            /**
             * Least available
             * @description Minimum number of devices that are up.
             * @example 1
             */
            readonly minAvailable?: number;
            /**
             * Most in flight
             * @description Maximum number of fleetform tasks in flight.
             * @example 20
             */
            readonly maxInFlight?: number;
            /**
             * Sets of one
             * @description Rule for a set of one device. Default: `allow` for cameras, `requireApproval` for other types.
             * @enum {string}
             */
            readonly singletons?: "allow" | "requireApproval" | "block";
            /**
             * Partial counts as
             * @description Whether a device with status `partial` counts as down.
             * @enum {string}
             */
            readonly treatPartialAs?: "unavailable" | "available";
            /**
             * Unknown counts as
             * @description Whether a device with status `unknown` counts as down.
             * @enum {string}
             */
            readonly treatUnknownAs?: "unavailable" | "available";
        };
        /**
         * Budgets
         * @description How many devices of a set may be down at once. All matching budgets apply; the strictest wins. Built in: default-site (10% of each site), default-storage-server (5 in flight), default-fleet (50 in flight). An entry with the same name replaces one.
         * @example {
         *       "cameras-per-site": {
         *         "select": {
         *           "deviceType": "camera"
         *         },
         *         "per": "site",
         *         "maxUnavailable": "10%"
         *       }
         *     }
         */
        readonly budgets: {
            readonly [key: string]: components["schemas"]["budget"];
        };
        /** Firmware policy */
        readonly firmwarePolicy: {
            /** @description Devices that the policy applies to. */
            readonly select: components["schemas"]["selector"];
            /** @description Target version: exact, an x-range, a range, or `approved` for the newest version that the service approves for the device. Always quoted. */
            readonly version: components["schemas"]["version"];
            /** @description Minimum version: a device below it skips `deferral`. */
            readonly minVersion?: components["schemas"]["exactVersion"];
            /** @description How long to wait after the service first approved a version for the model. */
            readonly deferral?: components["schemas"]["duration"];
            /** @description How long after `deferral` a device counts as late. Safety rules still apply. */
            readonly deadline?: components["schemas"]["positiveDuration"];
            /**
             * Downgrade
             * @description Whether the target may be older than the installed version, or have no known order with it. `allow` requires a ticket.
             * @enum {string}
             */
            readonly downgrade?: "forbid" | "allow";
            /** @description Ticket for the downgrade. */
            readonly ticket?: components["schemas"]["prose"];
            /**
             * Order
             * @description Versions that have no known order, the oldest first, each exactly as `fleetform get target-firmware` and `get devices` print it. It beats the built-in order.
             * @example [
             *       "45.7.0.9-r2",
             *       "45.8.0.4"
             *     ]
             */
            readonly order?: readonly components["schemas"]["exactVersion"][];
            /**
             * Path
             * @description `auto`: through intermediate versions if the service requires them. `direct`: in one step or not at all.
             * @enum {string}
             */
            readonly path?: "auto" | "direct";
            /**
             * Rest at an intermediate version
             * @description Whether a device may stay at an intermediate version until the next window. `forbid`: the first step starts only if all steps fit before the window closes.
             * @enum {string}
             */
            readonly restAtIntermediate?: "allow" | "forbid";
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly renamedFrom?: components["schemas"]["renamedFrom"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /**
         * Firmware
         * @description Target firmware of devices.
         * @example {
         *       "axis-p32": {
         *         "select": {
         *           "vendor": "Axis",
         *           "model": "P3265-*"
         *         },
         *         "version": "11.11.x",
         *         "rollout": "standard",
         *         "windows": "weeknights"
         *       }
         *     }
         */
        readonly firmware: {
            readonly [key: string]: components["schemas"]["firmwarePolicy"];
        };
        /** Rotation policy */
        readonly rotation: {
            /**
             * Task
             * @enum {string}
             */
            readonly task: "rotatePassword" | "rotateSslCertificate";
            /** @description Devices that the policy applies to. */
            readonly select: components["schemas"]["selector"];
            /**
             * Greatest age
             * @description Maximum time since the last change. `never`: only `generation` rotates; requires `rationale`. Default for passwords: 180d.
             * @example 180d
             * @example never
             */
            readonly maxAge?: string;
            /** @description How long before expiry to renew; a percentage is of the actual lifetime. Default for certificates: 33%. */
            readonly renewBefore?: components["schemas"]["percentOrDuration"];
            /** @description How long before `maxAge` to start. */
            readonly headStart?: components["schemas"]["duration"];
            /** @description Period over which devices are distributed, each with a stable offset. */
            readonly spread?: components["schemas"]["duration"];
            /**
             * Generation
             * @description Raise this number to rotate all selected devices once more.
             */
            readonly generation?: number;
            /**
             * Payload
             * @description Payload of the task. Write a secret as {fromEnv: NAME}; it is read only when the task is sent.
             * @example {
             *       "password": {
             *         "fromEnv": "NEW_CAMERA_PASSWORD"
             *       }
             *     }
             */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /**
             * Verification
             * @description How a rotation is verified.
             */
            readonly verify?: {
                /** @description Time from the end of the task to `unverified`. */
                readonly within?: components["schemas"]["positiveDuration"];
            };
            /** @description How long before expiry a certificate passes windows and soft freezes. Without a start before it, the rotation waits for it. Certificates only. */
            readonly expiryGuard?: components["schemas"]["duration"];
            /** @description How long to wait after an overdue device is back online. */
            readonly offlineGrace?: components["schemas"]["duration"];
            /**
             * Unknown age
             * @description If the service does not know the date: `skip` leaves the device to you; `rotate` rotates it once, five devices at a time.
             * @enum {string}
             */
            readonly unknownAge?: "skip" | "rotate";
            /**
             * Leaves in service
             * @description Whether a device stays in service during the rotation. Default: `true` for cameras, `false` for other types. Such a rotation does not wait because other devices are down: it uses `maxUnavailable` only for devices in progress.
             * @example true
             */
            readonly leavesInService?: boolean;
            /** @description Reason for this age; required for `maxAge: never`. */
            readonly rationale?: components["schemas"]["prose"];
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly renamedFrom?: components["schemas"]["renamedFrom"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /**
         * Rotations
         * @description Maximum age of passwords and certificates.
         * @example {
         *       "camera-passwords": {
         *         "task": "rotatePassword",
         *         "select": {
         *           "deviceType": "camera"
         *         },
         *         "maxAge": "180d",
         *         "rollout": "standard",
         *         "windows": "weeknights"
         *       }
         *     }
         */
        readonly rotations: {
            readonly [key: string]: components["schemas"]["rotation"];
        };
        /** Onboarding policy */
        readonly onboardingPolicy: {
            /**
             * Discovered devices by rule
             * @description Discovered devices to onboard. All keys must match; of a list, one value must match.
             */
            readonly select?: {
                /** @description Name or ID of the source that reported it. */
                readonly source?: components["schemas"]["globs"];
                /** @description Vendor of the device. */
                readonly vendor?: components["schemas"]["globs"];
                /** @description Type of the device. */
                readonly deviceType?: components["schemas"]["globs"];
                /** @description Onboarding status. */
                readonly status?: components["schemas"]["globs"];
                /** @description Name of the device. */
                readonly name?: components["schemas"]["globs"];
                /** @description Discovered at this time or later. */
                readonly discoveredAfter?: components["schemas"]["instant"];
                /** @description Discovered before this time. */
                readonly discoveredBefore?: components["schemas"]["instant"];
            };
            /**
             * Discovered devices by list
             * @description One entry per device; all its keys must match. The plan reports devices that are not discovered yet.
             */
            readonly devices?: readonly components["schemas"]["listedDevice"][];
            /**
             * Blocked vendors
             * @description Vendors to exclude, even if listed; upper and lower case are the same. A device without a vendor is skipped.
             */
            readonly blockVendors?: readonly string[];
            /**
             * Most per day
             * @description Maximum number of devices onboarded in any 24 hours.
             */
            readonly maxPerDay?: number;
            /** @description How long a listed device may stay undiscovered before the plan warns. */
            readonly expectWithin?: components["schemas"]["positiveDuration"];
            /**
             * On duplicates
             * @description What to do if several discovered devices match one entry.
             * @enum {string}
             */
            readonly onDuplicate?: "error" | "skip";
            /**
             * First-day duties
             * @description Tasks for a new device, in this order.
             */
            readonly after?: readonly ("upgradeFirmware" | "rotatePassword" | "rotateSslCertificate" | "restartDevice")[];
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly renamedFrom?: components["schemas"]["renamedFrom"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /**
         * Listed device
         * @example {
         *       "id": "disc-1"
         *     }
         * @example {
         *       "serial": "B8A44F000001"
         *     }
         * @example {
         *       "name": "lobby-cam-1",
         *       "site": "HQ Berlin"
         *     }
         */
        readonly listedDevice: {
            /**
             * Id
             * @description ID of the discovered device.
             * @example disc-1
             */
            readonly id?: string;
            /**
             * Serial number
             * @description Serial number of the discovered device.
             * @example B8A44F000001
             */
            readonly serial?: string;
            /**
             * Name
             * @description Name of the discovered device.
             * @example lobby-cam-1
             */
            readonly name?: string;
            /**
             * Site
             * @description Name or ID of the site.
             * @example HQ Berlin
             */
            readonly site?: string;
        };
        /**
         * Onboarding
         * @description Discovered devices to onboard, by selector, by list, or both.
         * @example {
         *       "hq-cameras": {
         *         "select": {
         *           "source": "VMS HQ",
         *           "vendor": [
         *             "Axis",
         *             "Bosch"
         *           ],
         *           "deviceType": "camera"
         *         },
         *         "windows": "anytime"
         *       }
         *     }
         */
        readonly onboarding: {
            readonly [key: string]: components["schemas"]["onboardingPolicy"];
        };
        /** Restart policy */
        readonly restartPolicy: {
            /**
             * Symptom
             * @description Symptom and its duration.
             */
            readonly when: {
                /**
                 * Status
                 * @description Status that the device shows.
                 * @example offline
                 * @example [
                 *       "partial"
                 *     ]
                 */
                readonly status?: string | readonly ("online" | "offline" | "partial" | "unknown")[];
                /**
                 * Probes
                 * @description All keys must match.
                 */
                readonly probe?: {
                    readonly agent?: components["schemas"]["probeStates"];
                    readonly deviceSource?: components["schemas"]["probeStates"];
                    readonly edge?: components["schemas"]["probeStates"];
                    readonly host?: components["schemas"]["probeStates"];
                    readonly app?: components["schemas"]["probeStates"];
                };
                /** @description How long the symptom must last. */
                readonly for?: components["schemas"]["positiveDuration"];
                /** Leave out devices in maintenance mode */
                readonly excludeMaintenanceMode?: boolean;
            };
            /** @description Devices that the policy applies to. */
            readonly select: components["schemas"]["selector"];
            /** @description Minimum time between two restarts of a device. */
            readonly cooldown?: components["schemas"]["duration"];
            /** @description Maximum restarts of one device. Default: 2 per 7d. */
            readonly maxPerDevice?: components["schemas"]["countPer"];
            /** @description Maximum restarts at one site. Default: 3 per 1h. */
            readonly maxPerSite?: components["schemas"]["countPer"];
            /**
             * Correlated outage
             * @description If more than this percentage of a site goes down within this time, the network is the cause: no restart.
             * @example {
             *       "percent": "30%",
             *       "within": "10m"
             *     }
             */
            readonly correlatedOutage?: {
                readonly percent: components["schemas"]["percent"];
                readonly within: components["schemas"]["positiveDuration"];
            };
            /**
             * Escalate
             * @description After this many restarts without success, no more restarts.
             */
            readonly escalate?: {
                /**
                 * After
                 * @description Number of restarts without success after which the device needs a person.
                 */
                readonly after: number;
            };
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly renamedFrom?: components["schemas"]["renamedFrom"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /** Probe state, or list of them */
        readonly probeStates: string | readonly ("up" | "down" | "unknown" | "unmonitored")[];
        /**
         * Restarts
         * @description Symptoms that cause a restart.
         * @example {
         *       "gone-dark": {
         *         "when": {
         *           "status": "offline",
         *           "for": "20m"
         *         },
         *         "select": {
         *           "deviceType": "camera"
         *         },
         *         "windows": "anytime"
         *       }
         *     }
         */
        readonly restarts: {
            readonly [key: string]: components["schemas"]["restartPolicy"];
        };
        /**
         * Incident
         * @description Precedes every rotation policy. Passes spread, offlineGrace, soft freezes, windows, firmware soak and the cool-down between password and certificate. Waits for holds, excludes, hard freezes, pauses, budgets, and devices that are busy, in doubt or offline.
         */
        readonly incident: {
            /**
             * Credential
             * @description Credential to replace.
             * @enum {string}
             */
            readonly rotate: "password" | "certificate";
            /** @description Devices that the incident applies to. */
            readonly select: components["schemas"]["selector"];
            /** @description Credentials older than this are replaced once. */
            readonly since: components["schemas"]["instant"];
            /** @description End of the incident, at most 72h after `since`. */
            readonly until: components["schemas"]["instant"];
            /**
             * Expected devices
             * @description Maximum number of devices that remain, including offline ones. A plan with more is refused. Other guardrails do not count them.
             * @example 667
             */
            readonly expect: number;
            /**
             * Trial
             * @description Number of devices that go first, one of each vendor and model if possible. All must be verified; one bad outcome pauses the incident.
             */
            readonly trial?: number;
            /**
             * Most in flight
             * @description Maximum number of devices in flight. Default: that of budget `default-fleet`, 50.
             * @example 20
             */
            readonly maxInFlight?: number;
            /**
             * Leaves in service
             * @description Whether a device stays in service. Default: `true` for cameras, `false` for other types.
             * @example true
             */
            readonly leavesInService?: boolean;
            /**
             * Payload
             * @description Payload of the task. Write a secret as {fromEnv: NAME}; it is read only when the task is sent.
             */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /** @description Reason, shown in plan and audit. */
            readonly reason: components["schemas"]["prose"];
            /** @description Person or team responsible. */
            readonly owner: components["schemas"]["prose"];
            /** @description Ticket of the incident. */
            readonly ticket: components["schemas"]["prose"];
        };
        /**
         * Incidents
         * @description A leaked credential: every selected device gets a new one, once, now. Ends automatically, at most 72h after `since`.
         * @example {
         *       "munich-passwords": {
         *         "rotate": "password",
         *         "select": {
         *           "site": "Campus Munich",
         *           "deviceType": "camera"
         *         },
         *         "since": "2026-11-23T20:00:00Z",
         *         "until": "2026-11-24T06:00:00Z",
         *         "expect": 667,
         *         "reason": "password known outside",
         *         "owner": "secops",
         *         "ticket": "SEC-9"
         *       }
         *     }
         */
        readonly incidents: {
            readonly [key: string]: components["schemas"]["incident"];
        };
        /** Exception */
        readonly exception: {
            /**
             * Type
             * @description `acknowledge`: changes that need a person for one of `reasons` stay listed and are no reason for exit 4. `hold`: no task starts. `exclude`: policies do not apply. `pin`: the target is `version`. `expedite`: urgent; it passes spread, deferral, offlineGrace, the soak of firmware on the device, the soak between waves, soft freezes, windows and cutoffs, and nothing else. `allow`: allows what the field `allow` names.
             * @enum {string}
             */
            readonly type: "acknowledge" | "hold" | "pin" | "exclude" | "expedite" | "allow";
            /**
             * Allow
             * @description What an entry of type `allow` allows: one of these keys.
             * @example {
             *       "guardrail": "maxPercentOfFleet",
             *       "value": "60%"
             *     }
             * @example {
             *       "gate": "standard/early"
             *     }
             * @example {
             *       "budget": "cameras-per-site",
             *       "value": "20%"
             *     }
             */
            readonly allow?: {
                /**
                 * Gate
                 * @description Wave that may start, as ROLLOUT/WAVE.
                 * @example standard/early
                 */
                readonly gate?: string;
                /**
                 * Set of one
                 * @description Approves that a task takes the only device of a set down, where `singletons` of a budget requires an approval.
                 * @example true
                 * @constant
                 */
                readonly singleton?: true;
                /**
                 * No canary
                 * @description The selected devices start without a canary wave.
                 * @example true
                 * @constant
                 */
                readonly skipCanary?: true;
                /**
                 * Guardrail
                 * @description Limit that has `value` until the entry ends. `maxVanished` is of the whole fleet: without `select` and `task`.
                 * @enum {string}
                 */
                readonly guardrail?: "maxPercentOfFleet" | "maxChanges" | "maxPercentOfSite" | "maxSitesAtOnce" | "maxVanished";
                /** @description Budget whose `maxUnavailable` or `maxInFlight` is raised to `value` for the selected devices until the entry ends. Redundancy groups stay. */
                readonly budget?: components["schemas"]["entryName"];
                /** @description The raised limit. */
                readonly value?: components["schemas"]["intOrPercent"];
            };
            /** @description Devices that the exception applies to. */
            readonly select?: components["schemas"]["selector"];
            /** @description Task types. Default: `all`. */
            readonly task?: components["schemas"]["tasks"];
            /** @description Target version of a `pin`. */
            readonly version?: components["schemas"]["exactVersion"];
            /**
             * Reasons
             * @description What is acknowledged: codes of reasons, or more precise words, as in the JSON of a plan. A change that needs a person for another reason still does.
             * @example [
             *       "quarantined"
             *     ]
             */
            readonly reasons?: readonly ("unsupported" | "notComparable" | "quarantined" | "offline" | "maintenanceMode" | "unknown" | "siteWithoutZone" | "incidentEnded" | "correlatedOutage" | "rolloutAborted" | "rolloutPaused" | "noPath" | "noTargetFirmware" | "endOfSupport" | "downgrade" | "valueUnknown" | "ageNotShown" | "lastSeenOff" | "renewalLoop" | "enrichmentRequired" | "archived" | "retriesUsed" | "escalated" | "maxPerDevice" | "noRoomEver" | "downAlready" | "singleton" | "emptyWave" | "minSuccess")[];
            /**
             * Accepts the risk
             * @description Accept a pin below `minVersion`.
             */
            readonly acceptsRisk?: boolean;
            /** @description End of the exception. */
            readonly until: components["schemas"]["instant"];
            /** @description How long before `until` the plan lists the changes that start, or need a person, when it ends. */
            readonly notice?: components["schemas"]["duration"];
            /**
             * No canary
             * @description For `expedite` only; requires two approvers.
             */
            readonly skipCanary?: boolean;
            /**
             * Approvers
             * @description Names to record. For `expedite` only.
             */
            readonly approvers?: readonly string[];
            /** @description Reason, shown in plan and audit. */
            readonly reason: components["schemas"]["prose"];
            /** @description Person or team responsible. */
            readonly owner: components["schemas"]["prose"];
            /** @description Ticket of the approval. */
            readonly ticket: components["schemas"]["prose"];
        };
        /**
         * Exceptions
         * @description Temporary exceptions. Each has an end, a reason, an owner and a ticket.
         * @example {
         *       "vendor-bug-77": {
         *         "type": "pin",
         *         "select": {
         *           "device": [
         *             "dev-7"
         *           ]
         *         },
         *         "task": "upgradeFirmware",
         *         "version": "11.10.61",
         *         "until": "2027-01-31T00:00:00Z",
         *         "reason": "vendor bug",
         *         "owner": "secops",
         *         "ticket": "INC-77"
         *       }
         *     }
         */
        readonly exceptions: {
            readonly [key: string]: components["schemas"]["exception"];
        };
        /** Guardrail */
        readonly guardrail: {
            /** @description Maximum share of all visible devices that change. */
            readonly maxPercentOfFleet?: components["schemas"]["percent"];
            /**
             * Most changes
             * @description Maximum number of changes in one plan.
             * @example 2000
             */
            readonly maxChanges?: number;
            /** @description Maximum share of the devices of a site that change. */
            readonly maxPercentOfSite?: components["schemas"]["percent"];
            /**
             * Most sites
             * @description Maximum number of sites with a change.
             * @example 3
             */
            readonly maxSitesAtOnce?: number;
            /**
             * Most devices gone
             * @description Maximum number of known devices that the service does not return; known is for each site the most of any record of the last 30 days. Built in as the entry `visible`: 20 or 10%, whichever is less, at least 1.
             * @example 20
             */
            readonly maxVanished?: number;
        };
        /**
         * Guardrails
         * @description Limits of a whole plan; all entries apply. Built in: default (30% of a fleet with more than 20 devices) and visible, which stops a plan when many devices are missing. An entry with the same name replaces one.
         * @example {
         *       "default": {
         *         "maxPercentOfFleet": "30%",
         *         "maxChanges": 2000
         *       }
         *     }
         */
        readonly guardrails: {
            readonly [key: string]: components["schemas"]["guardrail"];
        };
        /**
         * fleetform document
         * @description One file under fleet/. Each of the fourteen sections can be in any file; the key of an entry is its name.
         */
        readonly fleet: {
            readonly service?: components["schemas"]["service"];
            readonly sites?: components["schemas"]["sites"];
            readonly groups?: components["schemas"]["groups"];
            readonly windows?: components["schemas"]["windows"];
            readonly freezes?: components["schemas"]["freezes"];
            readonly rollouts?: components["schemas"]["rollouts"];
            readonly budgets?: components["schemas"]["budgets"];
            readonly firmware?: components["schemas"]["firmware"];
            readonly rotations?: components["schemas"]["rotations"];
            readonly onboarding?: components["schemas"]["onboarding"];
            readonly restarts?: components["schemas"]["restarts"];
            readonly incidents?: components["schemas"]["incidents"];
            readonly exceptions?: components["schemas"]["exceptions"];
            readonly guardrails?: components["schemas"]["guardrails"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
