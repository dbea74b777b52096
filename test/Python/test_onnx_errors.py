"""What the frontend of ONNX refuses, each in one line that says where."""

import os
import subprocess
import sys

import bquant
import numpy as np
import pytest
from bquant.frontends import UnsupportedOp
from bquant.frontends.onnx import import_bytes

onnx = pytest.importorskip("onnx")
import onnx_files  # noqa: E402
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from refusals import refuses  # noqa: E402

SEED = 11

FLOAT, BYTE = TensorProto.FLOAT, TensorProto.UINT8


def model(nodes, inputs=None, constants=None, opset=20, **types):
    """`nodes`: (op, inputs, outputs, attributes); `inputs`: name to shape."""
    made = [
        helper.make_node(op, ins, outs, name=f"my_{op}_{i}", **rest)
        for i, (op, ins, outs, rest) in enumerate(nodes)
    ]
    inputs = inputs or {"x": [1, 2]}
    return onnx_files.model(made, inputs, constants, opset, domains=["my.ops"], **types)


def relu(**options):
    return model([("Relu", ["x"], ["y"], {})], **options)


# Files.


@pytest.mark.parametrize("kind", ["half", "text", "empty", "noise"])
def test_no_model(tmp_path, kind):
    path = tmp_path / "net.onnx"
    content = relu(constants={"w": np.ones(100, np.float32)}).SerializeToString()
    path.write_bytes(
        {"half": content[: len(content) // 2], "text": b"no model", "empty": b""}.get(
            kind, bytes([8, 255]) * 60
        )
    )
    refuses(path, ValueError, f"expected an ONNX model, but got '{path}': ")


def test_what_torch_saves_is_no_onnx_model(tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "net.onnx"
    torch.save({"weight": torch.ones(2)}, path)
    refuses(path, ValueError, f"expected a program that torch.export.save wrote, but got '{path}'")


def test_a_missing_file():
    refuses("no.onnx", FileNotFoundError, "expected a model, but there is no file 'no.onnx'")


@pytest.mark.parametrize(("opset", "text"), [(5, "5"), (99, "99"), (0, "none")])
def test_opset(opset, text):
    newest = onnx.defs.onnx_opset_version()
    message = f"expected a model of opset 6 to {newest}, but the model has {text}"
    refuses(relu(opset=opset), UnsupportedOp, message)


# External data.


def external(tmp_path, location, data=None, shape=(200,), offset=None, length=None):
    made = model([("Add", ["x", "w"], ["y"], {})], {"x": [200]}, {"w": np.ones(shape, np.float32)})
    (tensor,) = made.graph.initializer
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, "offset": offset, "length": length}.items():
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    folder = tmp_path / "model"
    folder.mkdir(exist_ok=True)
    if data is not None:
        (folder / "w.bin").write_bytes(data)
    (folder / "net.onnx").write_bytes(made.SerializeToString())
    return folder / "net.onnx", made


def test_external_data(tmp_path, monkeypatch):
    data = np.arange(201, dtype=np.float32)
    path, _ = external(tmp_path, "w.bin", data.tobytes(), offset=4, length=800)
    x = np.ones(200, np.float32)
    np.testing.assert_array_equal(bquant.compile(path)(x), x + data[1:])
    monkeypatch.chdir(path.parent)
    np.testing.assert_array_equal(bquant.compile("net.onnx")(x), x + data[1:])


SPARSE = 5 << 30  # bytes


def test_more_than_a_protobuf_holds(tmp_path):
    """Of a file with holes only what is used is read: 400 bytes at its end, and 800 of a constant
    that has 4 GB."""
    path, made = external(tmp_path, "w.bin", offset=SPARSE - 400, length=400, shape=(100,))
    (w,) = made.graph.initializer
    for name, offset, size in (("w", SPARSE - 400, 400), ("table", 8, 4 << 30)):
        tensor = made.graph.initializer[0] if name == "w" else made.graph.initializer.add()
        tensor.CopyFrom(w)
        tensor.name = name
        tensor.dims[:] = [size // 4]
        del tensor.external_data[:]
        for key, value in {"location": "w.bin", "offset": offset, "length": size}.items():
            tensor.external_data.add(key=key, value=str(value))
    made.graph.initializer.extend(
        numpy_helper.from_array(np.array([at]), name) for name, at in (("from", 0), ("to", 200))
    )
    made.graph.node.insert(0, helper.make_node("Slice", ["table", "from", "to"], ["part"]))
    made.graph.node[1].input[1] = "part"
    made.graph.node[1].output[0] = "sum"
    made.graph.node.extend(
        [
            helper.make_node("Concat", ["w", "w"], ["ww"], axis=0),
            helper.make_node("Mul", ["sum", "ww"], ["y"]),
        ]
    )
    path.write_bytes(made.SerializeToString())
    table, factors = np.arange(200, dtype=np.float32), np.arange(100, dtype=np.float32)
    with open(path.parent / "w.bin", "wb") as file:
        file.truncate(SPARSE)
        file.seek(8)
        file.write(table.tobytes())
        file.seek(SPARSE - 400)
        file.write(factors.tobytes())
    assert os.stat(path.parent / "w.bin").st_blocks * 512 < 1 << 20
    code = """if True:
        import resource, sys, numpy as np, bquant, onnx
        import bquant.frontends.onnx
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        network = bquant.compile(sys.argv[1])
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before >> 10)
        np.save(sys.argv[2], network(np.ones(200, np.float32)))
    """
    y = tmp_path / "y.npy"
    run = [sys.executable, "-c", code, str(path), str(y)]
    megabytes = int(subprocess.run(run, check=True, capture_output=True, text=True).stdout)
    assert megabytes < 300
    np.testing.assert_array_equal(np.load(y), (1 + table) * np.tile(factors, 2))


@pytest.mark.parametrize("type_", ["INT4", "UINT8", "FLOAT16"])
def test_external_data_of_other_types(tmp_path, type_):
    number, codes = getattr(TensorProto, type_), np.arange(8).reshape(2, 4)
    made = model(
        [("Cast", ["w"], ["f"], {"to": FLOAT}), ("Add", ["x", "f"], ["y"], {})],
        {"x": [2, 4]},
        opset=21,
    )
    array = codes.astype(helper.tensor_dtype_to_np_dtype(number))
    made.graph.initializer.append(numpy_helper.from_array(array, "w"))
    path = tmp_path / "net.onnx"
    onnx.save(made, path, save_as_external_data=True, location="w.bin", size_threshold=0)
    x = np.ones((2, 4), np.float32)
    np.testing.assert_array_equal(bquant.compile(path)(x), x + codes)


def test_missing_external_data(tmp_path):
    path, _ = external(tmp_path, "w.bin")
    message = f"expected external data of 'w', but there is no file 'w.bin' beside '{path}'"
    refuses(path, FileNotFoundError, message)


@pytest.mark.parametrize("kind", ["parent", "absolute", "link"])
def test_external_data_leaves_the_folder(tmp_path, kind):
    (tmp_path / "w.bin").write_bytes(bytes(800))
    location = {"parent": "../w.bin", "absolute": str(tmp_path / "w.bin"), "link": "l.bin"}[kind]
    path, _ = external(tmp_path, location)
    if kind == "link":
        os.symlink(tmp_path / "w.bin", path.parent / "l.bin")
    message = f"expected external data of 'w' in the folder of '{path}', but got '{location}'"
    refuses(path, ValueError, message)


@pytest.mark.parametrize(("offset", "length"), [(4, 800), (0, 804)])
def test_external_data_outside_of_the_file(tmp_path, offset, length):
    path, _ = external(tmp_path, "w.bin", bytes(800), offset=offset, length=length)
    refuses(path, ValueError, "expected external data of 'w' in the 800 bytes of 'w.bin', but got")


@pytest.mark.parametrize("offset", [-4, "far"])
def test_external_data_without_a_place(tmp_path, offset):
    path, _ = external(tmp_path, "w.bin", bytes(800), offset=offset)
    refuses(path, ValueError, f"expected external data of 'w' in a file, but got '{path}': ")


def test_external_data_of_another_size(tmp_path):
    path, _ = external(tmp_path, "w.bin", bytes(400))
    refuses(path, ValueError, "expected as many elements as the shape of 'w' has")


def test_external_data_of_a_model_in_memory(tmp_path):
    _, made = external(tmp_path, "w.bin", bytes(800))
    refuses(made, ValueError, "expected a model's path, since external data of 'w' lies beside it")


# Graphs.


def test_unknown_operators_are_all_named():
    made = model(
        [
            ("Relu", ["x"], ["a"], {}),
            ("LRN", ["a"], ["b"], {"size": 3}),
            ("Relu", ["b"], ["c"], {}),
            ("Weird", ["c"], ["d"], {"domain": "my.ops"}),
            ("Det", ["d"], ["e"], {}),
            ("Add", ["e", "a"], ["y"], {}),
        ],
        {"x": [1, 2, 3, 3]},
    )
    names = "LRN 'my_LRN_1', my.ops.Weird 'my_Weird_3', Det 'my_Det_4'"
    refuses(made, UnsupportedOp, f"unsupported operators: {names}")


def test_many_unknown_operators():
    """As many as one line holds."""
    nodes = [("LRN", [f"x{i}" if i else "x"], [f"x{i + 1}"], {"size": 3}) for i in range(40)]
    made = model([*nodes, ("Relu", ["x40"], ["y"], {})], {"x": [1, 2, 3, 3]})
    with pytest.raises(UnsupportedOp) as info:
        bquant.compile(made)
    text = str(info.value)
    assert len(text) <= 200
    assert text.startswith("unsupported operators: LRN 'my_LRN_0', LRN 'my_LRN_1', ")
    named = text.count("LRN '")
    assert text.endswith(f" and {40 - named} more") and named > 5


def test_a_node_that_is_not_valid():
    """What onnx says is cut, on one line."""
    made = model(
        [("Conv", ["x", "w"], ["y"], {})], {"x": [1, 2, 5, 5]}, {"w": np.ones((4, 2), np.float32)}
    )
    refuses(made, ValueError, "expected a valid Conv 'my_Conv_0', but got: ")
    with pytest.raises(ValueError) as info:
        bquant.compile(made)
    assert len(str(info.value)) <= 200


@pytest.mark.parametrize(
    ("opset", "node", "error", "message"),
    [
        (6, ("Dropout", ["x"], ["y"], {}), UnsupportedOp, "expected 1 as is_test of Dropout 'my_D"),
        (9, ("Clip", ["x"], ["y"], {"min": "a"}), ValueError, "expected numbers as attributes of"),
        (9, ("Softmax", ["x"] * 2, ["y"], {}), ValueError, "expected 1 operands and one result of"),
        (10, ("Resize", ["x"], ["y"], {}), ValueError, "expected 2 operands and one result of Re"),
        (11, ("Gelu", ["x"], ["y"], {}), UnsupportedOp, "expected operators of opset 11, but got"),
        (11, ("Mish", ["x"], ["y"], {}), UnsupportedOp, "unsupported operators: Mish 'my_Mish_0'"),
        (
            12,
            ("Scan", ["x"], ["y"], {"num_scan_inputs": 1}),
            UnsupportedOp,
            "unsupported operators: Scan 'my_Scan_0'",
        ),
    ],
)
def test_old_opsets(opset, node, error, message):
    refuses(model([node], {"x": [1, 4]}, opset=opset), error, message)


@pytest.mark.parametrize(
    ("shape", "text"), [(["n", 3, "height"], "'height' as dimension 2"), ([1, None], "'?'")]
)
def test_dynamic_sizes_beyond_the_batch(shape, text):
    message = "expected static sizes but for the leading dimension, but input 'x' has "
    refuses(relu(inputs={"x": shape}), UnsupportedOp, message + text)


def test_an_input_without_a_shape():
    made = relu()
    made.graph.input[0].type.tensor_type.ClearField("shape")
    refuses(made, UnsupportedOp, "expected a shape, but input 'x' has none")


def test_sizes_that_are_computed_at_run_time():
    made = model([("Resize", ["x", "", "r"], ["y"], {})], {"x": [1, 2, 3, 3], "r": [4]})
    message = (
        "expected static sizes, or multiples of the batch, but Resize 'my_Resize_0' has others"
    )
    refuses(made, UnsupportedOp, message)


def test_an_image_without_elements():
    nodes = [("Resize", ["x", "", "", "size"], ["y"], {"axes": [2, 3]})]
    made = model(nodes, {"x": [1, 2, 0, 3]}, {"size": np.array([4, 6])})
    refuses(made, UnsupportedOp, "expected elements, but got an image of (1, 2, 0, 3)")


def test_windows_beyond_the_image():
    refuses(
        model([("MaxPool", ["x"], ["y"], {"kernel_shape": [9]})], {"x": [1, 1, 4]}),
        ValueError,
        "expected sizes of at least 0 as the result of MaxPool 'my_MaxPool_0', but got [1, 1, -4]",
    )


def test_attributes_of_nodes_that_are_rewritten():
    """One of a function, and one of another type."""
    domain, shape = "qonnx.custom_op.channels_last", {"x": [1, 4, 4, 1]}
    made = model([("MaxPool", ["x"], ["y"], {"domain": domain, "kernel_shape": [3, 3]})], shape)
    (attribute,) = made.graph.node[0].attribute
    attribute.ref_attr_name = "other"
    refuses(made, ValueError, "expected the attributes of MaxPool 'my_MaxPool_0', but got: Cannot")
    attribute.CopyFrom(helper.make_attribute("kernel_shape", 3))
    refuses(made, ValueError, "expected a valid MaxPool 'my_MaxPool_0', but got: object of type")


def test_places_of_a_tile():
    nodes = [("Tile", ["x", "n"], ["y"], {})]
    made = model(nodes, {"x": [2, 2**31]}, {"n": np.array([1, 3])})
    with pytest.raises(UnsupportedOp, match="expected at most 4194304 places in a row, but got 6"):
        import_bytes(made.SerializeToString())


def test_a_large_image_takes_little_memory():
    """Windows are counted one by one only where some are cut."""
    pads = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    wide = {"x": [1, 1, 7, 2**32]}
    made = model([("AveragePool", ["x"], ["y"], {**pads, "count_include_pad": 1})], wide)
    import_bytes(made.SerializeToString())
    made = model([("AveragePool", ["x"], ["y"], pads)], wide)
    with pytest.raises(UnsupportedOp, match="at most 67108864 windows of which some are cut"):
        import_bytes(made.SerializeToString())


def test_dropout_of_training():
    constants = {"ratio": np.float32(0.5), "training": np.array(True)}
    message = "expected false as training_mode of Dropout 'my_Dropout_0', but got one that drops"
    node = ("Dropout", ["x", "ratio", "training"], ["y"], {})
    refuses(model([node], constants=constants), UnsupportedOp, message)
    constants["ratio"] = np.float32(0)
    bquant.compile(model([node], constants=constants))


@pytest.mark.skipif(onnx.defs.onnx_opset_version() < 28, reason="the operator has no mode")
def test_an_order_of_blocks_that_is_none():
    made = model(
        [("SpaceToDepth", ["x"], ["y"], {"blocksize": 2, "mode": "RCD"})],
        {"x": [1, 1, 2, 2]},
        opset=28,
    )
    refuses(made, UnsupportedOp, "expected DCR or CRD as mode, but got 'RCD'")


def test_values_that_depend_on_the_batch():
    made = model(
        [
            ("Shape", ["x"], ["s"], {}),
            ("Cast", ["s"], ["f"], {"to": FLOAT}),
            ("Mul", ["x", "f"], ["y"], {}),
        ],
        {"x": ["n", 2]},
    )
    refuses(made, UnsupportedOp, "do not depend on the size of the batch in Mul 'my_Mul_2'")
    made = model([("Shape", ["x"], ["y"], {})], {"x": ["n", 2]}, result=TensorProto.INT64)
    refuses(made, UnsupportedOp, "do not depend on the size of the batch in 'y'")


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([("Greater", ["n", "three"], ["c"], {})], "do not depend on the size of the batch in Add"),
        ([("Min", ["n", "three"], ["c"], {})], "do not depend on the size of the batch in Add"),
        ([("Mod", ["n", "two"], ["c"], {})], "do not depend on the size of the batch in Add"),
        (
            [("Equal", ["n", "one"], ["b"], {}), ("Where", ["b", "one", "two"], ["c"], {})],
            "do not depend on the size of the batch in Add",
        ),
        (
            [("Min", ["n", "two"], ["k"], {}), ("TopK", ["x", "k"], ["c", "i"], {})],
            "expected static sizes, or multiples of the batch, but TopK",
        ),
        (
            [("Slice", ["table", "zero", "n"], ["t"], {}),
             ("ReduceSum", ["t"], ["c"], {"keepdims": 0})],
            "expected static sizes, or multiples of the batch, but Slice",
        ),
        (
            [("Equal", ["n", "one"], ["b"], {}), ("NonZero", ["b"], ["c"], {})],
            "expected sizes that do not depend on the batch in NonZero",
        ),
        (
            [("Squeeze", ["n"], ["s"], {}), ("Range", ["none", "s", "step"], ["r"], {}),
             ("Gather", ["table", "r"], ["c"], {})],
            "expected sizes that do not depend on the batch in Range",
        ),
    ],
)  # fmt: skip
def test_what_is_made_of_the_batch(nodes, message):
    """It is another one for some small batch."""
    constants = {
        "zero": [0], "one": [1], "two": [2], "three": [3], "none": 0, "step": 1,
        "table": np.ones((100, 2), np.float32),
    }  # fmt: skip
    first = [("Shape", ["x"], ["s0"], {}), ("Slice", ["s0", "zero", "one"], ["n"], {})]
    last = [("Cast", ["c"], ["f"], {"to": FLOAT}), ("Add", ["x", "f"], ["y"], {})]
    constants = {k: np.array(v) for k, v in constants.items()}
    refuses(model([*first, *nodes, *last], {"x": ["n", 2]}, constants), UnsupportedOp, message)


