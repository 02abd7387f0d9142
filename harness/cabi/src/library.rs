//! The calls into the shared library, by the rules of `streak.h`. All `unsafe` of the crate is here; what comes out are owned bytes and
//! statuses. A library that breaks the header's rules can do anything to this process, and only to it.
#![expect(unsafe_code, reason = "calls of foreign functions; the header says what they may do")]

use std::ffi::{CStr, CString, c_char, c_int};
use std::path::Path;
use std::ptr::NonNull;

use libloading::Symbol;
use streakstone_adapter::serve::No;

/// `STREAK_ABI` of the header.
pub const ABI: u32 = 1;

/// `streak_session` of the header; only its address is known here.
#[repr(C)]
struct Raw {
    _private: [u8; 0],
}

type Create = unsafe extern "C" fn(*const c_char, *const c_char, usize) -> *mut Raw;
type Bytes = unsafe extern "C" fn(*mut Raw, *const c_char, usize) -> c_int;
type End = unsafe extern "C" fn(*mut Raw, *const c_char) -> c_int;
type BytesEnd = unsafe extern "C" fn(*mut Raw, *const c_char, usize, *const c_char) -> c_int;
type Take = unsafe extern "C" fn(*mut Raw, *mut usize) -> *const c_char;
type Destroy = unsafe extern "C" fn(*mut Raw);

/// A loaded library and its functions.
pub struct Library {
    hello: String,
    create: Create,
    push: Bytes,
    finish: End,
    take: Take,
    destroy: Destroy,
    last: Option<BytesEnd>,
    whole: Option<BytesEnd>,
    /// Keeps the functions above in memory.
    _loaded: libloading::Library,
}

impl Library {
    /// Loads a library and looks for the header's functions.
    ///
    /// # Errors
    /// It does not load, lacks a function or has another version; in one sentence.
    pub fn load(path: &Path) -> Result<Self, String> {
        // SAFETY: the initialisers of the library run here. The user named it to be run.
        let loaded = unsafe { libloading::Library::new(path) }.map_err(|e| e.to_string())?;
        // SAFETY: the header gives `streak_abi` this type in every version.
        let abi = unsafe { find::<unsafe extern "C" fn() -> u32>(&loaded, "streak_abi")?() };
        if abi != ABI {
            return Err(format!("it has version {abi} of the ABI, this build {ABI}"));
        }
        // SAFETY: with this version each name has the type that the header gives it, the one it is bound to here; the hello ends with NUL.
        unsafe {
            let hello = find::<unsafe extern "C" fn() -> *const c_char>(&loaded, "streak_hello_json")?();
            if hello.is_null() {
                return Err("`streak_hello_json` gave NULL".to_owned());
            }
            let hello = CStr::from_ptr(hello).to_string_lossy().into_owned();
            Ok(Self {
                hello,
                create: find(&loaded, "streak_create")?,
                push: find(&loaded, "streak_push")?,
                finish: find(&loaded, "streak_finish")?,
                take: find(&loaded, "streak_take_json")?,
                destroy: find(&loaded, "streak_destroy")?,
                last: find(&loaded, "streak_last").ok(),
                whole: find(&loaded, "streak_whole").ok(),
                _loaded: loaded,
            })
        }
    }

    /// What `streak_hello_json` gave.
    pub fn hello(&self) -> &str {
        &self.hello
    }

    /// True if it has `streak_last`.
    pub const fn rides(&self) -> bool {
        self.last.is_some()
    }

    /// True if it has `streak_whole`.
    pub const fn reads_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// A fresh parser.
    ///
    /// # Errors
    /// The library gave none.
    pub fn create(&self, dialect: &str, request: &str) -> Result<Session<'_>, No> {
        let dialect = CString::new(dialect).map_err(|e| No::Fault(e.to_string()))?;
        // SAFETY: both texts live through the call, with the lengths that the header asks for.
        let raw = unsafe { (self.create)(dialect.as_ptr(), request.as_ptr().cast(), request.len()) };
        let raw = NonNull::new(raw).ok_or_else(|| No::Raised("`streak_create` gave NULL".to_owned()))?;
        Ok(Session { library: self, raw })
    }
}

/// A function of the library.
///
/// # Safety
/// `T` must be the function's type.
unsafe fn find<T: Copy>(library: &libloading::Library, name: &str) -> Result<T, String> {
    // SAFETY: the caller vouches for the type.
    let symbol: Result<Symbol<'_, T>, _> = unsafe { library.get(name.as_bytes()) };
    symbol.map(|found| *found).map_err(|_| format!("it has no function `{name}`; see streak.h"))
}

/// A `streak_session`, destroyed at the end.
pub struct Session<'a> {
    library: &'a Library,
    raw: NonNull<Raw>,
}

impl Session<'_> {
    /// `streak_push`.
    ///
    /// # Errors
    /// The library's own word.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>, No> {
        // SAFETY: the session lives, is used by this thread alone, and the bytes live through the call.
        let status = unsafe { (self.library.push)(self.raw.as_ptr(), bytes.as_ptr().cast(), bytes.len()) };
        self.take(status)
    }

    /// `streak_finish`.
    ///
    /// # Errors
    /// The library's own word.
    pub fn finish(&mut self, end: &CStr) -> Result<Vec<u8>, No> {
        // SAFETY: as in `push`; `end` ends with NUL.
        let status = unsafe { (self.library.finish)(self.raw.as_ptr(), end.as_ptr()) };
        self.take(status)
    }

    /// `streak_last`; unsupported without it.
    ///
    /// # Errors
    /// The library's own word.
    pub fn last(&mut self, bytes: &[u8], end: &CStr) -> Result<Vec<u8>, No> {
        self.with_end(self.library.last, bytes, end)
    }

    /// `streak_whole`; unsupported without it.
    ///
    /// # Errors
    /// The library's own word.
    pub fn whole(&mut self, bytes: &[u8], end: &CStr) -> Result<Vec<u8>, No> {
        self.with_end(self.library.whole, bytes, end)
    }

    fn with_end(&mut self, function: Option<BytesEnd>, bytes: &[u8], end: &CStr) -> Result<Vec<u8>, No> {
        let function = function.ok_or_else(|| No::Unsupported("the library lacks the function".to_owned()))?;
        // SAFETY: as in `push` and `finish`.
        let status = unsafe { function(self.raw.as_ptr(), bytes.as_ptr().cast(), bytes.len(), end.as_ptr()) };
        self.take(status)
    }

    /// `streak_take_json`, read by the status of the call before it.
    fn take(&mut self, status: c_int) -> Result<Vec<u8>, No> {
        let mut length = 0;
        // SAFETY: the session lives; `length` is written before it is read, and is 0 otherwise.
        let start = unsafe { (self.library.take)(self.raw.as_ptr(), &raw mut length) };
        // SAFETY: the header says that so many bytes are there until the next call with this session; they are copied before it.
        let bytes = if start.is_null() { Vec::new() } else { unsafe { std::slice::from_raw_parts(start.cast::<u8>(), length) }.to_vec() };
        let why = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match status {
            0 => Ok(bytes),
            1 => Err(No::Rejected(why(&bytes))),
            2 => Err(No::Raised(why(&bytes))),
            3 => Err(No::Unsupported(why(&bytes))),
            other => Err(No::Fault(format!("the library gave status {other}, which streak.h does not have"))),
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // SAFETY: it came from `streak_create` and nothing uses it after this.
        unsafe { (self.library.destroy)(self.raw.as_ptr()) };
    }
}
