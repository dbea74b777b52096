"""`python -m bquant.bench` on small cases: rows, page, and all that may be missing or wrong."""

import json
import signal
import stat
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from bquant.bench import __main__ as bench  # noqa: E402
from bquant.bench import engines, limits, processes, running, sets  # noqa: E402
from bquant.bench.results import Limits  # noqa: E402
from bquant.bench.sets import Case  # noqa: E402
from functions import Function, exported  # noqa: E402

sys.path.insert(0, str(engines.WORKERS))
import make_case  # noqa: E402
import measuring  # noqa: E402
import run_torch  # noqa: E402

LIMITS = Limits("any", 256, {"popcount": 100.0, "fma": 10.0}, {"L2": 50.0, "memory": 10.0})
SHAPE = {"channels": 32, "extent": 6, "length": 2}
CHAIN = Case("small", "32@6", "1/1", "convs", {**SHAPE, **sets.schemes("1/1")}, ("fp32",), 2)
FLOAT = Case("small", "32@6", "float", "convs", {**SHAPE, **sets.schemes("fp/fp")}, ("fp32",), 2)
SOLVER = Case(
    "small", "4 x 64", "ls-2", "solver", {"rows": 4, "columns": 64, "scheme": "ls-2"}, ("sort",)
)

ADD = """func.func @f(%x: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %y = arith.addf %x, %x : tensor<2x32xf32>
  return %y : tensor<2x32xf32>
}
"""


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


def job_of(path: Path) -> dict:
    """What make_case.py gets for a file."""
    options = {"target": "host", "strategy": "auto", "threads": 1}
    return {"arguments": {"path": str(path)}, **options}


def peers_that_say(directory: Path, **answers) -> Path:
    """An environment whose Python has one answer for each script and action; what it makes of a
    .tflite file is empty."""
    python = directory / "peers" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f"#!{sys.executable}\nimport json, pathlib, sys\njob = json.load(open(sys.argv[2]))\n"
        f"answer = {answers!r}[pathlib.Path(sys.argv[1]).stem][job['action']]\n"
        "if job['action'] == 'make':\n"
        "    pathlib.Path(job['directory'], 'expected.npy').touch()\n"
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


def test_one_file_for_both(tmp_path, capsys):
    one, same = tmp_path / "out", tmp_path / "." / "no" / ".." / "out"
    assert bench.main(["small", "--json", str(one), "--html", str(same)]) == 1
    assert capsys.readouterr().err == f"bench: expected different files, but got '{same}' twice\n"
    assert not one.exists()


def test_a_model_is_not_written_over(tmp_path, capsys):
    model = tmp_path / "network.onnx"
    model.write_bytes(b"bytes")
    assert bench.main(["--model", str(model), "--json", str(model)]) == 1
    assert capsys.readouterr().err == f"bench: expected different files, but got '{model}' twice\n"
    assert model.read_bytes() == b"bytes"


def test_an_interrupt(tmp_path, monkeypatch, capsys):
    """Ends the workers; nothing of them is left."""
    workers, temporary = tmp_path / "workers", tmp_path / "temporary"
    workers.mkdir()
    temporary.mkdir()
    (workers / "make_case.py").write_text(
        "import os, pathlib, signal, time\nos.kill(os.getppid(), signal.SIGINT)\ntime.sleep(10)\n"
        f"pathlib.Path({str(workers)!r}, 'survived').touch()\n"
    )
    monkeypatch.setattr(processes, "WORKERS", workers)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        status, found = run(tmp_path, "small")
    except KeyboardInterrupt:
        pytest.fail("the interrupt passed through")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (status, found) == (130, None)
    assert capsys.readouterr().err.endswith("making\nbench: interrupted\n")
    assert sorted(map(str, tmp_path.rglob("*"))) == sorted(
        map(str, (workers, workers / "make_case.py", temporary))
    )


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
        run_openvino={"run": {"error": 1.4, "seconds": [], "calls": 0}},
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
    good.write_text(ADD)
    bad.write_text("func.func @f(")
    models = ["--model", str(bad), "--model", str(good)]
    peers = peers_that_say(tmp_path, convert={"versions": {"openvino": "1"}})
    status, found = run(tmp_path, *models, "--against", "openvino", peers=peers)
    assert status == 0 and found["notes"] == []
    rows = {(row["group"], row["engine"], row["precision"]): row for row in found["rows"]}
    assert rows["bad.mlir", "bquant", ""]["status"] == "failed"
    assert "bad.mlir" in rows["bad.mlir", "bquant", ""]["reason"]
    peer = rows["bad.mlir", "openvino", "int8"]
    assert peer["reason"] == "peers run what PyTorch exported, a .pt2 file"
    own, peer = rows["good.mlir", "bquant", ""], rows["good.mlir", "openvino", "int8"]
    assert own["status"] == "timed" and own["checked"] == "bit for bit against the reference route"
    assert peer["status"] == "failed"
    assert peer["reason"] == "peers run what PyTorch exported, a .pt2 file"


