# Files in other encodings through vim's ++enc, both ways.
export HOME="$PWD" LC_ALL=C.UTF-8
convert() {
    printf "$2" >in.txt
    vim -es -u NONE -i NONE -N -n --cmd 'set encoding=utf-8' -c "edit ++enc=$1 in.txt" \
        -c 'write! ++enc=utf-8 out.txt' -c "write! ++enc=$1 back.txt" -c 'qall!' </dev/null
    echo "$1 $?"
    od -An -tx1 out.txt
    od -An -tx1 back.txt
}
convert sjis '\223\372\226\173\214\352\n'
convert euc-jp '\306\374\313\334\270\354\n'
convert iso-2022-jp 'a\033$BF|K\\\033(B b\n'
convert euc-kr '\307\321\261\271\n'
convert gb18030 '\326\320\271\372\201\060\201\060\n'
convert big5 '\244\244\244\345\n'
convert koi8-r '\360\322\311\327\305\324\n'
convert cp1252 'caf\351 \200\n'
convert utf-16le 'a\000\351\000\n\000'
# With bytes that are not a character.
convert cp1252 'a\201b\n'
convert euc-jp 'a\377b\n'
