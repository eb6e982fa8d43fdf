//! Names and contents that act on terminals and logs, and what to look for in an output.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Hostile content of an argument, a label or a variable.
pub(crate) const WORD: &str = "x\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\n::stop-commands::t\r\n\
                               ##[add-matcher]y\u{202E}z\u{2066}\u{2028}\u{7F}\u{8}";

/// Names of files.
pub(crate) fn names() -> Vec<OsString> {
    let names: [&[u8]; 14] = [
        b"esc\x1B[2J\x1B]0;owned\x07.txt",
        b"\x1B[41mred",
        b"return\rover",
        "c1\u{9B}31m\u{85}\u{9D}0;t\u{9C}".as_bytes(),
        "\u{202E}txt.\u{2066}exe\u{200F}\u{61C}".as_bytes(),
        "line\u{2028}paragraph\u{2029}".as_bytes(),
        b"::stop-commands::token",
        " \u{A0}::set-output name=x::y".as_bytes(),
        b"a ##[add-matcher]b",
        b"##vso[task.setvariable variable=x]y",
        b"line\n::error::x\n##[group]y",
        b"delete\x7F\x08",
        b"\xFF\x9B31m\xC2.txt",
        "none\u{200B}\u{FEFF}\u{AD}\u{E0041}".as_bytes(),
    ];
    names.map(|name| OsString::from_vec(name.to_vec())).into()
}

/// Text with all that acts, ill-formed sequences near it, and what misreading hides.
pub(crate) fn text() -> Vec<u8> {
    let misread: String = "caf\u{202E}\u{9B}é été".bytes().map(char::from).collect();
    [
        format!("::stop-commands::t\n##[group]x\n \u{9B}31m::error::\n{misread}\n").as_bytes(),
        "Les Ã©lÃ¨ves â€®dâ€™abord ".as_bytes(),
        b"\xC0\x9B[2J et \xC0\x87 \x1B[2J\x1B[41m\xC2\x9B31m \xE2\x80\xAE ici\r::error::x\n",
        b"##[x]::a\xFF##[y]\x1B]0;t\x07\xE2\x80\xA8\xE2\x81\xA6\x7F::\n::error::x\xFF\r\n",
    ]
    .concat()
}

/// The same without ill-formed sequences.
pub(crate) fn sound() -> Vec<u8> {
    let text = String::from_utf8_lossy(&text()).replace('\u{FFFD}', "");
    text.into_bytes()
}

/// A message of hostile labels, names, subjects and texts.
pub(crate) fn message() -> Vec<u8> {
    const MESSAGE: &[u8] = b"From: =?utf-8?q?=1B[2J=C2=9B31m=E2=80=AE?= <a@b.example>\n\
        Subject: \x1B[2J\xC2\x9B =?utf-8?b?G1syShsdMDt0Bw==?= \xE2\x80\xAE\xFF =?iso-8859-1?q?=9B31m?=\n\
        Subject: =?x\x1B[2J\xE2\x80\xAE?q?abc?= +\n\
        ##[group]x: =?utf-8?q?=0A::error::x=0D=0A##[group]y?=\n\
        \x1B[41mName: =?utf-7?q?+ABsAmyAu-?=\n\
        Mime-Version: 1.0\n\
        Content-Type: multipart/mixed; boundary=b; na\x1B[2Jme=\"\x1B]0;t\x07\"\n\n\
        --b\nContent-Type: text/plain; charset=\"utf\x1B[2J\xE2\x80\xAE\x07-8\"\n\nunknown \x1B[2J\n\
        --b\nContent-Type: text/plain; charset=utf-8\n\n::error::x\n\x1B[2J\xC2\x9B31m\xE2\x80\xAE\xFF\r\n##[group]z\n\
        --b\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: base64\n\nG1sySpszMW0=\n\
        --b\nContent-Type: text/plain; charset=utf-7\n\n+ABsAmyAu-[2J +/\n\
        --b\nContent-Type: text/\x1B[2J##[x]\xE2\x80\xAE; charset=us-ascii\n\n\x1B[2J\n\
        --b\nContent-Type: application/\x1B[2J; name=\"::error::\"\n\n\x1B[2J\n\
        --b\nContent-Type: text/plain\nContent-Transfer-Encoding: \x1B[2J\xE2\x80\xAE\n\n\x1B[2J\n\
        --b\nContent-Type: text/plain; charset*=x'\x1B[2J'%1B%5B2J; name*=utf-8''%1B%5B2J%E2%80%AE\n\n\x1B[2J\xFF\n\
        --b--\n";
    MESSAGE.to_vec()
}

/// Several, the envelopes of which are hostile too.
pub(crate) fn mbox() -> Vec<u8> {
    [b"From \x1B[2J\xE2\x80\xAE\x9B ::\n", &message()[..], b"\n\nFrom ##[group]x\n", &message()]
        .concat()
}

/// Mailbox names.
pub(crate) fn mailboxes() -> Vec<u8> {
    b"&ABsAWwAySgA-[2J\n&AJsgLiBm-\n::stop-commands::x\n##[group]x\n\x1B[2J\x9B\n&AAo-::error::x\n\
      &ABs-\n&ABsAGw-\n\xE2\x80\xAE\r\n&IC4-&IC4-\nplain\npl&AGE-in\n::a\n::&AGE-\n"
        .to_vec()
}

/// Our own colors. Hostile text here uses none of them.
const COLOURS: [&str; 11] = [
    "\x1B[0m",
    "\x1B[1m",
    "\x1B[2m",
    "\x1B[4m",
    "\x1B[31m",
    "\x1B[32m",
    "\x1B[33m",
    "\x1B[36m",
    "\x1B[1m\x1B[94m",
    "\x1B[94m",
    "\x1B[22m",
];

/// The fault of an output, if any.
pub(crate) fn fault(bytes: &[u8], is_coloured: bool, is_github: bool) -> Option<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Some("no UTF-8".into()) };
    let mut text = text.to_owned();
    if is_coloured {
        for colour in COLOURS {
            text = text.replace(colour, "");
        }
    }
    let acts = |c: &char| match c {
        '\n' | '\t' => false,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        c => c.is_control(),
    };
    if let Some(c) = text.chars().find(acts) {
        return Some(format!("{c:?}"));
    }
    let is_command = |line: &&str| {
        let is_ours =
            is_github && (line.starts_with("::error file=") || line.starts_with("::warning file="));
        line.trim_start().starts_with("::") && !is_ours
            || line.contains("##[")
            || line.contains("##vso[")
    };
    text.lines().find(is_command).map(|line| format!("a command: {line:?}"))
}
