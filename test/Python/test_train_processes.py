"""bquant.train by several processes: the same as one, or within the bound that is stated."""

import copy
import faulthandler
import multiprocessing
import os
import pickle
import socket
import subprocess
import sys
import traceback
import warnings

import bquant.datasets
import pytest
import torch
from bquant import nn as bnn
from bquant import train
from bquant.nn import functional as F
from bquant.train import Recipe, processes
from functions import Function
from torch import nn

SECONDS = 60  # that processes may take; they take one


def together(function, *arguments, count=2, joins=1):
    """What `function(*arguments)` gives in each of `count` processes of one group, which they join
    so many times. Forked, since each would import torch anew; over the loopback device, since Gloo
    else looks for the machine by its name. They meet at a store of this process, as those that
    torchrun starts."""
    context = multiprocessing.get_context("fork")
    ends, members = [], []
    store = torch.distributed.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    for rank in range(count):
        here, there = context.Pipe(duplex=False)
        member = context.Process(
            target=_member,
            args=(there, rank, count, store.port, joins, function, arguments),
            daemon=False,
        )
        member.start()
        there.close()
        ends.append(here)
        members.append(member)
    try:
        results = []
        for rank, (end, member) in enumerate(zip(ends, members, strict=True)):
            if not end.poll(SECONDS):
                pytest.fail(f"process {rank} has not ended in {SECONDS} s")
            try:
                kind, value = pickle.loads(end.recv_bytes())
            except EOFError:
                member.join(SECONDS)
                pytest.fail(f"process {rank} ended with {member.exitcode}")
            if kind == "error":
                pytest.fail(f"process {rank}: {value}")
            results.append(value)
        return results
    finally:
        for member in members:
            member.join(5)
            if member.is_alive():
                member.kill()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _member(end, rank, count, port, joins, function, arguments):
    faulthandler.dump_traceback_later(SECONDS - 5, exit=True)  # where it hangs
    torch.set_num_threads(1)
    place = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": count, "MASTER_PORT": port}
    os.environ.update({key: str(value) for key, value in place.items()})
    os.environ.update(MASTER_ADDR="127.0.0.1", GLOO_SOCKET_IFNAME="lo")
    os.environ["TORCHELASTIC_USE_AGENT_STORE"] = "True"
    try:
        for _ in range(joins):
            with train.join("cpu", timeout=SECONDS / 2):
                result = ("value", function(*arguments))
    except BaseException:
        result = ("error", traceback.format_exc())
    # By value: torch's own way shares memory, which ends with this process.
    end.send_bytes(pickle.dumps(result))
    os._exit(0)  # none of pytest's own endings


@pytest.fixture(scope="module")
def data():
    whole = bquant.datasets.load("digits")
    return bquant.datasets.Dataset(
        "digits", whole.train.first(160), whole.test.first(33), whole.classes
    )


def network(scalars="learned", activations="ls-1"):
    torch.manual_seed(0)
    options = {"weights": "ls-1", "activations": activations, "scalars": scalars}
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1, bias=False),
        nn.BatchNorm2d(8),
        bnn.BinaryConv2d(8, 8, 3, stride=2, **options),
        nn.PReLU(8),
        nn.BatchNorm2d(8),
        nn.Flatten(),
        bnn.BinaryLinear(72, 10, **options),
    )


RECIPE = Recipe(epochs=2, batch=32, rate=1e-3, shift=1, flip=True)


def trained(model, data, recipe=RECIPE, **options):
    rows = []
    train.train(model, data, recipe, epoch_done=rows.append, **options)
    for row in rows:
        del row["seconds"]
    return model.state_dict(), rows


@pytest.mark.parametrize("optimizer", ["adam", "sgd"])
def test_two_processes_train_as_one(data, optimizer):
    """Batch norms of the whole batch and learned scalars: the same, but for the order of sums."""
    recipe = Recipe(**{**vars(RECIPE), "optimizer": optimizer})
    teacher = network("stored", "fp")
    expected, rows = trained(network(), data, recipe, teacher=teacher)
    (one, one_rows), (two, two_rows) = together(
        lambda: trained(network(), data, recipe, teacher=teacher)
    )
    assert one_rows == two_rows and all(torch.equal(one[key], two[key]) for key in expected)
    for found, row in zip(one_rows, rows, strict=True):
        assert found["loss"] == pytest.approx(row["loss"], rel=1e-4)
        assert found["accuracy"] == pytest.approx(row["accuracy"], abs=1.5 / len(data.test))
    for key, value in expected.items():
        torch.testing.assert_close(one[key], value, rtol=1e-3, atol=1e-4, msg=key)


