"""`python -m bquant.bench` on small cases: rows, page, and all that may be missing or wrong."""

import json
import stat
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
from bquant.bench import __main__ as bench  # noqa: E402
from bquant.bench import engines, limits, running, sets  # noqa: E402
from bquant.bench.results import Limits  # noqa: E402
from bquant.bench.sets import Case  # noqa: E402
from functions import exported  # noqa: E402

sys.path.insert(0, str(engines.WORKERS))
import make_case  # noqa: E402
import measuring  # noqa: E402

LIMITS = Limits("any", 256, {"popcount": 100.0, "fma": 10.0}, {"L2": 50.0, "memory": 10.0})
SHAPE = {"channels": 32, "extent": 6, "length": 2}
CHAIN = Case("small", "32@6", "1/1", "convs", {**SHAPE, **sets.schemes("1/1")}, ("fp32",), 2)
FLOAT = Case("small", "32@6", "float", "convs", {**SHAPE, **sets.schemes("fp/fp")}, ("fp32",), 2)
SOLVER = Case(
    "small", "4 x 64", "ls-2", "solver", {"rows": 4, "columns": 64, "scheme": "ls-2"}, ("sort",)
)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setitem(sets._SETS, "small", lambda: [CHAIN])
    monkeypatch.setattr(limits, "measure", lambda cpu: LIMITS)


def run(tmp_path, *arguments, peers=None):
    """The status and the JSON."""
    file = tmp_path / "out.json"
    peers = peers or tmp_path / "none"
    fixed = ["--seconds", "0.01", "--peers", str(peers), "--json", str(file)]
    status = bench.main([*arguments, *fixed])
    return status, json.loads(file.read_text()) if file.exists() else None


def peers_that_say(directory: Path, **answers) -> Path:
    """An environment whose Python has one answer for each script and action."""
    python = directory / "peers" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\njob = json.load(open(sys.argv[2]))\n"
        f"answer = {answers!r}[pathlib.Path(sys.argv[1]).stem][job['action']]\n"
        "json.dump(answer, open(job['result'], 'w'))\n"
    )
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    return directory / "peers"


def test_rows_and_page(tmp_path, monkeypatch, capsys):
    """Beside torch, of which this environment is one."""
    monkeypatch.setitem(sets._SETS, "small", lambda: [CHAIN, FLOAT])
    page = tmp_path / "page.html"
    own = Path(sys.prefix)
    status, found = run(tmp_path, "small", "--against", "torch", "--html", str(page), peers=own)
    assert status == 0 and found["schema"] == 1 and found["notes"] == []
    assert [(r["case"], r["engine"]) for r in found["rows"]] == [
        ("1/1", "bquant"),
        ("1/1", "torch"),
        ("float", "bquant"),
        ("float", "torch"),
    ]
    for row in found["rows"]:
        assert row["status"] == "timed", row["reason"]
        assert len(row["medians"]) == 2 and row["seconds_median"] == min(row["medians"])
        assert row["macs"] == 36 * 32 * 32 * 9
        speed = row["macs"] / row["seconds_median"] / 1e9
        assert row["of_limit"] == pytest.approx(speed / 100)
    assert "layer by layer against torch: equal" in found["rows"][0]["checked"]
    assert found["rows"][1]["error"] < 1e-5
    assert [layer["name"] for layer in found["rows"][0]["layers"]] == ["0", "2"]
    assert found["rows"][0]["layers"][0]["bytes_read"] > 36 * 32 // 8 + 32 * 32 * 9 // 8
    assert "torch" in found["machine"]["versions"]
    html = page.read_text()
    assert html.count("<svg") == 2 and "<script" not in html and "http" not in html
    captured = capsys.readouterr()
    assert " x torch fp32" in captured.out
    assert "bench: small: 32@6 1/1: bquant, 1 thread, run 2 of 2" in captured.err


