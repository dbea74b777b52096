"""`bquant.quantize` against NumPy formulas, and its errors."""

import concurrent.futures
import copy
import itertools
import pickle
import warnings

import bquant
import numpy as np
import pytest

SCHEMES = ["ls-1", "ls-2", "ls-T", "gf-1", "gf-2", "gf-3", "gf-8"]


def draw(shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def groups(x, axes):
    """The values of each group, keyed by its index along the axes."""
    for index in itertools.product(*(range(x.shape[a]) for a in axes)):
        where = [slice(None)] * x.ndim
        for a, i in zip(axes, index, strict=True):
            where[a] = i
        yield index, x[tuple(where)].astype(np.float64).ravel()


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), (2, 0), (0, 1, 2)])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_parts_fit_together(scheme, axis):
    x = draw((3, 4, 37))
    q = bquant.quantize(x, scheme, axis=axis)
    axes = () if axis is None else tuple(sorted(a % 3 for a in np.atleast_1d(axis)))
    k = 2 if scheme[-1] == "T" else int(scheme[-1])
    assert q.axes == axes
    assert q.scalars.dtype == np.float32 and q.scalars.shape == (k, *(x.shape[a] for a in axes))
    assert q.signs.dtype == np.int8 and q.signs.shape == (k, *x.shape)
    assert q.offset.dtype == np.float32 and not q.offset.any()
    assert q.thresholds is None and q.codes is None

    # The cascade, in f32.
    spread = [x.shape[a] if a in axes else 1 for a in range(3)]
    v = q.scalars.reshape(k, *spread)
    r, total = x, np.zeros_like(x)
    for i in range(k):
        s = np.where(r >= 0, np.float32(1), np.float32(-1))
        assert (q.signs[i] == s).all()
        r = r - v[i] * s
        total = total + v[i] * s if i else v[i] * s
    decoded = q.dequantize()
    assert decoded.dtype == np.float32 and (decoded == total).all()
    x64, d64 = x.astype(np.float64), decoded.astype(np.float64)
    assert q.error == pytest.approx(((x64 - d64) ** 2).sum() / (x64**2).sum(), rel=1e-12)
    cosine = (x64 * d64).sum() / np.sqrt((x64**2).sum() * (d64**2).sum())
    assert q.angle == pytest.approx(np.degrees(np.arccos(min(cosine, 1))), abs=1e-5)

    bits = (q.words[..., np.newaxis] >> np.arange(32, dtype=np.uint32)) & 1
    bits = bits.reshape(k, 3, 4, 64)
    assert (bits[..., :37] == (q.signs > 0)).all() and not bits[..., 37:].any()


@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
@pytest.mark.parametrize(
    "scheme", ["ls-3", "ls-4", "twn", "dorefa-1", "dorefa-3", "dorefa-w-2", "hwgq-1", "hwgq-2"]
)
def test_ranks_among_thresholds(scheme, axis):
    x = draw((3, 4, 37), 2)
    q = bquant.quantize(x, scheme, axis=axis)
    axes = () if axis is None else tuple(np.atleast_1d(axis))
    sizes = tuple(x.shape[a] for a in axes)
    spread = tuple(x.shape[a] if a in axes else 1 for a in range(3))
    k = 2 if scheme == "twn" else int(scheme[-1])
    assert q.scalars.shape == (k, *sizes) and q.offset.shape == sizes
    assert q.thresholds.dtype == np.float32 and q.thresholds.shape == (2**k - 1, *sizes)
    assert q.codes.dtype == np.uint8 and q.codes.shape == (2**k, *sizes)

    ranks = (q.thresholds.reshape(-1, *spread) <= x).sum(0)
    codes = np.broadcast_to(q.codes.reshape(-1, *spread), (2**k, *x.shape))
    code = np.take_along_axis(codes, ranks[np.newaxis], 0)[0]
    offset = np.broadcast_to(q.offset.reshape(spread), x.shape)
    total = offset.astype(np.float64)
    for i in range(k):
        assert (q.signs[i] == np.where((code >> (k - 1 - i)) & 1, 1, -1)).all()
        total += q.scalars[i].reshape(spread).astype(np.float64) * q.signs[i]
    decoded = q.dequantize()
    np.testing.assert_allclose(decoded, total, rtol=0, atol=1e-6)
    error = ((x.astype(np.float64) - decoded) ** 2).sum() / (x.astype(np.float64) ** 2).sum()
    assert q.error == pytest.approx(error, rel=1e-12)
    if scheme.startswith(("dorefa-1", "dorefa-3", "hwgq")):
        assert decoded.min() == pytest.approx(0, abs=1e-6)
    if scheme == "dorefa-3":
        np.testing.assert_allclose(decoded, np.floor(x.clip(0, 1) * 7 + 0.5) / 7, atol=1e-6)


