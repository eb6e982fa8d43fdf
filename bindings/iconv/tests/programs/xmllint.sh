# XML in other encodings, to UTF-8 and back.
convert() {
    printf "<?xml version=\"1.0\" encoding=\"$1\"?>\n<a>$2</a>\n" >in.xml
    xmllint --encode UTF-8 in.xml 2>&1
    echo $?
    xmllint --encode "$1" in.xml 2>&1 | od -An -tx1
}
convert EUC-JP '\306\374\313\334\270\354'
convert Shift_JIS '\223\372\226\173\214\352'
convert ISO-2022-JP '\033$BF|K\\8l\033(B'
convert EUC-KR '\307\321\261\271'
convert GB18030 '\326\320\271\372\201\060\201\060'
convert Big5 '\244\244\244\345'
convert KOI8-R '\360\322\311\327\305\324'
convert windows-1251 '\317\360\350\342\345\362'
convert windows-1252 'caf\351 \200'
convert windows-1252 'a\201b'
convert EUC-JP 'a\377b'
convert UTF-7 '+AOk-'
# Longer than libxml2's buffers.
i=0
text=
while [ $i -lt 2000 ]; do text="$text\\306\\374 a "; i=$((i + 1)); done
convert EUC-JP "$text" | cksum
