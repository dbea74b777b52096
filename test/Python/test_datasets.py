"""Datasets: digits, folders of images, IDX files, and what is damaged."""

import gzip
import os
import pickle
import struct

import numpy as np
import pytest
import torch
from bquant import datasets
from bquant.datasets import fashion, idx
from PIL import Image


def test_digits():
    data = datasets.load("digits")
    assert data.shape == (1, 8, 8) and len(data.train) + len(data.test) == 1797
    x = data.prepare(data.train.images)
    assert x.dtype == torch.float32
    assert abs(x.mean().item()) < 1e-4 and abs(x.std().item() - 1) < 1e-4
    assert sorted(set(data.test.labels.tolist())) == list(range(10))
    with pytest.raises(
        ValueError, match="a size for a folder of images only, but got 9 for digits"
    ):
        datasets.load("digits", size=9)


def write_idx(path, values, head=None):
    values = np.asarray(values, np.uint8)
    head = head or struct.pack(f">4B{values.ndim}I", 0, 0, 8, values.ndim, *values.shape)
    path.write_bytes(gzip.compress(head + values.tobytes()))


def fashion_folder(folder, count=7):
    random = np.random.default_rng(0)
    for name in ("train", "t10k"):
        write_idx(folder / f"{name}-images-idx3-ubyte.gz", random.integers(0, 256, (count, 28, 28)))
        write_idx(folder / f"{name}-labels-idx1-ubyte.gz", random.integers(0, 10, count))


def test_fashion(tmp_path, monkeypatch):
    monkeypatch.setattr(fashion, "FOLDER", tmp_path)
    fashion_folder(tmp_path)
    data = datasets.load("fashion-mnist")
    assert data.shape == (1, 28, 28) and len(data.test) == 7 and data.classes[9] == "ankle boot"
    labels = tmp_path / "train-labels-idx1-ubyte.gz"
    write_idx(labels, [1, 2])
    with pytest.raises(ValueError, match="expected a label for each image of train, but got 7"):
        datasets.load("fashion-mnist")
    write_idx(labels, [*range(len(data.train) - 1), 10])
    with pytest.raises(ValueError, match=f"{labels}: expected labels below 10, but got 10"):
        datasets.load("fashion-mnist")
    labels.unlink()
    message = f"in {tmp_path}, but there is no {labels.name}: apt install dataset-fashion-mnist"
    with pytest.raises(FileNotFoundError, match=message):
        datasets.load("fashion-mnist")


def test_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(fashion, "FOLDER", tmp_path / "none")
    message = f"expected Fashion-MNIST in {tmp_path}/none, .*: apt install dataset-fashion-mnist"
    with pytest.raises(FileNotFoundError, match=message):
        datasets.load("fashion-mnist")
    with pytest.raises(
        FileNotFoundError, match="expected digits, .*cifar-100:FOLDER or a folder of im"
    ):
        datasets.load(tmp_path / "nowhere")


HEAD = struct.pack(">4B3I", 0, 0, 8, 3, 2, 4, 4)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"no gzip", "expected a whole gzip file"),
        (gzip.compress(HEAD + bytes(32))[:-12], "expected a whole gzip file"),
        (gzip.compress(b"\1\2\3"), "expected an IDX file"),
        (gzip.compress(b"PK" + HEAD[2:]), "expected an IDX file"),
        (gzip.compress(HEAD.replace(b"\x08", b"\x0d")), "expected bytes .* but got type 13"),
        (
            gzip.compress(struct.pack(">4B4I", 0, 0, 8, 1, 2, 3, 4, 5)),
            "expected bytes .* of rank 3, but got .* 1",
        ),
        (gzip.compress(HEAD + bytes(31)), r"expected 32 values of sizes \(2, 4, 4\), but got 31"),
        (gzip.compress(HEAD + bytes(33)), "expected 32 values .* but got more"),
        (
            gzip.compress(struct.pack(">4B3I", 0, 0, 8, 3, 2**32 - 1, 2**32 - 1, 1)),
            "expected up to 1 GB of images",
        ),
    ],
    ids=["text", "cut", "short", "head", "type", "rank", "less", "more", "large"],
)
def test_damaged_idx(content, message, tmp_path):
    path = tmp_path / "images.gz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"^{path}: {message}"):
        idx.read(path, rank=3)


