// Adapters whose parser behaves oddly; the text of a request says how. For `streak.test.mjs`.
import { Adapter, Rejected, serve, Unsupported } from "../streak.mjs";

console.log("a parser that prints while it is imported");

const act = (word) => {
  if (word === "print") console.log("noise");
  else if (word === "exit") process.exit(3);
  else if (word === "no") throw new Rejected("not hermes");
  else if (word === "error") throw new TypeError("half \ud800 a pair");
  else if (word === "string") throw "a string";
  else if (word === "deep") act("deep");
};

class Session {
  used = false;

  constructor(text) {
    this.text = text;
    if (text === "rides") this.last = (delta, end) => [["text", `${delta}!`], ["finish", end]];
  }

  async push(delta) {
    if (this.used) throw new Error("used twice");
    act(this.text);
    return delta === "" ? undefined : [["text", delta]];
  }

  async finish() {
    this.used = this.text === "once";
    return [["finish", "stop"]];
  }
}

class Odd extends Adapter {
  hello = { name: "odd", version: "1", dialects: ["hermes"] };

  async whole({ text }) {
    act(text);
    const fixed = {
      surrogate: [["text", "\ud83d"], ["finish", "stop"]],
      early: [["arguments", 0, "{}"], ["call", 0, "f", null]],
      late: [["finish", "stop"], ["text", ""]],
    };
    return fixed[text] ?? [["text", text], ["finish", "stop"]];
  }

  open({ text }) {
    if (text === "closed") throw new Unsupported("no stream");
    return new Session(text);
  }
}

class Around extends Odd {
  whole({ text }) {
    return [["call", 0, "f", null], ["text", text], ["end", 0], ["finish", null]];
  }

  open({ text }) {
    return Object.assign(new Session(text), { finish: () => [["call", 0, "f"], ["finish", null]] });
  }
}

class Ordered extends Around {
  hello = { name: "odd", version: "1", dialects: ["hermes"], tells: ["order"] };
}

class Bytes extends Odd {
  hello = { name: "odd", version: "1", dialects: ["hermes"], unit: "bytes" };

  whole({ text }) {
    return [["text", text.toString("latin1")], ["finish", "stop"]];
  }

  open() {
    return { push: (delta) => [["text", delta.toString("latin1")]], finish: () => [["finish", "stop"]] };
  }
}

setInterval(() => {}, 1000); // A parser may leave a timer behind.
await serve(new { odd: Odd, around: Around, ordered: Ordered, bytes: Bytes }[process.argv[2]]());
