//! G11, and the typed form of B35: the parameters of a call are elements, and elements nest.
//!
//! What an element becomes is known when the call closes: a name that comes again makes a list. So the tree is kept, and written
//! once at the end.

mod tree;

use streakstone_model::{ElementCalls, ElementStyle, TagStyle};

use self::tree::{Says, Tree, Typing};
use super::tags::header::{Header, HeaderStep, Of};
use super::{ArgText, Cx, Head, Step};
use crate::row::{Found, contains};
use crate::scan::{JsonScan, Scan};

/// Elements deeper than this are past the cap, whatever the options say: the tree is written by recursion.
const DEEPEST: usize = 256;

#[derive(Debug)]
enum At {
    /// Before the unit's opener: white space, then the opener.
    Open,
    Header(Header),
    /// Between tags, or in the text of an element; text begins at `text`.
    Inside {
        text: usize,
    },
    /// In JSON that stands where the wire says elements do; it begins at `start`.
    Json {
        scan: JsonScan,
        start: usize,
    },
    /// In the name of the element whose tag begins at `tag`.
    Name {
        tag: usize,
        start: usize,
    },
    /// In the name that a closer at `tag` names.
    CloseName {
        tag: usize,
        start: usize,
    },
    /// A closer stands at `text..after`; what follows decides.
    Confirm {
        text: usize,
        after: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Open,
    Close,
    UnitClose,
    BlockClose,
    /// An opener of a call or a wrapper.
    Other,
}

/// The machine. It starts at the unit's opener, or at white space before it.
#[derive(Debug)]
pub(crate) struct ElementUnit {
    calls: &'static ElementCalls,
    at: At,
    tree: Tree,
    parameters: usize,
    /// True once the block's closer stood for the unit's own.
    pub lacks_closer: bool,
}

/// Every tag of the grammar, by what it does.
fn tags(calls: &'static ElementCalls) -> impl Iterator<Item = (&'static str, Tag)> {
    let own = [(calls.element[0], Tag::Open), (calls.element[1], Tag::Close), (calls.unit[1], Tag::UnitClose), (calls.unit[0], Tag::Other)];
    own.into_iter().chain(calls.blocks.iter().flat_map(|block| [(block[1], Tag::BlockClose), (block[0], Tag::Other)]))
}

impl ElementUnit {
    pub fn new(calls: &'static ElementCalls) -> Self {
        Self { calls, at: At::Open, tree: Tree::new(calls.style), parameters: 0, lacks_closer: false }
    }

