//===- Names.cpp - Names that C takes -------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

/// Of C23 and C++23.
static constexpr llvm::StringLiteral keywords[] = {
    "alignas",      "alignof",
    "and",          "and_eq",
    "asm",          "auto",
    "bitand",       "bitor",
    "bool",         "break",
    "case",         "catch",
    "char",         "class",
    "co_await",     "co_return",
    "co_yield",     "compl",
    "concept",      "const",
    "const_cast",   "consteval",
    "constexpr",    "constinit",
    "continue",     "decltype",
    "default",      "delete",
    "do",           "double",
    "dynamic_cast", "else",
    "enum",         "explicit",
    "export",       "extern",
    "false",        "float",
    "for",          "friend",
    "goto",         "if",
    "inline",       "int",
    "long",         "mutable",
    "namespace",    "new",
    "noexcept",     "not",
    "not_eq",       "nullptr",
    "operator",     "or",
    "or_eq",        "private",
    "protected",    "public",
    "register",     "reinterpret_cast",
    "requires",     "restrict",
    "return",       "short",
    "signed",       "sizeof",
    "static",       "static_assert",
    "static_cast",  "struct",
    "switch",       "template",
    "this",         "thread_local",
    "throw",        "true",
    "try",          "typedef",
    "typeid",       "typename",
    "typeof",       "typeof_unqual",
    "union",        "unsigned",
    "using",        "virtual",
    "void",         "volatile",
    "while",        "xor",
    "xor_eq"};

/// What else a header cannot declare: what compilers define, and the namespace
/// of the library of C++.
static constexpr llvm::StringLiteral takenNames[] = {"linux", "main", "std",
                                                     "unix"};

/// Functions and variables of the C library that LLVM's list of those that it
/// knows lacks.
static constexpr llvm::StringLiteral libraryNames[] = {
    "accept",   "alarm",    "asctime", "bind",      "brk",        "bsearch",
    "clock",    "close",    "connect", "ctime",     "difftime",   "div",
    "dup",      "environ",  "errno",   "exec",      "fma",        "freopen",
    "gamma",    "gmtime",   "index",   "isalnum",   "isalpha",    "isblank",
    "iscntrl",  "isgraph",  "islower", "isprint",   "ispunct",    "isspace",
    "isupper",  "isxdigit", "j0",      "j1",        "kill",       "ldiv",
    "lgamma",   "link",     "listen",  "lldiv",     "localeconv", "localtime",
    "longjmp",  "mblen",    "mbtowc",  "mount",     "nice",       "pause",
    "pipe",     "poll",     "raise",   "rand",      "random",     "recv",
    "select",   "send",     "setjmp",  "setlocale", "signal",     "signgam",
    "sleep",    "socket",   "srand",   "stderr",    "stdin",      "stdout",
    "strerror", "strftime", "sync",    "tee",       "time",       "tmpnam",
    "tolower",  "toupper",  "wait",    "wctomb",    "y0",         "y1"};