@pytest.mark.parametrize("shape", [(5, 9), (9, 5), (4, 3, 2, 2), (1, 3)])
def test_rank_one_is_first_singular_value(shape):
    x = draw(shape, 3)
    matrix = np.abs(x.astype(np.float64)).reshape(shape[0], -1)
    best, xnor = (bquant.quantize(x, scheme) for scheme in ("rank-1", "xnor"))
    sigma = np.linalg.svd(matrix, compute_uv=False)[0]
    assert best.energy == pytest.approx(sigma**2 / (matrix**2).sum(), rel=1e-10)
    assert best.energy >= xnor.energy
    np.testing.assert_allclose(xnor.rows, matrix.mean(1), rtol=1e-12)
    assert (xnor.columns == 1).all() and best.columns.shape == shape[1:]
    for q in (best, xnor):
        decoded = q.dequantize().astype(np.float64)
        assert q.signs.shape == (1, *shape) and (np.sign(decoded) == q.signs[0]).all()
        assert ((x - decoded) ** 2).sum() / (matrix**2).sum() == pytest.approx(q.error, abs=1e-6)
        cosine = (x * decoded).sum() / np.sqrt((matrix**2).sum() * (decoded**2).sum())
        assert q.angle == pytest.approx(np.degrees(np.arccos(min(cosine, 1))), abs=1e-2)


def test_rank_one_errors():
    with pytest.raises(ValueError, match="^expected an array of rank 2 or more, but got rank 1"):
        bquant.quantize(draw(4), "rank-1")
    with pytest.raises(ValueError, match="^expected neither scalars nor an axis but 0"):
        bquant.quantize(draw((4, 4)), "xnor", axis=1)
    with pytest.raises(ValueError, match=r"^expected finite values, but got nan at \[1, 0\]"):
        bquant.quantize(np.array([[1, 2], [np.nan, 1]]), "xnor", axis=0)
    with pytest.raises(ValueError, match="^expected a matrix that is not empty, but got 0 x 2"):
        bquant.quantize(np.zeros((0, 2)), "rank-1")


def least_error(values, count):
    """Over all ways to cut the sorted values into parts."""
    values = np.sort(values.astype(np.float64))
    best = np.inf
    for cuts in itertools.combinations(range(1, len(values)), count - 1):
        parts = np.split(values, cuts)
        best = min(best, sum(((part - part.mean()) ** 2).sum() for part in parts))
    return best


