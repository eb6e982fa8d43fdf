# Messages in other encodings.
convert() {
    printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=%s\\n"\n\nmsgid "a"\n' "$1" >in.po
    printf "msgstr \"$2\"\n" >>in.po
    msgconv -t UTF-8 in.po 2>&1
    echo $?
    msgconv -t "$3" in.po 2>&1 | od -An -tx1
}
convert KOI8-R '\360\322\311\327\305\324' ISO-8859-5
convert EUC-JP '\306\374\313\334\270\354' SHIFT_JIS
convert EUC-KR '\307\321\261\271' JOHAB
convert GB18030 '\326\320\271\372' GBK
convert ISO-8859-15 '5 \244' CP1252
convert CP1258 'Vi\352\362t' TCVN
convert UTF-8 '\302\251 5 \342\202\254' ASCII
convert KOI8-R '\360' ISO-8859-1
convert EUC-JP '\306' UTF-8
