use super::*;
use crate::corpus::Strictness;

const CASES: &str = "dialect: hermes\ncases:\n- {id: a, raw: x}\n- {id: b, raw: y}\n- {id: c, raw: z}\n";

fn golden(case: &Case) -> SurfaceGolden {
    let ways = |text: &str| {
        let body = |tail: &str| Section::Body(format!("{{\"content\":\"{text}{tail}\"}}"));
        let stream = Section::Stream(vec!["{\"a\":1e400}".to_owned(), "\"[DONE]\"".to_owned()]);
        [body(""), stream.clone(), body(" one"), stream]
    };
    SurfaceGolden { case: case.name.clone(), sections: [ways("c\u{202e}"), ways("r"), ways("a")], input: case.input_digest() }
}

struct Folder {
    dir: tempfile::TempDir,
    corpus: Corpus,
}

impl Folder {
    fn new(list: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("corpus/hermes")).unwrap();
        fs::write(dir.path().join("corpus/hermes/t.yaml"), CASES).unwrap();
        fs::write(dir.path().join("corpus").join(LIST), list).unwrap();
        let corpus = Corpus::load(&dir.path().join("corpus"), Strictness::External).unwrap();
        Self { dir, corpus }
    }

    fn goldens(&self) -> SurfaceGoldens {
        SurfaceGoldens::open(&self.dir.path().join("goldens"), &self.dir.path().join("corpus")).unwrap()
    }

    fn write(&self, name: &str) -> PathBuf {
        let case = self.corpus.case(name).unwrap();
        let path = self.goldens().path_for(case);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, golden(case).snap_file()).unwrap();
        path
    }

    fn faults(&self) -> Vec<String> {
        self.goldens().audit(&self.corpus).unwrap().iter().map(ToString::to_string).collect()
    }
}

#[test]
fn the_file_has_twelve_sections_of_one_line_each() {
    let folder = Folder::new("");
    let file = golden(folder.corpus.case("hermes/t/a").unwrap()).snap_file();
    assert_eq!(parse(&file).unwrap().input, folder.corpus.case("hermes/t/a").unwrap().input_digest());
    let sections: Vec<&str> = file.lines().filter_map(|line| line.strip_prefix("    \"")?.split('"').next()).collect();
    assert_eq!(sections, surface_sections().map(|(_, way)| way).collect::<Vec<_>>());
    let lines =
        ["    \"whole\": {\"content\":\"c\\u202e\"},", "      {\"a\":1e400},", "      \"[DONE]\"", "    \"single-stream\": \"as stream\""];
    for line in lines {
        assert!(file.lines().any(|own| own == line), "{line} in\n{file}");
    }
    assert!(file.contains("\"single\": {\"content\":\"r one\"}"), "a section that differs is written out");
}

#[test]
fn a_list_and_a_folder_in_order_have_no_fault() {
    let folder = Folder::new("# why\nhermes/t/a\n\nhermes/t/b # and why\n");
    for name in ["hermes/t/a", "hermes/t/b"] {
        folder.write(name);
        let case = folder.corpus.case(name).unwrap();
        assert_eq!(folder.goldens().load(case), Ok(Some(golden(case).render())));
        assert!(folder.goldens().names_case(case));
    }
    assert!(!folder.goldens().names_case(folder.corpus.case("hermes/t/c").unwrap()));
    assert_eq!(folder.faults(), Vec::<String>::new());
    assert_eq!(Folder::new("").faults(), Vec::<String>::new());
}

#[test]
fn each_fault_of_list_and_folder_is_told_apart() {
    let folder = Folder::new("hermes/t/a\nhermes/t/b\nhermes/t/b\nhermes/t/bb\n");
    let stale = folder.write("hermes/t/b");
    fs::write(&stale, fs::read_to_string(&stale).unwrap().replace("\"input\": \"", "\"input\": \"0")).unwrap();
    let unlisted = folder.write("hermes/t/c");
    fs::write(format!("{}.new", unlisted.display()), "").unwrap();
    let faults = folder.faults();
    let words = [
        "surfaces.txt:3: `hermes/t/b` is named twice",
        "surfaces.txt:4: no case is named `hermes/t/bb`; the nearest is `hermes/t/b`",
        "a.snap: missing",
        "b.snap: case changed",
        "c.snap: unreferenced: corpus/surfaces.txt does not name hermes/t/c",
        "c.snap.new: pending",
    ];
    for word in words {
        assert!(faults.iter().any(|fault| fault.contains(word)), "no {word} in {faults:#?}");
    }
}

#[test]
fn a_damaged_file_is_refused_with_its_line() {
    let folder = Folder::new("hermes/t/a\n");
    let path = folder.write("hermes/t/a");
    let text = fs::read_to_string(&path).unwrap();
    for (edited, want) in [
        (text.replacen("\"whole\"", "\"hole\"", 1), "a.snap:7: the body is damaged: unknown field `hole`"),
        (text.replace("\"anthropic\"", "\"chat\""), "duplicate field `chat`"),
        (text.replace("expression: hermes/t/a", "expression: hermes/t/b"), "says it is of hermes/t/b"),
    ] {
        fs::write(&path, edited).unwrap();
        let faults = folder.faults();
        assert!(faults.len() == 1 && faults[0].contains(want), "{want}: {faults:#?}");
    }
}
