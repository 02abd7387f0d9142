//! One group a family: calls whole, calls and prose in 4-byte chunks, and for both the baseline of the same chunks copied into
//! a string with one `memchr` for the dialect's first marker byte, so that the ratios can be read in one run. Every sink
//! collects into strings, as a client does. `streakstone measure --ratio` prints the same ratios by thread CPU time.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use streakstone_model::{ByteUse, CallOutcome, Dialect, End, Finish, Lookup, ReadOptions, Sink, Span, lookup};
use streakstone_parsers::{Parser, ToolSet};

/// A family: the row's name, the first byte of its marker, and a block of calls in pieces.
struct Family {
    name: &'static str,
    first: u8,
    open: &'static str,
    call: &'static str,
    between: &'static str,
    close: &'static str,
}

/// Calls in a block, below the default cap; about 64 KiB of text.
const CALLS: usize = 400;
/// Bytes of a streamed chunk, at least.
const CHUNK: usize = 4;
/// Prose without a byte that could begin a marker.
const PROSE: &str = "The quick brown fox jumps over the lazy dog, and then it writes a short note about what it saw.\n";

const FAMILIES: &[Family] = &[
    Family {
        name: "hermes",
        first: b'<',
        open: "",
        call: "<tool_call>\n{\"name\": \"write_file\", \"arguments\": {\"path\": \"src/main.rs\", \"content\": \"fn main() {}\\n// the end, nothing else to see\"}}\n</tool_call>",
        between: "\n",
        close: "",
    },
    Family {
        name: "mistral_list",
        first: b'[',
        open: "[TOOL_CALLS] [",
        call: "{\"name\": \"write_file\", \"arguments\": {\"path\": \"src/main.rs\", \"content\": \"fn main() {}\\n// the end, nothing else to see\"}}",
        between: ", ",
        close: "]",
    },
    Family {
        name: "mistral_v13",
        first: b'[',
        open: "",
        call: "[TOOL_CALLS]write_file[ARGS]{\"path\": \"src/main.rs\", \"content\": \"fn main() {}\\n// the end, nothing else to see\"}",
        between: "",
        close: "",
    },
    Family {
        name: "qwen3_coder",
        first: b'<',
        open: "",
        call: "<tool_call>\n<function=write_file>\n<parameter=path>\nsrc/main.rs\n</parameter>\n<parameter=content>\nfn main() {}\n// the end, nothing else to see\n</parameter>\n</function>\n</tool_call>",
        between: "\n",
        close: "",
    },
    Family {
        name: "pythonic",
        first: b'[',
        open: "[",
        call: "write_file(path='src/main.rs', content='fn main() {}\\n// the end, nothing else to see')",
        between: ", ",
        close: "]",
    },
    Family {
        name: "lfm2",
        first: b'<',
        open: "<|tool_call_start|>[",
        call: "write_file(path=\"src/main.rs\", content=\"fn main() {}\\n// the end, nothing else to see\")",
        between: ", ",
        close: "]<|tool_call_end|>",
    },
    Family {
        name: "deepseek_v32",
        first: b'<',
        open: "<｜DSML｜function_calls>\n",
        call: "<｜DSML｜invoke name=\"write_file\">\n<｜DSML｜parameter name=\"path\" string=\"true\">src/main.rs</｜DSML｜parameter>\n<｜DSML｜parameter name=\"content\" string=\"true\">fn main() {}\n// the end, nothing else to see</｜DSML｜parameter>\n</｜DSML｜invoke>\n",
        between: "",
        close: "</｜DSML｜function_calls>",
    },
];

impl Family {
    fn dialect(&self) -> &'static Dialect {
        match lookup(self.name) {
            Lookup::Known(dialect) => dialect,
            Lookup::Unknown { nearest } => panic!("no dialect {}; the nearest is {nearest}", self.name),
        }
    }

    fn calls(&self) -> String {
        format!("{}{}{}", self.open, vec![self.call; CALLS].join(self.between), self.close)
    }
}

/// A client: text and arguments collected into strings.
#[derive(Default)]
struct Client {
    content: String,
    reasoning: String,
    calls: Vec<(String, String)>,
}

impl Sink for Client {
    fn text(&mut self, text: &str, _span: Span) {
        self.content.push_str(text);
    }

    fn reasoning(&mut self, text: &str, _span: Span) {
        self.reasoning.push_str(text);
    }

    fn call_begin(&mut self, _index: usize, name: &str, _id: &str, _minted: bool) {
        self.calls.push((name.to_owned(), String::new()));
    }

    fn arguments(&mut self, index: usize, fragment: &str) {
        self.calls[index].1.push_str(fragment);
    }

    fn call_end(&mut self, _index: usize, _outcome: CallOutcome) {}

    fn bytes(&mut self, _what: ByteUse, _span: Span) {}

    fn finish(&mut self, _reason: Finish) {}
}

fn parse(dialect: &'static Dialect, chunks: &[&str]) -> Client {
    let (tools, options) = (ToolSet::new(None), ReadOptions::default());
    let mut parser = Parser::new(dialect, &tools, &options);
    let mut client = Client::default();
    for chunk in chunks {
        parser.push_str(chunk, &mut client);
    }
    parser.finish(End::Stop, &mut client);
    client
}

fn baseline(chunks: &[&str], first: u8) -> (String, usize) {
    let (mut text, mut hits) = (String::new(), 0);
    for chunk in chunks {
        hits += usize::from(memchr::memchr(first, chunk.as_bytes()).is_some());
        text.push_str(chunk);
    }
    (text, hits)
}

/// Chunks of at least [`CHUNK`] bytes, on characters.
fn chunks(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, more) = rest.split_at(rest.ceil_char_boundary(CHUNK.min(rest.len())));
        all.push(chunk);
        rest = more;
    }
    all
}

fn families(criterion: &mut Criterion) {
    for family in FAMILIES {
        let dialect = family.dialect();
        let calls = family.calls();
        let prose = PROSE.repeat(calls.len() / PROSE.len());
        let found = parse(dialect, &[&calls]);
        assert_eq!((found.calls.len(), found.content.as_str()), (CALLS, ""), "{}: the text is not read as calls", family.name);

        let mut group = criterion.benchmark_group(family.name);
        group.throughput(Throughput::Bytes(calls.len() as u64));
        group.bench_function("calls/whole", |b| b.iter(|| parse(dialect, black_box(&[&calls]))));
        let pieces = chunks(&calls);
        group.bench_function("calls/streamed", |b| b.iter(|| parse(dialect, black_box(&pieces))));
        group.bench_function("calls/baseline", |b| b.iter(|| baseline(black_box(&pieces), family.first)));
        group.throughput(Throughput::Bytes(prose.len() as u64));
        group.bench_function("prose/whole", |b| b.iter(|| parse(dialect, black_box(&[&prose]))));
        let pieces = chunks(&prose);
        group.bench_function("prose/streamed", |b| b.iter(|| parse(dialect, black_box(&pieces))));
        group.bench_function("prose/baseline", |b| b.iter(|| baseline(black_box(&pieces), family.first)));
        group.finish();
    }
}

criterion_group!(benches, families);
criterion_main!(benches);
