"""Opens crate after crate by what each begins with."""

import base64
import bz2
import gzip
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path


def opened(crate):
    """The content of a crate, or None when it is none."""
    if crate.startswith(b"PK\x03\x04"):
        archive = zipfile.ZipFile(io.BytesIO(crate))
        return archive.read(archive.namelist()[0])
    if crate.startswith(b"\x1f\x8b"):
        return gzip.decompress(crate)
    if crate.startswith(b"BZh"):
        return bz2.decompress(crate)
    if crate[257:262] == b"ustar":
        archive = tarfile.open(fileobj=io.BytesIO(crate))
        return archive.extractfile(archive.getmembers()[0]).read()
    if re.fullmatch(rb"[A-Za-z0-9+/=\n]+", crate):
        return base64.b64decode(crate)
    return None


crate = (Path(sys.argv[1]) / "crate").read_bytes()
while (inside := opened(crate)) is not None:
    crate = inside
print(re.search(r"pier\{\w+\}", crate.decode()).group())