@pytest.mark.parametrize("affine", [True, False])
def test_batch_norms_are_of_the_whole_batch(affine):
    torch.manual_seed(1)
    x = 3 * torch.randn(8, 4, 5, 5) + 1
    weight = torch.randn_like(x)
    norm = nn.BatchNorm2d(4, affine=affine)
    part = copy.deepcopy(norm)

    def own():
        rows = slice(4 * processes.index(), 4 * processes.index() + 4)
        leaf = x[rows].clone().requires_grad_()
        with processes.whole_batch_norms(part):
            y = part(leaf)
            (y * weight[rows]).sum().backward()
        assert "forward" not in vars(part)
        grads = [leaf.grad, *(p.grad for p in part.parameters())]
        return y.detach(), grads, dict(part.named_buffers())

    results = together(own)
    leaf = x.clone().requires_grad_()
    y = norm(leaf)
    (y * weight).sum().backward()
    torch.testing.assert_close(torch.cat([r[0] for r in results]), y.detach())
    torch.testing.assert_close(torch.cat([r[1][0] for r in results]), leaf.grad)
    for i, parameter in enumerate(norm.parameters()):
        torch.testing.assert_close(sum(r[1][i + 1] for r in results), parameter.grad)
    for name, value in norm.named_buffers():
        for _, _, buffers in results:
            torch.testing.assert_close(buffers[name], value, msg=name)


SCHEMES = ["ls-1", "ls-2", "ls-T", "ls-3", "ls-4"]


def test_averages_are_means_of_the_processes():
    torch.manual_seed(2)
    x = torch.randn(2, 500) * torch.tensor([[1.0], [1.4]])

    def own(scheme):
        quantizer = bnn.Quantizer(scheme, clamp=None)
        y = quantizer(x[processes.index()])
        return quantizer.scalars, y

    for scheme in ("ls-1", "ls-2"):
        results = together(own, scheme)
        solved = [F.solve(part, scheme) for part in x]
        mean = sum(parameters.scalars for parameters in solved) / 2
        for (scalars, y), part, parameters in zip(results, x, solved, strict=True):
            torch.testing.assert_close(scalars, mean)
            # A process quantizes by the scalars of its part.
            assert torch.equal(y, F.quantize(part, scheme, parameters))


def error(x, scheme, scalars):
    """The root of the mean square of x less its quantization."""
    quantizer = bnn.Quantizer(scheme, clamp=None)
    quantizer.set_scalars(scalars)
    return (x - quantizer.eval()(x)).square().mean().sqrt().item()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_means_of_scalars_are_within_the_bound(scheme):
    """rms(mean of the processes' scalars) <= least rms + spread of the scalars (docs/training.md).
    Of ls-1, whose scalar is a mean itself, they are the scalars of the whole batch."""
    generator = torch.Generator().manual_seed(3)
    for count in (2, 4):
        for shape in range(6):
            parts = torch.randn(count, 300, generator=generator)
            if shape % 3 == 1:
                parts = parts.sign() * parts.abs() ** 2
            if shape % 3 == 2:  # each process has another distribution
                parts = parts * torch.rand(count, 1, generator=generator) * 3
            whole = F.solve(parts.flatten(), scheme).scalars
            own = torch.stack([F.solve(part, scheme).scalars for part in parts])
            mean = own.mean(0)
            steps = 2 if scheme == "ls-T" else 1  # its levels are 0 and twice the scalar
            spread = (steps * (own - mean).abs().sum(1)).square().mean().sqrt().item()
            least = error(parts.flatten(), scheme, whole)
            found = error(parts.flatten(), scheme, mean)
            assert least - 1e-6 <= found <= least + spread + 1e-6
            if scheme == "ls-1":
                torch.testing.assert_close(mean, whole)


def test_the_first_process_writes(data, tmp_path):
    path = tmp_path / "run.pt"

    def half():
        class Stop(Exception):
            pass

        def stop(row):
            if row["epoch"] == 1:
                raise Stop

        try:
            train.train(network("stored"), data, RECIPE, checkpoint=path, epoch_done=stop)
        except Stop:
            return processes.index()

    assert together(half) == [0, 1]
    assert [p.name for p in tmp_path.iterdir()] == ["run.pt"]
    whole = together(lambda: trained(network("stored"), data))
    resumed = together(lambda: trained(network("stored"), data, checkpoint=path))
    for one, other in zip(whole, resumed, strict=True):
        assert one[1][1:] == other[1]
        assert all(torch.equal(one[0][key], other[0][key]) for key in one[0])
    # One process goes on where two have been.
    assert len(train.read_checkpoint(path)["history"]) == 2
    trained(network("stored"), data, checkpoint=path)


def test_all_processes_end_where_one_diverges(data):
    breaks = Function(lambda x: x * float("nan") if processes.index() else x)

    def own():
        with pytest.raises(train.Diverged) as caught:
            train.train(network().append(breaks), data, RECIPE)
        return str(caught.value)

    expected = "training diverged in epoch 1, step 0: the loss has NaN or Inf"
    assert together(own) == [expected, expected]