def test_what_there_is_not(tmp_path, capsys):
    """A set, a peer, one that is not installed, a file: the rest runs."""
    arguments = ["magic", "small", "--model", "nowhere.mlir", "--against", "openvino,tensorflow"]
    status, found = run(tmp_path, *arguments)
    own, peer = found["rows"]
    assert status == 0 and own["status"] == "timed"
    assert peer["status"] == "missing" and peer["seconds_median"] is None
    assert found["notes"] == [
        "expected some of openvino, onnxruntime, torch, larq, tflite, but got 'tensorflow'",
        f"expected a set of {', '.join(sets.NAMES)}, small, but got 'magic'",
        "expected a model, but there is no file 'nowhere.mlir'",
    ]
    out = capsys.readouterr().out
    assert "missing: 32@6: 1/1, openvino fp32: openvino is not installed: ./dev bench --p" in out
    assert "note: expected a model" in out


def test_nowhere_to_write(tmp_path, capsys):
    """Is said before anything is measured."""
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "no/x", "No such file or directory"),
    ):
        assert bench.main(["small", "--html", str(path)]) == 1
        assert capsys.readouterr().err == f"bench: cannot write '{path}': {why}\n"


def test_nothing_to_run(tmp_path, capsys):
    assert run(tmp_path, "magic") == (1, None)
    assert bench.main([]) == 1
    assert "expected a set (resnet18, " in capsys.readouterr().err
    assert bench.main(["small", "--threads", "none"]) == 1
    assert "expected numbers of at least 1 for --threads, but got 'none'" in (
        capsys.readouterr().err
    )


@pytest.mark.parametrize("against", ["", " , "])
def test_against_nobody(tmp_path, monkeypatch, against):
    monkeypatch.setitem(sets._SETS, "small", lambda: [SOLVER])
    status, found = run(tmp_path, "small", "--against", against)
    assert status == 0 and len(found["rows"]) == 2
    message = "expected some of openvino, onnxruntime, torch, larq, tflite for --against, but got"
    assert found["notes"] == [f"{message} none"]


def test_peers_that_are_wrong_or_fail(tmp_path):
    """What is wrong is not timed."""
    peers = peers_that_say(
        tmp_path,
        convert={"versions": {"openvino": "1", "onnxruntime": "1"}, "to_onnx": {}},
        run_openvino={"run": {"error": 1.4, "seconds": []}},
        run_onnxruntime={},
    )
    against = ["--against", "openvino,onnxruntime"]
    status, found = run(tmp_path, "small", *against, peers=peers)
    own, wrong, failed = found["rows"]
    assert status == 0 and own["status"] == "timed"
    assert wrong["status"] == "wrong" and wrong["error"] == 1.4 and wrong["seconds_median"] is None
    assert wrong["reason"] == "its output differs by 1.4 of the expected one's norm"
    assert failed["status"] == "failed" and failed["reason"] == "KeyError: 'run'"


def test_a_peer_without_anything_in_a_set(tmp_path, monkeypatch):
    """Solvers are none of OpenVINO's business; NumPy is always there for them."""
    ternary = replace(SOLVER, name="ls-T", arguments={**SOLVER.arguments, "scheme": "ls-T"})
    monkeypatch.setitem(sets._SETS, "small", lambda: [SOLVER, ternary])
    _, found = run(tmp_path, "small", "--against", "openvino")
    assert found["notes"] == ["small: openvino has nothing to run there"]
    assert [row["engine"] for row in found["rows"]] == ["bquant", "numpy"] * 2
    for row in found["rows"]:
        assert row["status"] == "timed" and row["error"] < 1e-5