def test_names_of_models(tmp_path):
    """As much of a path as tells it from all others: else a group would have different networks."""
    paths = [tmp_path / name for name in ("a/b/net.mlir", "c/b/net.mlir", "d/net.mlir", "my.mlir")]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ADD)
    models = [*map(str, paths), str(tmp_path / "d" / ".." / "my.mlir")]
    groups = [case.group for model in models for case in sets.of_model(model, models)]
    assert groups == ["a/b/net.mlir", "c/b/net.mlir", "d/net.mlir", "my.mlir", "my.mlir"]


def test_models_by_their_content(tmp_path):
    """Whatever they are called."""
    for content, kind in ((b"PK\3\4", ".pt2"), (b"\0\0\0\0TFL3", ".tflite")):
        for name in ("NET.TFLITE", "odd.bin"):
            path = tmp_path / name
            path.write_bytes(content)
            (case,) = sets.of_model(str(path))
            assert case.kind == kind and case.is_lite == (kind == ".tflite")


def test_a_model_of_nan(tmp_path):
    """NaN is what the reference route has, too."""
    path = tmp_path / "nan.mlir"
    path.write_text(
        "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %y = arith.subf %x, %x : tensor<4xf32>\n"
        "  %z = arith.divf %y, %y : tensor<4xf32>\n"
        "  return %z : tensor<4xf32>\n}\n"
    )
    facts = make_case._file(job_of(path), tmp_path)
    assert np.isnan(np.load(tmp_path / "expected.npy")).all()
    assert facts["mismatch"] == "" and facts["checked"] == "bit for bit against the reference route"


def test_a_model_that_is_wrong(tmp_path, monkeypatch):
    """Its row says by what."""
    path = tmp_path / "add.mlir"
    path.write_text(ADD)

    def compiled(model, examples, compare, x, *_):
        mismatch, checked = compare(lambda x: np.where(x == x[1, 5], 0, x + x))
        return {"mismatch": mismatch, "checked": checked}

    monkeypatch.setattr(make_case, "_compiled", compiled)
    facts = make_case._file(job_of(path), tmp_path)
    assert facts["mismatch"] == "1 of 64 values differ from the reference route's"
    runner = SimpleNamespace(_is_installed=bool)
    case, own = sets.of_model(str(path))[0], engines.Engine("bquant", "", sys.executable)
    row = running.Runner._start_row(runner, running.Made(case, tmp_path, facts), own, 1)
    assert row.status == "wrong" and row.reason == facts["mismatch"]


def test_exported_models(tmp_path, monkeypatch):
    """Of any type of input, with their output in whatever it is."""
    monkeypatch.setattr(torch, "set_num_threads", lambda threads: None)
    table = torch.nn.Embedding(2, 8)
    for function, x in (
        (lambda x: {"y": (x.float() * 2,)}, torch.zeros(2, 8, dtype=torch.uint8)),
        (lambda x, table: [table(x)], torch.zeros(2, 8, dtype=torch.int64)),
    ):
        path = tmp_path / "odd.bin"
        owned = {"table": table} if x.dtype == torch.int64 else {}
        torch.export.save(torch.export.export(Function(function, **owned), (x,)), path)
        facts = make_case._exported(job_of(path), tmp_path)
        assert facts["mismatch"] == ""
        assert np.load(tmp_path / "x.npy").dtype == x.numpy().dtype
        calibration = np.load(tmp_path / "calibration.npy")
        assert calibration.dtype == x.numpy().dtype and calibration.shape == (8, 2, 8)
        job = {"tolerance": 1e-5, "seconds": 0, "threads": 1}
        assert run_torch.run(job, tmp_path)["error"] == 0


def test_exported_models_of_more(tmp_path):
    for function, count, message in (
        (lambda x: (x, x + 1), 1, "expected one input and one output, but got 1 and 2"),
        (lambda x, y: x + y, 2, "expected one input and one output, but got 2 and 1"),
    ):
        path = tmp_path / "more.pt2"
        torch.export.save(exported(function, *(torch.zeros(2) for _ in range(count))), path)
        with pytest.raises(ValueError, match=message):
            make_case._exported(job_of(path), tmp_path)
    torch.export.save(exported(lambda x: x.float(), torch.zeros(2).bfloat16()), path)
    with pytest.raises(ValueError, match="a type that NumPy has, but got torch.bfloat16"):
        make_case._exported(job_of(path), tmp_path)


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
        run_larq={"run": {"error": 1e-7, "seconds": [0.25], "calls": 4}},
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
    assert default["repetitions"] == 8
    assert lite["status"] == "failed" and lite["reason"] == "KeyError: 'run'"


