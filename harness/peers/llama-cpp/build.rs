//! Compiles llama.cpp's chat parser, and nothing else of it, from the sources inside the crate `llama-cpp-sys-2`.
//!
//! That crate is a dependency of no target (see `Cargo.toml`): cargo locks, checks and fetches it, but its own build, which wants cmake,
//! libclang and half an hour, never runs. The chat parser needs no model and no compute kernels.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate whose sources are used; its exact version is in `Cargo.toml` and the lock file.
const VENDOR: &str = "llama-cpp-sys-2";

/// The sources that the chat parser is made of, below `common/`. What `common.cpp` asks of a model is dropped by the linker.
const SOURCES: [&str; 12] = [
    "chat.cpp",
    "chat-auto-parser-generator.cpp",
    "chat-auto-parser-helpers.cpp",
    "chat-diff-analyzer.cpp",
    "chat-peg-parser.cpp",
    "common.cpp",
    "json.cpp",
    "json-schema.cpp",
    "json-schema-to-grammar.cpp",
    "log.cpp",
    "peg-parser.cpp",
    "trie.cpp",
];

/// More of them, in folders that are taken whole.
const FOLDERS: [&str; 2] = ["jinja", "parsers"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/shim.cpp");
    println!("cargo:rerun-if-changed=src/absent.cpp");
    let (root, version) = vendored();
    let common = root.join("common");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").opt_level(2).warnings(false).flag_if_supported("-pthread");
    for folder in ["common", "include", "ggml/include", "vendor"] {
        build.include(root.join(folder));
    }
    build.file("src/shim.cpp").file("src/absent.cpp").file(common.join("unicode.cpp"));
    build.files(SOURCES.iter().map(|name| common.join(name)));
    for folder in FOLDERS {
        build.files(sources_in(&common.join(folder)));
    }
    build.compile("streakstone_llama_chat");
    println!("cargo:rustc-env=LLAMA_CPP_VERSION={version}");
}

/// The folder of llama.cpp inside the vendoring crate, and a version to show.
fn vendored() -> (PathBuf, String) {
    let cargo = std::env::var("CARGO").expect("cargo sets CARGO");
    let out = Command::new(cargo).args(["metadata", "--format-version", "1", "--locked"]).output().expect("cargo metadata starts");
    assert!(out.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&out.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&out.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let package = packages.iter().find(|p| p["name"] == VENDOR).expect("the vendoring crate is locked");
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    let root = manifest.parent().expect("a folder").join("llama.cpp");
    let of_crate = package["version"].as_str().expect("a version");
    let cmake = std::fs::read_to_string(root.join("CMakeLists.txt")).expect("llama.cpp's CMakeLists.txt");
    let part = |name: &str| {
        let start = cmake.find(&format!("LLAMA_VERSION_{name} "))? + "LLAMA_VERSION_".len() + name.len() + 1;
        cmake[start..].split(')').next().map(str::to_owned)
    };
    let of_llama = ["MAJOR", "MINOR", "PATCH"].into_iter().map(part).collect::<Option<Vec<_>>>().map(|parts| parts.join("."));
    (root, of_llama.map_or_else(|| format!("{VENDOR}-{of_crate}"), |llama| format!("{llama}+{VENDOR}-{of_crate}")))
}

fn sources_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut all: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    all.retain(|path| path.extension().is_some_and(|ext| ext == "cpp"));
    all.sort();
    all
}