def test_models_of_a_user(tmp_path):
    good, bad = tmp_path / "good.mlir", tmp_path / "bad.mlir"
    good.write_text(
        "func.func @f(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {\n"
        "  %y = arith.addf %x, %x : tensor<2x32xf32>\n"
        "  return %y : tensor<2x32xf32>\n}\n"
    )
    bad.write_text("func.func @f(")
    models = ["--model", str(bad), "--model", str(good)]
    peers = peers_that_say(tmp_path, convert={"versions": {"openvino": "1"}})
    status, found = run(tmp_path, *models, "--against", "openvino", peers=peers)
    assert status == 0 and found["notes"] == []
    rows = {(row["group"], row["engine"], row["precision"]): row for row in found["rows"]}
    assert rows["bad.mlir", "bquant", ""]["status"] == "failed"
    assert "bad.mlir" in rows["bad.mlir", "bquant", ""]["reason"]
    own, peer = rows["good.mlir", "bquant", ""], rows["good.mlir", "openvino", "int8"]
    assert own["status"] == "timed" and own["checked"] == "bit for bit against the reference route"
    assert peer["status"] == "failed"
    assert peer["reason"] == "peers run what PyTorch exported, a .pt2 file"


def test_an_exported_model_that_does_not_compile(tmp_path):
    """Peers still run it: torch does."""
    path = tmp_path / "unknown.pt2"
    torch.export.save(exported(lambda x: torch.fft.fft(x).real, torch.randn(2, 8)), path)
    own = Path(sys.prefix)
    status, found = run(tmp_path, "--model", str(path), "--against", "torch", peers=own)
    assert status == 0
    assert [(r["engine"], r["status"]) for r in found["rows"]] == [
        ("bquant", "failed"),
        ("torch", "timed"),
    ]
    assert "fft" in found["rows"][0]["reason"]


@pytest.fixture
def quicknet(tmp_path):
    """A small network as Larq's engine converts it."""
    pytest.importorskip("tflite")
    with np.load(Path(__file__).parent / "golden" / "larq_networks.npz") as archive:
        content = archive["quicknet/model"].tobytes()
    path = tmp_path / "quicknet.tflite"
    path.write_bytes(content)
    return path


def test_a_model_of_bytes(tmp_path):
    """Without a peer its codes are those of the reference route."""
    pytest.importorskip("tflite")
    path = tmp_path / "mobile.tflite"
    with np.load(Path(__file__).parent / "golden" / "tflite_networks.npz") as archive:
        path.write_bytes(archive["mobile_int8/model"].tobytes())
    _, found = run(tmp_path, "--model", str(path))
    (own,) = found["rows"]
    assert own["status"] == "timed" and own["error"] == 0


def test_a_converted_model(tmp_path, quicknet):
    """Peers that read other files have nothing to run; those that fail do so alone."""
    peers = peers_that_say(
        tmp_path,
        convert={"versions": {"openvino": "1", "larq-compute-engine": "2", "tensorflow-cpu": "3"}},
        make_lite={},
        run_larq={"run": {"error": 1e-7, "seconds": [0.25]}},
        run_tflite={},
    )
    arguments = ["--model", str(quicknet), "--against", "openvino,larq,tflite"]
    status, found = run(tmp_path, *arguments, peers=peers)
    assert status == 0 and found["notes"] == ["model: openvino has nothing to run there"]
    assert found["machine"]["versions"].items() >= {"larq": "2", "tflite": "3"}.items()
    own, default, indirect, lite = found["rows"]
    assert own["status"] == "timed" and own["error"] == 0
    assert own["checked"] == "bit for bit against the reference route"
    assert [row["precision"] for row in (default, indirect)] == ["default", "indirect"]
    assert default["status"] == indirect["status"] == "timed" and default["error"] == 1e-7
    assert lite["status"] == "failed" and lite["reason"] == "KeyError: 'run'"


@pytest.mark.parametrize(
    ("name", "maker", "count"), [("quicknet", "larq", 2), ("tiny", "tflite", 1)]
)
def test_a_network_that_a_peer_makes(tmp_path, monkeypatch, name, maker, count):
    """It is there beside such a peer alone, and not without what makes it."""
    case = next(case for case in sets.cases(name) if case.is_lite)
    assert case.maker == maker
    assert case.is_for(["torch", "tflite"]) and not case.is_for(["torch"])
    monkeypatch.setitem(sets._SETS, "small", lambda: [SOLVER, case])
    _, found = run(tmp_path, "small")
    assert {row["group"] for row in found["rows"]} == {SOLVER.group}
    _, found = run(tmp_path, "small", "--against", maker)
    own, *peers = (row for row in found["rows"] if row["group"] == case.group)
    reason = f"{maker} is not installed: ./dev bench --peers installs it"
    assert own["status"] == "failed" and own["reason"] == f"its file is made by {maker}: {reason}"
    assert [(row["status"], row["reason"]) for row in peers] == [("missing", reason)] * count