@pytest.mark.parametrize("type_", ["FLOAT16", "UINT32", "DOUBLE"])
def test_types_of_inputs(type_):
    number = getattr(TensorProto, type_)
    message = (
        "expected inputs of float32, uint8, int8, uint16, int16, int32, int64 or bool, "
        f"but input 'x' is {type_.lower()}"
    )
    refuses(relu(type_=number, result=number), UnsupportedOp, message)


def test_types_of_outputs():
    made = model([("NonZero", ["x"], ["y"], {})], result=TensorProto.INT64)
    refuses(made, UnsupportedOp, "unsupported operators: NonZero 'my_NonZero_0'")
    made = model([("Cast", ["x"], ["y"], {"to": TensorProto.UINT32})], result=TensorProto.UINT32)
    refuses(made, UnsupportedOp, "expected float32 or bool, but Cast 'my_Cast_0' gives uint32")
    uneven = model([("Cast", ["x"], ["i"], {"to": TensorProto.INT64}),
                    ("Mod", ["i", "i"], ["y"], {})], result=TensorProto.INT64)  # fmt: skip
    refuses(uneven, UnsupportedOp, "expected integers to be divided by a positive constant")


def test_weights_of_nan():
    w = np.ones((4, 2, 3, 3), np.float32)
    w[1, 0, 2, 2] = np.nan
    made = model([("Conv", ["x", "w"], ["y"], {})], {"x": [1, 2, 5, 5]}, {"w": w})
    refuses(made, ValueError, "expected numbers in 'w' of Conv 'my_Conv_0', but got nan")


