// Example: a small streaming parser of the Hermes format, and its adapter. Reasoning, control tokens and repairs are left out to stay short.
//
//     streakstone adapter smoke "node scripts/adapters/node/examples/hermes.mjs"
import { Adapter, serve } from "../streak.mjs";

const OPEN = "<tool_call>", CLOSE = "</tool_call>", SPACE = " \t\r\n";
const trimStart = (text) => text.replace(/^[ \t\r\n]+/, "");

/** Reads `<tool_call>{"name": ..., "arguments": {...}}</tool_call>`. A call goes out when its object has closed; what is no call is text. */
class Hermes {
  calls = 0;
  held = "";
  after = false; // Since a call there was nothing but white space, kept in `held`, and ...
  closed = false; // ... its closer.
  unit = null; // Where an opener stands in `held`.

  constructor(tools, choice) {
    this.names = tools?.map((tool) => tool.function.name) ?? null;
    if (choice === "none") this.names = [];
    else if (choice.function) this.names = !this.names || this.names.includes(choice.function) ? [choice.function] : [];
  }

  push(text, last = false) {
    this.held += text;
    const events = [];
    while (this.step(events, last));
    return events;
  }

  finish(end) {
    const events = this.push("", true);
    events.push(["finish", end === "length" ? "length" : this.calls ? "tool_calls" : "stop"]);
    [this.calls, this.after] = [0, false]; // Ready for another text.
    return events;
  }

  /** One decision; false if it needs more text. */
  step(events, last) {
    if (this.unit === null) {
      if (this.after && !this.settle(last)) return false;
      const found = this.held.indexOf(OPEN);
      if (found < 0) {
        this.text(events, this.held.length - (last ? 0 : this.half()));
        return false;
      }
      // The newline before a block is framing if the block is a call, and so is all white space between calls.
      const lead = this.after ? found : Number(this.held[found - 1] === "\n");
      this.text(events, found - lead);
      Object.assign(this, { unit: lead, at: lead + OPEN.length, depth: 0, quoted: false, marks: [] });
    }
    const state = this.scan();
    if (state === "open" && !last) return false;
    const call = state === "closed" ? this.call() : null;
    if (call) {
      events.push(["call", this.calls, call.name, null], ["arguments", this.calls, call.arguments], ["end", this.calls]);
      this.calls += 1;
      this.held = this.held.slice(this.at);
    } else this.text(events, this.at - Number(this.held[this.at - 1] === "\n"));
    Object.assign(this, { unit: null, after: call !== null, closed: false });
    return true;
  }

  /** What follows a call: white space and one closer are framing, unless text follows. False if it needs more text. */
  settle(last) {
    const rest = trimStart(this.held);
    if (!this.closed && rest.startsWith(CLOSE)) {
      [this.held, this.closed] = [rest.slice(CLOSE.length), true];
      return this.settle(last);
    }
    if (last && !rest) this.held = "";
    if (!last && (OPEN.startsWith(rest) || (!this.closed && CLOSE.startsWith(rest)))) return rest === OPEN;
    this.after = rest.startsWith(OPEN);
    return true;
  }

  /** The length of the longest tail that could begin a block. */
  half() {
    const block = `\n${OPEN}`;
    let n = OPEN.length;
    while (!this.held.endsWith(block.slice(0, n)) && !this.held.endsWith(OPEN.slice(0, n))) n -= 1;
    return n;
  }

  /** Goes on to the end of the object: `closed`, `open` if the text ends first, `broken` where no JSON can go on. */
  scan() {
    for (; this.at < this.held.length; this.at += 1) {
      const char = this.held[this.at];
      if (this.quoted) {
        if (char < " ") return "broken";
        if (char === "\\") {
          if (this.at + 1 === this.held.length) return "open";
          this.at += 1;
        }
        this.quoted = char !== '"';
      } else if (char === "<" || (this.depth === 0 && !`${SPACE}{`.includes(char))) return "broken";
      else if (char === '"') this.quoted = true;
      else if ("{[".includes(char)) this.depth += 1;
      else if ("}]".includes(char)) this.depth -= 1;
      const end = this.depth === 0 && "}]".includes(char);
      if (end || (this.depth === 1 && !this.quoted && ":,{".includes(char))) this.marks.push(this.at);
      if (end) {
        this.at += 1;
        return "closed";
      }
    }
    return "open";
  }

  /** Name and arguments, the bytes as the model wrote them; null if the object is no call. */
  call() {
    try {
      JSON.parse(this.held.slice(this.unit + OPEN.length, this.at));
    } catch {
      return null;
    }
    const pieces = this.marks.slice(1).map((mark, i) => this.held.slice(this.marks[i] + 1, mark).trim());
    const members = new Map();
    for (let i = 0; i + 1 < pieces.length; i += 2) members.set(JSON.parse(pieces[i]), pieces[i + 1]);
    const name = JSON.parse(members.get("name") ?? "null"), written = members.get("arguments") ?? "null";
    const args = written === "null" ? "{}" : written;
    const known = typeof name === "string" && name !== "" && (this.names?.includes(name) ?? true);
    return known && args.startsWith("{") ? { name, arguments: args } : null;
  }

  text(events, count) {
    if (count > 0) events.push(["text", this.held.slice(0, count)]);
    this.held = this.held.slice(count);
  }
}

class Example extends Adapter {
  hello = {
    name: "example-node", version: "1", dialects: ["hermes"], tells: ["order", "finish"], delivery: "validated",
    policies: { truncated: "text" }, notes: "example of the JavaScript SDK; no reasoning",
  };

  whole(request) {
    const session = this.open(request);
    return [...session.push(request.text), ...session.finish(request.end)];
  }

  open(request) {
    return new Hermes(request.tools, request.tool_choice);
  }
}

await serve(new Example());
