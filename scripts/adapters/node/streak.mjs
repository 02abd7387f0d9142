// SDK for streak/1 adapters (harness/adapter/PROTOCOL.md). Node 20 or later, no dependencies. How to use it: ../README.md.
import process from "node:process";

// A parser that prints writes to standard error, and one that exits raises. Native code that writes to descriptor 1 cannot be kept off.
const answers = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const exit = process.exit;
process.exit = (code) => {
  throw new Error(`the parser called process.exit(${code ?? ""})`);
};

/** The parser said no. */
export class Rejected extends Error {}

/** The parser has no such entry point. */
export class Unsupported extends Error {}

/** `request` is the `run` message, not to be changed. A session has `push(delta)`, `finish(end)` and perhaps `last(delta, end)`; all may be async. */
export class Adapter {
  hello = {};
  whole(_request) {
    throw new Unsupported("no entry point for finished texts");
  }

  open(_request) {
    throw new Unsupported("no entry point for streams");
  }
}

const processCpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

/** The reply that events mean, as a text to compare; null if no reply has them in this order. */
export function fold(events, order) {
  const parts = [], calls = [];
  let finish = null;
  for (const [kind, first, second, id] of events) {
    if (finish || (kind === "call" && first !== calls.length)) return null;
    if (kind === "text" || kind === "reasoning") {
      if (first === "") continue;
      const part = order ? parts.at(-1) : parts.find((part) => part[0] === kind);
      if (part?.[0] === kind) part[1] += first;
      else parts.push([kind, first]);
    } else if (kind === "call") {
      calls.push([second, id ?? null, "", null]);
      if (order) parts.push([first]);
    } else if (kind === "finish") finish = [first];
    else if (!calls[first] || calls[first][3]) return null;
    else if (kind === "arguments") calls[first][2] += second;
    else calls[first][3] = second ?? "complete";
  }
  for (const call of calls) call[3] = call[3] === "incomplete";
  if (!order) parts.sort();
  return JSON.stringify([parts, calls, finish]);
}

async function stream(session, pieces, end, wanted) {
  const events = [], at = [], ride = wanted && session.last && pieces.length > 0;
  const take = (delta, given) => {
    for (const event of given ?? []) {
      events.push(event);
      at.push(delta);
    }
  };
  for (const [i, piece] of pieces.entries()) {
    take(i, await (ride && i + 1 === pieces.length ? session.last(piece, end) : session.push(piece)));
  }
  if (!ride) take(pieces.length, await session.finish(end));
  return { events, at };
}

/** One reading and its time; whatever the parser throws is a result. */
async function reading(adapter, request, raw, cuts, plan = {}) {
  const pieces = cuts?.concat(raw.length).map((to, i) => piece(adapter, raw.subarray(i ? cuts[i - 1] : 0, to)));
  const start = processCpu();
  let got;
  try {
    if (!pieces) got = { events: [...(await adapter.whole(request))] };
    else {
      const session = await adapter.open(request);
      for (let i = plan.reuse ? 2 : 1; i > 0; i -= 1) got = await stream(session, pieces, request.end, plan.last_with_finish);
    }
  } catch (error) {
    const no = error instanceof Rejected ? "rejected" : error instanceof Unsupported ? "unsupported" : "raised";
    const why = no === "raised" ? String(error) : error.message;
    got = { [no]: why.slice(0, 2000).toWellFormed() };
  }
  const spent = processCpu() - start;
  // Half a surrogate pair can leave no server either.
  const broken = got.events?.flat().some((field) => typeof field === "string" && !field.isWellFormed());
  return [broken ? { raised: "half a surrogate pair" } : got, spent];
}

const piece = (adapter, bytes) => (adapter.hello.unit === "bytes" ? bytes : bytes.toString("utf8"));

async function run(adapter, request, raw) {
  const order = adapter.hello.tells?.includes("order") ?? false, start = processCpu(), plans = [];
  let whole = null, meaning = null;
  for (const plan of request.plans) {
    const differ = {}, readings = plan.cuts ?? plan.prefixes;
    for (const [i, what] of readings.entries()) {
      const part = plan.cuts ? raw : raw.subarray(0, what);
      const asked = plan.cuts ? request : { ...request, end: "length", text: piece(adapter, part) };
      const [got] = await reading(adapter, asked, part, plan.cuts ? what : null, plan);
      const folded = got.events ? fold(got.events, order) : JSON.stringify(got);
      if (whole === null) [whole, meaning] = [got, folded];
      if (request.events || folded === null || folded !== meaning) differ[i] = got;
    }
    plans.push({ plan: plan.plan, read: readings.length, ...(Object.keys(differ).length ? { differ } : { same: true }) });
  }
  return { type: "result", id: request.id, cpu_ns: processCpu() - start, whole, plans };
}

async function answer(adapter, message) {
  const modes = [["whole", "whole"], ["stream", "open"]].filter(([, name]) => adapter[name] !== Adapter.prototype[name]).map(([mode]) => mode);
  if (message.type === "hello") return { type: "hello", protocol: 1, clock: "process-cpu", modes, ...adapter.hello };
  const raw = Buffer.from(message.base64 ?? message.text, message.base64 === undefined ? "utf8" : "base64");
  message.text = piece(adapter, raw);
  if (message.type === "run") return run(adapter, message, raw);
  const readings = [];
  for (let i = 0; i < message.repeat; i += 1) readings.push(await reading(adapter, message, raw, message.cuts));
  return { type: "measured", id: message.id, cpu_ns: readings.map(([, spent]) => spent), whole: readings.at(-1)[0] };
}

/** Lines end at byte 10 alone; `readline` would also end them at U+2028. */
async function* lines(input) {
  let held = [];
  for await (const chunk of input) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, at)]).toString("utf8");
      [held, from] = [[], at + 1];
    }
    held.push(chunk.subarray(from));
  }
}

/** Answers messages until `stop` or the end of standard input. */
export async function serve(adapter) {
  for await (const line of lines(process.stdin)) {
    const message = JSON.parse(line);
    if (message.type === "stop") break;
    const reply = await answer(adapter, message).catch((error) => ({ type: "error", id: message.id, message: String(error) }));
    answers(`${JSON.stringify(reply)}\n`);
  }
  answers("", () => exit(0)); // A timer that the parser left running must not hold it up.
}