def test_quantization():
    zero, attributes = np.int8([[0, 0]]), {"block_size": 2}
    message = "expected one scale for a tensor or for each index"
    nodes = [
        ("QuantizeLinear", ["x", "s", "z"], ["q"], attributes),
        ("DequantizeLinear", ["q", "s", "z"], ["y"], attributes),
    ]
    scale = np.ones(zero.shape, np.float32)
    made = model(nodes, {"x": [2, 2]}, {"s": scale, "z": np.asarray(zero)}, opset=21)
    refuses(made, UnsupportedOp, message)


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (("QLinearAdd", ["x", "s"], ["y"], {}), "expected the operands of QLinearAdd 'my_QLinear"),
        (
            ("QLinearGlobalAveragePool", ["x", "s", "", "s"], ["y"], {"channels_last": 1}),
            "expected channels first of QLinearGlobalAveragePool 'my_QLinearGlobal",
        ),
        (
            ("QLinearMatMul", ["x", "rows", "", "x", "s", "", "s", ""], ["y"], {}),
            "expected one scale and zero point for 'x' of QLinearMatMul 'my_QLinearMatMul_0'",
        ),
    ],
)
def test_operators_on_codes(node, message):
    domain = "com.microsoft" if node[0] in ("QLinearAdd", "QLinearGlobalAveragePool") else ""
    scales = {"s": np.float32(1), "rows": np.ones(2, np.float32)}
    made = model([(*node[:3], {**node[3], "domain": domain})], constants=scales)
    with pytest.raises((ValueError, UnsupportedOp), match=message):
        bquant.compile(made)


