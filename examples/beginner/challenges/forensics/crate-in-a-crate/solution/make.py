"""Writes crate: text in bzip2 in Base64 in tar in gzip in zip."""

import base64
import bz2
import io
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3]))

from workbench import challenge_file, deflate  # noqa: E402

NOTE = "One ship's biscuit, 1970, still good. Please sign here: {}\n"


def tar(name, data):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


crate = bz2.compress(NOTE.format(challenge_file.flag(HERE)).encode())
crate = tar("crate", base64.encodebytes(crate))
crate = deflate.zip_file({"crate": deflate.gzip_file(crate, "crate")})
(Path(sys.argv[1]) / "crate").write_bytes(crate)
