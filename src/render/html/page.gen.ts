// Generated from src/render/html/page/ by test/tools/generate.mjs. Do not edit.
export const SCRIPT = `(function() {

// src/render/html/words.ts
	const DECISION_STEPS = [
		{
			codes: [
				"notSelected",
				"unmanaged",
				"notDiscovered"
			],
			passed: "selected and managed"
		},
		{
			codes: ["unsupported", "notComparable"],
			passed: "supported by the service"
		},
		{
			codes: ["notRead"],
			passed: "read, now or in an earlier run"
		},
		{
			codes: ["alreadyConverged"],
			passed: "not up to date"
		},
		{
			codes: ["blockedVendor"],
			passed: "vendor not blocked"
		},
		{
			codes: [
				"hold",
				"exclude",
				"pinned"
			],
			passed: "no exception against it"
		},
		{
			codes: ["incidentEnded"],
			passed: "incident still open"
		},
		{
			codes: ["frozenHard"],
			passed: "no hard freeze"
		},
		{
			codes: ["siteWithoutZone"],
			passed: "time zone known where needed"
		},
		{
			codes: ["notDue"],
			passed: "due"
		},
		{
			codes: ["inDoubt", "quarantined"],
			passed: "nothing in doubt, attempts left"
		},
		{
			codes: ["busy"],
			passed: "device not busy"
		},
		{
			codes: ["offline", "unknown"],
			passed: "online where needed"
		},
		{
			codes: [
				"rolloutPaused",
				"rolloutAborted",
				"correlatedOutage"
			],
			passed: "not stopped"
		},
		{
			codes: [
				"waveNotOpen",
				"gatePending",
				"approvalPending"
			],
			passed: "wave open"
		},
		{
			codes: ["frozen"],
			passed: "no freeze"
		},
		{
			codes: ["windowClosed"],
			passed: "window open"
		},
		{
			codes: ["pastCutoff"],
			passed: "before the cutoff"
		},
		{
			codes: ["budgetExhausted"],
			passed: "capacity in every budget"
		},
		{
			codes: ["apiBudget"],
			passed: "requests left"
		},
		{
			codes: ["act"],
			passed: "due now"
		}
	];
	const GROUP_LABELS = {
		branch: "Caused by this change",
		dropped: "No longer due",
		pending: "Already pending",
		clock: "Due by schedule"
	};
	const COLUMN_LABELS = {
		device: "Device",
		site: "Site",
		task: "Task",
		action: "Action",
		reason: "Reason",
		edit: "Before → after",
		when: "Possible",
		make: "Model",
		policy: "Policy",
		wave: "Wave"
	};
	const FILTER_LABELS = {
		action: "Action",
		task: "Task",
		site: "Site",
		make: "Model",
		policy: "Policy",
		reason: "Reason",
		wave: "Wave",
		risk: "Risk"
	};
	const ACTION_LABELS = {
		run: "run",
		wait: "wait",
		skip: "skip",
		note: "note"
	};
	const PAGE_WORDS = {
		all: "All",
		none: "(none)",
		now: "now",
		never: "not automatically",
		open: "unknown",
		counted: "{shown} of {all} rows",
		printedAll: "Printed: all {view} rows of the table, of {all} in the plan.",
		printedPart: "Printed: all {view} rows of the table, of {all} in the plan, in groups with exact counts; then the first {shown} of them. Filter the table to print others; fleetform show FILE --all lists every change.",
		kinds: [
			"Changes",
			"Action",
			"Task",
			"Risk",
			"Policy",
			"Wave",
			"Reason"
		],
		otherKinds: "in {kinds} other groups",
		empty: "No changes match. Clear a filter to see more.",
		reading: "Reading the changes: {shown} of {all}",
		nothingWanted: "unchanged",
		since: "since {moment} ({span})",
		from: "possible from {moment} (in {span})",
		windowOpen: "open now",
		windowOpens: "opens {moment}",
		windowCloses: "closes {moment}",
		field: "Field",
		before: "Before",
		after: "After",
		passed: "passed",
		decided: "decided by this check",
		unasked: "not evaluated",
		steps: "Decision, step by step",
		details: {
			action: "Action",
			device: "Device",
			site: "Site",
			make: "Vendor, model",
			task: "Task",
			cause: "Cause",
			group: "Requested by",
			why: "Reason",
			next: "Next",
			risk: "Risk",
			wave: "Wave",
			window: "Window",
			policy: "Policy",
			at: "Defined at",
			commit: "Commit",
			author: "Author",
			subject: "Subject",
			losers: "Wins over"
		}
	};

// src/render/words/phrase.ts
	const OPTIONAL = /\\[([^\\][]*)\\]/g;
	const GAP = /\\{(\\w+)(#?)(?:=([^}|]*))?(?:\\|([^|}]*)\\|([^}]*))?\\}/g;
	function fill(phrase, params, sink) {
		return phrase.replace(OPTIONAL, (_, part) => chosen(part, params)).replace(GAP, (...match) => filled(match, params, sink));
	}
	function chosen(part, params) {
		const [wanted = "", instead = ""] = part.split("||");
		return complete(wanted, params) ? wanted : instead;
	}
	function filled(match, params, sink) {
		const [, name = "", hash, instead, one, many] = match;
		const value = params[name];
		if (isMissing(value)) return instead ?? many ?? "(not said)";
		const count = (hash === "#" || one !== void 0 && many !== void 0) && typeof value === "number" ? grouped(value) : sink(String(value));
		if (one === void 0 || many === void 0) return count;
		return \`\${count} \${value === 1 ? one : many}\`;
	}
	function complete(part, params) {
		return [...part.matchAll(GAP)].every(([, name, , instead]) => {
			const value = params[name ?? ""];
			return instead !== void 0 || !isMissing(value);
		});
	}
	function isMissing(value) {
		return value === void 0 || typeof value === "string" && /^\\p{Zs}*$/u.test(value);
	}
	function grouped(value) {
		const [whole = "", decimals] = String(Math.round(value * 10) / 10).split(".");
		const spaced = whole.replace(/\\B(?=(\\d{3})+$)/g, ",");
		return decimals === void 0 ? spaced : \`\${spaced}.\${decimals}\`;
	}

// src/render/html/page/view-address.ts
	const NAMES = [...Object.keys(FILTER_LABELS), "group"];
	const START = "#view?";
	const LONGEST = 300;
	function toFragment({ wanted, sorting, change }) {
		const said = new URLSearchParams();
		if (wanted.text !== "") said.set("search", wanted.text);
		for (const name of NAMES) {
			const label = wanted.facets[name];
			if (label !== void 0) said.set(name, label);
		}
		if (sorting) said.set("sort", \`\${sorting.descending ? "-" : ""}\${sorting.by}\`);
		if (change !== void 0) said.set("change", change);
		const text = said.toString();
		return text === "" ? "" : \`\${START}\${text}\`;
	}
	function sharedIn(fragment, facets) {
		const said = new URLSearchParams(fragment.startsWith(START) ? fragment.slice(6) : "");
		const labels = {};
		for (const name of NAMES) {
			const label = said.get(name);
			if (label !== null && facets[name].labels.includes(label)) labels[name] = label;
		}
		const change = said.get("change");
		return {
			wanted: {
				text: (said.get("search") ?? "").slice(0, LONGEST),
				facets: labels
			},
			sorting: parseSorting(said.get("sort") ?? ""),
			...change !== null && { change }
		};
	}
	function parseSorting(text) {
		const descending = text.startsWith("-");
		const column = descending ? text.slice(1) : text;
		return Object.hasOwn(COLUMN_LABELS, column) ? {
			by: column,
			descending
		} : void 0;
	}

// src/render/words/local.ts
	const PARTS = {
		year: "numeric",
		month: "numeric",
		day: "numeric",
		hour: "numeric",
		minute: "numeric",
		second: "numeric",
		hourCycle: "h23"
	};
	const WEEKDAYS = [
		"Sun",
		"Mon",
		"Tue",
		"Wed",
		"Thu",
		"Fri",
		"Sat"
	];
	const UTC = {
		zone: "UTC",
		offsetAt: () => 0
	};
	function zoneClock(zone) {
		try {
			const format = new Intl.DateTimeFormat("en-GB", {
				timeZone: zone,
				...PARTS
			});
			return {
				zone,
				offsetAt: (instant) => localReading(format, instant) - Math.floor(instant / 1e3) * 1e3
			};
		} catch {
			return;
		}
	}
	function localDate(instant, clock) {
		return new Date(instant + clock.offsetAt(instant));
	}
	function weekdayName(wall) {
		return WEEKDAYS[wall.getUTCDay()] ?? "";
	}
	function dayName(wall) {
		return \`\${wall.getUTCDate()} \${MONTHS[wall.getUTCMonth()] ?? ""}\`;
	}
	const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
	function localReading(format, instant) {
		const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, +value]));
		const at = (name) => parts.get(name) ?? 0;
		return Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
	}

// src/render/words/moment.ts
	const MINUTE$1 = 6e4;
	const HOUR = 60 * MINUTE$1;
	const DAY = 24 * HOUR;
	function moment(instant, page = {}) {
		return \`\${wallMoment(instant, page)} \${(page.clock ?? UTC).zone}\`;
	}
	function wallMoment(instant, page = {}) {
		return \`\${longDay(instant, page)} \${wallTime(instant, page)}\`;
	}
	function wallTime(instant, { clock = UTC } = {}) {
		return localDate(instant, clock).toISOString().slice(11, 16);
	}
	function longDay(instant, page = {}) {
		return \`\${weekdayName(localDate(instant, page.clock ?? UTC))} \${shortDay(instant, page)}\`;
	}
	function shortDay(instant, { clock = UTC, now } = {}) {
		const wall = localDate(instant, clock);
		return now !== void 0 && Math.abs(instant - now) < CLEAR ? dayName(wall) : \`\${dayName(wall)} \${wall.getUTCFullYear()}\`;
	}
	const CLEAR = 300 * DAY;
	function span(ms) {
		const units = [
			[DAY, "day"],
			[HOUR, "hour"],
			[MINUTE$1, "minute"],
			[1e3, "second"]
		];
		for (const [size, unit] of units) {
			const count = Math.floor(ms / size);
			if (count >= 2 || count === 1 && unit !== "day") return \`\${count} \${unit}\${count === 1 ? "" : "s"}\`;
		}
		return "a moment";
	}

// src/model/fleet/task.ts
	const MINUTE = 6e4;
	const QUARTER = 15 * MINUTE;
	const LISTED = {
		rotateSslCertificate: {
			section: "rotations",
			credential: "certificate",
			running: 20 * MINUTE,
			verify: QUARTER
		},
		rotatePassword: {
			section: "rotations",
			credential: "password",
			running: 20 * MINUTE,
			verify: QUARTER
		},
		upgradeFirmware: {
			section: "firmware",
			running: 60 * MINUTE,
			verify: 30 * MINUTE
		},
		restartDevice: {
			section: "restarts",
			running: QUARTER,
			verify: QUARTER
		},
		onboardDevice: {
			section: "onboarding",
			running: 30 * MINUTE,
			verify: QUARTER
		}
	};
	const TASK_TYPES = Object.keys(LISTED);

// src/render/sinks/sinks.ts
	const CALCULATED = new RegExp(\`(^\\\\s*|[;\\uff1b|][\\\\s"']*)(?=[=+\\\\-@＝＋－＠|%])\`, "gu");

// src/render/words/entry.ts
	function findWord(words, code) {
		return Object.hasOwn(words, code) ? words[code] : void 0;
	}

// src/render/words/terms.ts
	const ACTION_WORDS = {
		run: "to run",
		wait: "waiting",
		skip: "skipped",
		note: "unchanged"
	};
	const CAUSE_WORDS = {
		config: "policy",
		drift: "drift",
		clock: "schedule",
		onboarding: "new device",
		detection: "detected",
		retry: "retry"
	};
	const RISK_WORDS = {
		low: "low risk",
		medium: "medium risk",
		high: "high risk"
	};
	const TASK_SAID = {
		rotateSslCertificate: "Rotate SSL certificate",
		restartDevice: "Restart",
		onboardDevice: "Onboard"
	};
	const TASK_WORDS = Object.fromEntries(TASK_TYPES.map((task) => [task, TASK_SAID[task] ?? asSentence(task)]));
	function asSentence(name) {
		const text = name.replace(/[A-Z]/g, (letter) => \` \${letter.toLowerCase()}\`);
		return \`\${text.charAt(0).toUpperCase()}\${text.slice(1)}\`;
	}

// src/render/html/page/dom.ts
	function make(name, attributes = {}, ...children) {
		const element = document.createElement(name);
		for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
		element.append(...children);
		return element;
	}
	function byId(id, kind) {
		const element = document.getElementById(id);
		if (!(element instanceof kind)) throw new Error(\`the report has no \${id}\`);
		return element;
	}
	function isolated(text) {
		return make("bdi", {}, text);
	}
	function isolatedProse(text) {
		const parts = text.split("\`");
		if (parts.length % 2 === 0) return isolated(text);
		return make("bdi", {}, ...parts.map((part, n) => n % 2 === 0 ? part : make("code", {}, part)));
	}
	function setSpace(section, height) {
		section.hidden = height === 0;
		const cell = section.rows[0]?.cells[0];
		if (cell) cell.style.height = \`\${height}px\`;
	}

// src/model/plan/change.ts
	const ACTIONS = [
		"run",
		"wait",
		"skip",
		"note"
	];
	const CAUSES = [
		"config",
		"drift",
		"clock",
		"onboarding",
		"detection",
		"retry"
	];
	const RISKS = [
		"low",
		"medium",
		"high"
	];
	const GROUPS = [
		"branch",
		"pending",
		"clock",
		"dropped"
	];

// src/render/html/format.ts
	const CODED = [
		"task",
		"action",
		"cause",
		"risk",
		"group",
		"site",
		"make",
		"place",
		"wave",
		"window",
		"losers",
		"reason",
		"edit"
	];
	const OWN = ["reason", "edit"];

// src/render/html/page/report-rows.ts
	function createReader(length) {
		const codes = Object.fromEntries(CODED.map((name) => [name, new Uint32Array(length)]));
		const ids = [];
		const names = [];
		const since = new Float64Array(length).fill(NaN);
		const next = new Float64Array(length).fill(NaN);
		const entries = noEntries();
		return {
			rows: {
				length,
				ids,
				names,
				codes,
				since,
				next,
				entries
			},
			take(part) {
				const start = ids.length;
				for (const name of CODED) {
					const base = isOwn(name) ? entries[name].length - 1 : 0;
					fillCodes(codes[name], part.codes[name], {
						start,
						rows: part.rows,
						base
					});
				}
				for (const id of part.ids) ids.push(id);
				for (const name of part.names) names.push(name);
				part.since.forEach((value, row) => void (since[start + row] = value ?? NaN));
				part.next.forEach((value, row) => void (next[start + row] = toInstant(value)));
				for (const [name, added] of Object.entries(part.entries)) for (const entry of added) entries[name].push(entry);
			}
		};
	}
	function fillCodes(column, codes, { start, rows, base }) {
		for (let row = 0; row < rows; row++) {
			const code = typeof codes === "number" ? codes : codes[row] ?? 0;
			column[start + row] = code === 0 ? 0 : code + base;
		}
	}
	function toInstant(next) {
		if (next === null) return NaN;
		return next < 0 ? Infinity : next;
	}
	function isOwn(name) {
		return OWN.includes(name);
	}
	function noEntries() {
		return {
			site: [""],
			make: [""],
			place: [{
				policy: "",
				at: ""
			}],
			wave: [""],
			window: [{ name: "" }],
			losers: [[]],
			reason: [{
				code: "",
				step: 0,
				says: "",
				todo: ""
			}],
			edit: [[]]
		};
	}
	function rowEntry({ codes, entries }, name, row) {
		const all = entries[name];
		return all[codes[name][row] ?? 0] ?? all[0];
	}
	const rowWord = {
		task: ({ codes }, row) => TASK_TYPES[codes.task[row] ?? 0] ?? TASK_TYPES[0],
		action: ({ codes }, row) => ACTIONS[codes.action[row] ?? 0] ?? ACTIONS[0],
		cause: ({ codes }, row) => CAUSES[codes.cause[row] ?? 0] ?? CAUSES[0],
		risk: ({ codes }, row) => RISKS[codes.risk[row] ?? 0] ?? RISKS[0],
		group: ({ codes }, row) => GROUPS[(codes.group[row] ?? 0) - 1]
	};
	function rowChangeId(rows, row) {
		return \`\${rowWord.task(rows, row)}/\${rows.ids[row] ?? ""}\`;
	}
	function rowOfChange(rows, change) {
		const id = change.slice(change.indexOf("/") + 1);
		for (let row = rows.ids.indexOf(id); row >= 0; row = rows.ids.indexOf(id, row + 1)) if (rowChangeId(rows, row) === change) return row;
		return -1;
	}
	function rowDevice({ ids, names }, row) {
		return names[row] || (ids[row] ?? "");
	}
	function editText(edit) {
		const wanted = edit.filter(([, before, after]) => after !== null && after !== before);
		return (wanted.length > 0 ? wanted : edit.slice(0, 1)).map(([field, before, after]) => oneEdit(field, before, after)).join(", ");
	}
	function oneEdit(field, before, after) {
		if (before === null) return after === null ? "" : \`\${field} \${after}\`;
		return after === null ? before : \`\${before} → \${after}\`;
	}

// src/render/html/page/cells.ts
	const COLUMNS = Object.keys(COLUMN_LABELS);
	function rowElement(rows, row, { page, index }) {
		const element = make("tr", {
			"aria-rowindex": String(index + 2),
			"data-at": String(index)
		});
		const button = make("button", {
			type: "button",
			tabindex: "-1",
			"aria-controls": "details"
		});
		button.append(isolated(rowDevice(rows, row)));
		const id = rows.ids[row] ?? "";
		if (rows.names[row] && rows.names[row] !== id) button.append(" ", make("small", {}, isolated(id)));
		element.append(make("th", {
			scope: "row",
			class: "c-device"
		}, button));
		for (const column of COLUMNS.slice(1)) element.append(cell(column, rows, row, page));
		return element;
	}
	function cell(column, rows, row, page) {
		const attributes = { class: \`c-\${column}\` };
		if (column === "reason") return make("td", attributes, isolatedProse(text(column, rows, row, page)));
		if (column !== "action") return make("td", attributes, isolated(text(column, rows, row, page)));
		const action = rowWord.action(rows, row);
		const mark = make("span", { class: \`mark \${action}\` }, ACTION_LABELS[action]);
		return make("td", attributes, mark);
	}
	function text(column, rows, row, page) {
		switch (column) {
			case "site":
			case "make":
			case "wave": return rowEntry(rows, column, row);
			case "task": return TASK_WORDS[rowWord.task(rows, row)];
			case "edit": return editText(rowEntry(rows, "edit", row));
			case "reason": return rowEntry(rows, "reason", row).says;
			case "policy": return rowEntry(rows, "place", row).policy;
			case "when": return whenText(rows, row, page);
			default: return "";
		}
	}
	function whenText(rows, row, page) {
		if (rowWord.action(rows, row) === "run") return PAGE_WORDS.now;
		const next = rows.next[row] ?? NaN;
		if (next === Infinity) return PAGE_WORDS.never;
		return Number.isNaN(next) ? "" : wallMoment(page.now + next * 1e3, page);
	}
	const MEASURED = 500;
	const LEAST = 7;
	const MOST = 34;
	const AROUND = 3;
	function fitColumns(rows, page) {
		const lengths = COLUMNS.map(() => []);
		const step = Math.max(1, Math.ceil(rows.length / MEASURED));
		for (let row = 0; row < rows.length; row += step) {
			const { cells } = rowElement(rows, row, {
				page,
				index: row
			});
			for (const [column, found] of lengths.entries()) found.push(cells[column]?.textContent?.length ?? 0);
		}
		const table = byId("table", HTMLTableElement);
		const heads = table.querySelectorAll("thead th");
		if (!rows.codes.wave.some((code) => code !== 0)) table.classList.add("no-wave");
		let total = 0;
		for (const [column, head] of [...heads].entries()) {
			const sorted = (lengths[column] ?? []).toSorted((a, b) => a - b);
			const usual = sorted[Math.floor(sorted.length * .9)] ?? 0;
			const width = Math.min(MOST, Math.max(LEAST, Math.max(usual, head.textContent?.length ?? 0) + AROUND));
			head.style.width = \`\${width}ch\`;
			total += width;
		}
		table.style.minWidth = \`\${total}ch\`;
	}

// src/lib/text-order.ts
	function compareTexts(a, b) {
		if (a === b) return 0;
		return a < b ? -1 : 1;
	}

// src/render/html/page/row-order.ts
	function createSorter(rows, facets) {
		const ranks = /* @__PURE__ */ new Map();
		const asPlanned = Uint32Array.from({ length: rows.length }, (_, row) => row);
		return { order(sorting) {
			if (!sorting) return asPlanned;
			const { by: column, descending } = sorting;
			const rank = ranks.get(column) ?? rankColumn(column, rows, facets);
			ranks.set(column, rank);
			const sign = descending ? -1 : 1;
			return asPlanned.slice().sort((a, b) => sign * compare(rank[a] ?? 0, rank[b] ?? 0) || a - b);
		} };
	}
	function compare(a, b) {
		if (a === b) return 0;
		return a < b ? -1 : 1;
	}
	function rankColumn(column, rows, facets) {
		switch (column) {
			case "device": return rankTexts(rows.ids.map((_, row) => rowDevice(rows, row)));
			case "edit": return ofCodes(rows.codes.edit, rows.entries.edit.map((edit) => editText(edit)));
			case "reason": return ofCodes(rows.codes.reason, rows.entries.reason.map(({ says }) => says));
			case "when": return Float64Array.from({ length: rows.length }, (_, row) => whenRank(rows, row));
			case "action": return rows.codes.action;
			default: {
				const { labels, of: values } = facets[column];
				const ranks = rankTexts(labels);
				return Uint32Array.from({ length: rows.length }, (_, row) => ranks[values(row)] ?? 0);
			}
		}
	}
	function whenRank(rows, row) {
		if (rowWord.action(rows, row) === "run") return -1;
		const next = rows.next[row] ?? NaN;
		return Number.isNaN(next) ? Number.MAX_VALUE : next;
	}
	function ofCodes(codes, texts) {
		const ranks = rankTexts(texts);
		return codes.map((code) => ranks[code] ?? 0);
	}
	function rankTexts(texts) {
		const keys = texts.map(sortKey);
		const order = Uint32Array.from(keys, (_, index) => index).sort((a, b) => compareTexts(keys[a] ?? "", keys[b] ?? ""));
		const ranks = new Uint32Array(texts.length);
		let rank = 0;
		for (let n = 0; n < order.length; n++) {
			const [index, before] = [order[n] ?? 0, order[n - 1]];
			if (before !== void 0 && keys[before] !== keys[index]) rank++;
			ranks[index] = rank;
		}
		return ranks;
	}
	function sortKey(text) {
		return text.toLowerCase().replace(/\\d+/g, (digits) => digits.padStart(12, "0"));
	}

// src/render/html/page/controls.ts
	const FILTERS = Object.keys(FILTER_LABELS);
	function createControls(facets, onChoice) {
		let choice = {
			wanted: {
				text: "",
				facets: {}
			},
			sorting: void 0
		};
		const search = byId("search", HTMLInputElement);
		const chips = [...document.querySelectorAll("button[data-group]")];
		const heads = [...document.querySelectorAll("#table th[data-column]")];
		const lists = new Map(FILTERS.map((name) => [name, byId(\`f-\${name}\`, HTMLSelectElement)]));
		for (const [name, list] of lists) fillList(list, facets, name);
		const set = (next) => {
			choice = next;
			const { wanted, sorting } = choice;
			if (search.value !== wanted.text) search.value = wanted.text;
			for (const [name, list] of lists) list.value = optionValue(wanted.facets[name]);
			for (const chip of chips) chip.setAttribute("aria-pressed", String(wanted.facets.group === chip.dataset["group"]));
			for (const head of heads) head.setAttribute("aria-sort", sortWord(head, sorting));
			onChoice(choice);
		};
		const want = (facetName, label) => {
			const { [facetName]: _old, ...others } = choice.wanted.facets;
			const facets = label === void 0 ? others : {
				...others,
				[facetName]: label
			};
			set({
				...choice,
				wanted: {
					...choice.wanted,
					facets
				}
			});
		};
		search.addEventListener("input", () => set({
			...choice,
			wanted: {
				...choice.wanted,
				text: search.value
			}
		}));
		for (const [name, list] of lists) list.addEventListener("change", () => want(name, list.value === "" ? void 0 : list.value.slice(1)));
		for (const chip of chips) chip.addEventListener("click", () => {
			const { group } = chip.dataset;
			want("group", choice.wanted.facets.group === group ? void 0 : group);
		});
		for (const head of heads) head.querySelector("button")?.addEventListener("click", () => {
			const column = head.dataset["column"];
			set({
				...choice,
				sorting: nextSorting(column, choice.sorting)
			});
		});
		byId("clear", HTMLButtonElement).addEventListener("click", () => {
			set({
				wanted: {
					text: "",
					facets: {}
				},
				sorting: void 0
			});
			search.focus();
		});
		return { set };
	}
	function nextSorting(column, sorting) {
		if (sorting?.by !== column) return {
			by: column,
			descending: false
		};
		return sorting.descending ? void 0 : {
			by: column,
			descending: true
		};
	}
	function sortWord(head, sorting) {
		if (sorting?.by !== head.dataset["column"]) return "none";
		return sorting?.descending ? "descending" : "ascending";
	}
	function optionValue(label) {
		return label === void 0 ? "" : \`=\${label}\`;
	}
	function fillList(list, facets, name) {
		const { labels, counts } = facets[name];
		const ranks = rankTexts(labels);
		const options = labels.map((_, place) => place).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).map((place) => {
			const label = labels[place] ?? "";
			const count = grouped(counts[place] ?? 0);
			return make("option", { value: optionValue(label) }, \`\${label || PAGE_WORDS.none} · \${count}\`);
		});
		list.replaceChildren(make("option", { value: "" }, PAGE_WORDS.all), ...options);
		const field = list.closest(".field");
		if (field) field.hidden = labels.length < 2;
	}

// src/render/words/review/reason-labels.ts
	const REASON_LABELS = {
		notSelected: "not selected",
		unmanaged: "not managed",
		notDiscovered: "not discovered",
		unsupported: "not possible",
		notComparable: "cannot compare versions",
		notRead: "not read yet",
		alreadyConverged: "up to date",
		blockedVendor: "vendor blocked",
		hold: "held",
		exclude: "excluded",
		pinned: "pinned",
		incidentEnded: "incident over",
		frozenHard: "hard freeze",
		siteWithoutZone: "site without time zone",
		notDue: "not due",
		inDoubt: "in doubt",
		quarantined: "quarantined",
		awaitsApproval: "awaits approval",
		busy: "busy",
		offline: "offline",
		unknown: "status unknown",
		rolloutPaused: "rollout paused",
		rolloutAborted: "rollout aborted",
		correlatedOutage: "probable network outage",
		waveNotOpen: "wave not open",
		gatePending: "gate not passed",
		approvalPending: "needs approval",
		frozen: "freeze",
		refused: "policy refused",
		windowClosed: "outside window",
		pastCutoff: "past cutoff",
		budgetExhausted: "budget full",
		apiBudget: "no requests left",
		act: "due now",
		stale: "stale",
		left: "no longer selected",
		gone: "not returned by the service",
		interrupted: "interrupted",
		notReached: "not reached"
	};

// src/render/html/page/filter-facets.ts
	function countFacets(rows) {
		const { entries } = rows;
		return {
			action: facet(rows, "action", (code) => ACTION_LABELS[ACTIONS[code] ?? "note"]),
			task: facet(rows, "task", (code) => TASK_WORDS[TASK_TYPES[code] ?? TASK_TYPES[0]]),
			risk: facet(rows, "risk", (code) => RISK_WORDS[RISKS[code] ?? "low"]),
			site: facet(rows, "site", (code) => entries.site[code] ?? ""),
			make: facet(rows, "make", (code) => entries.make[code] ?? ""),
			policy: facet(rows, "place", (code) => entries.place[code]?.policy ?? ""),
			wave: facet(rows, "wave", (code) => entries.wave[code] ?? ""),
			reason: facet(rows, "reason", (code) => reasonLabel(entries.reason[code]?.code ?? "")),
			group: facet(rows, "group", (code) => groupLabel(code))
		};
	}
	function reasonLabel(code) {
		return findWord(REASON_LABELS, code) ?? code;
	}
	function groupLabel(code) {
		const group = GROUPS[code - 1];
		return group === void 0 ? "" : GROUP_LABELS[group];
	}
	function facet({ codes, length }, column, labelOf) {
		const values = codes[column];
		const places = /* @__PURE__ */ new Map();
		const labels = [];
		const placeOf = [];
		const counts = [];
		for (let row = 0; row < length; row++) {
			const code = values[row] ?? 0;
			const place = placeOf[code] ??= placeIn(places, labels, labelOf(code));
			counts[place] = (counts[place] ?? 0) + 1;
		}
		return {
			labels,
			counts: Uint32Array.from(counts),
			of: (row) => placeOf[values[row] ?? 0] ?? 0
		};
	}
	function placeIn(places, labels, label) {
		const known = places.get(label);
		if (known !== void 0) return known;
		places.set(label, labels.length);
		return labels.push(label) - 1;
	}

// src/render/html/page/row-filter.ts
	function createRowFinder(rows, facets) {
		let texts;
		return { find({ text, facets: values }, order) {
			const words = text.toLowerCase().split(/\\s+/).filter(Boolean);
			if (words.length > 0) texts ??= searchTexts(rows);
			const tests = [...Object.entries(values).map(([name, label]) => {
				const { labels, of: values } = facets[name];
				const place = labels.indexOf(label);
				return (row) => values(row) === place;
			}), ...words.map((word) => wordTest(texts ?? searchTexts(rows), word))];
			if (tests.length === 0) return order;
			return order.filter((row) => tests.every((test) => test(row)));
		} };
	}
	function searchTexts({ ids, names, codes, entries }) {
		const lower = (texts) => texts.map((text) => text.toLowerCase());
		return {
			devices: ids.map((id, row) => \`\${names[row] ?? ""} \${id}\`.toLowerCase()),
			columns: [
				{
					codes: codes.site,
					texts: lower(entries.site)
				},
				{
					codes: codes.make,
					texts: lower(entries.make)
				},
				{
					codes: codes.wave,
					texts: lower(entries.wave)
				},
				{
					codes: codes.place,
					texts: lower(entries.place.map(placeText))
				},
				{
					codes: codes.reason,
					texts: lower(entries.reason.map(({ says }) => says))
				},
				{
					codes: codes.edit,
					texts: lower(entries.edit.map((edit) => editText(edit)))
				}
			]
		};
	}
	function placeText({ policy, at, by: author }) {
		return \`\${policy} \${at} \${typeof author === "object" ? \`\${author.commit} \${author.author} \${author.subject}\` : ""}\`;
	}
	function wordTest({ devices, columns }, word) {
		const hits = columns.map(({ codes, texts }) => ({
			codes,
			hit: texts.map((text) => text.includes(word))
		})).filter(({ hit }) => hit.includes(true));
		return (row) => devices[row]?.includes(word) === true || hits.some(({ codes, hit }) => hit[codes[row] ?? 0] === true);
	}

// src/render/html/page/scroll.ts
	const TALLEST = 6e6;
	const SPARE = 8;
	function sliceAt(scrolled, extent) {
		const { rows, rowHeight, viewHeight } = extent;
		const height = scrollHeight(extent);
		const first = Math.min(scrolled * rowsPerPixel(extent), Math.max(0, rows - viewHeight / rowHeight));
		const from = Math.max(0, Math.floor(first) - SPARE);
		const to = Math.min(rows, Math.ceil(first + viewHeight / rowHeight) + SPARE);
		const above = Math.max(0, Math.min(scrolled, height) + (from - first) * rowHeight);
		return {
			from,
			to,
			above,
			below: Math.max(0, height - above - (to - from) * rowHeight)
		};
	}
	function scrollTo(row, scrolled, extent) {
		const rate = rowsPerPixel(extent);
		const seen = extent.viewHeight / extent.rowHeight;
		const first = scrolled * rate;
		if (row < first) return row / rate;
		return row + 1 > first + seen ? (row + 1 - seen) / rate : scrolled;
	}
	function scrollHeight({ rows, rowHeight }) {
		return Math.min(TALLEST, rows * rowHeight);
	}
	function rowsPerPixel(extent) {
		const { rows, rowHeight, viewHeight } = extent;
		const hidden = scrollHeight(extent) - viewHeight;
		return hidden <= 0 ? 1 / rowHeight : (rows - viewHeight / rowHeight) / hidden;
	}

// src/render/html/page/table-body.ts
	function createTableBody({ rows, page }, scroller) {
		const table = byId("table", HTMLTableElement);
		const body = byId("rows", HTMLTableSectionElement);
		const above = byId("above", HTMLTableSectionElement);
		const below = byId("below", HTMLTableSectionElement);
		const drawn = /* @__PURE__ */ new Map();
		let view = /* @__PURE__ */ new Uint32Array();
		let marks = {
			active: 0,
			marked: void 0
		};
		let rowHeight = 40;
		const extent = () => {
			const viewHeight = Math.max(rowHeight, scroller.clientHeight - (table.tHead?.offsetHeight ?? 0));
			return {
				rows: view.length,
				rowHeight,
				viewHeight
			};
		};
		const rowAt = (index) => {
			const row = view[index] ?? 0;
			const element = drawn.get(index) ?? rowElement(rows, row, {
				page,
				index
			});
			if (!drawn.has(index)) dressRow(element, {
				isActive: index === marks.active,
				isMarked: row === marks.marked
			});
			drawn.set(index, element);
			return element;
		};
		const measure = () => {
			const height = body.rows[0]?.getBoundingClientRect().height ?? 0;
			const differs = height > 0 && Math.abs(height - rowHeight) > .01;
			if (differs) rowHeight = height;
			return differs;
		};
		const place = (slice) => {
			setSpace(above, slice.above);
			drop(drawn, slice, scroller);
			let after = null;
			for (let index = slice.to - 1; index >= slice.from; index--) {
				const element = rowAt(index);
				if (element.nextElementSibling !== after || !element.isConnected) body.insertBefore(element, after);
				after = element;
			}
			setSpace(below, slice.below);
		};
		return {
			element: body,
			fill(next) {
				view = next;
				for (const element of drawn.values()) element.remove();
				drawn.clear();
				table.setAttribute("aria-rowcount", String(view.length + 1));
			},
			draw(most) {
				if (most !== void 0) return place({
					from: 0,
					to: Math.min(most, view.length),
					above: 0,
					below: 0
				});
				place(sliceAt(scroller.scrollTop, extent()));
				if (measure()) place(sliceAt(scroller.scrollTop, extent()));
			},
			dress(next) {
				marks = next;
				for (const [index, element] of drawn) dressRow(element, {
					isActive: index === marks.active,
					isMarked: view[index] === marks.marked
				});
			},
			at: (index) => drawn.get(index),
			extent
		};
	}
	function dressRow(element, { isActive, isMarked }) {
		const button = element.querySelector("button");
		button?.setAttribute("tabindex", isActive ? "0" : "-1");
		button?.setAttribute("aria-expanded", String(isMarked));
		element.classList.toggle("open", isMarked);
	}
	function drop(drawn, { from, to }, scroller) {
		for (const [index, element] of drawn) {
			if (index >= from && index < to) continue;
			if (element.contains(document.activeElement)) scroller.focus({ preventScroll: true });
			element.remove();
			drawn.delete(index);
		}
	}

// src/render/html/page/grid.ts
	function createGrid(options) {
		const scroller = byId("scroller", HTMLElement);
		const body = createTableBody(options, scroller);
		let view = /* @__PURE__ */ new Uint32Array();
		let active = 0;
		let marked;
		let printed;
		const draw = () => body.draw(printed);
		const dress = () => body.dress({
			active,
			marked
		});
		const goTo = (index) => {
			if (view.length === 0) return;
			active = Math.max(0, Math.min(view.length - 1, index));
			scroller.scrollTop = scrollTo(active, scroller.scrollTop, body.extent());
			draw();
			dress();
			body.at(active)?.querySelector("button")?.focus({ preventScroll: true });
		};
		scroller.addEventListener("scroll", draw, { passive: true });
		new ResizeObserver(draw).observe(scroller);
		onKeys(scroller, body, {
			target: (key) => moveTarget(key, {
				active,
				page: pageSize(body),
				last: view.length - 1
			}),
			go(index) {
				goTo(index);
				const row = view[active];
				if (row !== void 0) options.onChoose(row, "arrows");
			},
			escape: options.onEscape
		});
		body.element.addEventListener("click", (event) => {
			const index = clickedIndex(event.target);
			const row = index === void 0 ? void 0 : view[index];
			if (index === void 0 || row === void 0) return;
			active = index;
			dress();
			options.onChoose(row, event.detail === 0 ? "keyboard" : "mouse");
		});
		return {
			show(next) {
				view = next;
				active = 0;
				body.fill(view);
				scroller.scrollTop = 0;
				draw();
				dress();
			},
			mark(row) {
				marked = row;
				dress();
			},
			focus: (row) => goTo(view.indexOf(row)),
			beside(row, step) {
				const index = view.indexOf(row);
				return index < 0 ? void 0 : view[index + step];
			},
			print(most) {
				printed = most;
				draw();
			}
		};
	}
	function onKeys(scroller, { element }, { target, go, escape }) {
		scroller.addEventListener("keydown", (event) => {
			if (event.key === "Escape") escape();
			const to = target(event.key);
			const isHere = event.target instanceof Node && element.contains(event.target);
			if (to === void 0 || event.target !== scroller && !isHere) return;
			event.preventDefault();
			go(to);
		});
	}
	function pageSize(body) {
		const { viewHeight, rowHeight } = body.extent();
		return Math.max(1, Math.floor(viewHeight / rowHeight) - 1);
	}
	function clickedIndex(target) {
		const at = (target instanceof Element ? target.closest("tr") : null)?.dataset["at"];
		return at === void 0 ? void 0 : Number(at);
	}
	function moveTarget(key, { active, page, last }) {
		switch (key) {
			case "ArrowDown": return active + 1;
			case "ArrowUp": return active - 1;
			case "PageDown": return active + page;
			case "PageUp": return active - page;
			case "Home": return 0;
			case "End": return last;
			default: return;
		}
	}

// src/render/html/window-text.ts
	const asItIs$1 = (text) => text;
	function windowText({ name, zone, opens, closes }, action) {
		if (name === "") return "";
		const opening = opens === void 0 ? "" : fill(PAGE_WORDS.windowOpens, { moment: opens }, asItIs$1);
		const open = opens === void 0 && action === "run" ? PAGE_WORDS.windowOpen : opening;
		const until = closes === void 0 || open === "" ? "" : fill(PAGE_WORDS.windowCloses, { moment: closes }, asItIs$1);
		return [
			name,
			zone ?? "",
			open,
			until
		].filter(Boolean).join(", ");
	}

// src/render/html/page/details.ts
	const asItIs = (text) => text;
	const LABELS = PAGE_WORDS.details;
	function changeDetails(rows, row, page) {
		return [
			factList(rows, row, page),
			editTable(rows, row),
			stepList(rows, row)
		];
	}
	function changeTitle(rows, row) {
		return \`\${TASK_WORDS[rowWord.task(rows, row)]}: \${rowDevice(rows, row)}\`;
	}
	function factList(rows, row, page) {
		const action = rowWord.action(rows, row);
		const group = rowWord.group(rows, row);
		const place = rowEntry(rows, "place", row);
		const id = rows.ids[row] ?? "";
		const name = rows.names[row] ?? "";
		const losers = rowEntry(rows, "losers", row).map((code) => rows.entries.place[code]);
		const facts = [
			["action", ACTION_WORDS[action]],
			["why", whyText(rows, row, page)],
			["next", nextText(rows, row, page)],
			["device", name === "" || name === id ? id : \`\${name} (\${id})\`],
			["site", rowEntry(rows, "site", row)],
			["make", rowEntry(rows, "make", row)],
			["risk", RISK_WORDS[rowWord.risk(rows, row)]],
			["cause", CAUSE_WORDS[rowWord.cause(rows, row)]],
			["group", group === void 0 ? "" : GROUP_LABELS[group]],
			["wave", rowEntry(rows, "wave", row)],
			["window", windowText(rowEntry(rows, "window", row), action)],
			["policy", place.policy],
			["at", place.at],
			...originFacts(place),
			["losers", losers.map((loser) => loser ? \`\${loser.policy} (\${loser.at})\` : "").join(", ")]
		];
		const list = make("dl");
		for (const [label, text] of facts) if (text !== "") list.append(make("dt", {}, LABELS[label]), make("dd", {}, label === "why" || label === "next" ? isolatedProse(text) : isolated(text)));
		return list;
	}
	function originFacts({ by: author }) {
		if (author === void 0) return [];
		if (typeof author === "string") return [["commit", author]];
		return [
			["commit", \`\${author.commit}, \${author.day}\`],
			["author", author.author],
			["subject", author.subject]
		];
	}
	function whyText(rows, row, page) {
		const { says } = rowEntry(rows, "reason", row);
		const since = rows.since[row] ?? NaN;
		if (Number.isNaN(since)) return says;
		const ms = since * 1e3;
		return \`\${says}, \${fill(PAGE_WORDS.since, {
			moment: moment(page.now - ms, page),
			span: span(ms)
		}, asItIs)}\`;
	}
	function nextText(rows, row, page) {
		const { todo } = rowEntry(rows, "reason", row);
		const next = rows.next[row] ?? NaN;
		if (!Number.isFinite(next)) return todo;
		const ms = next * 1e3;
		return fill(PAGE_WORDS.from, {
			moment: moment(page.now + ms, page),
			span: span(ms)
		}, asItIs);
	}
	function editTable(rows, row) {
		const { field, before, after, nothingWanted } = PAGE_WORDS;
		const head = [
			field,
			before,
			after
		].map((label) => make("th", { scope: "col" }, label));
		const body = rowEntry(rows, "edit", row).map(([name, old, current]) => {
			const changes = current !== null && current !== old;
			return make("tr", changes ? { class: "changes" } : {}, make("th", { scope: "row" }, isolated(name)), make("td", {}, changes && old !== null ? del(old) : isolated(old ?? "")), make("td", {}, changes ? make("ins", {}, isolated(current)) : nothingWanted));
		});
		return make("table", { class: "edit" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
	}
	function del(text) {
		return make("del", {}, isolated(text));
	}
	function stepList(rows, row) {
		const { step, says } = rowEntry(rows, "reason", row);
		if (step < 0) return make("p");
		const { passed, decided, unasked, steps } = PAGE_WORDS;
		const items = DECISION_STEPS.map((one, index) => {
			const state = index < step ? "passed" : index === step ? "decided" : "unasked";
			const words = {
				passed,
				decided,
				unasked
			}[state];
			const text = state === "decided" ? isolatedProse(says) : one.passed;
			return make("li", { class: state }, make("span", { class: "sr" }, \`\${words}: \`), text);
		});
		return make("div", {}, make("h4", {}, steps), make("ol", { class: "steps" }, ...items));
	}

// src/render/html/page/panel.ts
	function createPanel({ rows, page, onStep, onClose }) {
		const panel = byId("details", HTMLElement);
		const title = byId("details-title", HTMLElement);
		const body = byId("details-body", HTMLElement);
		let row;
		byId("previous", HTMLButtonElement).addEventListener("click", () => onStep(-1));
		byId("next", HTMLButtonElement).addEventListener("click", () => onStep(1));
		byId("close", HTMLButtonElement).addEventListener("click", onClose);
		panel.addEventListener("keydown", (event) => {
			if (event.key === "Escape") onClose();
		});
		return {
			get row() {
				return row;
			},
			open(next) {
				row = next;
				title.textContent = changeTitle(rows, next);
				body.replaceChildren(...changeDetails(rows, next, page));
				body.scrollTop = 0;
				panel.hidden = false;
			},
			enter: () => title.focus({ preventScroll: true }),
			close() {
				row = void 0;
				panel.hidden = true;
			}
		};
	}

// src/render/html/page/paper.ts
	const PRINTED = 400;
	function printOnPaper(rows, grid, viewNow) {
		const note = byId("printed", HTMLElement);
		const kinds = byId("kinds", HTMLElement);
		let folded = [];
		addEventListener("beforeprint", () => {
			folded = [...document.querySelectorAll("details:not([open])")];
			for (const fold of folded) fold.open = true;
			const view = viewNow();
			const isCut = view.length > PRINTED;
			const params = {
				shown: grouped(Math.min(PRINTED, view.length)),
				view: grouped(view.length),
				all: grouped(rows.length)
			};
			note.textContent = fill(isCut ? PAGE_WORDS.printedPart : PAGE_WORDS.printedAll, params, String);
			kinds.replaceChildren(...isCut ? [kindTable(groupRows(rows, view))] : []);
			grid.print(PRINTED);
		});
		addEventListener("afterprint", () => {
			for (const fold of folded) fold.open = false;
			kinds.replaceChildren();
			grid.print();
		});
	}
	function kindTable(kinds) {
		const head = PAGE_WORDS.kinds.map((label) => make("th", { scope: "col" }, label));
		const body = kinds.slice(0, PRINTED).map(({ count, texts }) => kindRow(count, texts));
		const rest = kinds.slice(PRINTED);
		const left = rest.reduce((sum, { count }) => sum + count, 0);
		const others = fill(PAGE_WORDS.otherKinds, { kinds: grouped(rest.length) }, String);
		return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body, ...left > 0 ? [kindRow(left, [others])] : []));
	}
	function kindRow(count, texts) {
		const cells = texts.map((text) => make("td", {}, isolated(text)));
		return make("tr", {}, make("td", { class: "n" }, grouped(count)), ...cells);
	}
	function groupRows(rows, view) {
		const { action, task, risk, place, wave } = rows.codes;
		const counts = /* @__PURE__ */ new Map();
		for (const row of view) {
			const { code } = rowEntry(rows, "reason", row);
			const key = \`\${action[row]} \${task[row]} \${risk[row]} \${place[row]} \${wave[row]} \${code}\`;
			const met = counts.get(key);
			if (met) met.count += 1;
			else counts.set(key, {
				row,
				count: 1
			});
		}
		return [...counts.values()].map(({ row, count }) => ({
			count,
			texts: groupTexts(rows, row)
		}));
	}
	function groupTexts(rows, row) {
		const { code } = rowEntry(rows, "reason", row);
		return [
			ACTION_LABELS[rowWord.action(rows, row)],
			TASK_WORDS[rowWord.task(rows, row)],
			RISK_WORDS[rowWord.risk(rows, row)],
			rowEntry(rows, "place", row).policy,
			rowEntry(rows, "wave", row),
			findWord(REASON_LABELS, code) ?? code
		];
	}

// src/render/html/page/visits.ts
	function createVisits(onVisit) {
		let last;
		addEventListener("popstate", () => {
			last = void 0;
			onVisit(location.hash);
		});
		return { show(shared) {
			const fragment = toFragment(shared);
			const isFirst = last === void 0;
			const goesOn = last !== void 0 && isSameVisit(last, shared);
			last = shared;
			if (fragment === location.hash || isFirst && fragment === "") return;
			write(fragment, isFirst || goesOn ? "replaceState" : "pushState");
		} };
	}
	function isSameVisit(a, b) {
		return (a.wanted.text !== "" && b.wanted.text !== "" || a.wanted.text === b.wanted.text) && without(a) === without(b);
	}
	function without({ wanted, sorting }) {
		return toFragment({
			wanted: {
				...wanted,
				text: ""
			},
			sorting
		});
	}
	function write(fragment, how) {
		try {
			history[how](null, "", fragment === "" ? location.pathname + location.search : fragment);
		} catch {}
	}

// src/render/html/page/main.ts
	const PATIENCE_MS = 50;
	start();
	async function start() {
		const root = byId("changes", HTMLElement);
		const length = Number(root.dataset["rows"]);
		const clock = zoneClock(root.dataset["zone"] ?? "");
		const page = {
			now: Number(root.dataset["now"]),
			clock
		};
		const rows = await readRows(length);
		fitColumns(rows, page);
		run(rows, page);
		showTimesOnPhone();
		byId("reading", HTMLElement).hidden = true;
		for (const part of root.querySelectorAll("[data-live]")) part.hidden = length === 0;
		document.documentElement.dataset["ready"] = "true";
	}
	async function readRows(length) {
		const reader = createReader(length);
		let drawnAt = performance.now();
		for (const part of document.querySelectorAll("script.part")) {
			reader.take(JSON.parse(part.textContent ?? ""));
			part.remove();
			if (performance.now() - drawnAt < PATIENCE_MS) continue;
			showCount("reading", PAGE_WORDS.reading, reader.rows.ids.length, length);
			await breath();
			drawnAt = performance.now();
		}
		return reader.rows;
	}
	function breath() {
		return new Promise((resolve) => {
			const { port1, port2 } = new MessageChannel();
			port1.addEventListener("message", () => resolve());
			port1.start();
			port2.postMessage(void 0);
		});
	}
	function run(rows, page) {
		const facets = countFacets(rows);
		const finder = createRowFinder(rows, facets);
		const sorter = createSorter(rows, facets);
		let view = /* @__PURE__ */ new Uint32Array();
		let choice = EVERYTHING;
		const visits = createVisits((fragment) => visit(sharedIn(fragment, facets)));
		const update = () => {
			const { row } = panel;
			visits.show({
				...choice,
				...row !== void 0 && { change: rowChangeId(rows, row) }
			});
		};
		const close = () => {
			const { row } = panel;
			panel.close();
			grid.mark(void 0);
			update();
			if (row !== void 0) grid.focus(row);
		};
		const open = (row) => {
			panel.open(row);
			grid.mark(row);
			update();
		};
		const panel = createPanel({
			rows,
			page,
			onClose: close,
			onStep(step) {
				const next = panel.row === void 0 ? void 0 : grid.beside(panel.row, step);
				if (next === void 0) return;
				grid.focus(next);
				open(next);
				panel.enter();
			}
		});
		const grid = createGrid({
			rows,
			page,
			onEscape: close,
			onChoose(row, how) {
				if (how === "arrows" && panel.row === void 0) return;
				open(row);
				if (how === "keyboard") panel.enter();
			}
		});
		const controls = createControls(facets, (next) => {
			choice = next;
			view = finder.find(choice.wanted, sorter.order(choice.sorting));
			grid.show(view);
			showCount("count", PAGE_WORDS.counted, view.length, rows.length);
			byId("empty", HTMLElement).hidden = view.length > 0;
			update();
		});
		const visit = ({ change, ...shared }) => {
			const row = change === void 0 ? -1 : rowOfChange(rows, change);
			panel.close();
			grid.mark(void 0);
			controls.set(shared);
			if (row >= 0) open(row);
			if (view.includes(row)) grid.focus(row);
		};
		visit(sharedIn(location.hash, facets));
		followLinks(controls);
		printOnPaper(rows, grid, () => view);
	}
	const EVERYTHING = {
		wanted: {
			text: "",
			facets: {}
		},
		sorting: void 0
	};
	function followLinks(controls) {
		const section = byId("changes", HTMLElement);
		for (const link of document.querySelectorAll("a[href=\\"#changes\\"]")) link.addEventListener("click", (event) => {
			event.preventDefault();
			const { show } = link.dataset;
			if (show !== void 0) controls.set({
				wanted: {
					text: "",
					facets: JSON.parse(show)
				},
				sorting: void 0
			});
			section.focus();
		});
	}
	function showTimesOnPhone() {
		const times = document.querySelector(".wide:has(.timeline) + details");
		if (times && matchMedia("(max-width: 40rem)").matches) times.open = true;
	}
	function showCount(id, phrase, shown, all) {
		const params = {
			shown: grouped(shown),
			all: grouped(all)
		};
		byId(id, HTMLElement).textContent = fill(phrase, params, (text) => text);
	}

})();`;
export const STYLE = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfbf9, #14161a);
  --card: light-dark(#ffffff, #1c1f25);
  --sunk: light-dark(#f1f1ec, #101216);
  --ink: light-dark(#1d2127, #e7e9ec);
  --soft: light-dark(#565d68, #a5adb9);
  --line: light-dark(#dcdcd4, #333842);
  --accent: light-dark(#1f5fbf, #8ab8ff);
  --run: light-dark(#1b7a4b, #5fcf95);
  --wait: light-dark(#8a5a00, #e9b44c);
  --skip: light-dark(#6b6f76, #9299a5);
  --bad: light-dark(#b3261e, #ff8f85);
  --soak: light-dark(#c9dcf6, #26406a);
  --run-tint: light-dark(#e2f3ea, #163324);
  --wait-tint: light-dark(#fbeed2, #38290b);
  --skip-tint: light-dark(#ecedef, #2a2e36);
  --bad-tint: light-dark(#fbe6e4, #40191a);
  --row: 2.375rem;
  font:
    15px/1.5 system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    'Noto Sans',
    Ubuntu,
    Cantarell,
    'Helvetica Neue',
    Arial,
    sans-serif;
  font-variant-numeric: tabular-nums;
  background: var(--paper);
  color: var(--ink);
}
* {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
body {
  margin: 0 auto;
  max-width: 100rem;
  padding: 1.5rem clamp(0.75rem, 3vw, 2.5rem) 3rem;
}
h1 {
  font-size: clamp(1.5rem, 1rem + 2.2vw, 2.1rem);
  line-height: 1.2;
  margin: 0 0 0.5rem;
  letter-spacing: -0.01em;
  overflow-wrap: anywhere;
}
h2 {
  font-size: 1.15rem;
  margin: 0 0 0.75rem;
}
h3 {
  font-size: 0.95rem;
  margin: 1.25rem 0 0.5rem;
  color: var(--soft);
}
h4 {
  font-size: 0.85rem;
  margin: 1rem 0 0.25rem;
  color: var(--soft);
}
section {
  margin-top: 2.25rem;
}
code.flag {
  white-space: nowrap;
}

code {
  font:
    0.86em/1.4 ui-monospace,
    'SF Mono',
    'Cascadia Mono',
    'DejaVu Sans Mono',
    Menlo,
    Consolas,
    monospace;
  overflow-wrap: anywhere;
}
small,
.about {
  color: var(--soft);
  font-size: 0.86rem;
}
.about {
  margin: -0.5rem 0 0.75rem;
}
a {
  color: var(--accent);
  text-underline-offset: 0.15em;
}
.number {
  color: var(--soft);
  font-weight: 400;
  margin-left: 0.25rem;
}
.kicker {
  margin: 0;
  color: var(--soft);
  font-size: 0.85rem;
  letter-spacing: 0.04em;
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
  border-radius: 3px;
}
#changes:focus-visible,
#scroller:focus-visible {
  outline-offset: -2px;
}
.sr {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.jump {
  position: absolute;
  left: -100vw;
  top: 0.5rem;
  background: var(--card);
  padding: 0.5rem 1rem;
  z-index: 9;
}
.jump:focus {
  left: 0.5rem;
}

.state {
  display: inline-block;
  margin: 0 0 0.75rem;
  padding: 0.35rem 0.75rem;
  border-radius: 6px;
  background: var(--sunk);
}
.state.bad {
  background: var(--bad-tint);
  color: var(--bad);
  font-weight: 600;
}
.fill.run {
  fill: var(--run);
}
.fill.wait {
  fill: var(--wait);
}
.fill.skip {
  fill: var(--skip);
}
.rest {
  margin: 0 0 0.75rem;
}
.groups {
  list-style: none;
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem 1.5rem;
  margin: 0 0 0.75rem;
  padding: 0;
}
.data :is(th, td) {
  padding: 0.35rem 0.7rem;
  text-align: left;
  font-weight: 400;
}
.data thead :is(th, td) {
  color: var(--soft);
  font-size: 0.82rem;
  font-weight: 600;
  white-space: nowrap;
}
.data :is(th, td).n {
  text-align: right;
  white-space: nowrap;
}
@media (min-width: 60.01rem) {
  .data .n + :is(th, td):not(.n) {
    padding-left: 1.75rem;
  }
}
.data :is(th, td).none {
  color: var(--soft);
}
.data :is(th, td) {
  overflow-wrap: break-word;
}
.data tbody th {
  min-width: 5.5rem;
  max-width: 26rem;
}
.data tbody th.n {
  min-width: 0;
}
.data .strong th,
.data .head th {
  font-weight: 600;
}
.data .head th {
  max-width: none;
  padding-top: 0.8rem;
}
.data .part th {
  padding-left: 1.75rem;
}
.data tfoot :is(th, td) {
  border-bottom: 0;
  font-weight: 600;
}
.data .caused th {
  border-left: 3px solid var(--accent);
  font-weight: 600;
}
.data td.now:not(.none) {
  color: var(--run);
}
.data td.later:not(.none) {
  color: var(--wait);
}
.data td.person:not(.none) {
  color: var(--bad);
}
.policies td:last-child,
.gist {
  color: var(--soft);
}
.policies td:is(:nth-child(6), :nth-child(7)) {
  white-space: nowrap;
}
.needs {
  list-style: none;
  display: grid;
  gap: 0.5rem;
  margin: 0;
  padding: 0;
}
.needs li {
  display: flex;
  gap: 0.9rem;
  padding: 0.6rem 0.9rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  overflow-wrap: anywhere;
}
.needs li > a {
  min-width: 3rem;
  text-align: right;
}
.basis {
  margin: 0.4rem 0 1rem;
}
.gist {
  flex: 1 1 16rem;
  min-width: 0;
  color: var(--soft);
  overflow-wrap: anywhere;
}
.risk.low {
  color: var(--soft);
}
.facts {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr));
  gap: 0.6rem 1.5rem;
  margin: 1.25rem 0 0;
}
.facts dt {
  color: var(--soft);
  font-size: 0.8rem;
}
.facts dd {
  margin: 0;
  overflow-wrap: anywhere;
}

.mark {
  display: inline-block;
  min-width: 3.1rem;
  padding: 0.05rem 0.5rem;
  border-radius: 99px;
  font-size: 0.8rem;
  font-weight: 600;
  text-align: center;
  background: var(--skip-tint);
  color: var(--ink);
}
.mark.run {
  background: var(--run-tint);
  color: var(--run);
}
.mark.wait {
  background: var(--wait-tint);
  color: var(--wait);
}
.mark.bad {
  background: var(--bad-tint);
  color: var(--bad);
}
.verdicts,
.warnings {
  list-style: none;
  margin: 0;
  padding: 0;
  display: grid;
  gap: 0.5rem;
}
.verdicts li {
  display: flex;
  gap: 0.75rem;
  align-items: baseline;
  padding: 0.6rem 0.9rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  overflow-wrap: anywhere;
}
.verdicts .mark {
  flex: none;
  min-width: 5rem;
}
.verdicts li.bad {
  border-color: var(--bad);
}
.warnings li {
  padding: 0.5rem 0.9rem;
  background: var(--wait-tint);
  border-radius: 8px;
  overflow-wrap: anywhere;
}
.warnings small {
  color: inherit;
}

.wide {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  width: 100%;
}
th {
  text-align: left;
  font-weight: 600;
}
thead th,
thead td {
  color: var(--soft);
  font-size: 0.82rem;
  padding: 0.35rem 0.6rem;
  border-bottom: 1px solid var(--line);
  white-space: nowrap;
}
tbody th,
tbody td {
  padding: 0.35rem 0.6rem;
  border-bottom: 1px solid var(--line);
  font-weight: 400;
  vertical-align: middle;
}
.n {
  text-align: right;
  white-space: nowrap;
}
.sites td.bar {
  width: 45%;
}
.sites svg {
  display: block;
  width: 100%;
  height: 14px;
}

.timeline {
  display: block;
  min-width: 46rem;
  width: 100%;
  height: auto;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 0.75rem;
}
.timeline text {
  font-size: 12px;
  fill: var(--ink);
}
.timeline text.policy {
  font-weight: 600;
}
.timeline :is(text.zone, text.tick, text.about) {
  fill: var(--soft);
  font-size: 11px;
}
.timeline text.zone {
  font-weight: 600;
}
.timeline text.now {
  font-size: 10px;
  font-weight: 600;
  fill: var(--bad);
}
.timeline line.tick {
  stroke: var(--line);
}
.timeline line.now {
  stroke: var(--bad);
  stroke-width: 1.5;
}
.timeline rect.wave {
  fill: var(--accent);
}
.timeline rect.soak {
  fill: var(--soak);
  stroke: var(--accent);
  stroke-width: 0.75;
}
.timeline rect.held {
  stroke: var(--accent);
  stroke-dasharray: 3 3;
}
.timeline rect.wave.held {
  fill: none;
}
.timeline rect.window {
  fill: var(--run);
}
.timeline rect.freeze {
  fill: url('#hatch');
  stroke: var(--bad);
  stroke-width: 0.75;
}
.timeline rect.thin {
  stroke: none;
}
.timeline .ground {
  fill: var(--bad-tint);
}
.timeline .stripe {
  fill: var(--bad);
}
.legend {
  list-style: none;
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.25rem;
  margin: 0 0 0.6rem;
  padding: 0;
  font-size: 0.86rem;
  color: var(--soft);
}
.legend li::before {
  content: '';
  display: inline-block;
  width: 1.4rem;
  height: 0.7rem;
  margin-right: 0.4rem;
  border-radius: 2px;
  background: var(--accent);
}
.legend .soak::before {
  background: var(--soak);
  outline: 1px solid var(--accent);
}
.legend .window::before {
  background: var(--run);
}
.legend .freeze::before {
  background: repeating-linear-gradient(135deg, var(--bad) 0 2px, var(--bad-tint) 2px 5px);
  outline: 1px solid var(--bad);
}

.class,
.plain {
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
  margin-bottom: 0.5rem;
}
.plain {
  margin-top: 0.5rem;
  padding: 0 0.9rem;
}
.class > summary {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 0.75rem;
  align-items: baseline;
  padding: 0.55rem 0.9rem;
  cursor: pointer;
  list-style-position: inside;
}
.class > summary::before {
  content: '▸';
  color: var(--soft);
}
.class[open] > summary::before {
  content: '▾';
}
.class > summary::-webkit-details-marker {
  display: none;
}
.plain > summary {
  padding: 0.45rem 0;
  cursor: pointer;
  color: var(--soft);
}
.class .from {
  margin-left: auto;
  color: var(--soft);
  overflow-wrap: anywhere;
}
.risk {
  font-size: 0.86rem;
  color: var(--soft);
}
.risk.high {
  color: var(--bad);
  font-weight: 600;
}
.risk.medium {
  color: var(--wait);
}
.class .body {
  padding: 0 0.9rem 0.6rem;
}
.diff {
  list-style: none;
  margin: 0 0 0.5rem;
  padding: 0.4rem 0.75rem;
  background: var(--sunk);
  border-radius: 6px;
  font:
    0.86rem/1.5 ui-monospace,
    'DejaVu Sans Mono',
    Menlo,
    Consolas,
    monospace;
  overflow-wrap: anywhere;
}
.diff .removed {
  color: var(--bad);
}
.diff .removed::before {
  content: '− ';
}
.diff .added {
  color: var(--run);
}
.diff .added::before {
  content: '+ ';
}
.diff .same::before {
  content: '\\00a0\\00a0';
}
.class dl,
.details dl {
  display: grid;
  grid-template-columns: max-content 1fr;
  gap: 0.2rem 1rem;
  margin: 0;
}
.class dt,
.details dt {
  color: var(--soft);
}
.class dd,
.details dd {
  margin: 0;
  overflow-wrap: anywhere;
}

.tools {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr));
  gap: 0.6rem 0.75rem;
  align-items: end;
}
.field {
  display: grid;
  gap: 0.15rem;
  min-width: 0;
}
.field.search {
  grid-column: span 2;
}
.field label {
  font-size: 0.8rem;
  color: var(--soft);
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
input,
select,
button {
  font: inherit;
  color: inherit;
}
input,
select {
  width: 100%;
  height: 2.25rem;
  padding: 0 0.6rem;
  background: var(--card);
  border: 1px solid light-dark(#85888c, #6c737f);
  border-radius: 6px;
}
.tools button,
.chip,
.details button {
  height: 2.25rem;
  padding: 0 0.9rem;
  background: var(--card);
  border: 1px solid light-dark(#85888c, #6c737f);
  border-radius: 6px;
  cursor: pointer;
}
.tools button:hover,
.chip:hover,
.details button:hover {
  background: var(--sunk);
}
.chips {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-top: 0.75rem;
}
.chip {
  border-radius: 99px;
}
.chip[aria-pressed='true'] {
  background: var(--accent);
  color: var(--paper);
  border-color: var(--accent);
}
.count {
  margin: 0.75rem 0 0.4rem;
  color: var(--soft);
}
.printed {
  display: none;
}
.split {
  display: flex;
  gap: 1rem;
  align-items: stretch;
}
.scroller {
  flex: 1;
  min-width: 0;
  height: min(46rem, 82vh);
  overflow: auto;
  overflow-anchor: none;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.changes {
  table-layout: fixed;
  min-width: 62rem;
  border-collapse: separate;
  border-spacing: 0;
}
.changes thead th {
  position: sticky;
  top: 0;
  z-index: 1;
  background: var(--sunk);
  padding: 0;
}
.changes thead button {
  width: 100%;
  height: 2.25rem;
  padding: 0 0.6rem;
  text-align: left;
  font-weight: 600;
  background: none;
  border: 0;
  cursor: pointer;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
.changes thead button:hover {
  color: var(--ink);
}
.changes thead button:focus-visible,
.changes tbody button:focus-visible {
  outline-offset: -3px;
}
[aria-sort='ascending'] .arrow::after {
  content: ' ▲';
}
[aria-sort='descending'] .arrow::after {
  content: ' ▼';
}
#rows tr {
  height: var(--row);
  cursor: pointer;
}
#rows th,
#rows td {
  height: var(--row);
  padding: 0 0.6rem;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
#rows th {
  padding: 0;
}
#rows button {
  width: 100%;
  height: calc(var(--row) - 1px);
  padding: 0 0.6rem;
  text-align: left;
  background: none;
  border: 0;
  cursor: pointer;
  white-space: nowrap;
  overflow: hidden;
  text-overflow: ellipsis;
}
#rows tr:hover > * {
  background: var(--sunk);
}
#rows tr.open > * {
  background: light-dark(#e3edfb, #1f2d45);
}
#above td,
#below td {
  padding: 0;
  border: 0;
}
.changes {
  width: 100%;
}
.no-wave .c-wave {
  display: none;
}
.empty {
  padding: 1rem;
}

.details {
  width: 27rem;
  flex: none;
  display: flex;
  flex-direction: column;
  max-height: min(46rem, 82vh);
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.details .bar {
  display: flex;
  gap: 0.4rem;
  align-items: start;
  padding: 0.6rem 0.6rem 0.6rem 0.9rem;
  border-bottom: 1px solid var(--line);
}
.details h3 {
  flex: 1;
  margin: 0.25rem 0 0;
  color: var(--ink);
  font-size: 1rem;
  overflow-wrap: anywhere;
}
.details .bar button {
  flex: none;
  width: 2.25rem;
  padding: 0;
}
#details-body {
  overflow: auto;
  padding: 0.75rem 0.9rem;
}
.edit {
  margin-top: 0.9rem;
  table-layout: fixed;
}
.edit th,
.edit td {
  overflow-wrap: anywhere;
  vertical-align: top;
  padding: 0.25rem 0.4rem;
}
.edit del {
  color: var(--bad);
  text-decoration-thickness: 1px;
}
.edit ins {
  color: var(--run);
  text-decoration: none;
  font-weight: 600;
}
.steps {
  list-style: none;
  margin: 0;
  padding: 0;
  font-size: 0.9rem;
}
.steps li {
  padding: 0.05rem 0 0.05rem 1.6rem;
  position: relative;
}
.steps li::before {
  position: absolute;
  left: 0.2rem;
  color: var(--soft);
}
.steps .passed::before {
  content: '✓';
  color: var(--run);
}
.steps .decided {
  font-weight: 600;
}
.steps .decided::before {
  content: '■';
  color: var(--accent);
}
.steps .unasked {
  color: var(--soft);
}
.steps .unasked::before {
  content: '·';
}

@media (max-width: 60rem) {
  .details {
    position: fixed;
    inset: auto 0 0 0;
    width: auto;
    max-height: 75vh;
    z-index: 5;
    border-radius: 12px 12px 0 0;
    box-shadow: 0 -8px 30px rgb(0 0 0 / 0.3);
  }
}
@media (max-width: 60rem) {
  .data thead :is(th, td),
  .data thead .n {
    white-space: normal;
    vertical-align: bottom;
  }
  .data :is(th, td) {
    padding-inline: 0.4rem;
  }
}
@media (max-width: 40rem) {
  .field.search {
    grid-column: 1 / -1;
  }
  .tools {
    grid-template-columns: 1fr 1fr;
  }
  .data thead {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .data :is(tbody, tfoot) tr {
    display: flex;
    flex-wrap: wrap;
    gap: 0.1rem 1.1rem;
    padding: 0.5rem 0;
    border-bottom: 1px solid var(--line);
  }
  .data tbody tr.caused {
    border-left: 3px solid var(--accent);
    padding-left: 0.5rem;
  }
  .data .caused th {
    border-left: 0;
  }
  .timeline {
    min-width: 62rem;
  }
  .data :is(tbody, tfoot) :is(th, td) {
    display: block;
    max-width: 100%;
    padding: 0;
    border: 0;
    text-align: left;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  .data tbody th:not(.n) {
    flex: 1 0 100%;
    font-weight: 600;
  }
  .data .part {
    padding-left: 1rem !important;
  }
  .data .part th {
    padding: 0;
    font-weight: 400;
  }
  .data .bar {
    flex: 1 0 100%;
    width: auto;
  }
  .data :is(th, td):empty {
    display: none;
  }
  .data [data-label]::before {
    content: attr(data-label) ' ';
    color: var(--soft);
    font-size: 0.82rem;
    font-weight: 400;
  }
  .needs li {
    gap: 0.5rem;
  }
  .class .from {
    margin-left: 0;
    flex-basis: 100%;
  }
  .changes {
    min-width: 0 !important;
    width: 100%;
    table-layout: auto;
  }
  .changes :is(.c-site, .c-make, .c-task, .c-edit, .c-when, .c-policy, .c-wave) {
    display: none;
  }
  .changes :is(th, td) {
    width: auto !important;
  }
  .verdicts li {
    flex-direction: column;
    gap: 0.3rem;
  }
}
@media (prefers-reduced-motion: no-preference) {
  html {
    scroll-behavior: smooth;
  }
}
@media (forced-colors: active) {
  .mark,
  .fill,
  .wave,
  .soak,
  .window,
  .freeze,
  .legend li::before {
    forced-color-adjust: none;
  }
}
@media print {
  details::details-content {
    content-visibility: visible;
    block-size: auto;
  }
  :root {
    color-scheme: light !important;
    font-size: 11px;
    background: none;
  }
  body {
    padding: 0;
    max-width: none;
  }
  .jump,
  .tools,
  .chips,
  .count,
  .details,
  noscript,
  .arrow {
    display: none !important;
  }
  .printed {
    display: block;
  }
  #kinds {
    margin-bottom: 1rem;
  }
  #kinds td:not(.n) {
    overflow-wrap: anywhere;
  }
  section,
  .class,
  .verdicts li {
    break-inside: avoid-page;
  }
  #changes,
  section:has(> details.class),
  section:has(table) {
    break-inside: auto;
  }
  .scroller {
    height: auto;
    overflow: visible;
    border: 0;
  }
  .changes {
    min-width: 0 !important;
    width: 100%;
    table-layout: auto;
  }
  .changes thead th {
    position: static;
  }
  .changes thead {
    display: table-header-group;
  }
  .changes :is(.c-make, .c-wave, .c-policy) {
    display: none;
  }
  .changes :is(th, td) {
    width: auto !important;
  }
  #rows tr,
  #rows th,
  #rows td,
  #rows button {
    height: auto;
    white-space: normal;
    overflow-wrap: anywhere;
  }
  #rows tr {
    break-inside: avoid;
  }
  .wide {
    overflow: visible;
  }
  .timeline,
  .sites {
    min-width: 0;
  }
  .mark {
    background: none !important;
    padding: 0;
    min-width: 0;
  }
}
`;