def test_a_value_that_nothing_computes():
    refuses(
        model([("Add", ["x", "z"], ["y"], {})]),
        ValueError,
        "expected a value 'z' before Add 'my_Add_0' reads it",
    )
    refuses(relu(outputs=("z",)), ValueError, "expected a node that computes the output 'z'")


def test_a_small_file_takes_little_memory():
    shape = np.array([1 << 20, 1 << 20], np.int64)
    made = model(
        [("ConstantOfShape", ["s"], ["c"], {}), ("ReduceSum", ["c"], ["d"], {}),
         ("Add", ["x", "d"], ["y"], {})],
        constants={"s": shape},
    )  # fmt: skip
    refuses(made, UnsupportedOp, "of ConstantOfShape 'my_ConstantOfShape_0'")
    nodes, shape = [], np.array([1 << 12, 1 << 12], np.int64)
    for i in range(8):  # each is small enough alone
        nodes += [
            ("ConstantOfShape", ["s"], [f"c{i}"], {}),
            ("ReduceSum", [f"c{i}"], [f"d{i}"], {}),
        ]
    nodes.append(("Sum", ["x", *(f"d{i}" for i in range(8))], ["y"], {}))
    message = "expected constants of less size than (4096, 4096) of ConstantOfShape 'my_Constant"
    refuses(model(nodes, constants={"s": shape}), UnsupportedOp, message)
    made = relu(constants={"w": np.ones(1, np.float32)})
    made.graph.initializer[0].dims[:] = [1 << 40]
    refuses(made, ValueError, "expected as many elements as the shape of 'w' has")


