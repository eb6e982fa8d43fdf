# glibc's command.
convert() {
    printf "$3" | iconv -f "$1" -t "$2" >out.bin 2>message.txt
    echo "$1 $2 $?"
    od -An -tx1 out.bin
    cat message.txt
}
for to in UTF-8 UTF-16 UTF-32BE UTF-7 UCS-2 WCHAR_T CP932 EUC-JP ISO-2022-JP GB18030; do
    convert EUC-JP $to '\306\374\313\334\270\354 a~\n'
    convert $to UTF-8 'abcdabcd'
done
convert UTF-8 ASCII//TRANSLIT '5 \342\202\254 \303\237\n'
convert UTF-8 ISO-8859-1 'a\342\202\254\n'
convert UTF-8 CP1255 '\327\251\327\201\327\234\n'
convert CP1255 UTF-8 '\371\321\354'
convert CP1258 UTF-16LE 'Vi\352\362t'
convert UTF-8 UTF-16 'a\377b'
convert UTF-8 UTF-16 'a\342\202'
convert UTF-7 UTF-8 '+AOk-a+'
# Charsets that only glibc has.
convert UTF-8 ISO-2022-KR '\355\225\234\n'
convert EUC-TW UTF-8 '\304\343\n'
i=0
while [ $i -lt 4000 ]; do printf '\306\374\313\334 a%d\n' $i; i=$((i + 1)); done >long.txt
for to in UTF-8 UTF-16LE SHIFT_JIS ISO-2022-JP; do iconv -f EUC-JP -t $to long.txt | cksum; done
