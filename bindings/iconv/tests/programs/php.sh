# PHP's extension. Its directory is $EXTENSIONS.
cat >test.php <<'END'
<?php
error_reporting(E_ALL);
$texts = ["EUC-JP" => "\xC6\xFC\xCB\xDC\xB8\xEC", "SHIFT_JIS" => "\x93\xFA\x96\x7B", "KOI8-R" => "\xF0\xD2",
    "ISO-2022-JP" => "\e\$BF|K\\8l\e(B", "UTF-16" => "\xFE\xFF\x00a\x00\xE9", "CP1258" => "Vi\xEA\xF2t",
    "UTF-7" => "+AOk-x", "UTF-8" => "caf\xC3\xA9 \xE2\x82\xAC", "GB18030" => "\x81\x30\x81\x30"];
foreach ($texts as $from => $text) {
    foreach (["UTF-8", "UTF-16LE", "ISO-2022-JP", "ASCII", "CP1252//IGNORE", "klingon"] as $to) {
        echo "$from $to ";
        var_dump(bin2hex((string) iconv($from, $to, $text)));
    }
    var_dump(iconv_strlen($text, $from), bin2hex((string) iconv_substr($text, 1, 2, $from)));
    var_dump(iconv_strpos($text, "a", 0, $from), iconv_strrpos($text, "a", $from));
}
var_dump(iconv("UTF-8", "ASCII//TRANSLIT", "5 \xE2\x82\xAC \xC3\x9F"));
foreach (["a\xFFb", "a\xC3", "\xED\xA0\x80", str_repeat("\xC3\xA9", 5000)] as $text) {
    var_dump(md5((string) iconv("UTF-8", "UTF-16BE", $text)), iconv_strlen($text, "UTF-8"));
}
var_dump(iconv_mime_encode("Subject", "Pr\xC3\xBCfung \xE6\x97\xA5\xE6\x9C\xAC", ["input-charset" => "UTF-8",
    "output-charset" => "ISO-2022-JP", "line-length" => 40]));
var_dump(iconv_mime_decode("=?ISO-2022-JP?B?GyRCRnxLXBsoQg==?= =?KOI8-R?Q?=F0=D2?=", 0, "UTF-8"));
var_dump(iconv_mime_decode_headers("Subject: =?EUC-JP?Q?=C6=FC?=\nTo: a", 0, "UTF-8"));
END
php -n -d extension_dir="$EXTENSIONS" -d extension=iconv.so test.php 2>&1