@pytest.mark.parametrize(
    ("node", "shape"),
    [
        (("Tile", ["x", "many"], ["y"], {}), [1, 4]),
        (("Pad", ["x", "far"], ["y"], {"mode": "edge"}), [1, 4]),
        (("Resize", ["x", "", "", "size"], ["y"], {}), [1, 4]),
        (("Resize", ["x", "", "", "few"], ["y"], {"mode": "linear"}), [1, (1 << 63) - 1]),
        (("ScatterND", ["x", "at", "u"], ["y"], {}), [1 << 40]),
    ],
)
def test_few_bytes_that_ask_for_many_places(node, shape):
    constants = {
        "many": [1, 1 << 40], "far": [0, 0, 0, 1 << 40], "size": [1, 1 << 40], "at": [[1]],
        "few": [1, 4],
    }  # fmt: skip
    constants = {k: np.array(v) for k, v in constants.items()} | {"u": np.float32([1])}
    made = model([node], {"x": shape}, constants)
    refuses(made, UnsupportedOp, f"{node[0]} 'my_{node[0]}_0': expected at most 4194304 places")


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (("Pad", ["x", "p"], ["y"], {"mode": "mirror"}), "expected one of constant, edge, reflect"),
        (("Pad", ["x", "m"], ["y"], {"mode": "edge"}), "expected a padding that leaves elements"),
        (
            ("ConvTranspose", ["image", "filters"], ["y"], {"output_shape": [2]}),
            "expected an output_shape of the input's sizes, but got [2]",
        ),
        (("Gather", ["nothing", "places"], ["y"], {}), "expected elements to read, but got a dim"),
        (("Einsum", ["x"], ["y"], {"equation": "ii->i"}), "expected letters, each once in a term"),
        (("GatherND", ["x", "g"], ["y"], {"batch_dims": 1}), "expected a batch_dims of 0"),
        (
            ("ScatterElements", ["x", "k", "x"], ["y"], {"reduction": "add"}),
            "expected none as reduction, but got 'add'",
        ),
    ],
)
def test_what_an_operator_cannot(node, message):
    constants = {
        "p": [0, 1, 0, 1], "m": [0, -4, 0, 0], "g": [[1]], "k": [[0, 0, 0, 0]],
        "filters": np.ones((1, 1, 3), np.float32), "nothing": np.ones((0, 4), np.float32),
    }  # fmt: skip
    inputs = {"x": [1, 4], "image": [1, 1, 4], "places": np.array([0, 1])}
    made = model([node], inputs, {k: np.array(v) for k, v in constants.items()})
    refuses(made, UnsupportedOp, f"{node[0]} 'my_{node[0]}_0': {message}")


