//! The languages and their letters; `tables.bin` has the costs. Written by `cargo xtask detect-quality --train`.

use super::{Script, Table};

/// The tables, in the order of `COSTS`.
#[rustfmt::skip]
pub(super) static TABLES: &[Table] = &[
    Table { language: "en", script: Script::Latin, letters: &[], side: 28, start: 0 },
    Table { language: "de", script: Script::Latin, letters: &['ß', 'ä', 'ö', 'ü'], side: 32, start: 784 },
    Table { language: "fr", script: Script::Latin, letters: &['à', 'â', 'ç', 'è', 'é', 'ê', 'î', 'ô', 'ù', 'û'], side: 38, start: 1808 },
    Table { language: "es", script: Script::Latin, letters: &['á', 'é', 'í', 'ñ', 'ó', 'ú'], side: 34, start: 3252 },
    Table { language: "pt", script: Script::Latin, letters: &['à', 'á', 'â', 'ã', 'ç', 'é', 'ê', 'í', 'ó', 'ô', 'õ', 'ú'], side: 40, start: 4408 },
    Table { language: "it", script: Script::Latin, letters: &['à', 'á', 'è', 'é', 'ì', 'ò', 'ù'], side: 35, start: 6008 },
    Table { language: "nl", script: Script::Latin, letters: &['á', 'ä', 'è', 'é', 'ë', 'ï', 'ó', 'ö', 'ł'], side: 37, start: 7233 },
    Table { language: "ca", script: Script::Latin, letters: &['à', 'ç', 'è', 'é', 'í', 'ï', 'ò', 'ó', 'ú', 'ü'], side: 38, start: 8602 },
    Table { language: "gl", script: Script::Latin, letters: &['á', 'é', 'í', 'ñ', 'ó', 'ú'], side: 34, start: 10046 },
    Table { language: "eu", script: Script::Latin, letters: &['å', 'é', 'ñ'], side: 31, start: 11202 },
    Table { language: "ga", script: Script::Latin, letters: &['á', 'é', 'í', 'ó', 'ú'], side: 33, start: 12163 },
    Table { language: "cy", script: Script::Latin, letters: &['á', 'â', 'é', 'ê', 'ë', 'î', 'ï', 'ô', 'ŵ', 'ŷ'], side: 38, start: 13252 },
    Table { language: "sq", script: Script::Latin, letters: &['ç', 'ë'], side: 30, start: 14696 },
    Table { language: "da", script: Script::Latin, letters: &['á', 'å', 'æ', 'é', 'ø'], side: 33, start: 15596 },
    Table { language: "sv", script: Script::Latin, letters: &['á', 'ä', 'å', 'é', 'ö'], side: 33, start: 16685 },
    Table { language: "no", script: Script::Latin, letters: &['á', 'å', 'æ', 'é', 'ø'], side: 33, start: 17774 },
    Table { language: "nn", script: Script::Latin, letters: &['å', 'æ', 'é', 'ø'], side: 32, start: 18863 },
    Table { language: "fi", script: Script::Latin, letters: &['á', 'ä', 'ö'], side: 31, start: 19887 },
    Table { language: "is", script: Script::Latin, letters: &['á', 'æ', 'é', 'í', 'ð', 'ó', 'ö', 'ú', 'ý', 'þ'], side: 38, start: 20848 },
    Table { language: "cs", script: Script::Latin, letters: &['á', 'é', 'í', 'ó', 'ú', 'ý', 'č', 'ď', 'ě', 'ň', 'ř', 'š', 'ť', 'ů', 'ž'], side: 43, start: 22292 },
    Table { language: "sk", script: Script::Latin, letters: &['á', 'ä', 'é', 'í', 'ó', 'ô', 'ú', 'ý', 'č', 'ď', 'ĺ', 'ľ', 'ň', 'š', 'ť', 'ž'], side: 44, start: 24141 },
    Table { language: "pl", script: Script::Latin, letters: &['ó', 'ą', 'ć', 'ę', 'ł', 'ń', 'ś', 'ź', 'ż'], side: 37, start: 26077 },
    Table { language: "hu", script: Script::Latin, letters: &['á', 'é', 'í', 'ó', 'ö', 'ú', 'ü', 'ő', 'ű'], side: 37, start: 27446 },
    Table { language: "sl", script: Script::Latin, letters: &['č', 'š', 'ž'], side: 31, start: 28815 },
    Table { language: "hr", script: Script::Latin, letters: &['â', 'ć', 'č', 'đ', 'š', 'ž'], side: 34, start: 29776 },
    Table { language: "bs", script: Script::Latin, letters: &['ć', 'č', 'đ', 'š', 'ž'], side: 33, start: 30932 },
    Table { language: "ro", script: Script::Latin, letters: &['á', 'â', 'é', 'î', 'ă', 'ş', 'ţ'], side: 35, start: 32021 },
    Table { language: "sr-latn", script: Script::Latin, letters: &['ć', 'č', 'đ', 'š', 'ž'], side: 33, start: 33246 },
    Table { language: "et", script: Script::Latin, letters: &['ä', 'õ', 'ö', 'ü', 'š', 'ž'], side: 34, start: 34335 },
    Table { language: "lt", script: Script::Latin, letters: &['ą', 'č', 'ė', 'ę', 'į', 'š', 'ū', 'ų', 'ž'], side: 37, start: 35491 },
    Table { language: "lv", script: Script::Latin, letters: &['ā', 'č', 'ē', 'ģ', 'ī', 'ķ', 'ļ', 'ņ', 'š', 'ū', 'ž'], side: 39, start: 36860 },
    Table { language: "tr", script: Script::Latin, letters: &['ç', 'ö', 'ü', 'ğ', 'ı', 'ş'], side: 34, start: 38381 },
    Table { language: "az", script: Script::Latin, letters: &['ç', 'ö', 'ü', 'ğ', 'ı', 'ş'], side: 34, start: 39537 },
    Table { language: "eo", script: Script::Latin, letters: &['ĉ', 'ĝ', 'ĥ', 'ĵ', 'ŝ', 'ŭ'], side: 34, start: 40693 },
    Table { language: "vi", script: Script::Latin, letters: &['à', 'á', 'â', 'ã', 'è', 'é', 'ê', 'ì', 'í', 'ò', 'ó', 'ô', 'õ', 'ù', 'ú', 'ý', 'ă', 'đ', 'ĩ', 'ũ', 'ơ', 'ư', 'ạ', 'ả', 'ấ', 'ầ', 'ẩ', 'ẫ', 'ậ', 'ắ', 'ằ', 'ẳ', 'ẵ', 'ặ', 'ẹ', 'ẻ', 'ẽ', 'ế', 'ề', 'ể', 'ễ', 'ệ', 'ỉ', 'ị', 'ọ', 'ỏ', 'ố', 'ồ', 'ổ', 'ỗ', 'ộ', 'ớ', 'ờ', 'ở', 'ỡ', 'ợ', 'ụ', 'ủ', 'ứ', 'ừ', 'ử', 'ữ', 'ự', 'ỳ', 'ỷ'], side: 93, start: 41849 },
    Table { language: "vi", script: Script::Latin, letters: &['â', 'ê', 'ô', 'ă', 'đ', 'ơ', 'ư', '\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'], side: 40, start: 50498 },
    Table { language: "ru", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'ъ', 'ы', 'ь', 'э', 'ю', 'я', 'ё'], side: 36, start: 52098 },
    Table { language: "bg", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'ъ', 'ь', 'ю', 'я'], side: 33, start: 53394 },
    Table { language: "mk", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'ѓ', 'ѕ', 'ј', 'њ', 'ќ', 'џ'], side: 33, start: 54483 },
    Table { language: "sr", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'ђ', 'ј', 'љ', 'њ', 'ћ', 'џ'], side: 33, start: 55572 },
    Table { language: "uk", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'щ', 'ь', 'ю', 'я', 'є', 'і', 'ї'], side: 35, start: 56661 },
    Table { language: "be", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'ы', 'ь', 'э', 'ю', 'я', 'ё', 'і', 'ў'], side: 35, start: 57886 },
    Table { language: "kk", script: Script::Cyrillic, letters: &['а', 'б', 'в', 'г', 'д', 'е', 'ж', 'з', 'и', 'й', 'к', 'л', 'м', 'н', 'о', 'п', 'р', 'с', 'т', 'у', 'ф', 'х', 'ц', 'ч', 'ш', 'ъ', 'ы', 'ь', 'э', 'ю', 'я', 'і', 'ғ', 'қ', 'ң', 'ү', 'ұ', 'ә', 'ө'], side: 42, start: 59111 },
    Table { language: "el", script: Script::Greek, letters: &['ά', 'έ', 'ή', 'ί', 'α', 'β', 'γ', 'δ', 'ε', 'ζ', 'η', 'θ', 'ι', 'κ', 'λ', 'μ', 'ν', 'ξ', 'ο', 'π', 'ρ', 'ς', 'σ', 'τ', 'υ', 'φ', 'χ', 'ψ', 'ω', 'ϊ', 'ό', 'ύ', 'ώ'], side: 36, start: 60875 },
    Table { language: "he", script: Script::Hebrew, letters: &['\u{5b0}', '\u{5b4}', '\u{5b8}', '\u{5bc}', '־', 'א', 'ב', 'ג', 'ד', 'ה', 'ו', 'ז', 'ח', 'ט', 'י', 'ך', 'כ', 'ל', 'ם', 'מ', 'ן', 'נ', 'ס', 'ע', 'ף', 'פ', 'ץ', 'צ', 'ק', 'ר', 'ש', 'ת', '׳', '״'], side: 37, start: 62171 },
    Table { language: "ar", script: Script::Arabic, letters: &['ء', 'آ', 'أ', 'ؤ', 'إ', 'ئ', 'ا', 'ب', 'ة', 'ت', 'ث', 'ج', 'ح', 'خ', 'د', 'ذ', 'ر', 'ز', 'س', 'ش', 'ص', 'ض', 'ط', 'ظ', 'ع', 'غ', 'ـ', 'ف', 'ق', 'ك', 'ل', 'م', 'ن', 'ه', 'و', 'ى', 'ي', '\u{64b}', '\u{64d}', '\u{64e}', '\u{64f}', '\u{650}', '\u{651}', '\u{652}'], side: 47, start: 63540 },
    Table { language: "fa", script: Script::Arabic, letters: &['ء', 'آ', 'أ', 'ؤ', 'ئ', 'ا', 'ب', 'ت', 'ث', 'ج', 'ح', 'خ', 'د', 'ذ', 'ر', 'ز', 'س', 'ش', 'ص', 'ض', 'ط', 'ظ', 'ع', 'غ', 'ف', 'ق', 'ل', 'م', 'ن', 'ه', 'و', 'ى', 'ي', '\u{64b}', '\u{64e}', '\u{64f}', '\u{650}', '\u{651}', '\u{654}', 'پ', 'چ', 'ژ', 'ک', 'گ', 'ی'], side: 48, start: 65749 },
    Table { language: "th", script: Script::Thai, letters: &['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ซ', 'ญ', 'ฏ', 'ฐ', 'ฑ', 'ณ', 'ด', 'ต', 'ถ', 'ท', 'ธ', 'น', 'บ', 'ป', 'ผ', 'ฝ', 'พ', 'ฟ', 'ภ', 'ม', 'ย', 'ร', 'ฤ', 'ล', 'ว', 'ศ', 'ษ', 'ส', 'ห', 'อ', 'ฮ', 'ะ', '\u{e31}', 'า', 'ำ', '\u{e34}', '\u{e35}', '\u{e36}', '\u{e37}', '\u{e38}', '\u{e39}', 'เ', 'แ', 'โ', 'ใ', 'ไ', 'ๆ', '\u{e47}', '\u{e48}', '\u{e49}', '\u{e4a}', '\u{e4c}'], side: 62, start: 68053 },
];

/// The squares of all tables.
pub(super) static COSTS: &[u8; 71897] = include_bytes!("tables.bin");