def test_logits_are_of_a_process(data, tmp_path):
    teacher = network("stored", "fp")
    train.train(teacher, data, Recipe(**{**vars(RECIPE), "epochs": 1}))

    def own():
        return trained(network(), data, teacher=teacher, logits=tmp_path)

    first, again = together(own), together(own)
    assert len(list(tmp_path.iterdir())) == 2 * RECIPE.epochs
    for one, other in zip(first, again, strict=True):
        assert all(torch.equal(one[0][key], other[0][key]) for key in one[0])


def small(layer=nn.PReLU):
    torch.manual_seed(0)
    return nn.Sequential(nn.Flatten(), nn.Linear(64, 16), layer(), nn.Linear(16, 10))


def test_processes_join_again(data):
    one, two = together(lambda: trained(small(), data), joins=6)
    assert torch.equal(one[0]["1.weight"], two[0]["1.weight"])


def test_processes_go_on_with_their_random_numbers(data, tmp_path):
    class Stop(Exception):
        pass

    def stop(row):
        raise Stop

    def own():
        first, second, path = small(nn.Dropout), small(nn.Dropout), tmp_path / "run.pt"
        torch.manual_seed(100 + processes.index())
        whole = trained(first, data)[0]
        torch.manual_seed(100 + processes.index())
        with pytest.raises(Stop):
            train.train(second, data, RECIPE, checkpoint=path, epoch_done=stop)
        torch.distributed.barrier()
        return whole, trained(small(nn.Dropout), data, checkpoint=path)[0]

    for whole, resumed in together(own):
        assert all(torch.equal(whole[key], resumed[key]) for key in whole)
    # Where there are others, the first ones have them.
    assert len(train.read_checkpoint(tmp_path / "run.pt")["random"]) == 2
    together(lambda: trained(small(nn.Dropout), data, checkpoint=tmp_path / "run.pt"), count=4)


def test_parameters_without_a_gradient(data):
    """They stay as they are, as in one process; and torch warns of nothing old."""

    class Partly(nn.Linear):
        def __init__(self):
            super().__init__(16, 16)
            self.unused = nn.Linear(3, 3)

    def own():
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            return trained(small(Partly), data)

    expected, _ = own()
    for found, _ in together(own):
        assert torch.equal(found["2.unused.weight"], small(Partly)[2].unused.weight)
        for key, value in expected.items():
            torch.testing.assert_close(found[key], value, rtol=1e-3, atol=1e-4, msg=key)


@pytest.mark.parametrize("scheme", ["ls-2", "ls-T", "pact-2", "lsq-plus-2"])
def test_learned_scalars_start_at_those_of_the_whole_batch(scheme):
    torch.manual_seed(2)
    x = torch.randn(7, 30) * torch.linspace(0.5, 3, 7)[:, None]
    parts = x.split([4, 3])

    def make():
        return bnn.BinaryLinear(30, 2, activations=scheme, scalars="learned").quantizer

    def own():
        quantizer = make()
        quantizer(parts[processes.index()])
        return quantizer.scalars.detach()

    def start():
        quantizer = make()
        quantizer(x)
        return quantizer.scalars.detach()

    expected = start()
    for scalars in together(own):
        torch.testing.assert_close(scalars, expected)


def test_what_processes_cannot_share(data):
    def own():
        with pytest.raises(ValueError) as caught:
            train.train(network(), data, Recipe(batch=33))
        return str(caught.value)

    assert together(own)[1] == "expected a batch that 2 processes can share, but got 33 images"


def test_a_process_without_a_gpu(monkeypatch):
    """Of "cuda" each takes the GPU of its place, and one that has none says so."""
    monkeypatch.setenv("RANK", "10")
    monkeypatch.setenv("LOCAL_RANK", "99")
    with pytest.raises(ValueError, match="expected a device of this machine, but got 'cuda:99': "):
        with train.join("cuda"):
            pass


def test_one_process_joins_none():
    assert "RANK" not in os.environ
    with train.join("cpu") as device:
        assert device == torch.device("cpu") and processes.count() == 1
    with pytest.raises(ValueError, match="expected a device of this machine, but got 'nowhere'"):
        with train.join("nowhere"):
            pass


PROGRAM = """
import bquant.datasets, bquant.train, os, sys, torch
from bquant.train import Recipe, processes
with bquant.train.join("cpu") as device:
    data = bquant.datasets.load("digits")
    torch.manual_seed(processes.index())
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 10))
    recipe = Recipe(epochs=1, batch=64, shift=1, flip=False)
    bquant.train.train(model, data, recipe, device=device, checkpoint=sys.argv[1])
    line = f"{processes.count()} {model[1].weight.sum().item()}\\n"
    os.write(1, line.encode())  # whole, whatever the other process writes
"""


@pytest.mark.nightly
def test_torchrun(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2"]
    command += ["--master-addr=127.0.0.1", f"--master-port={free_port()}"]
    command += [str(tmp_path / "program.py"), str(tmp_path / "run.pt")]
    environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    first, second = sorted(result.stdout.split("\n")[:2])
    assert first == second and first.startswith("2 ")
    assert len(train.read_checkpoint(tmp_path / "run.pt")["history"]) == 1
