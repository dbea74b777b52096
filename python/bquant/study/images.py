"""Whether the images of a folder are still those that the results are of."""

from __future__ import annotations

from ..datasets import Dataset, folder_of
from ..train.files import write_whole
from ..train.fingerprints import fingerprint
from .setting import Setting


def check(setting: Setting, data: Dataset) -> None:
    """Keeps what tells a folder's images apart beside the results. ValueError where others were."""
    if folder_of(setting.data) is None:
        return
    path = setting.output / f"{setting.images}.images"
    text = f"{fingerprint(data.train)} {fingerprint(data.test)} {data.classes}\n"
    if not path.exists():
        write_whole(path, lambda part: part.write_text(text, encoding="utf-8"))
    elif path.read_bytes() != text.encode():
        raise ValueError(
            f"the images of '{setting.data}' have changed since the results in '{setting.output}': "
            "remove that folder, or give another --output"
        )
