//! Languages with syntax highlighting: one row each, with the differences from its family.

/// Token kind of a piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Comment,
    Function,
    Keyword,
    /// A variable, a tag's attribute, or the key of a value.
    Name,
    Number,
    String,
}

impl Kind {
    /// All classes of pieces.
    pub(crate) const CLASSES: [&str; 6] =
        ["hl-comment", "hl-function", "hl-keyword", "hl-name", "hl-number", "hl-string"];

    /// Class of a piece of this kind, if any.
    pub(crate) fn class(self) -> Option<&'static str> {
        let place = match self {
            Self::Plain => return None,
            Self::Comment => 0,
            Self::Function => 1,
            Self::Keyword => 2,
            Self::Name => 3,
            Self::Number => 4,
            Self::String => 5,
        };
        Some(Self::CLASSES[place])
    }
}

/// A language with syntax highlighting.
pub(crate) struct Language {
    /// Names in code blocks, in lower case.
    names: &'static [&'static str],
    pub(super) syntax: Syntax,
}

pub(super) enum Syntax {
    Words(Words),
    /// Tags between angle brackets.
    Markup,
}

/// Token syntax of a language.
pub(super) struct Words {
    /// Separated by spaces.
    pub(super) keywords: &'static str,
    /// Built-in names, separated by spaces.
    pub(super) names: &'static str,
    pub(super) ignores_case: bool,
    pub(super) line_comments: &'static [&'static str],
    /// True if a comment must follow whitespace or the start of the line.
    pub(super) comments_stand_apart: bool,
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// Longer quotes come first.
    pub(super) quotes: &'static [Quote],
    /// Prefixes of quoted strings, separated by spaces.
    pub(super) prefixes: &'static str,
    /// Leading characters of words, and the resulting kind.
    pub(super) sigils: &'static [(u8, Kind)],
    /// True if words can contain `-`.
    pub(super) has_dashes: bool,
    /// True if a word before `(` is a function.
    pub(super) has_calls: bool,
    /// Separator between a key and its value.
    pub(super) key_mark: Option<u8>,
}

/// Delimiters of a quoted string.
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) has_escapes: bool,
    /// True if the string can span lines.
    pub(super) has_lines: bool,
    /// True if the string is a single character.
    pub(super) is_character: bool,
}

/// Finds the language with this name.
pub(crate) fn language(name: &str) -> Option<&'static Language> {
    let name = name.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.names.contains(&name.as_str()))
}

const fn quote(mark: &'static str) -> Quote {
    Quote { open: mark, close: mark, has_escapes: true, has_lines: false, is_character: false }
}

const fn raw(open: &'static str, close: &'static str) -> Quote {
    Quote { open, close, has_escapes: false, has_lines: true, is_character: false }
}

const DOUBLE: Quote = quote("\"");
const SINGLE: Quote = quote("'");
const BACKTICK: Quote = Quote { has_lines: true, ..quote("`") };
const CHARACTER: Quote = Quote { is_character: true, ..SINGLE };

/// A language like C.
const BRACED: Words = Words {
    keywords: "",
    names: "",
    ignores_case: false,
    line_comments: &["//"],
    comments_stand_apart: false,
    block_comment: Some(("/*", "*/")),
    quotes: &[DOUBLE, CHARACTER],
    prefixes: "",
    sigils: &[],
    has_dashes: false,
    has_calls: true,
    key_mark: None,
};

/// A file format of keys and values.
const KEYED: Words = Words {
    keywords: "true false null yes no on off",
    line_comments: &["#"],
    comments_stand_apart: true,
    block_comment: None,
    quotes: &[DOUBLE, SINGLE],
    has_dashes: true,
    has_calls: false,
    key_mark: Some(b':'),
    ..BRACED
};

const C: Words = Words {
    keywords: "auto bool break case char const constexpr continue default do double else enum \
               extern false float for goto if inline int int16_t int32_t int64_t int8_t long NULL \
               nullptr register restrict return short signed size_t sizeof ssize_t static struct \
               switch true typedef uint16_t uint32_t uint64_t uint8_t uintptr_t union unsigned \
               void volatile while",
    prefixes: "L u U u8",
    sigils: &[(b'#', Kind::Keyword)],
    ..BRACED
};

