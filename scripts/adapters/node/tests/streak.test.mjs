// The JavaScript SDK, driven from outside as the harness does. `node --test scripts/adapters/node/tests`
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ODD = fileURLToPath(new URL("odd.mjs", import.meta.url));
const WHOLE = { plan: "whole", cuts: [null, []] };

/** The answers to some messages. Standard output holds nothing else, and the adapter ends with status 0. */
function ask(kind, ...sent) {
  const input = sent.map((message) => `${JSON.stringify(message)}\n`).join("");
  const done = spawnSync(process.execPath, [ODD, kind], { input, encoding: "utf8", timeout: 60_000 });
  assert.equal(done.status, 0, done.stderr);
  const answers = done.stdout.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return { answers, logged: done.stderr };
}

function run(text, plans, more = {}, kind = "odd") {
  const message = { type: "run", id: 1, dialect: "hermes", text, tools: null, tool_choice: "auto", end: "stop", plans, ...more };
  return ask(kind, message).answers[0];
}

const only = (text, reading) => {
  const result = run(text, [WHOLE]);
  assert.deepEqual([result.whole, result.plans], [reading, [{ plan: "whole", read: 2, same: true }]]);
};

test("a parser that prints breaks no answer", () => {
  const { answers, logged } = ask("odd", { type: "hello", protocol: 1 }, { type: "run", id: 2, text: "print", end: "stop", plans: [WHOLE] });
  assert.deepEqual(answers.map(({ type }) => type), ["hello", "result"]);
  assert.equal(answers[0].clock, "process-cpu");
  assert.match(logged, /while it is imported\n(noise\n){2}/);
});

test("whatever the parser throws is a result", () => {
  only("exit", { raised: "Error: the parser called process.exit(3)" });
  only("no", { rejected: "not hermes" });
  only("error", { raised: "TypeError: half \ufffd a pair" });
  only("string", { raised: "a string" });
  only("deep", { raised: "RangeError: Maximum call stack size exceeded" });
});

test("a missing entry point is unsupported", () => {
  assert.deepEqual(run("closed", [WHOLE]).plans[0].differ, { 1: { unsupported: "no stream" } });
});

test("half a surrogate pair is raised, since no server could send it", () => {
  const result = run("surrogate", [{ plan: "whole", cuts: [null, null] }]);
  assert.deepEqual([result.whole, result.plans[0].same], [{ raised: "half a surrogate pair" }, true]);
});

test("events in no possible order are never the same", () => {
  for (const text of ["early", "late"]) assert.deepEqual(Object.keys(run(text, [{ plan: "whole", cuts: [null, null] }]).plans[0].differ), ["0", "1"]);
});

test("the order of parts counts only where it is told", () => {
  const plans = [{ plan: "x", cuts: [null, [1], [1, 2]] }];
  assert.deepEqual(run("abc", plans, {}, "around").plans, [{ plan: "x", read: 3, same: true }]);
  assert.deepEqual(Object.keys(run("abc", plans, {}, "ordered").plans[0].differ), ["1", "2"]);
});

test("the finish rides on the last delta where the session can", () => {
  const plan = { plan: "last-with-finish", cuts: [[], [2]], last_with_finish: true };
  const { differ } = run("rides", [WHOLE, plan]).plans[1];
  assert.deepEqual(differ[1], { events: [["text", "ri"], ["text", "des!"], ["finish", "stop"]], at: [0, 1, 1] });
  assert.equal(run("walks", [WHOLE, plan]).plans[1].same, true);
});

test("reuse reads twice with one session", () => {
  const reuse = { plan: "reuse", cuts: [[2]], reuse: true };
  assert.deepEqual(run("once", [WHOLE, reuse]).plans[1].differ, { 0: { raised: "Error: used twice" } });
  assert.equal(run("often", [WHOLE, reuse]).plans[1].same, true);
});

test("cuts and prefixes are bytes of the text", () => {
  const [cuts, prefixes] = run("aéb\u2028€", [{ plan: "x", cuts: [null, [1, 3, 4], [4, 4], []] }, { plan: "prefixes", prefixes: [1, 3] }], { events: true }).plans;
  const pieces = Object.values(cuts.differ).map(({ events }) => events.slice(0, -1).map(([, text]) => text));
  assert.deepEqual(pieces, [["aéb\u2028€"], ["a", "é", "b", "\u2028€"], ["aéb", "\u2028€"], ["aéb\u2028€"]]);
  assert.deepEqual(cuts.differ[2].at, [0, 2, 3]);
  assert.deepEqual(Object.values(prefixes.differ).map(({ events }) => events[0][1]), ["a", "aé"]);
});

test("a unit of bytes gets any bytes", () => {
  const result = run(undefined, [{ plan: "bytes", cuts: [null, [1], [1, 2]] }], { base64: "w6n/" }, "bytes");
  assert.deepEqual([result.whole.events[0][1], result.plans[0].same], ["Ã©ÿ", true]);
});

test("measure times each reading, and a fault of the adapter is said", () => {
  const measure = { type: "measure", id: 8, text: "abc", tools: null, end: "stop", cuts: [1], repeat: 3 };
  const { answers } = ask("odd", { type: "run", id: 4 }, measure, { type: "stop" });
  assert.deepEqual(answers.map(({ type, id }) => [type, id]), [["error", 4], ["measured", 8]]);
  assert.equal(answers[1].cpu_ns.length, 3);
  assert.deepEqual(answers[1].whole.events, [["text", "a"], ["text", "bc"], ["finish", "stop"]]);
});
