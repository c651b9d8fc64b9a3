// Generated from src/render/html/page/ by test/tools/generate.mjs. Do not edit.
export const FLEET_SCRIPT = `(function() {

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

// src/render/html/fleet/part-format.ts
	const DEVICE_COLUMNS = [
		["site", "Site"],
		["deviceType", "Type"],
		["make", "Model"],
		["firmwareVersion", "Version"],
		["firmwareState", "Firmware"],
		["vulnerabilityState", "Vulnerability"],
		["severity", "Severity"],
		["lifecycleState", "Lifecycle"],
		["passwordState", "Password"],
		["sslCertificateState", "SSL"],
		["dot1xCertificateState", "802.1X"],
		["hardeningState", "Hardening"]
	];
	const DEVICE_WORDS = {
		counted: "{shown} of {all} devices",
		all: "All",
		none: "(none)"
	};

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
	function setSpace(section, height) {
		section.hidden = height === 0;
		const cell = section.rows[0]?.cells[0];
		if (cell) cell.style.height = \`\${height}px\`;
	}

// src/lib/text-order.ts
	function compareTexts(a, b) {
		if (a === b) return 0;
		return a < b ? -1 : 1;
	}

// src/render/html/page/row-order.ts
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
	function scrollHeight({ rows, rowHeight }) {
		return Math.min(TALLEST, rows * rowHeight);
	}
	function rowsPerPixel(extent) {
		const { rows, rowHeight, viewHeight } = extent;
		const hidden = scrollHeight(extent) - viewHeight;
		return hidden <= 0 ? 1 / rowHeight : (rows - viewHeight / rowHeight) / hidden;
	}

// src/render/html/page/fleet/device-index.ts
	function readDevices(length) {
		const labels = [];
		const columns = DEVICE_COLUMNS.map(() => ({
			codes: new Uint32Array(length),
			texts: []
		}));
		for (const script of document.querySelectorAll("script.part")) {
			const part = JSON.parse(script.textContent ?? "");
			const start = labels.length;
			part.ids.forEach((id, row) => labels.push(part.names[row] ? \`\${part.names[row]} \${id}\` : id));
			columns.forEach(({ codes, texts }, index) => {
				codes.set(part.codes[index] ?? [], start);
				texts.push(...part.fresh[index] ?? []);
			});
			script.remove();
		}
		return {
			length,
			labels,
			columns
		};
	}
	function findDevices({ labels, columns }, { words, chosen }, order) {
		const tests = [...chosen].map(([index, text]) => {
			const column = columns[index];
			const code = column?.texts.indexOf(text) ?? -1;
			return (row) => column?.codes[row] === code;
		});
		for (const word of words) {
			const hits = columns.map(({ texts }) => texts.map((text) => text.toLowerCase().includes(word)));
			tests.push((row) => (labels[row] ?? "").toLowerCase().includes(word) || columns.some(({ codes }, index) => hits[index]?.[codes[row] ?? 0] === true));
		}
		return tests.length === 0 ? order : order.filter((row) => tests.every((test) => test(row)));
	}
	function sortDevices({ length, labels, columns }, column, isDown) {
		const found = columns[column];
		const ranks = rankTexts(found?.texts ?? labels);
		const rank = (row) => ranks[found ? found.codes[row] ?? 0 : row] ?? 0;
		const sign = isDown ? -1 : 1;
		return Uint32Array.from({ length }, (_, row) => row).sort((a, b) => sign * (rank(a) - rank(b)) || a - b);
	}

// src/render/html/page/fleet/main.ts
	const ON_PAPER = 2e3;
	start();
	function start() {
		const root = byId("devices", HTMLElement);
		const rows = readDevices(Number(root.dataset["rows"]));
		byId("reading", HTMLElement).hidden = true;
		const isEmpty = rows.length === 0;
		for (const part of root.querySelectorAll("[data-live]")) part.hidden = isEmpty;
		const body = createBody(rows);
		connectControls(rows, (view) => {
			body.show(view);
			const params = {
				shown: grouped(view.length),
				all: grouped(rows.length)
			};
			byId("count", HTMLElement).textContent = fill(DEVICE_WORDS.counted, params, (text) => text);
			byId("empty", HTMLElement).hidden = view.length > 0;
		});
		document.documentElement.dataset["ready"] = "true";
	}
	function createBody(rows) {
		const scroller = byId("scroller", HTMLElement);
		const body = byId("rows", HTMLTableSectionElement);
		let view = /* @__PURE__ */ new Uint32Array();
		let rowHeight = 38;
		const draw = (most) => {
			const slice = most === void 0 ? sliceAt(scroller.scrollTop, {
				rows: view.length,
				rowHeight,
				viewHeight: Math.max(rowHeight, scroller.clientHeight)
			}) : {
				from: 0,
				to: Math.min(most, view.length),
				above: 0,
				below: 0
			};
			setSpace(byId("above", HTMLTableSectionElement), slice.above);
			body.replaceChildren(...Array.from({ length: slice.to - slice.from }, (_, index) => rowElement(rows, view[slice.from + index] ?? 0, slice.from + index)));
			setSpace(byId("below", HTMLTableSectionElement), slice.below);
		};
		const settle = () => {
			draw();
			const height = body.rows[0]?.getBoundingClientRect().height ?? rowHeight;
			if (Math.abs(height - rowHeight) < .01) return;
			rowHeight = height;
			draw();
		};
		scroller.addEventListener("scroll", () => draw(), { passive: true });
		addEventListener("resize", settle);
		addEventListener("beforeprint", () => draw(ON_PAPER));
		addEventListener("afterprint", () => draw());
		return { show(next) {
			view = next;
			scroller.scrollTop = 0;
			byId("table", HTMLTableElement).setAttribute("aria-rowcount", String(view.length + 1));
			settle();
		} };
	}
	function rowElement({ labels, columns }, row, index) {
		const cells = columns.map(({ codes, texts }, column) => {
			const text = texts[codes[row] ?? 0] ?? "";
			return make("td", {
				class: \`c-\${DEVICE_COLUMNS[column]?.[0] ?? ""}\`,
				title: text
			}, isolated(text));
		});
		const head = make("th", {
			scope: "row",
			title: labels[row] ?? ""
		}, isolated(labels[row] ?? ""));
		return make("tr", { "aria-rowindex": String(index + 2) }, head, ...cells);
	}
	function connectControls(rows, show) {
		const search = byId("search", HTMLInputElement);
		const lists = DEVICE_COLUMNS.map(([name]) => byId(\`f-\${name}\`, HTMLSelectElement));
		let order = sortDevices(rows, -1, false);
		const update = () => {
			const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
			const chosen = new Map(lists.flatMap((list, index) => list.value === "" ? [] : [[index, list.value.slice(1)]]));
			show(findDevices(rows, {
				words,
				chosen
			}, order));
		};
		lists.forEach((list, index) => {
			fillList(list, rows, index);
			list.addEventListener("change", update);
		});
		search.addEventListener("input", update);
		byId("clear", HTMLButtonElement).addEventListener("click", () => {
			search.value = "";
			for (const list of lists) list.value = "";
			update();
		});
		for (const head of document.querySelectorAll("#table th[data-column]")) head.querySelector("button")?.addEventListener("click", () => {
			const isDown = head.getAttribute("aria-sort") === "ascending";
			for (const other of document.querySelectorAll("#table th[data-column]")) other.setAttribute("aria-sort", "none");
			head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
			order = sortDevices(rows, Number(head.dataset["column"]), isDown);
			update();
		});
		followLinks(lists, update);
		update();
	}
	function followLinks(lists, update) {
		for (const link of document.querySelectorAll("a[data-show]")) link.addEventListener("click", () => {
			const wanted = JSON.parse(link.dataset["show"] ?? "{}");
			DEVICE_COLUMNS.forEach(([name], index) => {
				const list = lists[index];
				if (list) list.value = wanted[name] === void 0 ? "" : \`=\${wanted[name]}\`;
			});
			update();
		});
	}
	function fillList(list, rows, index) {
		const { codes, texts } = rows.columns[index] ?? {
			codes: /* @__PURE__ */ new Uint32Array(),
			texts: []
		};
		const counts = new Uint32Array(texts.length);
		for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
		const ranks = rankTexts(texts);
		const options = texts.map((_, code) => code).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0)).map((code) => {
			const text = texts[code] ?? "";
			const label = \`\${text || DEVICE_WORDS.none} · \${grouped(counts[code] ?? 0)}\`;
			return make("option", { value: \`=\${text}\` }, label);
		});
		list.replaceChildren(make("option", { value: "" }, DEVICE_WORDS.all), ...options);
		const field = list.closest(".field");
		if (field) field.hidden = texts.length < 2;
	}

})();`;
export const FLEET_STYLE = `.measures td.bar {
  width: 38%;
}
.measures svg,
.ends svg {
  display: block;
  width: 100%;
  height: 14px;
}
.ends td.bar {
  width: 55%;
}
.fill.good {
  fill: var(--run);
}
.fill.bad {
  fill: var(--bad);
}
.fill.open {
  fill: var(--soak);
}
.fill.unknown {
  fill: var(--skip);
}
.legend .good::before {
  background: var(--run);
}
.legend .bad::before {
  background: var(--bad);
}
.legend .open::before {
  background: var(--soak);
  outline: 1px solid var(--accent);
}
.legend .unknown::before {
  background: var(--skip);
}
.over-time {
  display: block;
  min-width: 30rem;
  width: 100%;
  height: auto;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.over-time text {
  font-size: 12px;
  fill: var(--soft);
}
.over-time .grid {
  stroke: var(--line);
}
.over-time .line {
  fill: none;
  stroke: var(--accent);
  stroke-width: 2;
}
.over-time .dot {
  fill: var(--accent);
}
.matrix td.low {
  background: var(--bad-tint);
}
.matrix td.middle {
  background: var(--wait-tint);
}
.matrix td.high {
  background: var(--run-tint);
}
.devices {
  min-width: 96rem;
}
.devices thead th:first-child {
  width: 15rem;
}
#rows th {
  padding: 0 0.6rem;
}
#rows tr {
  cursor: default;
}
@media (max-width: 60rem) {
  .matrix {
    font-size: 0.82rem;
  }
  .matrix :is(th, td) {
    padding-inline: 0.25rem;
  }
  .matrix thead :is(th, td) {
    font-size: 0.72rem;
  }
}
@media (max-width: 40rem) {
  .over-time {
    min-width: 0;
  }
  .over-time text {
    font-size: 24px;
  }
  .over-time .dot {
    r: 6px;
  }
  .matrix {
    font-size: inherit;
  }
  .matrix td:is(.low, .middle, .high) {
    padding: 0 0.35rem;
    border-radius: 4px;
  }
}
@media (max-width: 40rem) {
  .devices {
    min-width: 60rem !important;
    table-layout: fixed;
  }
  .devices :is(.c-deviceType, .c-make, .c-firmwareVersion, .c-severity) {
    display: none;
  }
  .devices thead th:first-child {
    width: 9rem !important;
  }
}
@media print {
  .devices {
    min-width: 0 !important;
  }
}
`;