def write_image(path, size=(6, 5), mode="L", value=10):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new(mode, size, value if mode == "L" else (value, 0, 1)).save(path)


@pytest.mark.parametrize("mode", ["L", "RGB"])
@pytest.mark.parametrize("is_split", [False, True])
def test_a_folder(tmp_path, mode, is_split):
    for part in ("train", "test") if is_split else ("",):
        for label, name in enumerate(("cat", "dog")):
            for i in range(6):
                write_image(tmp_path / part / name / f"{i}.png", mode=mode, value=10 * label + i)
    (tmp_path / ("train" if is_split else "") / "cat" / "notes.txt").write_text("no image")
    data = datasets.load(tmp_path)
    channels = 1 if mode == "L" else 3
    assert data.shape == (channels, 5, 6) and data.classes == ["cat", "dog"]
    assert (len(data.train), len(data.test)) == ((12, 12) if is_split else (10, 2))
    assert data.train.images[0, 0].unique().tolist() == [0]
    assert data.train.images.is_contiguous()
    assert data.prepare(data.train.images.flip(3).permute(0, 1, 3, 2)).is_contiguous()
    assert data.test.labels.tolist()[-1] == 1
    assert datasets.load(tmp_path, size=8).shape == (channels, 8, 8)


def test_bad_folders(tmp_path):
    with pytest.raises(ValueError, match=f"{tmp_path}: expected a folder of images for each of"):
        datasets.load(tmp_path)
    for name in ("a", "b"):
        for i in range(6):
            write_image(tmp_path / name / f"{i}.png")
    write_image(tmp_path / "b" / "9.png", size=(3, 3))
    with pytest.raises(ValueError, match=r"9.png: expected 6 x 5 pixels .* but got 3 x 3 \(give"):
        datasets.load(tmp_path)
    (tmp_path / "b" / "9.png").write_bytes(b"\x89PNG and no more")
    with pytest.raises(ValueError, match="9.png: expected an image, but"):
        datasets.load(tmp_path)


def test_odd_images(tmp_path):
    """Sixteen bits, colours in a later class, a turned photo, what systems leave beside."""
    for name in ("a", "b"):
        for i in range(6):
            write_image(tmp_path / name / f"{i}.png", size=(5, 5))
    deep = np.full((5, 5), 0x1234, np.uint16)
    Image.fromarray(deep).save(tmp_path / "a" / "0.png")
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "._0.png").write_bytes(b"no image")
    data = datasets.load(tmp_path)
    assert data.shape == (1, 5, 5) and data.classes == ["a", "b"]
    assert data.train.images[0].unique().tolist() == [0x12]
    exif = Image.Exif()
    exif[0x112] = 6  # the camera was turned
    turned = np.zeros((5, 5), np.uint8)
    turned[0] = 255
    Image.fromarray(turned).save(tmp_path / "a" / "0.png", exif=exif)
    assert (datasets.load(tmp_path).train.images[0, 0, :, -1] == 255).all()
    write_image(tmp_path / "b" / "5.png", size=(5, 5), mode="RGB", value=200)
    data = datasets.load(tmp_path)
    assert data.shape == (3, 5, 5) and data.test.images[-1, 0].unique().tolist() == [200]


def test_what_odd_images_are_not(tmp_path):
    for name in ("a", "b"):
        for i in range(6):
            write_image(tmp_path / name / f"{i}.png")
    with pytest.raises(ValueError, match="expected a size of at least 1 pixel, but got 0"):
        datasets.load(tmp_path, size=0)
    (tmp_path / "c").mkdir()
    with pytest.raises(ValueError, match="images for each class, but 'c' has none"):
        datasets.load(tmp_path)
    (tmp_path / "c").rmdir()
    Image.fromarray(np.ones((5, 6), np.float32)).save(tmp_path / "a" / "9.tif")
    with pytest.raises(ValueError, match=r"9.tif: expected an image of 8 or 16 bits .* \(mode F"):
        datasets.load(tmp_path)
    path = tmp_path / "a" / "0.png"
    (tmp_path / "a" / "9.tif").unlink()
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match="0.png: expected an image, but"):
        datasets.load(tmp_path)
    for part, name in (("train", "a"), ("train", "b"), ("test", "a"), ("test", "d")):
        write_image(tmp_path / "parts" / part / name / "0.png")
    message = "expected the same classes in train and test, but only one has b, d"
    with pytest.raises(ValueError, match=message):
        datasets.load(tmp_path / "parts")


