# Files in other encodings through git's working-tree-encoding.
export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1
git init -q -b main repository
cd repository
git config user.name A
git config user.email a@example.org
cat >.gitattributes <<'END'
*.utf16 text working-tree-encoding=UTF-16
*.utf16le text working-tree-encoding=UTF-16LE
*.sjis text working-tree-encoding=SHIFT_JIS
*.latin text working-tree-encoding=ISO-8859-1
*.koi text working-tree-encoding=KOI8-R
*.gb text working-tree-encoding=GB18030
END
printf '\377\376a\000\351\000\n\000' >a.utf16
printf 'a\000\351\000\n\000' >b.utf16le
printf '\223\372\226\173\214\352\n' >c.sjis
printf 'caf\351\n' >d.latin
printf '\360\322\311\327\305\324\n' >e.koi
printf '\326\320\271\372\201\060\201\060\n' >f.gb
git add .
git commit -q -m files --date 2020-01-01T00:00:00Z
git ls-files -s
for file in *.*; do git show ":$file" | od -An -tx1; done
rm ./*.*
git checkout -q -- .
for file in *.*; do od -An -tx1 "$file"; done
# Errors: half a code unit, no BOM, bytes that are not a character.
printf 'a\000b' >g.utf16le
printf 'a\000b\000' >h.utf16
printf '\201' >i.sjis
for file in g.utf16le h.utf16 i.sjis; do git add $file 2>&1; echo $?; done