def test_a_set_that_peers_make(tmp_path, capsys):
    """Without a peer that makes its networks there is nothing to run, and a note says so."""
    assert run(tmp_path, "tiny", "--against", "torch") == (1, None)
    assert "expected some of larq, tflite for --against, but got torch" in capsys.readouterr().err


def test_networks_of_bytes(tmp_path, monkeypatch):
    """As TensorFlow Lite makes them: all codes of both are equal."""
    environment = engines.default_peers()[1]
    if engines.peers_python(environment) is None:
        pytest.skip("./dev bench --peers was not run")
    cases = [case for case in sets.cases("tiny") if case.group == "ds-cnn"]
    monkeypatch.setitem(sets._SETS, "tiny", lambda: cases)
    _, found = run(tmp_path, "tiny", "--against", "tflite", peers=environment)
    assert [row["engine"] for row in found["rows"]] == ["bquant", "tflite"]
    for row in found["rows"]:
        assert row["status"] == "timed" and row["error"] == row["tolerance"] == 0, row


def test_beside_larq(tmp_path, quicknet):
    """A network of signs, which TensorFlow Lite alone does not take."""
    environment = engines.default_peers()[1]
    if engines.peers_python(environment) is None:
        pytest.skip("./dev bench --peers was not run")
    arguments = ["--model", str(quicknet), "--against", "larq,tflite"]
    _, found = run(tmp_path, *arguments, peers=environment)
    *right, lite = found["rows"]
    assert [row["engine"] for row in right] == ["bquant", "larq", "larq"]
    for row in right:
        assert row["status"] == "timed" and row["error"] < 1e-5, row
    assert lite["status"] == "failed"


def test_environments_of_peers():
    """Of an engine that two of them have, the first counts."""
    peers = engines.Peers()
    peers.add("one", {"torch": "1", "numpy": "2"})
    peers.add("two", {"torch": "3", "tensorflow-cpu": "4"})
    assert peers.versions == {"torch": "1", "tflite": "4"}
    assert peers.pythons == {"torch": "one", "tflite": "two"}


def test_threads_that_gain_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(sets._SETS, "small", lambda: [SOLVER])
    monkeypatch.setattr(running, "LEAST_GAIN", 99)
    monkeypatch.setattr(running, "TRIALS", 1)
    status, found = run(tmp_path, "small", "--threads", "1,2")
    assert status == 0
    states = [(r["threads"], r["engine"], r["status"]) for r in found["rows"]]
    assert states == [
        (1, "bquant", "timed"),
        (1, "numpy", "timed"),
        (2, "bquant", "held back"),
        (2, "numpy", "held back"),
    ]
    assert "PyTorch gains" in found["rows"][2]["reason"]