def photographs(folder, size=(19, 16), count=6):
    """An ImageNet folder of two classes, random pixels; returns them by path."""
    random, pixels = np.random.default_rng(0), {}
    for part in ("train", "val"):
        for name in ("n01", "n02"):
            for i in range(count):
                path = folder / part / name / f"{i}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                pixels[path] = random.integers(0, 256, (*size[::-1], 3), np.uint8)
                Image.fromarray(pixels[path]).save(path)
    return pixels


def test_imagenet(tmp_path):
    pixels = photographs(tmp_path)
    data = datasets.load(f"imagenet:{tmp_path}", size=14)
    assert data.shape == (3, 14, 14) and data.classes == ["n01", "n02"]
    assert (len(data.train), len(data.test)) == (12, 12)
    assert data.train.labels.tolist() == [0] * 6 + [1] * 6
    images = data.test.images
    # The shorter side is 8/7 of 14 as it is: the centre is cut out, nothing is resized.
    whole = torch.stack([torch.from_numpy(p).permute(2, 0, 1) for p in pixels.values()])[12:]
    centres = whole[:, :, 1:15, 2:16]
    assert torch.equal(images[:], centres) and torch.equal(images[3], centres[3])
    assert torch.equal(images[torch.tensor([7, 0])], centres[[7, 0]])
    assert torch.equal(torch.cat(list(images.split(5))), centres)
    assert images[:0].shape == (0, 3, 14, 14) and torch.equal(images.whole(2), whole[2])
    assert torch.equal(data.test.first(2).images[:], centres[:2])
    x = data.prepare(images[:2])
    expected = (centres[:2] / 255 - torch.tensor([0.485, 0.456, 0.406])[:, None, None]) / (
        torch.tensor([0.229, 0.224, 0.225])[:, None, None]
    )
    torch.testing.assert_close(x, expected, rtol=1e-4, atol=1e-5)
    assert datasets.load(f"imagenet:{tmp_path}").shape == (3, 224, 224)


def test_imagenet_is_resized(tmp_path):
    """As Pillow resizes, to a level; of any shape, colours and file format."""
    photographs(tmp_path)
    ramp = np.add.outer(np.arange(96), 2 * np.arange(50)).astype(np.uint8)
    odd = Image.fromarray(np.stack([ramp, ramp.T.reshape(96, 50), 255 - ramp], 2))
    for i, mode in enumerate(("RGB", "L", "CMYK")):
        path = tmp_path / "train" / "n01" / f"{i}.{'png' if mode == 'RGB' else 'jpg'}"
        odd.convert(mode).save(path)
    data = datasets.load(f"imagenet:{tmp_path}", size=14)
    small = np.asarray(odd.resize((16, 30), Image.Resampling.BILINEAR))[8:22, 1:15]
    found = data.train.images[0].permute(1, 2, 0).numpy()
    assert np.abs(found.astype(int) - small).max() <= 1
    assert data.train.images[:4].shape == (4, 3, 14, 14)


def test_bad_imagenet(tmp_path):
    with pytest.raises(FileNotFoundError, match="imagenet:FOLDER, cifar-100:FOLDER or a folder of"):
        datasets.load(f"imagenet:{tmp_path / 'none'}")
    with pytest.raises(FileNotFoundError, match=f"train and val, but .* '{tmp_path}/train'"):
        datasets.load(f"imagenet:{tmp_path}")
    photographs(tmp_path)
    with pytest.raises(ValueError, match="expected a size of at least 1 pixel, but got 0"):
        datasets.load(f"imagenet:{tmp_path}", size=0)
    # Images are not read before they are asked for.
    (tmp_path / "train" / "n01" / "1.png").write_bytes(b"no image")
    data = datasets.load(f"imagenet:{tmp_path}", size=8)
    assert data.train.images[:1].shape == (1, 3, 8, 8)
    with pytest.raises(ValueError, match=f"^{tmp_path}/train/n01/1.png: expected an image, but"):
        data.train.images[:2]
    (tmp_path / "val" / "n03").mkdir()
    with pytest.raises(ValueError, match="same classes in train and val, but only one has n03"):
        datasets.load(f"imagenet:{tmp_path}")