@pytest.mark.parametrize("k", [1, 2])
def test_lloyd_is_the_best_of_all_levels(k, monkeypatch):
    x = draw((6, 12), 4)
    x[1] = x[1].round(1)
    x[2] = 3
    q = bquant.quantize(x, f"lloyd-{k}", axis=0)
    assert q.levels.shape == (2**k, 6) and q.thresholds.shape == (2**k - 1, 6)
    assert (np.diff(q.levels, axis=0) >= 0).all() and q.axes == (0,)
    decoded = q.dequantize()
    assert decoded.dtype == np.float32 and (decoded[2] == 3).all()
    for row, found in zip(x, decoded, strict=True):
        error = ((row - found) ** 2).sum()
        assert error == pytest.approx(least_error(row, 2**k), rel=1e-5, abs=1e-10)
    assert q.error == pytest.approx(((x - decoded) ** 2).sum() / (x**2).sum(), rel=1e-5)
    cosine = (x * decoded).sum() / np.sqrt((x**2).sum() * (decoded**2).sum())
    assert q.angle == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-3)
    for scheme in ("ls", "gf"):
        assert q.error <= bquant.quantize(x, f"{scheme}-{k}", axis=0).error * (1 + 1e-6)
    # Each row by itself.
    for i, row in enumerate(x):
        alone = bquant.quantize(row, f"lloyd-{k}")
        assert q.errors[i] == pytest.approx(alone.error, abs=1e-15)
        assert q.angles[i] == pytest.approx(alone.angle, abs=1e-6)
    # Converged levels are means of what is nearest to them.
    monkeypatch.setattr("bquant._lloyd._EXACT", 0)
    other = bquant.quantize(x[0], f"lloyd-{k}")
    nearest = np.abs(x[0][:, np.newaxis] - other.levels).argmin(1)
    for i, level in enumerate(other.levels):
        assert level == pytest.approx(x[0][nearest == i].astype(np.float64).mean(), rel=1e-12)


def test_lloyd_axes_and_errors():
    x = draw((3, 4, 5), 5)
    q = bquant.quantize(x, "lloyd-2", axis=(0, 2))
    assert q.levels.shape == (4, 3, 5) and q.shape == x.shape
    one = bquant.quantize(x[1, :, 3], "lloyd-2")
    assert np.array_equal(one.levels, q.levels[:, 1, 3])
    assert np.array_equal(one.dequantize(), q.dequantize()[1, :, 3])
    assert repr(one).startswith("LloydArray(shape=(4,), scheme='lloyd-2', axes=(), error=0")
    zeros = bquant.quantize(np.zeros((2, 3)), "lloyd-1")
    assert zeros.error == 0 and zeros.angle == 0 and not zeros.levels.any()
    mixed = bquant.quantize([[0.0, 0.0, 0.0], [1.0, 2.0, 6.0]], "lloyd-1", axis=0)
    assert mixed.errors.tolist() == pytest.approx([0, 0.5 / 41]) and mixed.angles[0] == 0
    for scheme in ("lloyd-0", "lloyd-9", "lloyd-T", "lloyd-"):
        with pytest.raises(ValueError, match=f"^expected a scheme of .*, but got '{scheme}'$"):
            bquant.quantize(x, scheme)
    with pytest.raises(ValueError, match="^expected no scalars for the scheme 'lloyd-2', but got"):
        bquant.quantize(x, "lloyd-2", scalars=[1.0])
    with pytest.raises(ValueError, match=r"^expected finite values, but got nan at \[0, 1\]$"):
        bquant.quantize([[1, np.nan]], "lloyd-2")
    with pytest.raises(
        ValueError, match=r"^expected an array that is not empty, but got shape \[0"
    ):
        bquant.quantize(np.zeros((0, 3)), "lloyd-2")


@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
@pytest.mark.parametrize("scheme", ["ls-2", "gf-3", "ls-T", "twn", "hwgq-2"])
@pytest.mark.filterwarnings("ignore:all values of")
def test_errors_and_angles_of_groups(scheme, axis):
    x = draw((5, 4, 37))
    x[3] = 0
    q = bquant.quantize(x, scheme, axis=axis)
    decoded = q.dequantize()
    assert isinstance(q.error, float) and isinstance(q.angle, float)
    assert q.errors.shape == q.angles.shape == tuple(x.shape[a] for a in q.axes)
    for (index, values), (_, found) in zip(groups(x, q.axes), groups(decoded, q.axes), strict=True):
        if not values.any():
            assert q.errors[index] == 0 and q.angles[index] in (0, 90)
            continue
        error = ((values - found) ** 2).sum() / (values**2).sum()
        assert q.errors[index] == pytest.approx(error, rel=1e-12)
        if not found.any():  # half-wave: all are negative
            assert q.angles[index] == 90
            continue
        cosine = values @ found / np.sqrt((values @ values) * (found @ found))
        assert q.angles[index] == pytest.approx(np.degrees(np.arccos(cosine)), abs=1e-5)