@pytest.mark.parametrize("equation", ["ij-", "i-j->ij", "..ij->ij", "ij->ij->j", "i1->i", "\xff"])
def test_equations_that_are_none(equation):
    """At some of which inference of shapes would not end."""
    made = model([("Einsum", ["x"], ["y"], {"equation": equation})])
    message = "expected terms of letters and '...' as equation of Einsum 'my_Einsum_0', but got "
    refuses(made, ValueError, message + ascii(equation))


@pytest.mark.parametrize("op", ["RandomNormal", "Bernoulli", "Multinomial"])
def test_random_numbers(op):
    """Of constants, too: they would be the same in every call."""
    operands, attributes = ([], {"shape": [1, 2]}) if op == "RandomNormal" else (["c"], {})
    nodes = [(op, operands, ["r"], attributes), ("Cast", ["r"], ["f"], {"to": FLOAT}),
             ("Add", ["x", "f"], ["y"], {})]  # fmt: skip
    made = model(nodes, constants={"c": np.ones((1, 2), np.float32)})
    refuses(made, UnsupportedOp, "unsupported operators: ", "Random" if op[0] == "B" else op)


def test_a_function_that_calls_itself():
    made = model([("F", ["x"], ["y"], {"domain": "my.ops"})])
    imports = [helper.make_opsetid("", 20), helper.make_opsetid("my.ops", 1)]
    body = [helper.make_node("F", ["a"], ["b"], domain="my.ops")]
    made.functions.append(helper.make_function("my.ops", "F", ["a"], ["b"], body, imports))
    refuses(made, UnsupportedOp, "expected functions that can be written out, but got: Cycle")