def test_a_machine_without_limits(tmp_path, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setitem(sets._SETS, "small", lambda: [SOLVER])
    monkeypatch.setattr(limits, "find_tool", lambda name: None)
    status, found = run(tmp_path, "small")
    assert status == 0 and found["rows"][0]["limits"] is None
    assert found["notes"] == ["expected bquant-bench on the path or in build/bin: no limits"]


def test_limits_of_this_machine(monkeypatch):
    monkeypatch.undo()
    if engines.find_tool("bquant-bench") is None:
        pytest.skip("bquant-bench is not built")
    found = limits.measure(None)
    assert found.bits >= found.gmac_per_s["popcount"] > 0
    assert found.gbyte_per_s["L2"] > 0 and found.vector_bits in (128, 256, 512)


def test_what_counts_as_right(tmp_path):
    np.save(tmp_path / "expected.npy", np.ones(4, np.float32))
    job = {"tolerance": 0.1, "seconds": 0, "threads": 1}

    def measure(*values):
        return measuring.measure(lambda: np.array(values, np.float32), job, tmp_path)

    right = measure(1, 1, 1, 1.1)
    assert right["error"] == pytest.approx(0.05) and len(right["seconds"]) == 5
    assert measure(1, 1, 1, 1.3) == {"error": pytest.approx(0.15), "seconds": []}
    assert measure(1, 1, 1, np.nan)["seconds"] == []
    with pytest.raises(ValueError, match=r"expected an output of \(4,\), but got \(3,\)"):
        measure(1, 1, 1)


def test_what_a_call_leaves(tmp_path):
    """Of a call that writes its output somewhere this is compared."""
    np.save(tmp_path / "expected.npy", np.arange(4))
    y = np.zeros(4, np.int8)
    job = {"tolerance": 0, "seconds": 0, "threads": 1}
    call = lambda: np.copyto(y, [0, 1, 2, 3])  # noqa: E731
    assert measuring.measure(call, job, tmp_path, lambda: y)["error"] == 0
    call = lambda: np.copyto(y, [0, 1, 2, 4])  # noqa: E731
    assert measuring.measure(call, job, tmp_path, lambda: y)["seconds"] == []


def test_inputs():
    """Codes are of the whole range of a byte."""
    for element, least, most in (("int8", -128, 127), ("uint8", 0, 255)):
        x = make_case._any({"shape": [None, 64, 64], "dtype": element})
        assert x.shape == (1, 64, 64) and x.dtype == element
        assert (x.min(), x.max()) == (least, most) and len(np.unique(x)) == 256
    x = make_case._any({"shape": [64, 64], "dtype": "float32"})
    assert x.dtype == np.float32 and abs(x.mean()) < 0.1 and x.std() == pytest.approx(1, 0.1)


def test_waiting_for_the_processor(tmp_path):
    """It is no time of the one thread's; of several it may be that one waits for another."""
    job = {"tolerance": None, "seconds": 0}

    def least(threads):
        call = lambda: time.sleep(0.02)  # noqa: E731
        return min(measuring.measure(call, {**job, "threads": threads}, tmp_path)["seconds"])

    assert least(1) < 0.01 and least(2) >= 0.02


def test_bytes_of_what_a_report_names():
    assert make_case._bytes("1x4x4x64 f32 by 8x3x3x64, 1 plane") == 4096
    assert make_case._bytes("?x4x4x64, 2 planes by 8x3x3x64, 1 plane") == 256
    assert make_case._bytes("1x4x4x64, ternary by 8x3x3x64, 1 plane") == 256
    assert make_case._bytes("2x8, 3 planes in ratio by 8x8 i8") == 6
    assert make_case._bytes("2x8 ui8 by 8x8 f32") == 16


@pytest.mark.parametrize("bits", [2, 4])
def test_low_bits_of_signs(bits):
    """What the packed codes stand for is the weights."""
    weight = np.random.default_rng(0).choice([-0.5, 0.5], (3, 8)).astype(np.float32)
    weight[1] *= 3
    packed, scales, middle = measuring.encode_signs(weight, bits)
    codes = np.stack([packed >> (bits * i) & (2**bits - 1) for i in range(8 // bits)], 1)
    np.testing.assert_array_equal(
        (codes.reshape(3, 8).astype(np.float32) - middle) * scales, weight
    )


def test_sets():
    for name in sets.NAMES:
        for case in sets.cases(name):
            assert case.set == name
            for precision in case.precisions:
                assert engines.tolerance(precision, case.quantizes) > 0


def test_peers_keep_to_the_target():
    assert engines.peer_environment(None) == engines.peer_environment(512) == {}
    assert engines.peer_environment(256)["ONEDNN_MAX_CPU_ISA"] == "AVX2"
    assert engines.peer_environment(128)["ONEDNN_MAX_CPU_ISA"] == "SSE41"