def test_128_images_in_one_call():
    x = draw((128, 3, 8, 8))
    q = bquant.quantize(x, "ls-2", axis=0)
    assert q.angles.shape == (128,)
    assert q.angles[7] == pytest.approx(bquant.quantize(x[7], "ls-2").angle, abs=1e-9)
    assert q.errors[7] == pytest.approx(bquant.quantize(x[7], "ls-2").error, rel=1e-9)


def test_bwn_is_ls1():
    x = draw((4, 9))
    q, same = (bquant.quantize(x, scheme, axis=0) for scheme in ("bwn", "ls-1"))
    assert q.scheme == "bwn" and (q.scalars == same.scalars).all() and q.error == same.error


@pytest.mark.parametrize("axis", [None, 0, (0, 2)])
def test_scalars_by_formula(axis):
    x = draw((3, 5, 4), 1)
    axes = () if axis is None else tuple(np.atleast_1d(axis))
    schemes = ("ls-1", "ls-2", "ls-T")
    one, two, ternary = (bquant.quantize(x, s, axis=axis).scalars for s in schemes)
    for index, values in groups(x, axes):
        a = np.sort(np.abs(values))
        assert one[(0, *index)] == pytest.approx(a.mean(), rel=1e-6)
        parts = [(a[:n], a[n:]) for n in range(1, len(a))]
        lower, upper = min(parts, key=lambda p: p[0].var() * len(p[0]) + p[1].var() * len(p[1]))
        m0, m1 = lower.mean(), upper.mean()
        assert two[(0, *index)] == pytest.approx((m1 + m0) / 2, rel=1e-6)
        assert two[(1, *index)] == pytest.approx((m1 - m0) / 2, rel=1e-5, abs=1e-7)
        upper = max((a[n:] for n in range(len(a))), key=lambda u: len(u) * u.mean() ** 2)
        assert ternary[(0, *index)] == pytest.approx(upper.mean() / 2, rel=1e-6)
        assert ternary[(1, *index)] == ternary[(0, *index)]


def test_given_reproduces():
    x = draw((4, 33))
    for scheme in SCHEMES:
        solved = bquant.quantize(x, scheme, axis=0)
        given = bquant.quantize(x, "given", axis=0, scalars=solved.scalars)
        assert (given.signs == solved.signs).all() and (
            given.dequantize() == solved.dequantize()
        ).all()
    ternary = bquant.quantize(x, "ls-T")
    for scalars in (ternary.scalars, ternary.scalars[:1]):
        given = bquant.quantize(x, "given-T", scalars=scalars)
        assert given.scheme == "given-T" and (given.signs == ternary.signs).all()
        assert (given.scalars == ternary.scalars).all()


def parts(q):
    """All that a result has."""
    names = ["scalars", "offset", "thresholds", "codes", "signs", "words", "errors", "angles"]
    if isinstance(q, bquant.RankOneArray):
        names = ["rows", "columns", "signs", "energy"]
    if isinstance(q, bquant.LloydArray):
        names = ["levels", "thresholds"]
    found = {name: np.array(getattr(q, name)) for name in [*names, "error", "angle"]}
    return found | {"decoded": q.dequantize(), "repr": repr(q)}


def are_equal(q, expected):
    np.testing.assert_equal(parts(q), parts(expected))


@pytest.mark.parametrize(
    "scheme", ["ls-2", "ls-3", "ls-T", "gf-3", "hwgq-2", "given", "xnor", "lloyd-2"]
)
@pytest.mark.parametrize("kind", ["f4", "f8", "strided", "list", "torch"])
def test_x_may_change_later(scheme, kind):
    x = draw((4, 33), 5)
    scalars = np.full((2, 4), 0.5, np.float32) if scheme == "given" else None
    expected = bquant.quantize(x.copy(), scheme, axis=0, scalars=scalars)
    parts(expected)
    if kind == "f8":
        x = x.astype("f8")
    elif kind == "strided":
        x = np.asfortranarray(x)
    elif kind == "list":
        x = x.tolist()
    elif kind == "torch":
        x = pytest.importorskip("torch").from_numpy(x)
    own = None if scalars is None else scalars.copy()
    q = bquant.quantize(x, scheme, axis=0, scalars=own)
    x[:] = [[0.0] * 33] * 4 if kind == "list" else 0 * x
    if own is not None:
        own[:] = 9
    are_equal(q, expected)