def cifar_folders(folder, count=20):
    """Both versions of the same images."""
    random = np.random.default_rng(0)
    for part in ("train", "test"):
        pixels = random.integers(0, 256, (count, 3072), np.uint8)
        fine, coarse = (random.integers(0, n, count, np.uint8) for n in (100, 20))
        rows = np.concatenate([coarse[:, None], fine[:, None], pixels], 1)
        for name in ("binary", "python"):
            (folder / name).mkdir(exist_ok=True)
        (folder / "binary" / f"{part}.bin").write_bytes(rows.tobytes())
        entries = {b"data": pixels, b"fine_labels": fine.tolist(), b"batch_label": b"1 of 1"}
        (folder / "python" / part).write_bytes(pickle.dumps(entries, protocol=2))
    names = [f"class_{i}" for i in range(100)]
    (folder / "binary" / "fine_label_names.txt").write_text("\n".join(names))
    meta = {b"fine_label_names": [name.encode() for name in names]}
    (folder / "python" / "meta").write_bytes(pickle.dumps(meta, protocol=2))
    return rows


def test_cifar(tmp_path):
    rows = cifar_folders(tmp_path)  # of test
    for name in ("binary", "python"):
        data = datasets.load(f"cifar-100:{tmp_path / name}")
        assert data.shape == (3, 32, 32) and data.classes[42] == "class_42"
        assert data.test.labels.tolist() == rows[:, 1].tolist()
        # Red comes first, then row by row.
        assert data.test.images[3, 0, 1, 2] == rows[3, 2 + 32 + 2]
        assert data.test.images[3, 2, 31, 31] == rows[3, -1]
        assert abs(data.prepare(data.train.images).mean()) < 0.3
    with pytest.raises(ValueError, match="a size for a folder of images only, but got 9 for cifar"):
        datasets.load(f"cifar-100:{tmp_path / 'binary'}", size=9)


def test_bad_cifar(tmp_path):
    def error(name="binary"):
        with pytest.raises((ValueError, OSError)) as caught:
            datasets.load(f"cifar-100:{tmp_path / name}")
        text = str(caught.value)
        assert "\n" not in text
        return text

    assert "expected CIFAR-100's files (train.bin or train) in" in error("")
    cifar_folders(tmp_path)
    binary, python = tmp_path / "binary", tmp_path / "python"
    rows = (binary / "train.bin").read_bytes()
    (binary / "train.bin").write_bytes(rows[:-1])
    assert f"train.bin: expected rows of 3074 bytes, but got {20 * 3074 - 1} bytes" in error()
    (binary / "train.bin").write_bytes(rows[:1] + b"\x64" + rows[2:])
    assert "train.bin: expected labels below 100, but got" in error()
    (binary / "train.bin").write_bytes(rows)
    (binary / "fine_label_names.txt").write_text("apple")
    assert "expected 100 names of classes, but got 1" in error()
    (binary / "test.bin").unlink()
    assert f"expected a file of CIFAR-100, but there is no '{binary}/test.bin'" in error()

    def pickled(value):
        (python / "train").write_bytes(pickle.dumps(value, protocol=2))
        return error("python")

    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "evil"),)

    assert "train: expected a file of CIFAR-100, but it has a posix.mkdir" in pickled(Evil())
    assert not (tmp_path / "evil").exists()
    assert "expected a file of CIFAR-100, but it has no data" in pickled({b"labels": []})
    data = np.zeros((2, 3072), np.uint8)
    assert "expected data uint8 (N, 3072), but got uint8 (2, 5)" in pickled(
        {b"data": data[:, :5], b"fine_labels": [0, 1]}
    )
    assert "expected a label for each of 2 images, but got 1" in pickled(
        {b"data": data, b"fine_labels": [0]}
    )
    (python / "train").write_bytes(b"no pickle")
    assert "train: expected a file of CIFAR-100, but" in error("python")
