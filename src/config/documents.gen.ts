// Generated from schemas/*.schema.json by test/tools/generate.mjs. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Entry name
         * @description Lower-case letters, digits and dashes, at most 63; unique per section over all files.
         * @example axis-p32
         * @example weeknights
         */
        readonly entryName: string;
        /**
         * Text
         * @description Any text that is not empty.
         */
        readonly prose: string;
        /**
         * Duration
         * @description One whole number and one unit: s, m, h, d or w. Elapsed time: 1d is 24 hours, whatever the clock does.
         * @example 30s
         * @example 15m
         * @example 6h
         * @example 7d
         * @example 2w
         */
        readonly duration: string;
        /**
         * Duration
         * @description One whole number above 0 and one unit: s, m, h, d or w. Elapsed time: 1d is 24 hours, whatever the clock does.
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
         * @description A date-time, quoted. Without an offset it is read in the time zone of the entry.
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
         * @description An IANA name. No fixed offset, no abbreviation.
         * @example Europe/Berlin
         * @example America/New_York
         */
        readonly zone: string;
        /**
         * Time zone, or `site`
         * @description `site` is the zone of each device's site, from `sites`; else an IANA name.
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
         * @description A whole number, or a share in percent.
         * @example 3
         * @example 10%
         */
        readonly intOrPercent: number | string;
        /**
         * Percent or duration
         * @description A share of the whole life, or an elapsed time.
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
         * Desired firmware version
         * @description Always quoted. Exact, an x-range (x in the last place), a range whose comparators must all hold, or `approved`: the newest that is approved for the device. An x-range and a range mean the newest approved version that matches.
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
         * @description `*` is any run of characters, `?` any one; over the whole value, case-sensitive. A list matches where one of its globs does. A glob that begins with `*` has to be quoted.
         * @example P3265-*
         * @example [
         *       "Axis",
         *       "Bosch"
         *     ]
         */
        readonly globs: string | readonly string[];
        /**
         * Selector
         * @description Which devices: all keys must match, of a list any one. Every device is written {device: "*"}. A field that the device does not have never matches.
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
            /** @description Id of the device. */
            readonly device?: components["schemas"]["globs"];
            /** @description Name of the device. */
            readonly name?: components["schemas"]["globs"];
            /** @description Vendor of the device. */
            readonly vendor?: components["schemas"]["globs"];
            /** @description Model of the device. */
            readonly model?: components["schemas"]["globs"];
            /** @description Type of the device, such as camera or intercom. */
            readonly deviceType?: components["schemas"]["globs"];
            /** @description The version that runs: a glob, or a range that starts with < or >. */
            readonly firmwareVersion?: components["schemas"]["globs"];
            /**
             * Sites
             * @description Any of the device's sites: a glob or a list over names and ids, or {name, tag}.
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
                /** @description Name or id of the site. */
                readonly name?: components["schemas"]["globs"];
                /** @description A tag given to the site under `sites`. */
                readonly tag?: components["schemas"]["globs"];
            };
            /** @description Name or id of a device source of the device. */
            readonly source?: components["schemas"]["globs"];
            /** @description An entry of `groups`. */
            readonly group?: components["schemas"]["globs"];
            /** @description A selector of the same keys; what it matches is left out. One level deep. */
            readonly not?: components["schemas"]["selector"];
        };
        /**
         * Priority
         * @description Among policies that select the same device for the same task the highest wins; equal priority with a different outcome is an error.
         */
        readonly priority: number;
        /**
         * Standing approval
         * @description Where `service.approval` is plan: `standing` lets a rotation by age, a restart or a retry start without an approval of its own, as long as the documents of the newest approved commit want the same. A raised generation and an incident never do. Pause the policy to stop it.
         * @enum {string}
         */
        readonly standingApproval: "standing";
        /**
         * Maintenance windows
         * @description When an action may start: the name of a window or a list of names; `anytime` must be written out and stands alone.
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
         * @description The name of an entry of `rollouts`: waves, gates and limits.
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
            /** @description At most so many. */
            readonly count: number;
            /** @description In any stretch of this length. */
            readonly per: components["schemas"]["positiveDuration"];
        };
        readonly fieldName: string;
        readonly fieldNameOrNone: string;
        readonly filterName: string;
        readonly urlPath: string;
        /**
         * Dialect
         * @description What the documentation of the service leaves open, one key per assumption. A field name may lead into objects with dots; an empty text says that the service does not have the field.
         * @example {
         *       "tokenField": "data.token"
         *     }
         */
        readonly dialect: {
            /** @description Path of the token endpoint. */
            readonly tokenPath?: components["schemas"]["urlPath"];
            /** @description Body of the request for a token; without members none is sent. A secret in it is `{fromEnv: NAME}`. */
            readonly tokenBody?: {
                readonly [key: string]: unknown;
            };
            /** @description Token in the answer of the token endpoint. Empty: the answer is the token itself, as bare text. */
            readonly tokenField?: components["schemas"]["fieldNameOrNone"];
            /** @description Life of a token, in seconds. Empty: it is not said, and 5 minutes are assumed. */
            readonly tokenLifetimeField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description What a date is that comes as a number: `seconds` or `milliseconds` since 1970; with `iso` a number is no date. ISO 8601 is read always.
             * @enum {string}
             */
            readonly dateForm?: "iso" | "seconds" | "milliseconds";
            /**
             * @description How a date in a filter is sent: as ISO 8601 in UTC, or as `seconds` or `milliseconds` since 1970. You write it as RFC 3339, or as a day, which begins in UTC.
             * @enum {string}
             */
            readonly filterDateForm?: "iso" | "seconds" | "milliseconds";
            /** @description Devices in one task at the most. */
            readonly maxDevicesPerTask?: number;
            /** @description Id of a device in an entry of a task. */
            readonly taskDeviceField?: components["schemas"]["fieldName"];
            /**
             * @description How that id is sent: as `text`, or as a `number`.
             * @enum {string}
             */
            readonly taskDeviceType?: "text" | "number";
            /** @description Id of a discovered device in an entry of onboardDevice. */
            readonly onboardDeviceField?: components["schemas"]["fieldName"];
            /**
             * @description How that id is sent: as `text`, or as a `number`.
             * @enum {string}
             */
            readonly onboardDeviceType?: "text" | "number";
            /** @description A second member that an entry of onboardDevice must have. Empty: an entry holds the id alone. */
            readonly onboardSecondField?: components["schemas"]["fieldNameOrNone"];
            /** @description Where a discovered device shows the value of that second member. */
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
             * @description Id after onboarding: `same` as the discovered one, or `unknown` until the device task shows it.
             * @enum {string}
             */
            readonly onboardedId?: "same" | "unknown";
            /** @description Where a completed device task shows the id that an onboarded device has from then on; asked only where `onboardedId` is `unknown`. Empty: no device task shows it. */
            readonly onboardedIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description The sites of a device. Empty: the service does not show it. */
            readonly deviceSitesField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether that is a `list`, or `one` site alone. One object is understood either way.
             * @enum {string}
             */
            readonly deviceSitesForm?: "list" | "one";
            /** @description Id in an entry of a device's sites. Empty: the entry is the id itself. */
            readonly siteIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name in an entry of a device's sites. Empty: the service does not show it. */
            readonly siteNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description The sources of a device. Empty: the service does not show it. */
            readonly deviceSourcesField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether that is a `list`, or `one` source alone. One object is understood either way.
             * @enum {string}
             */
            readonly deviceSourcesForm?: "list" | "one";
            /** @description Id in an entry of a device's sources. Empty: the entry is the id itself. */
            readonly sourceIdField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name in an entry of a device's sources. Empty: the service does not show it. */
            readonly sourceNameField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a device was onboarded. Empty: the service does not show it. */
            readonly onboardingDateField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a device was hardened last. Empty: the service does not show it. */
            readonly lastHardenedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Whether a camera records. Empty: the service does not show it. */
            readonly recordingStatusField?: components["schemas"]["fieldNameOrNone"];
            /** @description Name of the recorder of a camera. Empty: the service does not show it. */
            readonly storageServerField?: components["schemas"]["fieldNameOrNone"];
            /** @description Version that mends the known vulnerabilities. Empty: the service does not show it. */
            readonly patchedFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Whether no source reports the device any more. Empty: the service does not show it. */
            readonly orphanedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Highest severity of the known vulnerabilities. Empty: the service does not show it. */
            readonly vulnerabilitySeverityField?: components["schemas"]["fieldNameOrNone"];
            /** @description Version the service suggests. Empty: the service does not show it. */
            readonly suggestedFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Model the service suggests instead. Empty: the service does not show it. */
            readonly suggestedReplacementModelField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the password of a device expires. Empty: the service does not show it. */
            readonly passwordExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description When the password changed last, where the device itself shows it. Empty: the service does not show it. */
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
            /** @description Last change in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryChangedField?: components["schemas"]["fieldNameOrNone"];
            /** @description Expiry in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryExpiryField?: components["schemas"]["fieldNameOrNone"];
            /** @description User in an entry of passwords. Empty: the service does not show it. */
            readonly passwordEntryUserField?: components["schemas"]["fieldNameOrNone"];
            /** @description Type in an entry of certificates. Empty: entries have no type; a single entry is then the SSL certificate, and a device with several is skipped, since none tells which is in use. */
            readonly certificateTypeField?: components["schemas"]["fieldNameOrNone"];
            /** @description The word for an SSL certificate. */
            readonly certificateTypeSsl?: string;
            /** @description The certificate itself. Empty: the entry is the certificate itself. */
            readonly certificateField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether that is `pem`, or `der` in base64. Both are understood.
             * @enum {string}
             */
            readonly certificateForm?: "pem" | "der";
            /** @description Start of validity, where not read off the certificate. Empty: the service does not show it. */
            readonly certificateNotBeforeField?: components["schemas"]["fieldNameOrNone"];
            /** @description End of validity, where not read off the certificate. Empty: the service does not show it. */
            readonly certificateNotAfterField?: components["schemas"]["fieldNameOrNone"];
            /** @description List in the answer of vulnerabilities. Empty: the answer is the list itself. */
            readonly vulnerabilitiesListField?: components["schemas"]["fieldNameOrNone"];
            /** @description List in the answer of targetFirmware. Empty: the answer is the list itself. */
            readonly targetFirmwareListField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether that is a `list`, or `one` target alone. One object is understood either way.
             * @enum {string}
             */
            readonly targetFirmwareForm?: "list" | "one";
            /** @description Version in an entry of targetFirmware. Empty: the entry is the version itself. */
            readonly targetFirmwareVersionField?: components["schemas"]["fieldNameOrNone"];
            /** @description Versions on the way to it, itself last. Empty: the service does not show it. */
            readonly targetFirmwarePathField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description `model` where equal vendor, model and version get equal answers, else `device`.
             * @enum {string}
             */
            readonly targetFirmwareScope?: "model" | "device";
            /** @description List in the answer of firmwarePaths. Empty: the service has no such list, and it is not asked for. */
            readonly firmwarePathsListField?: components["schemas"]["fieldNameOrNone"];
            /**
             * @description Whether the list is `paged` by limit and offset, or comes `whole` without them.
             * @enum {string}
             */
            readonly firmwarePathsPages?: "paged" | "whole";
            /** @description Vendor in an entry of firmwarePaths. */
            readonly firmwarePathVendorField?: components["schemas"]["fieldName"];
            /** @description Model in an entry of firmwarePaths, or a list of models. */
            readonly firmwarePathModelField?: components["schemas"]["fieldName"];
            /** @description Version that a path starts at. */
            readonly firmwarePathFromField?: components["schemas"]["fieldName"];
            /** @description Version that a path leads to. */
            readonly firmwarePathToField?: components["schemas"]["fieldName"];
            /** @description Versions on the way to it, itself last. Empty: the service does not show it. */
            readonly firmwarePathHopsField?: components["schemas"]["fieldNameOrNone"];
            /** @description Id of a discovered device. */
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
             * @description Whether that is `one` source, or a `list`. A list is understood either way.
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
            /** @description What a step says of its end. Empty: the service does not show it. */
            readonly stepMessageField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a step began. Empty: the service does not show it. */
            readonly stepStartField?: components["schemas"]["fieldNameOrNone"];
            /** @description When a step ended. Empty: the service does not show it. */
            readonly stepEndField?: components["schemas"]["fieldNameOrNone"];
            /** @description Filter for devices that somebody works on. Empty: the service has no such filter; all rows are then read and looked at before each start. */
            readonly filterMaintenanceMode?: components["schemas"]["filterName"];
            /** @description Filter for devices whose password can be rotated. Empty: the service has no such filter. */
            readonly filterRotatePassword?: components["schemas"]["filterName"];
            /** @description Filter for devices whose SSL certificate can be rotated. Empty: the service has no such filter. */
            readonly filterRotateSslCertificate?: components["schemas"]["filterName"];
            /** @description Filter for devices onboarded before an instant. Empty: the service has no such filter. */
            readonly filterOnboardingDateBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices onboarded after an instant. Empty: the service has no such filter. */
            readonly filterOnboardingDateAfter?: components["schemas"]["filterName"];
            /** @description Filter for devices hardened last before an instant. Empty: the service has no such filter. */
            readonly filterLastHardenedBefore?: components["schemas"]["filterName"];
            /** @description Filter for devices hardened last after an instant. Empty: the service has no such filter. */
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
            /** @description Filter for devices by the version that mends them. Empty: the service has no such filter. */
            readonly filterPatchedFirmwareVersion?: components["schemas"]["filterName"];
            /** @description Filter for devices by whether no source reports them. Empty: the service has no such filter. */
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
             * @description Whether a device that still has what it had settles a doubt as not done: `afterQuarantine` where a task that got lost shows itself within 30 minutes, as the owner of the service says; else `never`. A password or a restart is never settled so.
             * @enum {string}
             */
            readonly autoSettleNegative?: "never" | "afterQuarantine";
        };
        /**
         * Service
         * @description Where the service is and how to speak to it; exactly once over all files. Credentials come from FLEETFORM_CLIENT_ID and FLEETFORM_CLIENT_SECRET, never from YAML.
         * @example {
         *       "baseUrl": "https://api.example.com",
         *       "organization": "acme"
         *     }
         */
        readonly service: {
            /**
             * Base URL
             * @description One origin for token and service; https, plain http on loopback only. FLEETFORM_BASE_URL or --service override it.
             * @example https://api.example.com
             */
            readonly baseUrl: string;
            /**
             * Organization
             * @description The tenant, as it stands in the token path.
             * @example acme
             */
            readonly organization: string;
            /** Pace */
            readonly pace?: {
                /**
                 * Requests per second
                 * @description Per family of endpoints.
                 */
                readonly requestsPerSecond?: number;
                /** Token requests per minute */
                readonly tokenRequestsPerMinute?: number;
                /** @description Tasks in flight are read this often. */
                readonly pollEvery?: components["schemas"]["positiveDuration"];
            };
            /**
             * Ledger
             * @description Where the record of attempts and outcomes lives: a directory on one machine, a branch of a git remote in CI.
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
                 * @enum {string}
                 */
                readonly store?: "directory" | "git";
                /**
                 * Path
                 * @description Of the directory.
                 */
                readonly path?: string;
                /**
                 * Remote
                 * @description Of the git store: the name of a remote of the clone, an address or a path. Whoever may push there may speak for this fleet.
                 */
                readonly remote?: string;
                /**
                 * Branch
                 * @description Of the git store. It holds the ledger and nothing else.
                 */
                readonly branch?: string;
            };
            /**
             * Approval
             * @description What an approval is. `commit`: the merge; runs do what the documents of the default branch want. `plan`: outcomes of a plan that a person let through the gate after the merge; runs start only these, and what a standing approval covers. A change from `plan` to `commit` has to pass that gate, too.
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
                /** @description An approved outcome may start for so long. */
                readonly expires?: components["schemas"]["positiveDuration"];
            };
            readonly dialect?: components["schemas"]["dialect"];
        };
        /** Site */
        readonly site: {
            /** @description The zone that `timeZone: site` means for devices of this site. */
            readonly timeZone?: components["schemas"]["zone"];
            /**
             * Tags
             * @description Words of your own, for selectors: {site: {tag: retail}}.
             */
            readonly tags?: readonly string[];
        };
        /**
         * Sites
         * @description What the service does not say about a site. The key is the name of the site, or its id in digits.
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
            /** @description Members by rule; a group cannot name groups. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Devices
             * @description Members by id.
             */
            readonly devices?: readonly string[];
            /**
             * Redundancy
             * @description Never two members down at once.
             */
            readonly redundancy?: boolean;
        };
        /**
         * Groups
         * @description Named sets of devices, by rule or by id.
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
            /** @description The zone of every clock time and cron expression inside. */
            readonly timeZone?: components["schemas"]["zoneOrSite"];
            /**
             * Open
             * @description Open in any of these spans.
             */
            readonly allow: readonly components["schemas"]["span"][];
            /**
             * Closed
             * @description Taken out of `allow`; always wins.
             */
            readonly deny?: readonly components["schemas"]["span"][];
            /**
             * Cutoff
             * @description The last start is this long before the close; `auto` goes by how long such tasks take.
             * @example auto
             * @example 90m
             */
            readonly cutoff?: string;
            /** @description Which task types may use the window. */
            readonly task?: components["schemas"]["tasks"];
        };
        /**
         * Span
         * @description Days with clock times, or a cron expression with a duration.
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
             * @description A list of days, or one range such as tue-thu; all seven where left out.
             * @example tue-thu
             * @example [
             *       "sat",
             *       "sun"
             *     ]
             */
            readonly days?: string | readonly components["schemas"]["weekday"][];
            /** @description Opens at this clock time. */
            readonly from?: components["schemas"]["clockTime"];
            /** @description Closes at this clock time. Before `from`: on the next day, and the span belongs to the day it starts on. */
            readonly to?: components["schemas"]["clockTime"];
            /** @description Opens when this matches. */
            readonly cron?: components["schemas"]["cron"];
            /** @description Stays open this long, elapsed; less than 24 hours. */
            readonly duration?: components["schemas"]["positiveDuration"];
        };
        /**
         * Maintenance windows
         * @description When an action may start. `anytime` is built in: always open.
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
            /** @description The zone of `from`, `to` and `annual`; not used where they carry offsets. */
            readonly timeZone?: components["schemas"]["zoneOrSite"];
            /** @description Begins here. */
            readonly from?: components["schemas"]["localOrInstant"];
            /** @description Ends before here. */
            readonly to?: components["schemas"]["localOrInstant"];
            /**
             * Every year
             * @description From the start of the first day to the start of the last; may span the new year.
             * @example {
             *       "from": "12-18",
             *       "to": "01-04"
             *     }
             */
            readonly annual?: {
                readonly from: components["schemas"]["monthDay"];
                readonly to: components["schemas"]["monthDay"];
            };
            /** @description Which devices; every device where left out. */
            readonly select?: components["schemas"]["selector"];
            /** @description Which task types. */
            readonly task?: components["schemas"]["tasks"];
            /**
             * Hard
             * @description Also stops what break glass and an expiring certificate would pass.
             */
            readonly hard?: boolean;
            /** @description A freeze longer than this is worth a warning. */
            readonly maxLength?: components["schemas"]["positiveDuration"];
            /** @description Why; shown in plan and audit. */
            readonly reason: components["schemas"]["prose"];
            /** @description Who answers for it. */
            readonly owner: components["schemas"]["prose"];
            /** @description Where it was agreed. */
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
         * @description When no action may start.
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
             * @description Above 10 devices the first wave has to be called `canary`; `none` is how its absence is written out.
             * @enum {string}
             */
            readonly canary?: "required" | "none";
            /**
             * Waves
             * @description In this order; the last one has to reach 100%.
             */
            readonly waves?: readonly components["schemas"]["wave"][];
            /**
             * Assignment
             * @description `stableHash`: by policy and device id, so that the canary devices of a policy stay the same. `site`: whole sites together.
             * @enum {string}
             */
            readonly assignment?: "stableHash" | "site";
            /**
             * Most in flight
             * @description Device tasks of this rollout that are not final yet.
             */
            readonly maxInFlight?: number;
            /**
             * Batch
             * @description Devices per task: at most `service.dialect.maxDevicesPerTask`, which is 100 unless written.
             */
            readonly batch?: number;
            readonly gate?: components["schemas"]["gate"];
            readonly stopOn?: components["schemas"]["stopOn"];
            readonly retry?: components["schemas"]["retry"];
            readonly timeouts?: components["schemas"]["timeouts"];
        };
        /**
         * Wave
         * @description A slice of the devices: by number, by cumulative percent, or by rule.
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
            /** @description Name of the wave; the first is called canary. */
            readonly name: components["schemas"]["entryName"];
            /**
             * Size
             * @description So many devices.
             */
            readonly size?: number;
            /** @description Cumulative share: this and all earlier waves together. */
            readonly percent?: components["schemas"]["percent"];
            /** @description Devices that match and are in no earlier wave. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Stratify
             * @description At least one device of each combination of these.
             */
            readonly stratify?: readonly ("vendor" | "model" | "firmwareVersion" | "site" | "deviceType")[];
            /** @description Wait this long before the next wave; first 24h, later 48h. */
            readonly soak?: components["schemas"]["duration"];
        };
        /**
         * Gate
         * @description What a wave has to show before the next one opens.
         */
        readonly gate: {
            /** @description Attempted, of the eligible. */
            readonly minReached?: components["schemas"]["percent"];
            /** @description Verified, of the attempted. */
            readonly minSuccess?: components["schemas"]["percent"];
            /**
             * Checks
             * @description Sampled on every run of the soak.
             */
            readonly checks?: readonly ("online" | "readBackMatches" | "recording")[];
            /** Good samples in a row */
            readonly consecutiveOk?: number;
            /**
             * Approval
             * @description `required`: the next wave opens by an `exceptions` entry `allow: {gate: ROLLOUT/WAVE}`.
             * @enum {string}
             */
            readonly approval?: "none" | "required";
            /** @description Inconclusive that long: pause. */
            readonly timeout?: components["schemas"]["positiveDuration"];
        };
        /**
         * Stop rules
         * @description Bad outcomes that stop a rollout. The map is the simple form, a list the expert form.
         * @example {
         *       "canary": 0,
         *       "wave": "5%",
         *       "model": "30%"
         *     }
         */
        readonly stopOn: {
            /** @description In the canary. */
            readonly canary?: components["schemas"]["intOrPercent"];
            /** @description In a wave. */
            readonly wave?: components["schemas"]["intOrPercent"];
            /** @description Of a model. */
            readonly model?: components["schemas"]["intOrPercent"];
            /** @description In the whole rollout. */
            readonly rollout?: components["schemas"]["intOrPercent"];
        } | readonly components["schemas"]["stopRule"][];
        /** Stop rule */
        readonly stopRule: {
            /** Outcomes counted */
            readonly class?: readonly ("failed" | "rolledBack" | "aborted" | "unverified" | "timedOut" | "inDoubt" | "deviceDown")[];
            /**
             * Count
             * @description Trips above it.
             */
            readonly max?: number;
            /** @description Trips above this share of the attempted. */
            readonly percent?: components["schemas"]["percent"];
            /**
             * Least attempts
             * @description A percent needs so many.
             */
            readonly minAttempts?: number;
            /**
             * Scope
             * @description Where it is counted, and what stops.
             * @enum {string}
             */
            readonly scope: "canary" | "wave" | "rollout" | "site" | "model" | "fleet";
            /**
             * Action
             * @description `pause` goes on with `resume`; `abort` ends the rollout for this desired state.
             * @enum {string}
             */
            readonly action?: "pause" | "abort";
        };
        /** Retry */
        readonly retry: {
            /** Outcomes that are tried again */
            readonly classes?: readonly ("failed" | "timedOut")[];
            /** Attempts per window */
            readonly maxAttemptsPerWindow?: number;
            /**
             * Windows
             * @description Windows with an attempt; then a person is needed.
             */
            readonly maxWindows?: number;
            /** Backoff */
            readonly backoff?: {
                /** @description First wait. */
                readonly initial?: components["schemas"]["positiveDuration"];
                /** Factor */
                readonly factor?: number;
                /** @description Longest wait. */
                readonly max?: components["schemas"]["positiveDuration"];
                /**
                 * Jitter
                 * @enum {string}
                 */
                readonly jitter?: "full" | "none";
            };
        };
        /** Timeouts */
        readonly timeouts: {
            /** @description Accepted and still pending. */
            readonly pending?: components["schemas"]["positiveDuration"];
            /** @description Running, per task type; per hop for firmware. */
            readonly running?: components["schemas"]["perTask"];
            /** @description From the end of a task to `unverified`, per task type. */
            readonly verify?: components["schemas"]["perTask"];
            /** @description Still not final: a person is needed. */
            readonly lost?: components["schemas"]["positiveDuration"];
        };
        /** Duration per task type */
        readonly perTask: {
            readonly upgradeFirmware?: components["schemas"]["positiveDuration"];
            readonly rotatePassword?: components["schemas"]["positiveDuration"];
            readonly rotateSslCertificate?: components["schemas"]["positiveDuration"];
            readonly onboardDevice?: components["schemas"]["positiveDuration"];
            readonly restartDevice?: components["schemas"]["positiveDuration"];
        };
        /**
         * Rollouts
         * @description In which order devices follow: waves, gates, stop rules, limits. `default` is built in: canary 5, then 5 %, 25 %, 100 %; an entry of that name replaces it.
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
            /** @description Which devices are counted; every device where left out. */
            readonly select?: components["schemas"]["selector"];
            /**
             * Per
             * @description One count for each of these.
             * @enum {string}
             */
            readonly per: "site" | "redundancyGroup" | "deviceSource" | "storageServer" | "fleet";
            /** @description Devices down, never more than this; a percent rounds down, to at least 1 per site. */
            readonly maxUnavailable?: components["schemas"]["intOrPercent"];
            /**
             * Least available
             * @description Devices up, never fewer than this.
             */
            readonly minAvailable?: number;
            /**
             * Most in flight
             * @description Our own actions in flight, never more than this.
             */
            readonly maxInFlight?: number;
            /**
             * Sets of one
             * @description What holds for a set of one device; camera: allow, every other type: requireApproval.
             * @enum {string}
             */
            readonly singletons?: "allow" | "requireApproval" | "block";
            /**
             * Partial counts as
             * @enum {string}
             */
            readonly treatPartialAs?: "unavailable" | "available";
            /**
             * Unknown counts as
             * @enum {string}
             */
            readonly treatUnknownAs?: "unavailable" | "available";
        };
        /**
         * Budgets
         * @description How many devices of a set may be down at once; all that match hold, the strictest wins. Built in: default-site (10 % of each site), default-storage-server (5 in flight), default-fleet (50 in flight); an entry of the same name replaces one.
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
            /** @description Devices that it governs. */
            readonly select: components["schemas"]["selector"];
            /** @description What they should run. */
            readonly version: components["schemas"]["version"];
            /** @description The floor: a device below it does not wait for `deferral`. */
            readonly minVersion?: components["schemas"]["exactVersion"];
            /** @description Wait this long since a version first appeared as approved for the model. */
            readonly deferral?: components["schemas"]["duration"];
            /** @description This long after `deferral` a device counts as late; no safety rule is skipped. */
            readonly deadline?: components["schemas"]["positiveDuration"];
            /**
             * Downgrade
             * @description Whether the target may be older than what runs; `allow` needs a ticket.
             * @enum {string}
             */
            readonly downgrade?: "forbid" | "allow";
            /** @description Why a downgrade is wanted. */
            readonly ticket?: components["schemas"]["prose"];
            /**
             * Path
             * @description `auto`: over intermediate versions where the service says so. `direct`: in one hop or not at all.
             * @enum {string}
             */
            readonly path?: "auto" | "direct";
            /**
             * Rest at an intermediate version
             * @description Whether a device may stay at one until the next window. `forbid`: its first hop starts only while all of them fit before the window closes.
             * @enum {string}
             */
            readonly restAtIntermediate?: "allow" | "forbid";
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /**
         * Firmware
         * @description Which firmware devices should run.
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
            /** @description Devices that it governs. */
            readonly select: components["schemas"]["selector"];
            /**
             * Greatest age
             * @description From the last change. `never`: only `generation` rotates, and `rationale` says why. Passwords: 180d where left out.
             * @example 180d
             * @example never
             */
            readonly maxAge?: string;
            /** @description So long before it expires; a percent is of its actual life. Certificates: 33% where left out. */
            readonly renewBefore?: components["schemas"]["percentOrDuration"];
            /** @description Begin this long before `maxAge`. */
            readonly headStart?: components["schemas"]["duration"];
            /** @description A stable offset per device within this, so that no night rotates everything. */
            readonly spread?: components["schemas"]["duration"];
            /**
             * Generation
             * @description Raised in git: everything selected rotates once more.
             */
            readonly generation?: number;
            /**
             * Payload
             * @description Passed through to the task. A secret is {fromEnv: NAME}, resolved at send time only.
             * @example {
             *       "password": {
             *         "fromEnv": "NEW_CAMERA_PASSWORD"
             *       }
             *     }
             */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /** Verification */
            readonly verify?: {
                /** @description From the end of the task to `unverified`. */
                readonly within?: components["schemas"]["positiveDuration"];
            };
            /** @description This long before a certificate expires it may break a window. Certificates only. */
            readonly expiryGuard?: components["schemas"]["duration"];
            /** @description After an overdue device is back: wait this long. */
            readonly offlineGrace?: components["schemas"]["duration"];
            /**
             * Unknown age
             * @description What to do where the service does not know the date that the rule goes by: `skip` leaves the device to a person; `rotate` rotates it once, five devices at a time.
             * @enum {string}
             */
            readonly unknownAge?: "skip" | "rotate";
            /**
             * Leaves in service
             * @description Whether a device works on while its credential is replaced. `true` on a camera and `false` on any other type where left out. A rotation that leaves its device in service does not wait because other devices are down: of `maxUnavailable` it uses only the devices in our hands.
             */
            readonly leavesInService?: boolean;
            /** @description Why this age; required for `maxAge: never`. */
            readonly rationale?: components["schemas"]["prose"];
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /**
         * Rotations
         * @description How old passwords and certificates may get.
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
             * @description All keys must match, of a list any one.
             */
            readonly select?: {
                /** @description Name or id of the source that reported it. */
                readonly source?: components["schemas"]["globs"];
                /** @description Vendor of the device. */
                readonly vendor?: components["schemas"]["globs"];
                /** @description Type of the device. */
                readonly deviceType?: components["schemas"]["globs"];
                /** @description Onboarding status. */
                readonly status?: components["schemas"]["globs"];
                /** @description Name of the device. */
                readonly name?: components["schemas"]["globs"];
                /** @description Discovered at or after. */
                readonly discoveredAfter?: components["schemas"]["instant"];
                /** @description Discovered before. */
                readonly discoveredBefore?: components["schemas"]["instant"];
            };
            /**
             * Discovered devices by list
             * @description One entry per device; all keys given must agree. What is not discovered yet is reported with its age.
             */
            readonly devices?: readonly components["schemas"]["listedDevice"][];
            /**
             * Blocked vendors
             * @description Never onboarded, also when listed.
             */
            readonly blockVendors?: readonly string[];
            /**
             * Most per day
             * @description Devices that this policy onboards in any 24 hours.
             */
            readonly maxPerDay?: number;
            /** @description A listed device that is not discovered for longer is a finding. */
            readonly expectWithin?: components["schemas"]["positiveDuration"];
            /**
             * On duplicates
             * @description Several discovered devices fit one entry.
             * @enum {string}
             */
            readonly onDuplicate?: "error" | "skip";
            /**
             * First-day duties
             * @description In this order; they join the normal policies.
             */
            readonly after?: readonly ("upgradeFirmware" | "rotatePassword" | "rotateSslCertificate" | "restartDevice")[];
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
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
             * @description Id of the discovered device.
             */
            readonly id?: string;
            /** Serial number */
            readonly serial?: string;
            /** Name */
            readonly name?: string;
            /**
             * Site
             * @description Name or id of the site.
             */
            readonly site?: string;
        };
        /**
         * Onboarding
         * @description Which discovered devices come under management: by rule, by list, or both.
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
             * @description What has to be seen, and for how long.
             */
            readonly when: {
                /**
                 * Status
                 * @example offline
                 * @example [
                 *       "partial"
                 *     ]
                 */
                readonly status?: string | readonly ("online" | "offline" | "partial" | "unknown")[];
                /**
                 * Probes
                 * @description Every key given must match.
                 */
                readonly probe?: {
                    readonly agent?: components["schemas"]["probeStates"];
                    readonly deviceSource?: components["schemas"]["probeStates"];
                    readonly edge?: components["schemas"]["probeStates"];
                    readonly host?: components["schemas"]["probeStates"];
                    readonly app?: components["schemas"]["probeStates"];
                };
                /** @description Held that long. */
                readonly for?: components["schemas"]["positiveDuration"];
                /** Leave out devices in maintenance mode */
                readonly excludeMaintenanceMode?: boolean;
            };
            /** @description Devices that it governs. */
            readonly select: components["schemas"]["selector"];
            /** @description After our last restart of a device. */
            readonly cooldown?: components["schemas"]["duration"];
            /** @description 2 per 7d where left out. */
            readonly maxPerDevice?: components["schemas"]["countPer"];
            /** @description 3 per 1h where left out. */
            readonly maxPerSite?: components["schemas"]["countPer"];
            /**
             * Correlated outage
             * @description More than this share of a site down within this time is the network: hold.
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
             * @description The symptom is back after so many restarts: a person is needed.
             */
            readonly escalate?: {
                /** After */
                readonly after: number;
            };
            readonly priority?: components["schemas"]["priority"];
            readonly approval?: components["schemas"]["standingApproval"];
            readonly rollout?: components["schemas"]["rolloutName"];
            readonly windows: components["schemas"]["windowNames"];
        };
        /** Probe state, or list of them */
        readonly probeStates: string | readonly ("up" | "down" | "unknown" | "unmonitored")[];
        /**
         * Restarts
         * @description Which symptoms a restart answers.
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
         * @description Comes before every rotation policy. Passes spread, offlineGrace, soft freezes, windows, the soak of firmware and the day between password and certificate; waits for holds, excludes, hard freezes, devices that are busy, in doubt or offline, pauses and budgets.
         */
        readonly incident: {
            /**
             * Credential
             * @description What each device gets a new one of.
             * @enum {string}
             */
            readonly rotate: "password" | "certificate";
            /** @description The devices concerned. */
            readonly select: components["schemas"]["selector"];
            /** @description A credential that was changed last before this is changed once. */
            readonly since: components["schemas"]["instant"];
            /** @description From here on nothing of it starts; at most 72 h after `since`. */
            readonly until: components["schemas"]["instant"];
            /**
             * Expected devices
             * @description At most so many devices may be left to do, those that are offline included; one more refuses the plan. Other guardrails do not count them.
             */
            readonly expect: number;
            /**
             * Trial
             * @description So many devices go first, one of each vendor and model as far as they go. All have to be verified; one bad outcome pauses the incident.
             */
            readonly trial?: number;
            /**
             * Most in flight
             * @description Of budget `default-fleet` where left out, which is 50.
             */
            readonly maxInFlight?: number;
            /**
             * Leaves in service
             * @description As of a rotation: `true` on a camera and `false` on any other type where left out.
             */
            readonly leavesInService?: boolean;
            /**
             * Payload
             * @description Passed through to the task. A secret is {fromEnv: NAME}, resolved at send time only.
             */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /** @description Why. */
            readonly reason: components["schemas"]["prose"];
            /** @description Who answers for it. */
            readonly owner: components["schemas"]["prose"];
            /** @description Where it is handled. */
            readonly ticket: components["schemas"]["prose"];
        };
        /**
         * Incidents
         * @description A credential is known outside: every selected device gets a new one, once, now. Ends by itself, at most 72 h after `since`.
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
             * @description `hold`: the desired state stays, nothing starts. `exclude`: the policies do not apply. `pin`: the desired version is `version`. `expedite`: break glass; it passes spread, deferral, offlineGrace, the soak of firmware on the device, the soak between waves, soft freezes, windows and cutoffs, and nothing else. `allow`: opens what its field `allow` names.
             * @enum {string}
             */
            readonly type: "hold" | "pin" | "exclude" | "expedite" | "allow";
            /**
             * Allow
             * @description What an entry of type `allow` opens: one of these.
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
                 * @description The wave that may begin, as ROLLOUT/WAVE.
                 * @example standard/early
                 */
                readonly gate?: string;
                /**
                 * Set of one
                 * @constant
                 */
                readonly singleton?: true;
                /**
                 * No canary
                 * @constant
                 */
                readonly skipCanary?: true;
                /**
                 * Guardrail
                 * @description The limit that is `value` while the entry holds.
                 * @enum {string}
                 */
                readonly guardrail?: "maxPercentOfFleet" | "maxChanges" | "maxPercentOfSite" | "maxSitesAtOnce" | "maxVanished";
                /** @description The budget whose `maxUnavailable` or `maxInFlight` is `value` for the selected devices while the entry holds; never less than is written, and no redundancy group. */
                readonly budget?: components["schemas"]["entryName"];
                /** @description The raised limit. */
                readonly value?: components["schemas"]["intOrPercent"];
            };
            /** @description The devices it holds for. */
            readonly select?: components["schemas"]["selector"];
            /** @description Which task types; `all` where left out. */
            readonly task?: components["schemas"]["tasks"];
            /** @description The version that a pin sets. */
            readonly version?: components["schemas"]["exactVersion"];
            /**
             * Accepts the risk
             * @description A pin below `minVersion` is wanted.
             */
            readonly acceptsRisk?: boolean;
            /** @description Lifts by itself. */
            readonly until: components["schemas"]["instant"];
            /** @description This long before `until` the plan lists what will act because it ends. */
            readonly notice?: components["schemas"]["duration"];
            /**
             * No canary
             * @description `expedite` only; needs two approvers.
             */
            readonly skipCanary?: boolean;
            /**
             * Approvers
             * @description Names that are recorded. `expedite` only.
             */
            readonly approvers?: readonly string[];
            /** @description Why. */
            readonly reason: components["schemas"]["prose"];
            /** @description Who answers for it. */
            readonly owner: components["schemas"]["prose"];
            /** @description Where it was agreed. */
            readonly ticket: components["schemas"]["prose"];
        };
        /**
         * Exceptions
         * @description What holds otherwise for a while. Each ends by itself and has a reason, an owner and a ticket.
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
            /** @description Devices with a counted change, of all visible devices. */
            readonly maxPercentOfFleet?: components["schemas"]["percent"];
            /**
             * Most changes
             * @description Counted changes in one plan.
             */
            readonly maxChanges?: number;
            /** @description Devices with a counted change, of each site. */
            readonly maxPercentOfSite?: components["schemas"]["percent"];
            /**
             * Most sites
             * @description Sites with a counted change.
             */
            readonly maxSitesAtOnce?: number;
            /**
             * Most devices gone
             * @description Visible devices fewer than in the last run that attempted anything. Built in, as the entry `visible`: 20 or 10 % of them, whichever is less, but always one.
             */
            readonly maxVanished?: number;
        };
        /**
         * Guardrails
         * @description Limits on a whole plan; all entries hold. Built in: default, 30% of a fleet of more than 20 devices, and visible, which stops where many devices vanish; an entry of that name replaces it.
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
         * @description One file under fleet/. Each of the fourteen sections may stand in any file; entries are named by their key.
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
