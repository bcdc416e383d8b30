#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Stores each file of fleet/ otherwise (there), or as it was (back), and says how."""
import gzip
import pathlib
import sys

files = sorted(f for f in pathlib.Path("fleet").rglob("*") if f.is_file())
for number, file in enumerate(files):
    data = file.read_bytes()
    if sys.argv[1] == "there":
        text = data.decode().replace("\n", "\r\n")
        data = [b"\xff\xfe" + text.encode("utf-16-le"), b"\xfe\xff" + text.encode("utf-16-be")][number % 2]
        name = file.name.upper() if "." in file.name else file.name
        if number % 3 == 0 and "." in name:
            name, data = name + ".gz", gzip.compress(data)
        file.unlink()
        file = file.with_name(name)
    else:
        packed, marks = data[:2] == b"\x1f\x8b", (b"\xff\xfe", b"\xfe\xff")
        data = gzip.decompress(data) if packed else data
        assert data[:2] in marks, file
        print(file, "gzip" if packed else "", ("little", "big")[marks.index(data[:2])], "endian")
        text = data.decode("utf-16")
        assert text.count("\r\n") == text.count("\n")
        data = text.replace("\r\n", "\n").encode()
        file.unlink()
        name = file.name.lower().removesuffix(".gz") if "." in file.name else file.name
        file = file.with_name(name)
    file.write_bytes(data)