def test_results_pickle_and_copy():
    x = draw((4, 33), 6)
    for scheme in ("ls-2", "ls-3", "rank-1", "lloyd-2"):
        q = bquant.quantize(x, scheme, axis=0)
        for make in (lambda q: pickle.loads(pickle.dumps(q)), copy.copy, copy.deepcopy):
            are_equal(make(q), q)  # before and after its parts are computed
            are_equal(make(q), q)


def test_threads_get_one_array():
    q = bquant.quantize(draw((64, 4096), 7), "ls-2", axis=0)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: (q.signs, q.error), range(8))
    assert all(signs is first[0] and error == first[1] for signs, error in others)


def test_decoded_values_overflow_at_call():
    x = np.full(16, np.finfo(np.float32).max, np.float32)
    x[0] = 0
    message = "^expected decoded values that f32 can hold, but the scalars of a group add up to inf"
    with pytest.raises(ValueError, match=message):
        bquant.quantize(x, "gf-2")
    assert bquant.quantize(x / 2, "gf-2").signs.any()  # large, but not too large


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i8", "u2", ">f4"])
def test_input_types_and_layouts(dtype):
    x = (draw((6, 8)) * 8).astype("i1").astype(dtype)
    x = np.abs(x) if dtype == "u2" else x
    expected = bquant.quantize(x.astype("f4"), "ls-2", axis=1)
    strided = np.repeat(x, 2, axis=0)[::2]
    for layout in (x, np.asfortranarray(x), x[::-1][::-1], strided, x.tolist()):
        q = bquant.quantize(layout, "ls-2", axis=1)
        assert (q.scalars == expected.scalars).all() and (q.signs == expected.signs).all()


def test_zeros_warn():
    with pytest.warns(RuntimeWarning, match="^all values are zero"):
        q = bquant.quantize(np.zeros(5), "ls-2")
    assert not q.scalars.any() and q.error == 0 and q.angle == 0 and (q.signs == 1).all()
    x = draw((3, 5))
    x[1] = 0
    with pytest.warns(RuntimeWarning, match="^all values of 1 of 3 groups are zero"):
        bquant.quantize(x, "ls-T", axis=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bquant.quantize(x, "ls-T", axis=1)


@pytest.mark.parametrize(
    ("x", "arguments", "message"),
    [
        (1.0, ("ls-1",), "expected an array of rank 1 or more, but got a scalar"),
        ([], ("ls-1",), "expected an array that is not empty, but got shape [0]"),
        (np.zeros((2, 0)), ("ls-1",), "expected an array that is not empty, but got shape [2, 0]"),
        ([[1, np.nan]], ("ls-2",), "expected finite values, but got nan at [0, 1]"),
        ([-np.inf], ("gf-2",), "expected finite values, but got -inf at [0]"),
        ([1e300], ("ls-1",), "expected finite values, but got inf at [0]"),
        (
            [1],
            ("ls-9",),
            "expected a scheme of ls-k, ls-T, gf-k, bwn, twn, dorefa-k, dorefa-w-k, hwgq-k, "
            "given-k, given-T, given, lloyd-k, rank-1 or xnor with k from 1 to 8, but got 'ls-9'",
        ),
        ([1], ("ls-1", 1), "expected an axis from -1 to 0, but got 1"),
        ([[1]], ("ls-1", (0, -2)), "expected different axes, but got (0, -2)"),
        ([1], ("given",), "expected scalars for the scheme 'given', but got none"),
        ([1], ("ls-1", None, [1]), "expected no scalars for the scheme 'ls-1', but got some"),
        ([1], ("given", None, [[1]]), "expected scalars of shape (k), but got (1, 1)"),
        ([[1, 2]], ("given", 1, [1]), "expected scalars of shape (k, 2), but got (1,)"),
        ([1], ("given", None, []), "expected scalars of 1 to 8 planes, but got 0"),
        ([1], ("given-2", None, [1]), "expected 2 scalars for the scheme 'given-2', but got 1"),
        ([1], ("given-T", None, [1, 2]), "expected 1 scalars for the scheme 'given-T', but got 2"),
        (
            [1],
            ("given", None, [-1]),
            "expected scalars that are finite and not negative, but got -1.000000 at [0, 0]",
        ),
        (
            [1],
            ("given", None, [np.nan]),
            "expected scalars that are finite and not negative, but got nan at [0, 0]",
        ),
    ],
)
def test_value_errors(x, arguments, message):
    with pytest.raises(ValueError) as error:
        bquant.quantize(x, *arguments)
    assert str(error.value) == message


@pytest.mark.parametrize("kind", ["float32", "float64", "bfloat16", "int32"])
def test_torch_tensors(kind):
    torch = pytest.importorskip("torch")
    x = torch.from_numpy(3 * draw((4, 5))).to(getattr(torch, kind))
    if x.is_floating_point():
        x.requires_grad_()
    q = bquant.quantize(x, "ls-2", axis=0)
    expected = bquant.quantize(x.detach().float().numpy(), "ls-2", axis=0)
    assert isinstance(q.scalars, np.ndarray)
    assert np.array_equal(q.scalars, expected.scalars)
    assert np.array_equal(q.dequantize(), expected.dequantize())


def test_scalars_of_torch():
    torch = pytest.importorskip("torch")
    scalars = torch.nn.Parameter(torch.tensor([2.0, 1.0]))
    q = bquant.quantize(torch.tensor([3.0, -1.0]), "given", scalars=scalars)
    assert q.dequantize().tolist() == [3.0, -1.0]


@pytest.mark.parametrize("kind", ["bool", "complex64"])
def test_torch_tensors_that_are_not_real(kind):
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match=f"^expected x to hold real numbers, but got dtype {kind}$"):
        bquant.quantize(torch.ones(3, dtype=getattr(torch, kind)), "ls-1")