def test_a_converted_model_that_does_not_compile(tmp_path):
    """Its peers still run; those that could not make an input of it say so in their own words."""
    pytest.importorskip("tflite")
    path = tmp_path / "NONE.TFLITE"
    path.write_bytes(b"\0\0\0\0TFL3")
    for made, reason in (({"make": {}}, ""), ({}, "KeyError: 'make'")):
        peers = peers_that_say(
            tmp_path / f"peers{len(made)}",
            convert={"versions": {"tensorflow-cpu": "3"}},
            make_lite=made,
            run_tflite={"run": {"error": 0, "seconds": [0.25], "calls": 1}},
        )
        arguments = ["--model", str(path), "--against", "tflite"]
        status, found = run(tmp_path, *arguments, peers=peers)
        own, lite = found["rows"]
        assert own["status"] == "failed" and "schema" in own["reason"]
        assert (status, lite["status"]) == ((0, "timed"), (1, "failed"))[bool(reason)]
        assert lite["reason"] == reason


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
    assert measure(1, 1, 1, 1.3) == {"error": pytest.approx(0.15), "seconds": [], "calls": 0}
    assert measure(1, 1, 1, np.nan)["seconds"] == []
    with pytest.raises(ValueError, match=r"expected an output of \(4,\), but got \(3,\)"):
        measure(1, 1, 1)


@pytest.mark.filterwarnings("error")
def test_what_has_no_norm():
    """Zeros, and what is no number, equal themselves."""
    nan, inf = float("nan"), float("inf")
    for expected, output, error in (
        ([0, 0], [0, 0], 0),
        ([0, 0], [0, 0.05], 0.05),
        ([nan, inf], [nan, inf], 0),
        ([nan, 2], [nan, 2.5], 0.25),
        ([nan, 2], [2, 2], 1e9),
        ([inf, 2], [2, 2], 1e9),
        ([2, 2], [2, nan], 1e9),
    ):
        found = measuring.relative_error(np.array(output, float), np.array(expected, float))
        assert found == pytest.approx(error), (expected, output)


@pytest.mark.parametrize(("call_seconds", "seconds"), [(1e-6, 0.5), (1e-3, 2.0), (0.3, 2.0)])
def test_seconds_of_calls(tmp_path, monkeypatch, call_seconds, seconds):
    """Fast calls are as many as slow ones take time, and what is kept of them is little."""
    clock = [0.0]

    def call():
        clock[0] += call_seconds
        return 0

    now = lambda: clock[0]  # noqa: E731
    monkeypatch.setattr(measuring, "time", SimpleNamespace(perf_counter=now, process_time=now))
    found = measuring.measure(call, {"tolerance": None, "seconds": seconds, "threads": 1}, tmp_path)
    assert found["calls"] * call_seconds == pytest.approx(seconds, rel=0.2)
    assert 5 <= len(found["seconds"]) <= 1.1 * measuring.MOST_SAMPLES
    assert found["seconds"] == pytest.approx([call_seconds] * len(found["seconds"]))


def test_layers_of_one_place():
    """A module that is called twice has one time, in one row."""
    owned = {"a": torch.nn.Linear(64, 64), "b": torch.nn.Linear(64, 8)}
    model = Function(lambda x, a, b: b(torch.relu(a(torch.relu(a(x))))), **owned)
    x = torch.randn(2, 64)
    network = bquant.compile(model, (x,))
    profile = network.profile(x, calls=1)
    layers = make_case._layers(json.loads(network.report("json")), profile)
    assert [(layer["name"], layer["macs"]) for layer in layers] == [("a", 16384), ("b", 1024)]
    assert layers[0]["bytes_read"] == 2 * 4 * (2 * 64 + 64 * 64)
    assert [layer["seconds"] for layer in layers] == [row["seconds"] for row in profile.layers]


def test_what_a_call_leaves(tmp_path):
    """Of a call that writes its output somewhere this is compared."""
    np.save(tmp_path / "expected.npy", np.arange(4))
    y = np.zeros(4, np.int8)
    job = {"tolerance": 0, "seconds": 0, "threads": 1}
    call = lambda: np.copyto(y, [0, 1, 2, 3])  # noqa: E731
    assert measuring.measure(call, job, tmp_path, lambda _: y)["error"] == 0
    call = lambda: np.copyto(y, [0, 1, 2, 4])  # noqa: E731
    assert measuring.measure(call, job, tmp_path, lambda _: y)["seconds"] == []


def test_inputs():
    """Codes are of the whole range of a byte; places in a table are small."""
    for element, least, most in (("int8", -128, 127), ("uint8", 0, 255)):
        x = make_case._any([None, 64, 64], element)
        assert x.shape == (1, 64, 64) and x.dtype == element
        assert (x.min(), x.max()) == (least, most) and len(np.unique(x)) == 256
    x = make_case._any([64, 64], "float32")
    assert x.dtype == np.float32 and abs(x.mean()) < 0.1 and x.std() == pytest.approx(1, 0.1)
    for element in ("int32", "int64", "bool"):
        x = make_case._any([64], element)
        assert x.dtype == element and set(x.tolist()) == {0, 1}


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