    /// The first byte of every tag.
    fn first(&self) -> u8 {
        self.calls.unit[0].as_bytes()[0]
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the unit")]
    pub fn advance(&mut self, cx: &mut Cx<'_>, cur: &mut usize, head: &mut Head) -> Step {
        let calls = self.calls;
        let attributes = TagStyle::Attributes(calls.attributes);
        loop {
            match &mut self.at {
                At::Open => {
                    if cx.skip_space(cur).is_none() {
                        return Step::More;
                    }
                    match cx.look(*cur, std::iter::once((calls.unit[0], ()))) {
                        Found::Maybe(_) => return Step::More,
                        Found::No => return Step::malformed(*cur),
                        Found::Yes((), len) => {
                            head.enter(*cur);
                            *cur += len;
                            self.at = At::Header(Header::new(Of::Unit));
                        }
                    }
                }
                At::Header(header) => match header.advance(attributes, cx, cur) {
                    HeaderStep::More => return Step::More,
                    HeaderStep::Fail(step) => return step,
                    HeaderStep::Done => {
                        let name = header.name.take().unwrap_or_default().text(cx.window).to_owned();
                        if header.of == Of::Parameter {
                            self.tree.open(name, Says::of(header.kind.as_deref()));
                        } else if name.is_empty() {
                            return Step::malformed(*cur);
                        } else {
                            head.id = header.id.take();
                            head.name(&name, cx);
                            head.ready = head.is_call();
                        }
                        self.at = At::Inside { text: *cur };
                    }
                },
                At::Inside { text } => {
                    let text = *text;
                    // Between parameters, and in a container that the wire declares, only white space may stand.
                    let container = self.tree.depth() == 0 || self.tree.is_container();
                    if container {
                        if cx.skip_space(cur).is_none() {
                            return Step::More;
                        }
                    } else {
                        let Some(run) = memchr::memchr(calls.unit[0].as_bytes()[0], cx.rest(*cur)) else {
                            *cur = cx.end;
                            return Step::More;
                        };
                        *cur += run;
                    }
                    if container
                        && let Some(&b) = cx.rest(*cur).first()
                        && self.tree.admits_json(b)
                    {
                        self.at = At::Json { scan: JsonScan::new(cx.options.caps.depth), start: *cur };
                        continue;
                    }
                    let data = self.tree.is_data();
                    let words = tags(calls).filter(move |(_, tag)| !data || *tag == Tag::Close);
                    let tag = *cur;
                    match cx.look(tag, words) {
                        Found::Maybe(_) => return Step::More,
                        Found::No if container => return Step::malformed(*cur),
                        Found::No => *cur += 1,
                        Found::Yes(Tag::Open, len) => {
                            if self.tree.depth() == 0 {
                                if self.parameters == cx.options.caps.parameters {
                                    return Step::cap(tag);
                                }
                                self.parameters += 1;
                            }
                            if self.tree.depth() >= cx.options.caps.depth.min(DEEPEST) {
                                return Step::cap(tag);
                            }
                            self.tree.text(text, tag);
                            *cur += len;
                            self.at = match calls.style {
                                ElementStyle::Named { .. } => At::Name { tag, start: *cur },
                                ElementStyle::Typed => At::Header(Header::new(Of::Parameter)),
                            };
                        }
                        Found::Yes(Tag::Close, _) if self.tree.depth() == 0 => return Step::malformed(tag),
                        Found::Yes(Tag::Close, len) => {
                            self.tree.text(text, tag);
                            *cur += len;
                            self.at = match calls.style {
                                ElementStyle::Named { .. } => At::CloseName { tag, start: *cur },
                                ElementStyle::Typed => At::Confirm { text: tag, after: *cur },
                            };
                        }
                        Found::Yes(Tag::UnitClose | Tag::BlockClose, _) if self.tree.depth() > 0 => return Step::malformed(tag),
                        Found::Yes(Tag::Other, _) => return Step::malformed(tag),
                        Found::Yes(closer, len) => {
                            // The block's closer stands for a missing closer of the unit and is read after it.
                            self.lacks_closer = closer == Tag::BlockClose;
                            *cur += if self.lacks_closer { 0 } else { len };
                            self.complete(cx, head);
                            return Step::Complete;
                        }
                    }
                }
                At::Json { scan, start } => {
                    let (from, start) = (*cur, *start);
                    match scan.scan(cx.rest(from)) {
                        Scan::More => {
                            *cur = cx.end;
                            return Step::More;
                        }
                        Scan::Bad(n) => return Step::malformed(from + n),
                        Scan::Deep(n) => return Step::cap(from + n),
                        Scan::Done(n) => {
                            *cur = from + n;
                            self.tree.written(start, *cur);
                            self.at = At::Inside { text: *cur };
                        }
                    }
                }
                At::Name { tag, start } => {
                    let (tag, start) = (*tag, *start);
                    let rest = cx.rest(*cur);
                    let run = rest.iter().position(|&b| b == b'>' || b == b'<' || b == b']' || b == b'/' || b.is_ascii_whitespace());
                    *cur += run.unwrap_or(rest.len());
                    if *cur - start > cx.options.caps.name {
                        return Step::cap(cx.window.boundary(start + cx.options.caps.name + 1));
                    }
                    match run.map(|run| rest[run]) {
                        None => return Step::More,
                        Some(b'>') if *cur > start => {
                            self.tree.open(cx.window.slice(start, *cur).to_owned(), Says::Nothing);
                            *cur += 1;
                            self.at = At::Inside { text: *cur };
                        }
                        Some(_) => return Step::malformed((*cur).max(tag)),
                    }
                }
                At::CloseName { tag, start } => {
                    let (tag, start) = (*tag, *start);
                    let rest = cx.rest(start);
                    let name = self.tree.name().as_bytes();
                    let whole = rest.len() > name.len();
                    if !whole && name.starts_with(rest) {
                        return Step::More;
                    }
                    if !(whole && rest.starts_with(name) && rest[name.len()] == b'>') {
                        // The closer of another element.
                        return Step::malformed(start);
                    }
                    *cur = start + name.len() + 1;
                    self.at = At::Confirm { text: tag, after: *cur };
                }
                At::Confirm { text, after } => {
                    let (text, after) = (*text, *after);
                    // Text may stand beside elements of an element, but not beside parameters.
                    let sure = self.tree.depth() > 1 && matches!(calls.style, ElementStyle::Named { .. });
                    if !sure {
                        if cx.skip_space(cur).is_none() {
                            return Step::More;
                        }
                        let top = self.tree.depth() == 1;
                        let next = tags(calls).filter(move |(_, tag)| match tag {
                            Tag::Open => true,
                            Tag::Close => !top,
                            Tag::UnitClose | Tag::BlockClose => top,
                            Tag::Other => false,
                        });
                        match cx.look(*cur, next) {
                            Found::Maybe(_) => return Step::More,
                            Found::No => {
                                // No closer: the text goes on behind it, and with it.
                                *cur = after;
                                self.at = At::Inside { text };
                                continue;
                            }
                            Found::Yes(..) => {}
                        }
                    }
                    self.tree.close();
                    *cur = after;
                    self.at = At::Inside { text: after };
                }
            }
        }
    }

    /// Reads `delta` if no tag can begin in it and text is open.
    #[inline]
    pub fn absorb(&mut self, delta: &str) -> bool {
        if let At::Json { scan, .. } = &mut self.at {
            return scan.absorb(delta.as_bytes());
        }
        let text = matches!(self.at, At::Inside { .. }) && self.tree.depth() > 0 && !self.tree.is_container();
        text && !contains(delta.as_bytes(), self.first())
    }

    fn complete(&self, cx: &Cx<'_>, head: &mut Head) {
        let kind = |name: &str| head.tool(cx).map(|tool| tool.kind(name));
        let typing = Typing { profile: cx.coercion(), duplicate: cx.duplicate(), depth: cx.options.caps.depth };
        head.args = ArgText::Text(self.tree.json(cx.window, kind, typing));
    }

    /// The text ended, not by the length limit: the end counts as what may follow a closer.
    pub fn ends_here(&mut self) -> bool {
        if let At::Confirm { after, .. } = self.at {
            self.tree.close();
            self.at = At::Inside { text: after };
        }
        false
    }

    /// True if only closers lack: no name, header or text is open.
    pub fn repair(&mut self, cx: &Cx<'_>, head: &mut Head) -> bool {
        let text = match &self.at {
            At::Inside { text } => *text,
            At::Json { scan, start } => {
                let Some(closers) = scan.closers() else { return false };
                self.tree.repaired(*start, cx.end, closers);
                cx.end
            }
            _ => return false,
        };
        let rest = cx.window.slice(text, cx.end).trim_start();
        let closers = tags(self.calls).filter(|(_, tag)| !matches!(tag, Tag::Open | Tag::Other));
        let cut = rest.is_empty() || matches!(cx.window.find_in(cx.end - rest.len(), cx.end, closers, false), Found::Maybe(_));
        let closable = cut && self.tree.close_all(cx.window);
        if closable {
            self.complete(cx, head);
        }
        closable
    }
}
