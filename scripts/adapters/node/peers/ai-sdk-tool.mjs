// npm `@ai-sdk-tool/parser` as a subject: its ready-made middleware around a model that says the case's text.
//
//     node ai-sdk-tool.mjs --modules DIR [--fragments]      DIR: the folder that holds node_modules/@ai-sdk-tool/parser
//
// A finished text goes through wrapGenerate, a stream through wrapStream, with the parameters that transformParams made of the
// request. Clients run what a `tool-call` part says, so that is the call; `--fragments` judges the `tool-input-*` parts instead.
// Its XML and YAML protocols have no place here: no model family writes them, and our table has no row for them.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Adapter, Rejected, Unsupported, serve } from "../streak.mjs";

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const fragments = process.argv.includes("--fragments");
const folder = path.resolve(process.argv.includes("--modules") ? argument("--modules") : ".");
const require = createRequire(pathToFileURL(path.join(folder, "package.json")));
const { hermesToolMiddleware, qwen3CoderToolMiddleware } = await import(pathToFileURL(require.resolve("@ai-sdk-tool/parser")));
const { version } = require(path.join(folder, "node_modules/@ai-sdk-tool/parser/package.json"));

const MIDDLEWARE = {
  hermes: hermesToolMiddleware,
  granite4: hermesToolMiddleware,
  qwen3_coder: qwen3CoderToolMiddleware,
  nemotron3: qwen3CoderToolMiddleware,
};
const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };
const unified = (end) => ({ unified: end === "length" ? "length" : "stop", raw: end });

/** The middleware and the parameters that it makes of the request. */
async function wrapped(request) {
  if (request.tools === null) throw new Unsupported("names must be declared: no tools and an empty list are one to it");
  if (!request.parallel_tool_calls) throw new Unsupported("the AI SDK has no parallel_tool_calls");
  if (request.reasoning === "open") throw new Unsupported("reasoning is split by another middleware");
  if (request.tool_choice === "none") throw new Unsupported("it throws at tool_choice none");
  if (request.tool_choice !== "auto") throw new Unsupported("a required call is asked for as guided JSON, not in this dialect");
  const middleware = MIDDLEWARE[request.dialect];
  const tools = request.tools.map(({ function: { name, description, parameters } }) => (
    { type: "function", name, description, inputSchema: parameters ?? { type: "object" } }));
  const prompt = [{ role: "user", content: [{ type: "text", text: "?" }] }];
  return { middleware, params: await middleware.transformParams({ type: "stream", params: { prompt, tools } }) };
}

const called = (index, { toolName, input }) => [
  ["call", index, toolName, null], ["arguments", index, typeof input === "string" ? input : JSON.stringify(input)], ["end", index]];

class Session {
  calls = [];
  arrived = [];
  failure = null;

  /** The stream that the model writes to, and what comes out of the middleware behind it. */
  static async of(request) {
    const session = new Session(), { middleware, params } = await wrapped(request);
    const source = new ReadableStream({ start: (controller) => { session.source = controller; } });
    const { stream } = await middleware.wrapStream({ doStream: async () => ({ stream: source }), params });
    session.reading = session.read(stream.getReader());
    session.source.enqueue({ type: "stream-start", warnings: [] });
    session.source.enqueue({ type: "text-start", id: "0" });
    return session;
  }

  async read(reader) {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) this.arrived.push(next.value);
    } catch (error) {
      this.failure = error;
    }
  }

  async push(delta) {
    this.source.enqueue({ type: "text-delta", id: "0", delta });
    return this.settled();
  }

  async finish(end) {
    this.source.enqueue({ type: "text-end", id: "0" });
    this.source.enqueue({ type: "finish", finishReason: unified(end), usage });
    this.source.close();
    await this.reading;
    return [...(await this.settled()), ["finish", null]];
  }

  /** What came by the time that every step of the pipeline has run: they are promises, so one turn of the event loop. */
  async settled() {
    await new Promise((done) => { setImmediate(done); });
    if (this.failure) throw this.failure;
    const parts = this.arrived.splice(0);
    return parts.flatMap((part) => this.told(part));
  }

  told(part) {
    if (part.type === "error") throw new Rejected(String(part.error));
    if (part.type === "text-delta") return part.delta ? [["text", part.delta]] : [];
    if (part.type === "tool-call" && !fragments) return called(this.calls.push(part.toolCallId) - 1, part);
    if (!fragments || !part.type.startsWith("tool-input-")) return [];
    if (part.type === "tool-input-start") return [["call", this.calls.push(part.id) - 1, part.toolName, null]];
    const index = this.calls.indexOf(part.id);
    return [part.type === "tool-input-end" ? ["end", index] : ["arguments", index, part.delta]];
  }
}

class AiSdkTool extends Adapter {
  hello = {
    name: fragments ? "ai-sdk-tool-fragments" : "ai-sdk-tool", version, dialects: Object.keys(MIDDLEWARE),
    modes: ["whole", "stream"], unit: "text", tells: ["order"], special_tokens: "any", delivery: fragments ? "eager" : "validated",
    policies: { undeclared: "forward", names: "exact", truncated: "text", coercion: "own" }, cuts_stop_tokens: Object.keys(MIDDLEWARE),
    ignores: ["tool_choice", "parallel_tool_calls"],
    cannot: [
      { law: "id-valid-unique", why: "every id is minted" },
      { law: "finish-honest", why: "wrapGenerate leaves the model's finish reason as it was; the AI SDK looks for calls instead" },
      { law: "reusable", why: "a stream is made for each request" },
    ],
    notes: "malformed markup is suppressed unless emitRawToolCallTextOnError is set; it is not set here",
  };

  async whole(request) {
    const { middleware, params } = await wrapped(request);
    const doGenerate = async () => (
      { content: [{ type: "text", text: request.text }], finishReason: unified(request.end), usage, warnings: [] });
    const { content } = await middleware.wrapGenerate({ doGenerate, params });
    let calls = 0;
    const events = content.flatMap((part) => {
      if (part.type === "tool-call") return called(calls++, part);
      return part.type === "text" && part.text ? [["text", part.text]] : [];
    });
    return [...events, ["finish", null]];
  }

  open(request) {
    return Session.of(request);
  }
}

await serve(new AiSdkTool());