def test_a_function_of_an_opset_that_has_no_adapter():
    """Without the place in onnx' own source."""
    made = model([("F", ["x"], ["y"], {"domain": "my.ops"})], opset=13)
    body, imports = [helper.make_node("Gelu", ["a"], ["b"])], [helper.make_opsetid("", 20)]
    made.functions.append(helper.make_function("my.ops", "F", ["a"], ["b"], body, imports))
    refuses(made, UnsupportedOp, "written out, but got: No Previous Version of Gelu exists")


def test_an_attribute_that_no_operator_has():
    made = model([("Softmax", ["x"], ["y"], {})], opset=12)
    made.graph.node[0].attribute.append(helper.make_attribute("name", "q"))
    refuses(made, ValueError, "expected attributes of Softmax 'my_Softmax_0', but got 'name'")


def test_many_operators_on_the_signs_of_a_constant():
    nodes = [("Neg", [f"w{i}"], [f"w{i + 1}"], {}) for i in range(400)]
    nodes = [("Sign", ["w"], ["w0"], {}), *nodes, ("MatMul", ["x", "w400"], ["y"], {})]
    made = model(nodes, constants={"w": np.float32([[1, -1], [-1, 1]])})
    refuses(made, UnsupportedOp, "expected fewer quantizations, or operators on signs of constants")


def test_a_branch():
    """Of a condition that is constant, too."""
    branch = onnx.helper.make_graph(
        [onnx.helper.make_node("Relu", ["x"], ["b"])], "branch", [],
        [onnx.helper.make_tensor_value_info("b", FLOAT, None)],
    )  # fmt: skip
    node = ("If", ["c"], ["y"], {"then_branch": branch, "else_branch": branch})
    made = model([node], constants={"c": np.array(True)})
    refuses(made, UnsupportedOp, "unsupported operators: If 'my_If_0'")


def test_indices_beyond_a_constant_table():
    made = model([("Gather", ["x", "i"], ["y"], {})], {"x": [3, 4]}, {"i": np.array([3])})
    refuses(made, ValueError, "Gather 'my_Gather_0', but got: expected indices of 3 elements")


@pytest.mark.skipif(onnx.defs.onnx_opset_version() < 23, reason="there is no Attention")
def test_definitions_that_do_not_fit():
    """What onnx' inliner cannot write; its message is without the place in its source."""
    made = model([("Attention", ["x", "x", "x", "", "", ""], ["y"], {})], {"x": [1, 2, 3, 4]},
                 opset=23)  # fmt: skip
    refuses(made, UnsupportedOp, "defines by others, but got Attention: Type unknown for")


def test_images_of_bytes():
    made = model(
        [
            ("Transpose", ["x"], ["t"], {"perm": [0, 3, 1, 2]}),
            ("Cast", ["t"], ["y"], {"to": FLOAT}),
        ],
        {"x": ["n", 4, 4, 3]},
        type_=BYTE,
    )
    x = np.random.default_rng(0).integers(0, 256, (2, 4, 4, 3), np.uint8)
    np.testing.assert_array_equal(bquant.compile(made)(x), x.transpose(0, 3, 1, 2))
    made = model([("Div", ["x", "x"], ["y"], {})], type_=BYTE, result=TensorProto.UINT8)
    refuses(made, UnsupportedOp, "expected float32 or bool, but Div 'my_Div_0' gives uint8")