static LANGUAGES: [Language; 16] = [
    Language {
        names: &["python", "py", "python3", "py3", "sage"],
        syntax: Syntax::Words(Words {
            keywords: "and as assert async await break case class continue def del elif else \
                       except False finally for from global if import in is lambda match None \
                       nonlocal not or pass raise return True try while with yield",
            line_comments: &["#"],
            block_comment: None,
            quotes: &[
                Quote { has_lines: true, ..quote("\"\"\"") },
                Quote { has_lines: true, ..quote("'''") },
                DOUBLE,
                SINGLE,
            ],
            prefixes: "r b f u rb br fr rf",
            sigils: &[(b'@', Kind::Name)],
            ..BRACED
        }),
    },
    Language { names: &["c", "h"], syntax: Syntax::Words(C) },
    Language {
        names: &["cpp", "c++", "cc", "cxx", "hpp"],
        syntax: Syntax::Words(Words {
            keywords: "alignas alignof and auto bool break case catch char class co_await \
                       co_return co_yield concept const const_cast consteval constexpr constinit \
                       continue decltype default delete do double dynamic_cast else enum explicit \
                       extern false final float for friend goto if inline int int16_t int32_t \
                       int64_t int8_t long mutable namespace new noexcept not NULL nullptr \
                       operator or override private protected public reinterpret_cast requires \
                       return short signed size_t sizeof static static_assert static_cast struct \
                       switch template this thread_local throw true try typedef typeid typename \
                       uint16_t uint32_t uint64_t uint8_t union unsigned using virtual void \
                       volatile wchar_t while",
            ..C
        }),
    },
    Language { names: &["javascript", "js", "jsx", "mjs", "cjs", "node"], syntax: SCRIPT },
    Language { names: &["typescript", "ts", "tsx"], syntax: SCRIPT },
    Language {
        names: &["java", "kotlin", "kt"],
        syntax: Syntax::Words(Words {
            keywords: "abstract assert boolean break byte case catch char class const continue \
                       default do double else enum extends false final finally float for fun if \
                       implements import instanceof int interface long native new null object \
                       override package private protected public record return sealed short \
                       static strictfp super switch synchronized this throw throws transient true \
                       try val var void volatile when while yield",
            quotes: &[Quote { has_lines: true, ..quote("\"\"\"") }, DOUBLE, CHARACTER],
            sigils: &[(b'@', Kind::Name)],
            ..BRACED
        }),
    },
    Language {
        names: &["go", "golang"],
        syntax: Syntax::Words(Words {
            keywords: "any bool break byte case chan const continue default defer else error \
                       fallthrough false float32 float64 for func go goto if import int int16 \
                       int32 int64 int8 interface iota map nil package range return rune select \
                       string struct switch true type uint uint16 uint32 uint64 uint8 uintptr \
                       var",
            quotes: &[DOUBLE, raw("`", "`"), CHARACTER],
            ..BRACED
        }),
    },
    Language {
        names: &["rust", "rs"],
        syntax: Syntax::Words(Words {
            keywords: "as async await bool break char const continue crate dyn else enum extern \
                       f32 f64 false fn for i128 i16 i32 i64 i8 if impl in isize let loop match \
                       mod move mut pub ref return self Self static str struct super trait true \
                       type u128 u16 u32 u64 u8 union unsafe use usize where while",
            quotes: &[
                raw("r##\"", "\"##"),
                raw("r#\"", "\"#"),
                raw("r\"", "\""),
                Quote { has_lines: true, ..DOUBLE },
                CHARACTER,
            ],
            prefixes: "b c",
            ..BRACED
        }),
    },
    Language {
        names: &["bash", "sh", "shell", "zsh", "console", "shell-session"],
        syntax: Syntax::Words(Words {
            keywords: "break case continue declare do done elif else esac eval exec exit export \
                       fi for function if in local readonly return select set shift source then \
                       trap unset until while",
            line_comments: &["#"],
            comments_stand_apart: true,
            block_comment: None,
            quotes: &[Quote { has_lines: true, ..DOUBLE }, raw("'", "'")],
            sigils: &[(b'$', Kind::Name)],
            has_dashes: true,
            ..BRACED
        }),
    },
    Language {
        names: &["sql", "mysql", "postgresql", "sqlite"],
        syntax: Syntax::Words(Words {
            keywords: "add all alter and as asc begin between bigint blob by cascade case char \
                       check column commit constraint create cross database default delete desc \
                       distinct drop else end exists false foreign from full grant group having \
                       if in index inner insert int integer into is join key left like limit not \
                       null offset on or order outer primary references replace returning right \
                       rollback select set table text then transaction trigger true union unique \
                       update using values varchar view when where with",
            ignores_case: true,
            line_comments: &["--", "#"],
            quotes: &[SINGLE, DOUBLE, BACKTICK],
            ..BRACED
        }),
    },
    Language {
        names: &["php"],
        syntax: Syntax::Words(Words {
            keywords: "abstract and array as bool break callable case catch class clone const \
                       continue declare default do echo else elseif empty endforeach endif \
                       endwhile enum exit extends false final finally float fn for foreach \
                       function global if implements include include_once instanceof int \
                       interface isset list match namespace new null or print private protected \
                       public readonly require require_once return self static string switch \
                       throw trait true try unset use var void while xor yield",
            ignores_case: true,
            line_comments: &["//", "#"],
            quotes: &[Quote { has_lines: true, ..DOUBLE }, Quote { has_lines: true, ..SINGLE }],
            sigils: &[(b'$', Kind::Name)],
            ..BRACED
        }),
    },
    Language { names: &["html", "xml", "svg", "xhtml", "htm"], syntax: Syntax::Markup },
    Language {
        names: &["json", "jsonc", "json5"],
        syntax: Syntax::Words(Words {
            line_comments: &["//"],
            comments_stand_apart: false,
            ..KEYED
        }),
    },
    Language { names: &["yaml", "yml"], syntax: Syntax::Words(KEYED) },
    Language {
        names: &["toml", "ini", "conf"],
        syntax: Syntax::Words(Words {
            line_comments: &["#", ";"],
            quotes: &[
                Quote { has_lines: true, ..quote("\"\"\"") },
                raw("'''", "'''"),
                DOUBLE,
                SINGLE,
            ],
            key_mark: Some(b'='),
            ..KEYED
        }),
    },
    Language {
        names: &["asm", "nasm", "x86asm", "assembly", "s", "armasm", "gas"],
        syntax: Syntax::Words(Words {
            keywords: "add adc and b beq bl blx bne bx call cbz cdq cmov cmp cqo dec div fadd \
                       fmul hlt idiv imul inc int iret ja jae jb jbe je jg jge jl jle jmp jne jns \
                       jnz jo js jz ldm ldp ldr ldrb lea leave loop mov movabs movaps movsx \
                       movsxd movups movzx mul neg nop not or pop popf push pushf pxor rep ret \
                       retn rol ror sal sar sbb scasb sete setne shl shr stm stosb stp str strb \
                       sub svc syscall sysenter test ud2 xadd xchg xor db dw dd dq resb section \
                       global extern byte word dword qword ptr",
            names: "rax rbx rcx rdx rsi rdi rbp rsp rip r8 r9 r10 r11 r12 r13 r14 r15 eax ebx ecx \
                    edx esi edi ebp esp eip ax bx cx dx si di bp sp al ah bl bh cl ch dl dh sil \
                    dil r8d r9d r10d r11d r12d r13d r14d r15d xmm0 xmm1 xmm2 xmm3 xmm4 xmm5 xmm6 \
                    xmm7 lr pc fp x0 x1 x2 x3 x4 x5 x6 x7 x8 x29 x30 w0 w1 w2 w3 w4 w5 w6 w7 w8 \
                    r0 r1 r2 r3 r4 r5 r6 r7",
            ignores_case: true,
            line_comments: &[";", "//", "# "],
            quotes: &[DOUBLE, SINGLE],
            sigils: &[(b'%', Kind::Name), (b'.', Kind::Keyword)],
            has_calls: false,
            key_mark: Some(b':'),
            ..BRACED
        }),
    },
];

/// JavaScript, including the keywords of TypeScript.
const SCRIPT: Syntax = Syntax::Words(Words {
    keywords: "abstract any as async await bigint boolean break case catch class const \
               constructor continue debugger declare default delete do else enum export extends \
               false finally for from function get if implements import in instanceof interface \
               is keyof let namespace never new null number object of private protected public \
               readonly return satisfies set static string super switch symbol this throw true \
               try type typeof undefined unknown var void while with yield",
    quotes: &[DOUBLE, SINGLE, BACKTICK],
    sigils: &[(b'@', Kind::Name)],
    ..BRACED
});