/// What libraries of a process call, and both lists lack.
static constexpr llvm::StringLiteral calledNames[] = {
    "arc4random",    "backtrace",   "bindtextdomain", "btowc",
    "catclose",      "catgets",     "catopen",        "chdir",
    "clock_gettime", "dgettext",    "dirfd",          "dl_iterate_phdr",
    "dladdr",        "dlclose",     "dlerror",        "dlinfo",
    "dlmopen",       "dlopen",      "dlsym",          "dlvsym",
    "dup2",          "fallocate",   "fchmod",         "fchmodat",
    "fchown",        "fcntl",       "fdopendir",      "flock",
    "freelocale",    "fstatfs",     "ftruncate",      "futimens",
    "get_nprocs",    "getauxval",   "getcwd",         "getentropy",
    "gethostname",   "getopt",      "getopt_long",    "getopt_long_only",
    "getpid",        "getpwnam_r",  "getpwuid_r",     "getrlimit",
    "getrusage",     "getsid",      "gettext",        "getuid",
    "getwc",         "gmtime_r",    "iconv",          "iconv_close",
    "iconv_open",    "ioctl",       "isatty",         "localtime_r",
    "lseek",         "lseek64",     "mallinfo2",      "malloc_trim",
    "mbrtowc",       "mbsnrtowcs",  "mbsrtowcs",      "memfd_create",
    "mknod",         "mmap",        "mprotect",       "msync",
    "munmap",        "nanosleep",   "newlocale",      "nl_langinfo",
    "openat",        "optarg",      "opterr",         "optind",
    "optopt",        "putwc",       "readdir",        "sched_getaffinity",
    "sched_getcpu",  "sched_yield", "secure_getenv",  "sem_init",
    "sem_post",      "sem_wait",    "sendfile",       "setenv",
    "setrlimit",     "setsid",      "shm_open",       "shm_unlink",
    "sigaction",     "sigaddset",   "sigaltstack",    "sigdelset",
    "sigemptyset",   "sigfillset",  "sigismember",    "sigprocmask",
    "statfs",        "strcasestr",  "strerror_r",     "strsignal",
    "strtold_l",     "symlink",     "syscall",        "sysconf",
    "truncate",      "umask",       "ungetwc",        "unlinkat",
    "uselocale",     "usleep",      "utimensat",      "wait4",
    "wcrtomb",       "wcscmp",      "wcsnrtombs",     "wctob",
    "wmemchr",       "wmemcmp",     "wmemcpy",        "wmemmove",
    "wmemset",       "writev"};

/// What <stddef.h> and <stdint.h> define, but for the families below.
static constexpr llvm::StringLiteral macros[] = {"NULL", "offsetof",
                                                 "unreachable"};

/// Whether C or POSIX reserves all names of this form: a type's, a function's
/// of POSIX, a limit's as INT32_MAX.
static bool isOfReservedFamily(llvm::StringRef name) {
  auto starts = [&](llvm::StringRef prefix) {
    return name.starts_with(prefix);
  };
  auto ends = [&](llvm::StringRef suffix) { return name.ends_with(suffix); };
  if (ends("_t") || starts("posix_") || starts("pthread_"))
    return true;
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"INT", "UINT", "PTRDIFF_",
                                                      "SIG_ATOMIC_", "SIZE_",
                                                      "WCHAR_", "WINT_"},
                      starts) &&
         llvm::any_of(
             llvm::ArrayRef<llvm::StringRef>{"_MAX", "_MIN", "_WIDTH", "_C"},
             ends);
}

/// Whether the runtime or a profile defines `name`, or what an entry point of
/// that name has beside it.
static bool isOfRuntime(llvm::StringRef name) {
  return name == "bquant_rt" || name.starts_with("bquant_rt_") ||
         name == bquant::kClockName || name == bquant::kLayerTimesName;
}

std::string bquant::toCName(llvm::StringRef name) {
  std::string allowed;
  for (char c : name)
    allowed += llvm::isAlnum(c) ? c : '_';
  // C reserves what begins with an underscore.
  std::string result = llvm::StringRef(allowed).ltrim('_').str();
  if (result.empty())
    return "net";
  if (llvm::isDigit(result.front()))
    result = "net_" + result;
  llvm::TargetLibraryInfoImpl library{llvm::Triple()};
  llvm::LibFunc ignored;
  if (llvm::is_contained(keywords, result) ||
      llvm::is_contained(takenNames, result) ||
      llvm::is_contained(libraryNames, result) ||
      llvm::is_contained(calledNames, result) ||
      llvm::is_contained(macros, result) || isOfReservedFamily(result) ||
      isOfRuntime(result) || library.getLibFunc(result, ignored))
    result += "_net";
  return result;
}

llvm::Error bquant::checkCName(llvm::StringRef name) {
  std::string allowed = toCName(name);
  if (allowed == name)
    return llvm::Error::success();
  return llvm::createStringError("expected a name that C takes and nothing "
                                 "reserves, as '" +
                                 allowed + "', but got '" + name + "'");
}
