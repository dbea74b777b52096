# cmake -DIN=file -DOUT=file.inc -P EmbedFile.cmake: the bytes, as C writes them.
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "${bytes}\n")
