"""Models as Keras and TensorFlow save them: none is taken, but a line makes a .tflite file."""

from __future__ import annotations

import os

_HDF5 = b"\x89HDF\r\n\x1a\n"
# Larq's layers load once it is imported, and that takes the Keras before 3.
_KERAS = (
    "import os; os.environ['TF_USE_LEGACY_KERAS'] = '1'; "
    "import larq, larq_compute_engine, tensorflow as tf; open('net.tflite', 'wb').write("
    "larq_compute_engine.convert_keras_model(tf.keras.models.load_model('{}')))"
)
_SAVED_MODEL = (
    "import larq_compute_engine; open('net.tflite', 'wb').write("
    "larq_compute_engine.convert_saved_model('{}'))"
)


def refuse(path: str, head: bytes) -> None:
    """ValueError for such a path, with the line; `head`: the first bytes of a file."""
    if os.path.isfile(os.path.join(path, "saved_model.pb")):
        kind, convert = "a SavedModel", _SAVED_MODEL
    elif head.startswith(_HDF5) or os.path.splitext(path)[1] in (".h5", ".hdf5", ".keras"):
        kind, convert = "a Keras model", _KERAS
    else:
        return
    raise ValueError(
        f"expected a .tflite file, but got {kind}, '{path}': {convert.format(path)} makes one"
    )