@pytest.mark.parametrize(
    ("x", "arguments", "message"),
    [
        ([1j], ("ls-1",), "expected x to hold real numbers, but got dtype complex128"),
        ([True], ("ls-1",), "expected x to hold real numbers, but got dtype bool"),
        (["a"], ("ls-1",), "expected x to hold real numbers, but got dtype <U1"),
        ([1.0], (2,), "expected the name of a scheme, but got 2"),
        ([1.0], ("ls-1", 0.5), "expected axis to be None, an int or ints, but got 0.5"),
        ([1.0], ("given", None, ["a"]), "expected scalars to hold real numbers, but got dtype <U1"),
    ],
)
def test_type_errors(x, arguments, message):
    with pytest.raises(TypeError) as error:
        bquant.quantize(x, *arguments)
    assert str(error.value) == message


def test_tensors_that_are_views_or_not_dense():
    torch = pytest.importorskip("torch")
    x = torch.randn(4, 4, dtype=torch.complex64).conj().imag
    assert x.is_neg()
    q = bquant.quantize(x, "ls-1")
    assert (q.words == bquant.quantize(x.resolve_neg(), "ls-1").words).all()
    for x, kind in (
        (torch.eye(3).to_sparse(), "sparse_coo"),
        (torch.eye(3, device="meta"), "meta"),
    ):
        message = f"^expected x to be a dense tensor with values, but got a {kind} one$"
        with pytest.raises(TypeError, match=message):
            bquant.quantize(x, "ls-1")
    with pytest.raises(TypeError, match="real numbers, but got dtype complex64"):
        bquant.quantize(torch.randn(3, dtype=torch.complex64).conj(), "ls-1")


def test_the_example_of_the_docstring():
    q = bquant.quantize(np.array([3.0, -1.0, 2.0, -4.0]), "ls-2")
    assert "array([2.5, 1. ], dtype=float32)" in bquant.quantize.__doc__
    np.testing.assert_array_equal(q.scalars, np.float32([2.5, 1.0]))
